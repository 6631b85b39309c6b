// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tail calls with a constant index, at the very start of a subprogram: where the
 * call stands tells whose it is, so what grows in front of it has to move that
 * record too, or the call belongs to the program in front. Only a target that is
 * in the map before the program is loaded shows the difference, which is what
 * prog_tests/patch_list_tailcall.c takes care of. See verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

void tail_target(void);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(int));
	__array(values, void(void));
} map_progs SEC(".maps") = { .values = { [2] = (void *)&tail_target } };

/* Where tail calls arrive. */
SEC("socket")
__auxiliary
__naked void tail_target(void)
{
	asm volatile ("r0 = 77;"
		      "exit;"
		      ::: __clobber_all);
}

/* Makes a tail call with almost nothing in front of it. */
static __naked __noinline __used int tail_call_first(void)
{
	asm volatile ("r2 = %[map_progs] ll;"
		      "r3 = 2;"
		      "call %[bpf_tail_call];"
		      "r0 = 3;"
		      "exit;"
		      :
		      : __imm_addr(map_progs), __imm(bpf_tail_call)
		      : __clobber_all);
}

/* Guards the record against what the pass that makes it puts in front. */
SEC("socket")
__description("tail call in a subprogram behind divisions")
__success __retval(80) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 3{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
XLATED_DIV64("r6", "r8")
XLATED_DIV64("r6", "r8")
__xlated("12: call pc+2{{$}}")
__xlated("13: r0 += r6")
__xlated("14: exit")
__xlated("15: r2 = 0x")
__xlated("17: r3 = 2{{$}}")
__xlated("18: call bpf_tail_call")
__xlated("19: r0 = 3{{$}}")
__xlated("20: exit")
__naked void behind_divisions(void)
{
	asm volatile ("r6 = 3;" ONE
		      "r6 /= r8;"
		      "r6 /= r8;"
		      "call tail_call_first;"
		      "r0 += r6;"
		      "exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards the record, which is complete, against what a later pass puts in front. */
SEC("socket")
__description("tail call in a subprogram behind noise")
__success __retval(80) __arch_x86_64 __load_if_JITed()
__flag(BPF_F_TEST_RND_HI32)
__xlated("0: r6 = 3{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: w8 = w7")
XLATED_NOISE("r8")
__xlated("8: if w8 != 0x0 goto pc+5{{$}}")
__xlated("9: w9 = w7")
XLATED_NOISE("r9")
__xlated("13: if w9 == 0x0 goto pc+2{{$}}")
__xlated("14: r0 = 4{{$}}")
__xlated("15: exit")
__xlated("16: call pc+2{{$}}")
__xlated("17: r0 += r6")
__xlated("18: exit")
__xlated("19: r2 = 0x")
__xlated("21: r3 = 2{{$}}")
__xlated("22: call bpf_tail_call")
__xlated("23: r0 = 3{{$}}")
__xlated("24: exit")
__naked void behind_noise(void)
{
	asm volatile ("r6 = 3;" UNKNOWN
		      "w8 = w7;"
		      "if w8 != 0 goto 1f;"
		      "w9 = w7;"
		      "if w9 == 0 goto 2f;"
		      "1: r0 = 4;"
		      "exit;"
		      "2: call tail_call_first;"
		      "r0 += r6;"
		      "exit;"
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
