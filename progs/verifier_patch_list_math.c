// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps over, onto and out of unsigned divisions, which the verifier replaces by code
 * that first looks at the divisor; see verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

/* Guards a forward jump over the one body that has two instructions. */
SEC("socket")
__description("forward over a 64-bit remainder")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: if r7 == 0x0 goto pc+3{{$}}")
XLATED_MOD64("r9", "r7")
__xlated("8: r6 += 2{{$}}")
__xlated("9: r6 += 4{{$}}")
__xlated("10: r0 = r6")
__xlated("11: exit")
__naked void forward_over_mod64(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "if r7 == 0 goto 1f;"
		      "r9 %%= r7;"
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards a jump onto a division: the test of the divisor must not be passed over. */
SEC("socket")
__description("forward onto a 64-bit division")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: if r7 == 0x0 goto pc+1{{$}}")
__xlated("6: r6 += 2{{$}}")
XLATED_DIV64("r9", "r7")
__xlated("11: if r9 != 0x0 goto pc+1{{$}}")
__xlated("12: r6 += 4{{$}}")
__xlated("13: r0 = r6")
__xlated("14: exit")
__naked void forward_onto_div64(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "if r7 == 0 goto 1f;"
		      "r6 += 2;"
		      "1: r9 /= r7;"
		      "if r9 != 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards a back edge whose loop halves a number until nothing is left. */
SEC("socket")
__description("backward over a 32-bit division")
__success __retval(9)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r8 += 1{{$}}")
__xlated("5: r9 = 8{{$}}")
__xlated("6: r7 = 0{{$}}")
__xlated("7: r6 += 2{{$}}")
XLATED_DIV32("w9", "w8")
__xlated("12: r7 += 1{{$}}")
__xlated("13: if r7 > 0x8 goto pc+1{{$}}")
__xlated("14: if w9 != 0x0 goto pc-8{{$}}")
__xlated("15: r0 = r6")
__xlated("16: exit")
__naked void backward_over_div32(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r8 += 1;"
		      "r9 = 8;"
		      "r7 = 0;"
		      "1: r6 += 2;"
		      "w9 /= w8;"
		      "r7 += 1;"
		      "if r7 > 8 goto 2f;"
		      "if w9 != 0 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards a back edge that arrives at the first instruction of a body that has two jumps. */
SEC("socket")
__description("backward onto a 32-bit remainder")
__success __retval(16)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 47{{$}}")
__xlated("5: r8 += 9{{$}}")
__xlated("6: r7 = 0{{$}}")
XLATED_MOD32("w9", "w8")
__xlated("11: r6 += r9")
__xlated("12: r8 += -5{{$}}")
__xlated("13: r7 += 1{{$}}")
__xlated("14: if r7 < 0x3 goto pc-8{{$}}")
__xlated("15: r6 += 4{{$}}")
__xlated("16: r0 = r6")
__xlated("17: exit")
__naked void backward_onto_mod32(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 47;"
		      "r8 += 9;"
		      "r7 = 0;"
		      "1: w9 %%= w8;"
		      "r6 += r9;"
		      "r8 += -5;"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      "r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* A division by a register, onto which a branch behind it jumps: zero gives zero. */
SEC("socket")
__description("backward onto a 64-bit division")
__success __retval(10)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r9 = 42{{$}}")
__xlated("8: if r8 == 0x0 goto pc+8{{$}}")
__xlated("9: if r7 != 0x0 goto pc+2{{$}}")
__xlated("10: w9 ^= w9")
__xlated("11: goto pc+1{{$}}")
__xlated("12: r9 /= r7")
__xlated("13: r6 += 2{{$}}")
__xlated("14: if r9 == 0x0 goto pc+2{{$}}")
__xlated("15: r6 += 4{{$}}")
__xlated("16: goto pc+5{{$}}")
__xlated("17: r7 += 6{{$}}")
__xlated("18: r9 += 42{{$}}")
__xlated("19: r8 += 1{{$}}")
__xlated("20: r6 += 1{{$}}")
__xlated("21: if r8 < 0x3 goto pc-13{{$}}")
__xlated("22: r0 = r6")
__xlated("23: exit")
__naked void div64(void)
{
	asm volatile ("r6 = 1;" UNKNOWN ONE
		      "r9 = 42;"
		      "if r8 == 0 goto 2f;"
		      "1: r9 /= r7;"
		      "r6 += 2;"
		      "if r9 == 0 goto 2f;"
		      "r6 += 4;"
		      "goto 3f;"
		      "2: r7 += 6; r9 += 42; r8 += 1;"
		      "r6 += 1;"
		      "if r8 < 3 goto 1b;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(one)
		      : __clobber_all);
}

/* A remainder by a register inside of a loop: by zero the value stays. */
SEC("socket")
__description("backward over a 64-bit remainder")
__success __retval(49)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: r6 += 2{{$}}")
__xlated("6: if r7 == 0x0 goto pc+1{{$}}")
__xlated("7: r9 %= r7")
__xlated("8: r6 += r9")
__xlated("9: r7 += 40{{$}}")
__xlated("10: if r7 < 0x50 goto pc-6{{$}}")
__xlated("11: r0 = r6")
__xlated("12: exit")
__naked void mod64(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "1: r6 += 2;"
		      "r9 %%= r7;"
		      "r6 += r9;"
		      "r7 += 40;"
		      "if r7 < 80 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* The remainder of 32 bits gets the longest body, of which the end clears the upper half. */
SEC("socket")
__description("forward over 32-bit divisions")
__success __retval(9)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = -1{{$}}")
__xlated("5: if r7 == 0x0 goto pc+9{{$}}")
__xlated("6: if w7 != 0x0 goto pc+2{{$}}")
__xlated("7: w9 ^= w9")
__xlated("8: goto pc+1{{$}}")
__xlated("9: w9 /= w7")
__xlated("10: if w7 == 0x0 goto pc+2{{$}}")
__xlated("11: w9 %= w7")
__xlated("12: goto pc+1{{$}}")
__xlated("13: w9 = w9")
__xlated("14: r6 += 2{{$}}")
__xlated("15: if w7 == 0x0 goto pc+2{{$}}")
__xlated("16: w9 %= w7")
__xlated("17: goto pc+1{{$}}")
__xlated("18: w9 = w9")
__xlated("19: r9 >>= 32{{$}}")
__xlated("20: if r9 != 0x0 goto pc+1{{$}}")
__xlated("21: r6 += 8{{$}}")
__xlated("22: r0 = r6")
__xlated("23: exit")
__naked void div32(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = -1;"
		      "if r7 == 0 goto 1f;"
		      "w9 /= w7;"
		      "w9 %%= w7;"
		      "r6 += 2;"
		      "1: w9 %%= w7;"
		      "r9 >>= 32;"
		      "if r9 != 0 goto 2f;"
		      "r6 += 8;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards a conditional that begins right behind one body and ends at another. */
SEC("socket")
__description("conditional between a division and a remainder")
__success __retval(25)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: r7 = 10{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("10: if r9 == 0x2a goto pc+1{{$}}")
__xlated("11: r7 += 1{{$}}")
XLATED_MOD64("r7", "r8")
__xlated("14: if r7 != 0x0 goto pc+22{{$}}")
__xlated("15: r6 += 8{{$}}")
XLATED_SDIV64("r9", "r8")
__xlated("24: if r9 s> 0x29 goto pc+1{{$}}")
__xlated("25: r6 += 2{{$}}")
XLATED_SMOD32("w9", "w8")
__xlated("35: if w9 != 0x0 goto pc+1{{$}}")
__xlated("36: r6 += 16{{$}}")
__xlated("37: r0 = r6")
__xlated("38: exit")
__naked void both_ends(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 42; r7 = 10;"
		      "r9 /= r8;"
		      "if r9 == 42 goto 1f;"
		      "r7 += 1;"
		      "1: r7 %%= r8;"
		      "if r7 != 0 goto 2f;"
		      "r6 += 8;"
		      "r9 s/= r8;"
		      "if r9 s> 41 goto 3f;"
		      "r6 += 2;"
		      "3: w9 s%%= w8;"
		      "if w9 != 0 goto 2f;"
		      "r6 += 16;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards two bodies without anything between, and a jump to the seam. */
SEC("socket")
__description("onto the seam of two divisions")
__success __retval(22)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: r7 = 0{{$}}")
__xlated("6: if r8 == 0x1 goto pc+8{{$}}")
XLATED_SDIV64("r9", "r7")
XLATED_DIV32("w9", "w8")
__xlated("19: r6 += r9")
__xlated("20: r7 += 1{{$}}")
__xlated("21: r8 = -2{{$}}")
__xlated("22: r6 += -21{{$}}")
__xlated("23: r9 = 0{{$}}")
__xlated("24: if r7 < 0x2 goto pc-10{{$}}")
__xlated("25: r6 += 21{{$}}")
__xlated("26: r0 = r6")
__xlated("27: exit")
__naked void seam(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 42;"
		      "r7 = 0;"
		      "if r8 == 1 goto 1f;"
		      "r9 s/= r7;"
		      "1: w9 /= w8;"
		      "r6 += r9;"
		      "r7 += 1;"
		      "r8 = -2;"
		      "r6 += -21;"
		      "r9 = 0;"
		      "if r7 < 2 goto 1b;"
		      "r6 += 21;"
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards sums of many growths: the jumps over all eight go far beyond what one adds. */
SEC("socket")
__description("over eight divisions back to back, both ways")
__success __retval(15)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r9 = 256{{$}}")
__xlated("8: r6 += 2{{$}}")
__xlated("9: r8 += 1{{$}}")
__xlated("10: if r7 != 0x0 goto pc+37{{$}}")
XLATED_DIV64("r9", "r8")
XLATED_DIV64("r9", "r8")
XLATED_DIV64("r9", "r8")
XLATED_DIV64("r9", "r8")
XLATED_DIV64("r9", "r8")
XLATED_DIV64("r9", "r8")
XLATED_DIV64("r9", "r8")
XLATED_DIV64("r9", "r8")
__xlated("43: r7 += 1{{$}}")
__xlated("44: r6 += 4{{$}}")
__xlated("45: if r9 == 0x0 goto pc+2{{$}}")
__xlated("46: r9 += 1{{$}}")
__xlated("47: if r7 < 0x3 goto pc-37{{$}}")
__xlated("48: r6 += 4{{$}}")
__xlated("49: r0 = r6")
__xlated("50: exit")
__naked void many(void)
{
	asm volatile ("r6 = 1;" UNKNOWN ONE
		      "r9 = 256;"
		      "r6 += 2;"
		      "r8 += 1;"
		      "if r7 != 0 goto 2f;"
		      "1: "
		      ".rept 8; r9 /= r8; .endr;"
		      "r7 += 1;"
		      "r6 += 4;"
		      "if r9 == 0 goto 2f;"
		      "r9 += 1;"
		      "if r7 < 3 goto 1b;"
		      "2: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(one)
		      : __clobber_all);
}

/* Guards a jump out of one body's place into the middle of a row of them. */
SEC("socket")
__description("into the middle of four remainders, both ways")
__success __retval(119)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r9 = 100{{$}}")
__xlated("8: r8 += 49{{$}}")
__xlated("9: if r7 == 0x0 goto pc+6{{$}}")
XLATED_MOD64("r9", "r8")
XLATED_MOD32("w9", "w8")
XLATED_SMOD64("r9", "r8")
XLATED_SMOD32("w9", "w8")
__xlated("32: r6 += r9")
__xlated("33: r9 = 59{{$}}")
__xlated("34: r7 += 1{{$}}")
__xlated("35: if r7 == 0x1 goto pc+2{{$}}")
__xlated("36: if r7 < 0x3 goto pc-21{{$}}")
__xlated("37: goto pc+2{{$}}")
__xlated("38: r8 = 60{{$}}")
__xlated("39: goto pc-24{{$}}")
__xlated("40: r0 = r6")
__xlated("41: exit")
__naked void middle(void)
{
	asm volatile ("r6 = 1;" UNKNOWN ONE
		      "r9 = 100; r8 += 49;"
		      "if r7 == 0 goto 1f;"
		      "r9 %%= r8;"
		      "w9 %%= w8;"
		      "1: r9 s%%= r8;"
		      "w9 s%%= w8;"
		      "r6 += r9;"
		      "r9 = 59;"
		      "r7 += 1;"
		      "if r7 == 1 goto 2f;"
		      "if r7 < 3 goto 1b;"
		      "goto 3f;"
		      "2: r8 = 60;"
		      "goto 1b;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(one)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
