// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops that may_goto bounds, which the verifier replaces by code that counts below the
 * stack, and that the program begins with; see verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

/*
 * Guards a jump back to the program's first instruction, in front of which a
 * prologue is put that must run only once. The mark on the stack, of which
 * nothing is known at first, ends the second round.
 */
SEC("socket")
__description("may_goto as the program's first instruction, and a jump back to it")
__success __retval(9) __arch_x86_64 __load_if_JITed()
__xlated("0: *(u64 *)(r10 -24) = 65535{{$}}")
__xlated("1: *(u64 *)(r10 -16) = 0{{$}}")
__xlated("2: r{{1[12]}} = *(u64 *)(r10 -24)")
__xlated("3: if r{{1[12]}} == 0x0 goto pc+10{{$}}")
__xlated("4: r{{1[12]}} -= 1{{$}}")
__xlated("5: if r{{1[12]}} != 0x0 goto pc+2{{$}}")
__xlated("6: r{{1[12]}} = -24{{$}}")
__xlated("7: call {{.*}}")
__xlated("8: *(u64 *)(r10 -24) = r{{1[12]}}")
__xlated("9: r8 = *(u64 *)(r10 -8)")
__xlated("10: if r8 == 0x5eed goto pc+5{{$}}")
__xlated("11: r8 = 24301{{$}}")
__xlated("12: *(u64 *)(r10 -8) = r8")
__xlated("13: goto pc-12{{$}}")
__xlated("14: r0 = 3{{$}}")
__xlated("15: exit")
__xlated("16: r0 = 9{{$}}")
__xlated("17: exit")
__naked void may_goto_first(void)
{
	asm volatile ("1: may_goto 2f;"
		      "r8 = *(u64 *)(r10 - 8);"
		      "if r8 == 0x5eed goto 3f;"
		      "r8 = 0x5eed;"
		      "*(u64 *)(r10 - 8) = r8;"
		      "goto 1b;"
		      "2: r0 = 3;"
		      "exit;"
		      "3: r0 = 9;"
		      "exit;"
		      ::: __clobber_all);
}

static __naked __noinline __used int halves(void)
{
	asm volatile ("1: r1 /= r2;"
		      "may_goto 2f;"
		      "if r1 != 0 goto 1b;"
		      "2: r0 = r1;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards may_goto in a program and in its subprogram: each has a prologue of its own. */
SEC("socket")
__description("may_goto in a program and in its subprogram")
__success __retval(4) __arch_x86_64 __load_if_JITed()
__xlated("0: *(u64 *)(r10 -16) = 65535{{$}}")
__xlated("1: *(u64 *)(r10 -8) = 0{{$}}")
__xlated("2: r6 = 1{{$}}")
__xlated("3: r7 = 0x")
__xlated("5: r7 = *(u64 *)(r7 +0)")
__xlated("6: r8 = 0x")
__xlated("8: r8 = *(u64 *)(r8 +0)")
__xlated("9: r8 += 1{{$}}")
__xlated("10: r1 = 32{{$}}")
__xlated("11: r2 = r8")
__xlated("12: call pc+13{{$}}")
__xlated("13: if r0 != 0x0 goto pc+10{{$}}")
__xlated("14: r7 += 1{{$}}")
__xlated("15: r{{1[12]}} = *(u64 *)(r10 -16)")
__xlated("16: if r{{1[12]}} == 0x0 goto pc+7{{$}}")
__xlated("17: r{{1[12]}} -= 1{{$}}")
__xlated("18: if r{{1[12]}} != 0x0 goto pc+2{{$}}")
__xlated("19: r{{1[12]}} = -16{{$}}")
__xlated("20: call {{.*}}")
__xlated("21: *(u64 *)(r10 -16) = r{{1[12]}}")
__xlated("22: if r7 < 0x3 goto pc-13{{$}}")
__xlated("23: r6 += r7")
__xlated("24: r0 = r6")
__xlated("25: exit")
__xlated("26: *(u64 *)(r10 -16) = 65535{{$}}")
__xlated("27: *(u64 *)(r10 -8) = 0{{$}}")
XLATED_DIV64("r1", "r2")
__xlated("32: r{{1[12]}} = *(u64 *)(r10 -16)")
__xlated("33: if r{{1[12]}} == 0x0 goto pc+6{{$}}")
__xlated("34: r{{1[12]}} -= 1{{$}}")
__xlated("35: if r{{1[12]}} != 0x0 goto pc+2{{$}}")
__xlated("36: r{{1[12]}} = -16{{$}}")
__xlated("37: call {{.*}}")
__xlated("38: *(u64 *)(r10 -16) = r{{1[12]}}")
__xlated("39: if r1 != 0x0 goto pc-12{{$}}")
__xlated("40: r0 = r1")
__xlated("41: exit")
__naked void may_goto_twice(void)
{
	asm volatile ("r6 = 1;" UNKNOWN ONE
		      "r8 += 1;"
		      "1: r1 = 32;"
		      "r2 = r8;"
		      "call halves;"
		      "if r0 != 0 goto 2f;"
		      "r7 += 1;"
		      "may_goto 2f;"
		      "if r7 < 3 goto 1b;"
		      "r6 += r7;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(one)
		      : __clobber_all);
}

/* Guards a loop that may_goto bounds, with a division inside; the count sits below the stack. */
SEC("socket")
__description("may_goto inside a loop with a division")
__success __retval(9) __arch_x86_64 __load_if_JITed()
__xlated("0: *(u64 *)(r10 -16) = 65535{{$}}")
__xlated("1: *(u64 *)(r10 -8) = 0{{$}}")
__xlated("2: r6 = 1{{$}}")
__xlated("3: r8 = 0x")
__xlated("5: r8 = *(u64 *)(r8 +0)")
__xlated("6: r8 += 1{{$}}")
__xlated("7: r9 = 16{{$}}")
__xlated("8: r{{1[12]}} = *(u64 *)(r10 -16)")
__xlated("9: if r{{1[12]}} == 0x0 goto pc+11{{$}}")
__xlated("10: r{{1[12]}} -= 1{{$}}")
__xlated("11: if r{{1[12]}} != 0x0 goto pc+2{{$}}")
__xlated("12: r{{1[12]}} = -16{{$}}")
__xlated("13: call {{.*}}")
__xlated("14: *(u64 *)(r10 -16) = r{{1[12]}}")
XLATED_DIV64("r9", "r8")
__xlated("19: r6 += 2{{$}}")
__xlated("20: if r9 > 0x1 goto pc-13{{$}}")
__xlated("21: r0 = r6")
__xlated("22: exit")
__naked void may_goto_loop(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r8 += 1;"
		      "r9 = 16;"
		      "1: may_goto 2f;"
		      "r9 /= r8;"
		      "r6 += 2;"
		      "if r9 > 1 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
