// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tail calls behind and across what the verifier rewrites, which is also what becomes
 * of them; see verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_array SEC(".maps");

void tail_target(void);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(int));
	__array(values, void(void));
} map_progs SEC(".maps") = { .values = { [2] = (void *)&tail_target } };

#define PROGS "r2 = %[map_progs] ll;"

/* Where tail calls arrive. */
SEC("socket")
__auxiliary
__naked void tail_target(void)
{
	asm volatile ("r0 = 77;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards the record of a tail call's place, which lies behind a body that is jumped over. */
SEC("socket")
__description("tail call behind a hash lookup")
__success __retval(77) __load_if_JITed()
__xlated("0: r6 = r1")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+3{{$}}")
XLATED_HASH
__xlated("16: r1 = r6")
__xlated("17: r2 = 0x")
__xlated("19: r3 = 2{{$}}")
__xlated("20: call bpf_tail_call")
__xlated("21: r0 = 3{{$}}")
__xlated("22: exit")
__naked void tail_call_behind(void)
{
	asm volatile ("r6 = r1;" KEYS UNKNOWN HASH
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "1: r1 = r6;" PROGS
		      "r3 = 2;"
		      "call %[bpf_tail_call];"
		      "r0 = 3;"
		      "exit;"
		      :
		      : __imm_addr(unknown), __imm_addr(map_hash), __imm_addr(map_progs),
			__imm(bpf_map_lookup_elem), __imm(bpf_tail_call)
		      : __clobber_all);
}

/* Guards that each of two tail calls keeps its own slot: the first is empty, the second not. */
SEC("socket")
__description("two tail calls with array lookups between")
__success __retval(77) __load_if_JITed()
__xlated("0: r6 = r1")
XLATED_KEYS
__xlated("5: r2 = 0x")
__xlated("7: r3 = 1{{$}}")
__xlated("8: call bpf_tail_call")
__xlated("9: r2 = r10")
__xlated("10: r2 += -8{{$}}")
__xlated("11: r1 = 0x")
XLATED_ARRAY
__xlated("20: if r0 == 0x0 goto pc+16{{$}}")
__xlated("21: r2 = r10")
__xlated("22: r2 += -8{{$}}")
__xlated("23: r1 = 0x")
XLATED_ARRAY
__xlated("32: r1 = r6")
__xlated("33: r2 = 0x")
__xlated("35: r3 = 2{{$}}")
__xlated("36: call bpf_tail_call")
__xlated("37: r0 = 3{{$}}")
__xlated("38: exit")
__naked void two_tail_calls(void)
{
	asm volatile ("r6 = r1;" KEYS PROGS
		      "r3 = 1;"
		      "call %[bpf_tail_call];" ARRAY
		      LOOKUP
		      "if r0 == 0 goto 1f;" ARRAY
		      LOOKUP
		      "r1 = r6;" PROGS
		      "r3 = 2;"
		      "call %[bpf_tail_call];"
		      "1: r0 = 3;"
		      "exit;"
		      :
		      : __imm_addr(map_array), __imm_addr(map_progs), __imm(bpf_map_lookup_elem),
			__imm(bpf_tail_call)
		      : __clobber_all);
}

/* Guards tail calls of which no place is recorded, because the index is known only at run time. */
SEC("socket")
__description("forward over tail calls with an unknown index")
__success __retval(77) __load_if_JITed()
__xlated("0: r6 = r1")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r7 = 0x")
__xlated("6: r7 = *(u64 *)(r7 +0)")
__xlated("7: r3 = r7")
__xlated("8: r2 = 0x")
__xlated("10: if r8 == 0x0 goto pc+1{{$}}")
__xlated("11: call bpf_tail_call")
__xlated("12: r1 = r6")
__xlated("13: r7 += 2{{$}}")
XLATED_DIV64("r7", "r8")
__xlated("18: r3 = r7")
__xlated("19: r2 = 0x")
__xlated("21: if r7 > 0x3e8 goto pc+1{{$}}")
__xlated("22: call bpf_tail_call")
__xlated("23: r0 = 3{{$}}")
__xlated("24: exit")
__naked void tail_call_unknown(void)
{
	asm volatile ("r6 = r1;" ONE UNKNOWN
		      "r3 = r7;" PROGS
		      "if r8 == 0 goto 2f;"
		      "call %[bpf_tail_call];"
		      "2: r1 = r6;"
		      "r7 += 2;"
		      "r7 /= r8;"
		      "r3 = r7;" PROGS
		      "if r7 > 1000 goto 3f;"
		      "call %[bpf_tail_call];"
		      "3: r0 = 3;"
		      "exit;"
		      :
		      : __imm_addr(unknown), __imm_addr(one), __imm_addr(map_progs),
			__imm(bpf_tail_call)
		      : __clobber_all);
}

/* Makes a tail call behind a division. */
static __naked __noinline __used int tail_call_deep(void)
{
	asm volatile ("r7 = r1;"
		      "r2 = 42;"
		      "r3 = %[one] ll;"
		      "r3 = *(u64 *)(r3 + 0);"
		      "r2 /= r3;" PROGS
		      "r3 = 2;"
		      "call %[bpf_tail_call];"
		      "r0 = 3;"
		      "exit;"
		      :
		      : __imm_addr(one), __imm_addr(map_progs), __imm(bpf_tail_call)
		      : __clobber_all);
}

/* Guards a tail call of a subprogram: it returns to whoever called that, with the new value. */
SEC("socket")
__description("tail call in a subprogram behind divisions")
__success __retval(79) __arch_x86_64 __load_if_JITed()
__xlated("0: r9 = 4{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r8 += 1{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("9: call pc+2{{$}}")
__xlated("10: r0 += r9")
__xlated("11: exit")
__xlated("12: r7 = r1")
__xlated("13: r2 = 42{{$}}")
__xlated("14: r3 = 0x")
__xlated("16: r3 = *(u64 *)(r3 +0)")
XLATED_DIV64("r2", "r3")
__xlated("21: r2 = 0x")
__xlated("23: r3 = 2{{$}}")
__xlated("24: call bpf_tail_call")
__xlated("25: r0 = 3{{$}}")
__xlated("26: exit")
__naked void tail_call_in_subprog(void)
{
	asm volatile ("r9 = 4;" ONE
		      "r8 += 1;"
		      "r9 /= r8;"
		      "call tail_call_deep;"
		      "r0 += r9;"
		      "exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
