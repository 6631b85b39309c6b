// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops that the verifier writes: bpf_loop becomes one with a call of its
 * callback. See verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_array SEC(".maps");

/* The code of a loop: where it saves R6 to R8, and how far behind its call the callback lies. */
#define XLATED_LOOP(r6, r7, r8, callback)                                                          \
	__xlated("if r1 <= 0x800000 goto pc+2{{$}}")                                               \
	__xlated("w0 = -7{{$}}")                                                                   \
	__xlated("goto pc+16{{$}}")                                                                \
	__xlated("*(u64 *)(r10 " r6 ") = r6")                                                      \
	__xlated("*(u64 *)(r10 " r7 ") = r7")                                                      \
	__xlated("*(u64 *)(r10 " r8 ") = r8")                                                      \
	__xlated("r6 = r1")                                                                        \
	__xlated("w7 = 0{{$}}")                                                                    \
	__xlated("r8 = r3")                                                                        \
	__xlated("if r7 >= r6 goto pc+5{{$}}")                                                     \
	__xlated("r1 = r7")                                                                        \
	__xlated("r2 = r8")                                                                        \
	__xlated("call pc+" callback "{{$}}")                                                      \
	__xlated("r7 += 1{{$}}")                                                                   \
	__xlated("if r0 == 0x0 goto pc-6{{$}}")                                                    \
	__xlated("r0 = r7")                                                                        \
	__xlated("r6 = *(u64 *)(r10 " r6 ")")                                                      \
	__xlated("r7 = *(u64 *)(r10 " r7 ")")                                                      \
	__xlated("r8 = *(u64 *)(r10 " r8 ")")

/* Adds 3 in every round, behind which it divides by one. */
static __naked __noinline __used int add_quotient(void)
{
	asm volatile ("r1 = %[one] ll;"
		      "r1 = *(u64 *)(r1 + 0);"
		      "r3 = *(u64 *)(r2 + 0);"
		      "r3 += 3;"
		      "r3 /= r1;"
		      "*(u64 *)(r2 + 0) = r3;"
		      "r0 = 0;"
		      "exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards a back edge over an inlined loop, whose callback grows as well. */
SEC("socket")
__description("backward over an inlined bpf_loop")
__success __retval(19) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: *(u64 *)(r10 -8) = r6")
__xlated("2: r9 = 0{{$}}")
__xlated("3: r1 = 3{{$}}")
__xlated("4: r2 = 0x{{[0-9a-f]*0000001b$}}")
__xlated("6: r3 = r10")
__xlated("7: r3 += -8{{$}}")
__xlated("8: r4 = 0{{$}}")
XLATED_LOOP("-32", "-24", "-16", "10")
__xlated("28: r9 += 1{{$}}")
__xlated("29: if r9 < 0x2 goto pc-27{{$}}")
__xlated("30: r0 = *(u64 *)(r10 -8)")
__xlated("31: exit")
__xlated("32: r1 = 0x")
__xlated("34: r1 = *(u64 *)(r1 +0)")
__xlated("35: r3 = *(u64 *)(r2 +0)")
__xlated("36: r3 += 3{{$}}")
XLATED_DIV64("r3", "r1")
__xlated("41: *(u64 *)(r2 +0) = r3")
__xlated("42: r0 = 0{{$}}")
__xlated("43: exit")
__naked void backward_over_loop(void)
{
	asm volatile ("r6 = 1;"
		      "*(u64 *)(r10 - 8) = r6;"
		      "r9 = 0;"
		      "1: r1 = 3;"
		      "r2 = add_quotient ll;"
		      "r3 = r10;"
		      "r3 += -8;"
		      "r4 = 0;"
		      "call %[bpf_loop];"
		      "r9 += 1;"
		      "if r9 < 2 goto 1b;"
		      "r0 = *(u64 *)(r10 - 8);"
		      "exit;"
		      :
		      : __imm(bpf_loop)
		      : __clobber_all);
}

/* Guards a jump onto an inlined loop, with the number of rounds that the jump leaves as it was. */
SEC("socket")
__description("forward onto an inlined bpf_loop")
__success __retval(7) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: *(u64 *)(r10 -8) = r6")
__xlated("5: r1 = 2{{$}}")
__xlated("6: r2 = 0x{{[0-9a-f]*0000001d$}}")
__xlated("8: r3 = r10")
__xlated("9: r3 += -8{{$}}")
__xlated("10: r4 = 0{{$}}")
__xlated("11: if r7 == 0x0 goto pc+1{{$}}")
__xlated("12: r1 = 1{{$}}")
XLATED_LOOP("-32", "-24", "-16", "10")
__xlated("32: if r0 != 0x2 goto pc+1{{$}}")
__xlated("33: r6 = *(u64 *)(r10 -8)")
__xlated("34: r0 = r6")
__xlated("35: exit")
__xlated("36: r1 = 0x")
__xlated("38: r1 = *(u64 *)(r1 +0)")
__xlated("39: r3 = *(u64 *)(r2 +0)")
__xlated("40: r3 += 3{{$}}")
XLATED_DIV64("r3", "r1")
__xlated("45: *(u64 *)(r2 +0) = r3")
__xlated("46: r0 = 0{{$}}")
__xlated("47: exit")
__naked void forward_onto_loop(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "*(u64 *)(r10 - 8) = r6;"
		      "r1 = 2;"
		      "r2 = add_quotient ll;"
		      "r3 = r10;"
		      "r3 += -8;"
		      "r4 = 0;"
		      "if r7 == 0 goto 1f;"
		      "r1 = 1;"
		      "1: call %[bpf_loop];"
		      "if r0 != 2 goto 2f;"
		      "r6 = *(u64 *)(r10 - 8);"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm(bpf_loop)
		      : __clobber_all);
}

/* Guards two inlined loops with a lookup between, and a branch around the second one. */
SEC("socket")
__description("two inlined bpf_loops with an array lookup between")
__success __retval(10) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: *(u64 *)(r10 -24) = r6")
XLATED_KEYS
__xlated("6: r1 = 1{{$}}")
__xlated("7: r2 = 0x{{[0-9a-f]*0000003e$}}")
__xlated("9: r3 = r10")
__xlated("10: r3 += -24{{$}}")
__xlated("11: r4 = 0{{$}}")
XLATED_LOOP("-48", "-40", "-32", "45")
__xlated("31: r2 = r10")
__xlated("32: r2 += -8{{$}}")
__xlated("33: r1 = 0x")
XLATED_ARRAY
__xlated("42: if r0 == 0x0 goto pc+25{{$}}")
__xlated("43: r1 = 2{{$}}")
__xlated("44: r2 = 0x{{[0-9a-f]*00000019$}}")
__xlated("46: r3 = r10")
__xlated("47: r3 += -24{{$}}")
__xlated("48: r4 = 0{{$}}")
XLATED_LOOP("-48", "-40", "-32", "8")
__xlated("68: r0 = *(u64 *)(r10 -24)")
__xlated("69: exit")
__xlated("70: r1 = 0x")
__xlated("72: r1 = *(u64 *)(r1 +0)")
__xlated("73: r3 = *(u64 *)(r2 +0)")
__xlated("74: r3 += 3{{$}}")
XLATED_DIV64("r3", "r1")
__xlated("79: *(u64 *)(r2 +0) = r3")
__xlated("80: r0 = 0{{$}}")
__xlated("81: exit")
__naked void two_loops(void)
{
	asm volatile ("r6 = 1;"
		      "*(u64 *)(r10 - 24) = r6;" KEYS
		      "r1 = 1;"
		      "r2 = add_quotient ll;"
		      "r3 = r10;"
		      "r3 += -24;"
		      "r4 = 0;"
		      "call %[bpf_loop];" ARRAY
		      LOOKUP
		      "if r0 == 0 goto 1f;"
		      "r1 = 2;"
		      "r2 = add_quotient ll;"
		      "r3 = r10;"
		      "r3 += -24;"
		      "r4 = 0;"
		      "call %[bpf_loop];"
		      "1: r0 = *(u64 *)(r10 - 24);"
		      "exit;"
		      :
		      : __imm_addr(map_array), __imm(bpf_map_lookup_elem), __imm(bpf_loop)
		      : __clobber_all);
}

static __naked __noinline __used int add_two(void)
{
	asm volatile ("r1 = *(u64 *)(r2 + 0);"
		      "r1 += 2;"
		      "*(u64 *)(r2 + 0) = r1;"
		      "r0 = 0;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards a jump over an inlined loop, the largest body of all. */
SEC("socket")
__description("forward over an inlined bpf_loop")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: *(u64 *)(r10 -8) = r6")
__xlated("5: if r7 == 0x0 goto pc+26{{$}}")
__xlated("6: r1 = 3{{$}}")
__xlated("7: r2 = 0x{{[0-9a-f]*0000001b$}}")
__xlated("9: r3 = r10")
__xlated("10: r3 += -8{{$}}")
__xlated("11: r4 = 0{{$}}")
__xlated("12: if r1 <= 0x800000 goto pc+2{{$}}")
__xlated("13: w0 = -7{{$}}")
__xlated("14: goto pc+16{{$}}")
__xlated("15: *(u64 *)(r10 -32) = r6")
__xlated("16: *(u64 *)(r10 -24) = r7")
__xlated("17: *(u64 *)(r10 -16) = r8")
__xlated("18: r6 = r1")
__xlated("19: w7 = 0{{$}}")
__xlated("20: r8 = r3")
__xlated("21: if r7 >= r6 goto pc+5{{$}}")
__xlated("22: r1 = r7")
__xlated("23: r2 = r8")
__xlated("24: call pc+10{{$}}")
__xlated("25: r7 += 1{{$}}")
__xlated("26: if r0 == 0x0 goto pc-6{{$}}")
__xlated("27: r0 = r7")
__xlated("28: r6 = *(u64 *)(r10 -32)")
__xlated("29: r7 = *(u64 *)(r10 -24)")
__xlated("30: r8 = *(u64 *)(r10 -16)")
__xlated("31: r6 += 2{{$}}")
__xlated("32: r6 += 4{{$}}")
__xlated("33: r0 = r6")
__xlated("34: exit")
__xlated("35: r1 = *(u64 *)(r2 +0)")
__xlated("36: r1 += 2{{$}}")
__xlated("37: *(u64 *)(r2 +0) = r1")
__xlated("38: r0 = 0{{$}}")
__xlated("39: exit")
__naked void over_loop(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "*(u64 *)(r10 - 8) = r6;"
		      "if r7 == 0 goto 1f;"
		      "r1 = 3;"
		      "r2 = add_two ll;"
		      "r3 = r10;"
		      "r3 += -8;"
		      "r4 = 0;"
		      "call %[bpf_loop];"
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm(bpf_loop)
		      : __clobber_all);
}

static __naked __noinline __used int time_only(void)
{
	asm volatile ("call %[bpf_jiffies64];"
		      "exit;"
		      :
		      : __imm(bpf_jiffies64)
		      : __clobber_all);
}

/* Guards a subprogram that is nothing but a patch, called from both sides of another one. */
SEC("socket")
__description("subprogram that is nothing but jiffies")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: call pc+11{{$}}")
__xlated("2: r7 = r0")
XLATED_JIFFIES
__xlated("6: r8 = r0")
__xlated("7: call pc+5{{$}}")
__xlated("8: if r7 > r8 goto pc+2{{$}}")
__xlated("9: if r8 > r0 goto pc+1{{$}}")
__xlated("10: r6 += 4{{$}}")
__xlated("11: r0 = r6")
__xlated("12: exit")
XLATED_JIFFIES
__xlated("16: exit")
__naked void calls_of_time(void)
{
	asm volatile ("r6 = 1;"
		      "call time_only;"
		      "r7 = r0;"
		      "call %[bpf_jiffies64];"
		      "r8 = r0;"
		      "call time_only;"
		      "if r7 > r8 goto 1f;"
		      "if r8 > r0 goto 1f;"
		      "r6 += 4;"
		      "1: "
		      RETURN
		      :
		      : __imm(bpf_jiffies64)
		      : __clobber_all);
}

static __naked __noinline __used int loops_inside(void)
{
	asm volatile ("r1 = 2;"
		      "r3 = r2;"
		      "r2 = add_quotient ll;"
		      "r4 = 0;"
		      "call %[bpf_loop];"
		      "r0 = 0;"
		      "exit;"
		      :
		      : __imm(bpf_loop)
		      : __clobber_all);
}

/* Guards the code of a loop whose callback has such code itself. */
SEC("socket")
__description("inlined bpf_loop in the callback of another one")
__success __retval(19) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: *(u64 *)(r10 -8) = r6")
__xlated("2: r1 = 3{{$}}")
__xlated("3: r2 = 0x{{[0-9a-f]*00000019$}}")
__xlated("5: r3 = r10")
__xlated("6: r3 += -8{{$}}")
__xlated("7: r4 = 0{{$}}")
XLATED_LOOP("-32", "-24", "-16", "8")
__xlated("27: r0 = *(u64 *)(r10 -8)")
__xlated("28: exit")
__xlated("29: r1 = 2{{$}}")
__xlated("30: r3 = r2")
__xlated("31: r2 = 0x{{[0-9a-f]*00000017$}}")
__xlated("33: r4 = 0{{$}}")
XLATED_LOOP("-24", "-16", "-8", "8")
__xlated("53: r0 = 0{{$}}")
__xlated("54: exit")
__xlated("55: r1 = 0x")
__xlated("57: r1 = *(u64 *)(r1 +0)")
__xlated("58: r3 = *(u64 *)(r2 +0)")
__xlated("59: r3 += 3{{$}}")
XLATED_DIV64("r3", "r1")
__xlated("64: *(u64 *)(r2 +0) = r3")
__xlated("65: r0 = 0{{$}}")
__xlated("66: exit")
__naked void loop_in_loop(void)
{
	asm volatile ("r6 = 1;"
		      "*(u64 *)(r10 - 8) = r6;"
		      "r1 = 3;"
		      "r2 = loops_inside ll;"
		      "r3 = r10;"
		      "r3 += -8;"
		      "r4 = 0;"
		      "call %[bpf_loop];"
		      "r0 = *(u64 *)(r10 - 8);"
		      "exit;"
		      :
		      : __imm(bpf_loop)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
