// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callbacks whose address and whose code lie behind what the verifier rewrites; see
 * verifier_patch_list.c.
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

struct timed {
	struct bpf_timer timer;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct timed);
} map_timer SEC(".maps");

static __naked __noinline __used void loop_body(void)
{
	asm volatile ("r1 = *(u64 *)(r2 + 0);"
		      "r1 += 8;"
		      "*(u64 *)(r2 + 0) = r1;"
		      "r0 = 0;"
		      "exit;"
		      ::: __clobber_all);
}

/* A callback's address and the call in the inlined loop both cross lookups. */
SEC("socket")
__description("callback of bpf_loop behind lookups")
__success __retval(27) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r2 = r10")
__xlated("6: r2 += -8{{$}}")
__xlated("7: r1 = 0x")
XLATED_HASH
__xlated("12: r1 = 3{{$}}")
__xlated("13: r2 = 0x{{[0-9a-f]*27$}}")
__xlated("15: *(u64 *)(r10 -24) = r6")
__xlated("16: r3 = r10")
__xlated("17: r3 += -24{{$}}")
__xlated("18: r4 = 0{{$}}")
__xlated("19: if r1 <= 0x800000 goto pc+2{{$}}")
__xlated("20: w0 = -7{{$}}")
__xlated("21: goto pc+16{{$}}")
__xlated("22: *(u64 *)(r10 -48) = r6")
__xlated("23: *(u64 *)(r10 -40) = r7")
__xlated("24: *(u64 *)(r10 -32) = r8")
__xlated("25: r6 = r1")
__xlated("26: w7 = 0{{$}}")
__xlated("27: r8 = r3")
__xlated("28: if r7 >= r6 goto pc+5{{$}}")
__xlated("29: r1 = r7")
__xlated("30: r2 = r8")
__xlated("31: call pc+21{{$}}")
__xlated("32: r7 += 1{{$}}")
__xlated("33: if r0 == 0x0 goto pc-6{{$}}")
__xlated("34: r0 = r7")
__xlated("35: r6 = *(u64 *)(r10 -48)")
__xlated("36: r7 = *(u64 *)(r10 -40)")
__xlated("37: r8 = *(u64 *)(r10 -32)")
__xlated("38: r2 = r10")
__xlated("39: r2 += -8{{$}}")
__xlated("40: r1 = 0x")
XLATED_ARRAY
__xlated("49: r6 = *(u64 *)(r10 -24)")
__xlated("50: r6 += 2{{$}}")
__xlated("51: r0 = r6")
__xlated("52: exit")
__xlated("53: r1 = *(u64 *)(r2 +0)")
__xlated("54: r1 += 8{{$}}")
__xlated("55: *(u64 *)(r2 +0) = r1")
__xlated("56: r0 = 0{{$}}")
__xlated("57: exit")
__naked void callback_behind(void)
{
	asm volatile ("r6 = 1;" KEYS HASH
		      LOOKUP
		      "r1 = 3;"
		      "r2 = loop_body ll;"
		      "*(u64 *)(r10 - 24) = r6;"
		      "r3 = r10; r3 += -24;"
		      "r4 = 0;"
		      "call %[bpf_loop];" ARRAY
		      LOOKUP
		      "r6 = *(u64 *)(r10 - 24);"
		      "r6 += 2;"
		      RETURN
		      :
		      : __imm_addr(map_hash), __imm_addr(map_array), __imm(bpf_map_lookup_elem),
			__imm(bpf_loop)
		      : __clobber_all);
}

/* A callback that starts and ends with what grows. */
static __naked __noinline __used int each_element(void)
{
	asm volatile ("r9 = r4;"
		      "r1 = %[one] ll;"
		      "r1 = *(u64 *)(r1 + 0);"
		      "r2 = 8;"
		      "r2 /= r1;"
		      "r1 = *(u64 *)(r9 + 0);"
		      "r1 += r2;"
		      "*(u64 *)(r9 + 0) = r1;"
		      "r0 = 0;"
		      "exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards a callback's address that a map's helper gets, behind a division and with one inside. */
SEC("socket")
__description("callback of bpf_for_each_map_elem behind divisions")
__success __retval(11)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
XLATED_DIV64("r6", "r8")
__xlated("8: *(u64 *)(r10 -8) = r6")
__xlated("9: r1 = 0x")
__xlated("11: r2 = 0x{{[0-9a-f]*0000000e$}}")
__xlated("13: r3 = r10")
__xlated("14: r3 += -8{{$}}")
__xlated("15: r4 = 0{{$}}")
__xlated("16: call {{.*}}")
__xlated("17: r6 = *(u64 *)(r10 -8)")
__xlated("18: r9 = 2{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("23: r6 += r9")
__xlated("24: r0 = r6")
__xlated("25: exit")
__xlated("26: r9 = r4")
__xlated("27: r1 = 0x")
__xlated("29: r1 = *(u64 *)(r1 +0)")
__xlated("30: r2 = 8{{$}}")
XLATED_DIV64("r2", "r1")
__xlated("35: r1 = *(u64 *)(r9 +0)")
__xlated("36: r1 += r2")
__xlated("37: *(u64 *)(r9 +0) = r1")
__xlated("38: r0 = 0{{$}}")
__xlated("39: exit")
__naked void callback_of_map(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r6 /= r8;"
		      "*(u64 *)(r10 - 8) = r6;"
		      "r1 = %[map_array] ll;"
		      "r2 = each_element ll;"
		      "r3 = r10;"
		      "r3 += -8;"
		      "r4 = 0;"
		      "call %[bpf_for_each_map_elem];"
		      "r6 = *(u64 *)(r10 - 8);"
		      "r9 = 2;"
		      "r9 /= r8;"
		      "r6 += r9;"
		      RETURN
		      :
		      : __imm_addr(one), __imm_addr(map_array), __imm(bpf_for_each_map_elem)
		      : __clobber_all);
}

static __naked __noinline __used int timer_fires(void)
{
	asm volatile ("r0 = 0;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards a timer's callback, whose call gets another argument, and a jump over all of it. */
SEC("tc")
__description("forward over a timer's callback")
__success __retval(7) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r8 = 0x")
__xlated("7: r8 = *(u64 *)(r8 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: r1 += {{[0-9]+$}}")
__xlated("13: r0 = *(u32 *)(r2 +0)")
__xlated("14: if r0 >= 0x1 goto pc+3{{$}}")
__xlated("15: r0 <<= 4{{$}}")
__xlated("16: r0 += r1")
__xlated("17: goto pc+1{{$}}")
__xlated("18: r0 = 0{{$}}")
__xlated("19: if r0 == 0x0 goto pc+17{{$}}")
__xlated("20: r9 = r0")
__xlated("21: r1 = r9")
__xlated("22: r2 = 0x")
__xlated("24: r3 = 1{{$}}")
__xlated("25: call {{.*}}")
__xlated("26: if r0 != 0x0 goto pc+10{{$}}")
__xlated("27: r6 += 2{{$}}")
__xlated("28: if r8 == 0x0 goto pc+8{{$}}")
__xlated("29: r1 = r9")
__xlated("30: r2 = 0x{{[0-9a-f]*00000008$}}")
__xlated("32: r3 = 0x")
__xlated("34: call {{.*}}")
__xlated("35: if r0 != 0x0 goto pc+1{{$}}")
__xlated("36: r6 += 4{{$}}")
__xlated("37: r0 = r6")
__xlated("38: exit")
__xlated("39: r0 = 0{{$}}")
__xlated("40: exit")
__naked void callback_of_timer(void)
{
	asm volatile ("r6 = 1;" KEYS ONE
		      "r2 = r10; r2 += -8; r1 = %[map_timer] ll;"
		      LOOKUP
		      "if r0 == 0 goto 1f;"
		      "r9 = r0;"
		      "r1 = r9;"
		      "r2 = %[map_timer] ll;"
		      "r3 = 1;"
		      "call %[bpf_timer_init];"
		      "if r0 != 0 goto 1f;"
		      "r6 += 2;"
		      "if r8 == 0 goto 1f;"
		      "r1 = r9;"
		      "r2 = timer_fires ll;"
		      "call %[bpf_timer_set_callback];"
		      "if r0 != 0 goto 1f;"
		      "r6 += 4;"
		      "1: "
		      RETURN
		      :
		      : __imm_addr(one), __imm_addr(map_timer), __imm(bpf_map_lookup_elem),
			__imm(bpf_timer_init), __imm(bpf_timer_set_callback)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
