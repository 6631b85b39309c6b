// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of subprograms across what the verifier rewrites; see verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

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

static __naked __noinline __used void add_sixteen(void)
{
	asm volatile ("r0 = r1;"
		      "r0 += 16;"
		      "exit;"
		      ::: __clobber_all);
}

/* A call whose subprogram lies behind lookups that come after the call. */
SEC("socket")
__description("call across lookups")
__success __retval(19) __load_if_JITed()
__xlated("0: r1 = 1{{$}}")
__xlated("1: call pc+26{{$}}")
__xlated("2: r6 = r0")
XLATED_KEYS
__xlated("7: r2 = r10")
__xlated("8: r2 += -8{{$}}")
__xlated("9: r1 = 0x")
XLATED_HASH
__xlated("14: r6 += 2{{$}}")
__xlated("15: r2 = r10")
__xlated("16: r2 += -8{{$}}")
__xlated("17: r1 = 0x")
XLATED_ARRAY
__xlated("26: r0 = r6")
__xlated("27: exit")
__xlated("28: r0 = r1")
__xlated("29: r0 += 16{{$}}")
__xlated("30: exit")
__naked void call_across(void)
{
	asm volatile ("r1 = 1;"
		      "call add_sixteen;"
		      "r6 = r0;" KEYS HASH
		      LOOKUP
		      "r6 += 2;" ARRAY
		      LOOKUP
		      RETURN
		      :
		      : __imm_addr(map_hash), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Its first instruction is a lookup, and so is the one in front of its exit. */
static __naked __noinline __used void lookup_only(void)
{
	asm volatile (LOOKUP
		      "exit;"
		      :
		      : __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Two calls of a subprogram that starts and ends with what grows, from both sides of a lookup. */
SEC("socket")
__description("calls of a subprogram that is a lookup")
__success __retval(9) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r2 = r10")
__xlated("6: r2 += -8{{$}}")
__xlated("7: r1 = 0x")
__xlated("9: call pc+19{{$}}")
__xlated("10: if r0 == 0x0 goto pc+1{{$}}")
__xlated("11: r6 += 8{{$}}")
__xlated("12: r2 = r10")
__xlated("13: r2 += -8{{$}}")
__xlated("14: r1 = 0x")
XLATED_HASH
__xlated("19: r6 += 2{{$}}")
__xlated("20: r2 = r10")
__xlated("21: r2 += -16{{$}}")
__xlated("22: r1 = 0x")
__xlated("24: call pc+4{{$}}")
__xlated("25: if r0 != 0x0 goto pc+1{{$}}")
__xlated("26: r6 += -2{{$}}")
__xlated("27: r0 = r6")
__xlated("28: exit")
XLATED_ARRAY
__xlated("36: exit")
__naked void call_of_patch(void)
{
	asm volatile ("r6 = 1;" KEYS ARRAY
		      "call lookup_only;"
		      "if r0 == 0 goto 1f;"
		      "r6 += 8;"
		      "1: " HASH
		      LOOKUP
		      "r6 += 2;"
		      "r2 = r10; r2 += -16; r1 = %[map_array] ll;"
		      "call lookup_only;"
		      "if r0 != 0 goto 2f;"
		      "r6 += -2;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(map_hash), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

static __naked __noinline __used int divide(void)
{
	asm volatile ("r0 = r1;"
		      "r0 /= r2;"
		      "exit;"
		      ::: __clobber_all);
}

static __naked __noinline __used int divide_twice(void)
{
	asm volatile ("r6 = r1;"
		      "r7 = r2;"
		      "r6 /= r7;"
		      "r1 = r6;"
		      "call divide;"
		      "r6 = r0;"
		      "r1 = r6;"
		      "r2 = r7;"
		      "call divide;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards calls back to an earlier subprogram, over its own division and the caller's. */
SEC("socket")
__description("call backward over a division")
__success __retval(5)
__xlated("0: r1 = 40{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r8 += 1{{$}}")
__xlated("5: r2 = r8")
__xlated("6: call pc+1{{$}}")
__xlated("7: exit")
__xlated("8: r6 = r1")
__xlated("9: r7 = r2")
XLATED_DIV64("r6", "r7")
__xlated("14: r1 = r6")
__xlated("15: call pc+5{{$}}")
__xlated("16: r6 = r0")
__xlated("17: r1 = r6")
__xlated("18: r2 = r7")
__xlated("19: call pc+1{{$}}")
__xlated("20: exit")
__xlated("21: r0 = r1")
XLATED_DIV64("r0", "r2")
__xlated("26: exit")
__naked void call_backward(void)
{
	asm volatile ("r1 = 40;" ONE
		      "r8 += 1;"
		      "r2 = r8;"
		      "call divide_twice;"
		      "exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
