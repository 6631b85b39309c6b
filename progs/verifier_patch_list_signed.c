// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps over, onto and out of signed divisions, whose code looks for minus one, too; see
 * verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

/* Signed divisions look for minus one, too, in a register that has a number by kernel. */
SEC("socket")
__description("over and onto signed 64-bit divisions")
__success __retval(13)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: r8 = -1{{$}}")
__xlated("6: if r7 == 0x0 goto pc+16{{$}}")
__xlated("7: r{{1[12]}} = r7")
__xlated("8: r{{1[12]}} += 1{{$}}")
__xlated("9: if r{{1[12]}} > 0x1 goto pc+4{{$}}")
__xlated("10: if r{{1[12]}} == 0x0 goto pc+1{{$}}")
__xlated("11: r9 = 0{{$}}")
__xlated("12: r9 = -r9")
__xlated("13: goto pc+1{{$}}")
__xlated("14: r9 s/= r7")
__xlated("15: r{{1[12]}} = r7")
__xlated("16: r{{1[12]}} += 1{{$}}")
__xlated("17: if r{{1[12]}} > 0x1 goto pc+3{{$}}")
__xlated("18: if r{{1[12]}} == 0x1 goto pc+3{{$}}")
__xlated("19: w9 = 0{{$}}")
__xlated("20: goto pc+1{{$}}")
__xlated("21: r9 s%= r7")
__xlated("22: r6 += 2{{$}}")
__xlated("23: r8 += r7")
__xlated("24: r{{1[12]}} = r8")
__xlated("25: r{{1[12]}} += 1{{$}}")
__xlated("26: if r{{1[12]}} > 0x1 goto pc+4{{$}}")
__xlated("27: if r{{1[12]}} == 0x0 goto pc+1{{$}}")
__xlated("28: r9 = 0{{$}}")
__xlated("29: r9 = -r9")
__xlated("30: goto pc+1{{$}}")
__xlated("31: r9 s/= r8")
__xlated("32: if r9 s> 0xffffffd6 goto pc+1{{$}}")
__xlated("33: r6 += 4{{$}}")
__xlated("34: r{{1[12]}} = r8")
__xlated("35: r{{1[12]}} += 1{{$}}")
__xlated("36: if r{{1[12]}} > 0x1 goto pc+3{{$}}")
__xlated("37: if r{{1[12]}} == 0x1 goto pc+3{{$}}")
__xlated("38: w9 = 0{{$}}")
__xlated("39: goto pc+1{{$}}")
__xlated("40: r9 s%= r8")
__xlated("41: if r9 != 0x0 goto pc+1{{$}}")
__xlated("42: r6 += 8{{$}}")
__xlated("43: r0 = r6")
__xlated("44: exit")
__naked void sdiv64(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42; r8 = -1;"
		      "if r7 == 0 goto 1f;"
		      "r9 s/= r7;"
		      "r9 s%%= r7;"
		      "r6 += 2;"
		      "1: r8 += r7;"
		      "r9 s/= r8;"
		      "if r9 s> -42 goto 2f;"
		      "r6 += 4;"
		      "2: r9 s%%= r8;"
		      "if r9 != 0 goto 3f;"
		      "r6 += 8;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards a 32-bit condition over a body of eight instructions. */
SEC("socket")
__description("jmp32 over a signed 32-bit division")
__success __retval(9)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: if w7 s< 0x1 goto pc+9{{$}}")
XLATED_SDIV32("w9", "w7")
__xlated("14: r6 += 2{{$}}")
__xlated("15: if w7 s> 0x0 goto pc+1{{$}}")
__xlated("16: r6 += 8{{$}}")
__xlated("17: r0 = r6")
__xlated("18: exit")
__naked void jmp32_over_sdiv32(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "if w7 s< 1 goto 1f;"
		      "w9 s/= w7;"
		      "r6 += 2;"
		      "1: if w7 s> 0 goto 2f;"
		      "r6 += 8;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards jumps over and from behind a body that ends by clearing an upper half. */
SEC("socket")
__description("forward over a signed 32-bit remainder")
__success __retval(14)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = -47{{$}}")
__xlated("5: if r8 == 0x0 goto pc+12{{$}}")
__xlated("6: w8 = -9{{$}}")
XLATED_SMOD32("w9", "w8")
__xlated("16: w9 = -w9{{$}}")
__xlated("17: r6 += r9")
__xlated("18: r6 += 8{{$}}")
__xlated("19: if r9 == 0x2 goto pc+10{{$}}")
XLATED_SMOD32("w9", "w8")
__xlated("29: r6 = 0{{$}}")
__xlated("30: if r6 == 0xb goto pc+1{{$}}")
__xlated("31: r6 = 0{{$}}")
__xlated("32: r6 += 3{{$}}")
__xlated("33: r0 = r6")
__xlated("34: exit")
__naked void forward_over_smod32(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = -47;"
		      "if r8 == 0 goto 1f;"
		      "w8 = -9;"
		      "w9 s%%= w8;"
		      "w9 = -w9;"
		      "r6 += r9;"
		      "1: r6 += 8;"
		      "if r9 == 2 goto 2f;"
		      "w9 s%%= w8;"
		      "r6 = 0;"
		      "2: if r6 == 11 goto 3f;"
		      "r6 = 0;"
		      "3: r6 += 3;"
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards a branch that is itself right behind a body, and leaves it backwards. */
SEC("socket")
__description("backward from right behind a signed 64-bit remainder")
__success __retval(7)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 4{{$}}")
__xlated("5: r7 = 0{{$}}")
__xlated("6: r6 += 2{{$}}")
__xlated("7: r7 += 1{{$}}")
__xlated("8: r9 += 3{{$}}")
__xlated("9: if r7 > 0x5 goto pc+9{{$}}")
__xlated("10: r8 += 1{{$}}")
XLATED_SMOD64("r9", "r8")
__xlated("18: if r9 != 0x0 goto pc-13{{$}}")
__xlated("19: r0 = r6")
__xlated("20: exit")
__naked void backward_from_smod64(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 4;"
		      "r7 = 0;"
		      "1: r6 += 2;"
		      "r7 += 1;"
		      "r9 += 3;"
		      "if r7 > 5 goto 2f;"
		      "r8 += 1;"
		      "r9 s%%= r8;"
		      "if r9 != 0 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards what is replaced by as many instructions as it was: nothing moves. */
SEC("socket")
__description("over and onto signed divisions by minus one")
__success __retval(48)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = -42{{$}}")
__xlated("5: if r7 == 0x0 goto pc+1{{$}}")
__xlated("6: w9 = 0{{$}}")
__xlated("7: r9 = -r9{{$}}")
__xlated("8: r6 += r9")
__xlated("9: if r7 == 0x0 goto pc+2{{$}}")
__xlated("10: w9 = -w9{{$}}")
__xlated("11: r6 += r9")
__xlated("12: w9 = 0{{$}}")
__xlated("13: if w9 != 0x0 goto pc+1{{$}}")
__xlated("14: r6 += 5{{$}}")
__xlated("15: r0 = r6")
__xlated("16: exit")
__naked void minus_one(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = -42;"
		      "if r7 == 0 goto 1f;"
		      "r9 s%%= -1;"
		      "1: r9 s/= -1;"
		      "r6 += r9;"
		      "if r7 == 0 goto 2f;"
		      "w9 s/= -1;"
		      "r6 += r9;"
		      "2: w9 s%%= -1;"
		      "if w9 != 0 goto 3f;"
		      "r6 += 5;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
