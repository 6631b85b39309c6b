// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls across what the verifier rewrites: subprograms, callbacks, tail calls
 * and exceptions; and the loops and long jumps that are rewritten themselves.
 * See verifier_patch_list.c.
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

struct timed {
	struct bpf_timer timer;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct timed);
} map_timer SEC(".maps");

void tail_target(void);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(int));
	__array(values, void(void));
} map_progs SEC(".maps") = { .values = { [2] = (void *)&tail_target } };

extern void bpf_throw(__u64 cookie) __weak __ksym;

/* The compiler tells of the types of functions that C calls, not of those that assembly does. */
__used static void kfuncs(void)
{
	bpf_throw(0);
}

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

/* Guards an exception's default handler, which the verifier appends to a program that grows. */
SEC("tc")
__description("exception behind a division")
__success __retval(19) __arch_x86_64 __load_if_JITed()
__xlated("0: r8 = 0x")
__xlated("2: r8 = *(u64 *)(r8 +0)")
__xlated("3: r9 = 19{{$}}")
__xlated("4: if r8 == 0x0 goto pc+6{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("9: r1 = r9")
__xlated("10: call {{.*}}")
__xlated("11: r0 = 3{{$}}")
__xlated("12: exit")
__xlated("13: r0 = r1")
__xlated("14: exit")
__naked void exception(void)
{
	asm volatile (ONE
		      "r9 = 19;"
		      "if r8 == 0 goto 1f;"
		      "r9 /= r8;"
		      "r1 = r9;"
		      "call %[bpf_throw];"
		      "1: r0 = 3;"
		      "exit;"
		      :
		      : __imm_addr(one), __imm(bpf_throw)
		      : __clobber_all);
}

/*
 * Handles an exception by a division of its cookie. This is C, because the
 * kernel wants the parameter of a global function to have a name.
 */
__noinline int handler(__u64 cookie)
{
	return cookie / one + 2;
}

static __naked __noinline __used int throws(void)
{
	asm volatile ("r1 /= r2;"
		      "call %[bpf_throw];"
		      "r0 = 3;"
		      "exit;"
		      :
		      : __imm(bpf_throw)
		      : __clobber_all);
}

/* Guards the start of a handler of one's own, thrown to from a subprogram behind divisions. */
SEC("tc")
__description("exception's own handler behind divisions")
__success __retval(21) __arch_x86_64 __load_if_JITed()
__attribute__((btf_decl_tag("exception_callback:handler")))
__xlated("0: r8 = 0x")
__xlated("2: r8 = *(u64 *)(r8 +0)")
__xlated("3: r9 = 19{{$}}")
XLATED_MOD64("r9", "r8")
__xlated("6: r9 += 19{{$}}")
__xlated("7: r1 = r9")
__xlated("8: r2 = r8")
__xlated("9: call pc+0{{$}}")
XLATED_DIV64("r1", "r2")
__xlated("14: call {{.*}}")
__xlated("...")
__xlated("if r{{[0-9]}} != 0x0 goto pc+2{{$}}")
__xlated("^= w")
__xlated("goto pc+1{{$}}")
__xlated("r{{[0-9]}} /= r")
__naked void exception_handled(void)
{
	asm volatile (ONE
		      "r9 = 19;"
		      "r9 %%= r8;"
		      "r9 += 19;"
		      "r1 = r9;"
		      "r2 = r8;"
		      "call throws;"
		      "r0 = r9;"
		      "exit;"
		      :
		      : __imm_addr(one), __imm(bpf_throw)
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

#ifdef CAN_USE_GOTOL
/* Guards the jump that has its offset elsewhere, over lookups in both directions. */
SEC("socket")
__description("gotol over lookups, both ways")
__success __retval(15) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: gotol pc+20{{$}}")
__xlated("7: r2 = r10")
__xlated("8: r2 += -8{{$}}")
__xlated("9: r1 = 0x")
XLATED_ARRAY
__xlated("18: if r0 == 0x0 goto pc+12{{$}}")
__xlated("19: r6 += 4{{$}}")
__xlated("20: r2 = r10")
__xlated("21: r2 += -8{{$}}")
__xlated("22: r1 = 0x")
XLATED_HASH
__xlated("27: r6 += 2{{$}}")
__xlated("28: r9 += 1{{$}}")
__xlated("29: if r9 > 0x2 goto pc+1{{$}}")
__xlated("30: gotol pc-24{{$}}")
__xlated("31: r0 = r6")
__xlated("32: exit")
__naked void gotol_over(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;"
		      "gotol 2f;"
		      "1: " ARRAY
		      LOOKUP
		      "if r0 == 0 goto 3f;"
		      "r6 += 4;" HASH
		      LOOKUP
		      "2: r6 += 2;"
		      "r9 += 1;"
		      "if r9 > 2 goto 3f;"
		      "gotol 1b;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(map_array), __imm_addr(map_hash), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}
#endif

char _license[] SEC("license") = "GPL";
