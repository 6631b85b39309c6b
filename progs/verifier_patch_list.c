// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verifier replaces single instructions by several: a map lookup by its
 * inlined body, a division by one that first looks at the divisor. Whatever
 * jumps or calls across such a place has to be moved along, and whatever
 * jumps to its first instruction or to the one behind it has to keep doing
 * so. Each program here is one such geometry.
 *
 * A program adds up marks of the places that it passes, so that its return
 * value tells the way it took. "unknown" and "one" are read from memory, so
 * that the verifier has to keep both ways of each branch.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"

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

/* r7 = 0, unknown to the verifier. */
#define UNKNOWN "r7 = %[unknown] ll; r7 = *(u64 *)(r7 + 0);"
/* r8 = 1, unknown to the verifier. */
#define ONE "r8 = %[one] ll; r8 = *(u64 *)(r8 + 0);"
/* Two keys on the stack: one that the array has at r10 - 8, one that it hasn't at r10 - 16. */
#define KEYS "r2 = 0; *(u64 *)(r10 - 8) = r2; r2 = 7; *(u64 *)(r10 - 16) = r2;"
/* Arguments of a lookup. */
#define HASH "r2 = r10; r2 += -8; r1 = %[map_hash] ll;"
#define ARRAY "r2 = r10; r2 += -8; r1 = %[map_array] ll;"
#define LOOKUP "call %[bpf_map_lookup_elem];"
#define RETURN "r0 = r6; exit;"

/* What of these the kernel makes. Offsets into its structures are its own business. */
#define XLATED_KEYS                                                                                \
	__xlated("r2 = 0{{$}}")                                                                    \
	__xlated("*(u64 *)(r10 -8) = r2")                                                          \
	__xlated("r2 = 7{{$}}")                                                                    \
	__xlated("*(u64 *)(r10 -16) = r2")
#define XLATED_HASH                                                                                \
	__xlated("call {{.*}}")                                                                    \
	__xlated("if r0 == 0x0 goto pc+1{{$}}")                                                    \
	__xlated("r0 += {{[0-9]+$}}")
#define XLATED_ARRAY                                                                               \
	__xlated("r1 += {{[0-9]+$}}")                                                              \
	__xlated("r0 = *(u32 *)(r2 +0)")                                                           \
	__xlated("if r0 >= 0x1 goto pc+3{{$}}")                                                    \
	__xlated("r0 <<= 3")                                                                       \
	__xlated("r0 += r1")                                                                       \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated("r0 = 0{{$}}")

/* A jump that skips an inlined hash lookup grows by what the lookup grew. */
SEC("socket")
__description("forward over a hash lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+4{{$}}")
XLATED_HASH
__xlated("16: r6 += 2{{$}}")
__xlated("17: r6 += 4{{$}}")
__xlated("18: r0 = r6")
__xlated("19: exit")
__naked void forward_over_hash(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN HASH
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_hash), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* The same over the longer body of an array lookup. */
SEC("socket")
__description("forward over an array lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+8{{$}}")
XLATED_ARRAY
__xlated("20: r6 += 2{{$}}")
__xlated("21: r6 += 4{{$}}")
__xlated("22: r0 = r6")
__xlated("23: exit")
__naked void forward_over_array(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN ARRAY
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* The back edge of a loop whose body holds an inlined hash lookup grows downwards. */
SEC("socket")
__description("backward over a hash lookup")
__success __retval(7) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r6 += 2{{$}}")
__xlated("7: r2 = r10")
__xlated("8: r2 += -8{{$}}")
__xlated("9: r1 = 0x")
XLATED_HASH
__xlated("14: r9 += 1{{$}}")
__xlated("15: if r9 < 0x3 goto pc-10{{$}}")
__xlated("16: r0 = r6")
__xlated("17: exit")
__naked void backward_over_hash(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;"
		      "1: r6 += 2;" HASH
		      LOOKUP
		      "r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(map_hash), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* The same with an array lookup that finds its element each time. */
SEC("socket")
__description("backward over an array lookup")
__success __retval(31) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r6 += 2{{$}}")
__xlated("7: r2 = r10")
__xlated("8: r2 += -8{{$}}")
__xlated("9: r1 = 0x")
XLATED_ARRAY
__xlated("18: if r0 == 0x0 goto pc+1{{$}}")
__xlated("19: r6 += 8{{$}}")
__xlated("20: r9 += 1{{$}}")
__xlated("21: if r9 < 0x3 goto pc-16{{$}}")
__xlated("22: r0 = r6")
__xlated("23: exit")
__naked void backward_over_array(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;"
		      "1: r6 += 2;" ARRAY
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 8;"
		      "2: r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* A jump to the lookup arrives at the first instruction that took its place. */
SEC("socket")
__description("forward onto a hash lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+1{{$}}")
__xlated("13: r6 += 2{{$}}")
XLATED_HASH
__xlated("17: if r0 != 0x0 goto pc+1{{$}}")
__xlated("18: r6 += 4{{$}}")
__xlated("19: r0 = r6")
__xlated("20: exit")
__naked void forward_onto_hash(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN HASH
		      "if r7 == 0 goto 1f;"
		      "r6 += 2;"
		      "1: " LOOKUP
		      "if r0 != 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_hash), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* The skipped instruction would look up a key that is not there. */
SEC("socket")
__description("forward onto an array lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+1{{$}}")
__xlated("13: r2 += -8{{$}}")
XLATED_ARRAY
__xlated("21: if r0 == 0x0 goto pc+1{{$}}")
__xlated("22: r6 += 4{{$}}")
__xlated("23: r0 = r6")
__xlated("24: exit")
__naked void forward_onto_array(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN ARRAY
		      "if r7 == 0 goto 1f;"
		      "r2 += -8;"
		      "1: " LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* From behind the lookup back onto its first instruction, with another key. */
SEC("socket")
__description("backward onto an array lookup")
__success __retval(13) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r2 = r10")
__xlated("7: r2 += -8{{$}}")
__xlated("8: r1 = 0x")
XLATED_ARRAY
__xlated("17: if r0 != 0x0 goto pc+2{{$}}")
__xlated("18: r6 += 4{{$}}")
__xlated("19: goto pc+1{{$}}")
__xlated("20: r6 += 8{{$}}")
__xlated("21: r9 += 1{{$}}")
__xlated("22: if r9 > 0x1 goto pc+5{{$}}")
__xlated("23: r2 = r10")
__xlated("24: r2 += -16{{$}}")
__xlated("25: r1 = 0x")
__xlated("27: goto pc-18{{$}}")
__xlated("28: r0 = r6")
__xlated("29: exit")
__naked void backward_onto_array(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;" ARRAY
		      "1: " LOOKUP
		      "if r0 != 0 goto 2f;"
		      "r6 += 4;"
		      "goto 3f;"
		      "2: r6 += 8;"
		      "3: r9 += 1;"
		      "if r9 > 1 goto 4f;"
		      "r2 = r10; r2 += -16; r1 = %[map_array] ll;"
		      "goto 1b;"
		      "4: "
		      RETURN
		      :
		      : __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* The branch is the very instruction behind the lookup. */
SEC("socket")
__description("backward from right behind an array lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = r10")
__xlated("6: r9 += -24{{$}}")
__xlated("7: r8 = 0{{$}}")
__xlated("8: r6 += 2{{$}}")
__xlated("9: r9 += 8{{$}}")
__xlated("10: r8 += 1{{$}}")
__xlated("11: if r8 > 0x2 goto pc+11{{$}}")
__xlated("12: r2 = r9")
__xlated("13: r1 = 0x")
XLATED_ARRAY
__xlated("22: if r0 == 0x0 goto pc-15{{$}}")
__xlated("23: r0 = r6")
__xlated("24: exit")
__naked void backward_from_behind(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = r10; r9 += -24; r8 = 0;"
		      "1: r6 += 2; r9 += 8; r8 += 1;"
		      "if r8 > 2 goto 2f;"
		      "r2 = r9; r1 = %[map_array] ll;"
		      LOOKUP
		      "if r0 == 0 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Into the gap between two lookups, from in front of both. */
SEC("socket")
__description("forward between two lookups")
__success __retval(13) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+4{{$}}")
XLATED_HASH
__xlated("16: r6 += 2{{$}}")
__xlated("17: r6 += 4{{$}}")
__xlated("18: r2 = r10")
__xlated("19: r2 += -8{{$}}")
__xlated("20: r1 = 0x")
XLATED_ARRAY
__xlated("29: if r0 == 0x0 goto pc+1{{$}}")
__xlated("30: r6 += 8{{$}}")
__xlated("31: r0 = r6")
__xlated("32: exit")
__naked void forward_between(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN HASH
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "r6 += 2;"
		      "1: r6 += 4;" ARRAY
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 8;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_hash), __imm_addr(map_array),
			__imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Into the gap between two lookups, from behind both: only the second one counts. */
SEC("socket")
__description("backward between two lookups")
__success __retval(11) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r2 = r10")
__xlated("7: r2 += -8{{$}}")
__xlated("8: r1 = 0x")
XLATED_HASH
__xlated("13: r6 += 2{{$}}")
__xlated("14: r6 += 4{{$}}")
__xlated("15: r2 = r10")
__xlated("16: r2 += -8{{$}}")
__xlated("17: r1 = 0x")
XLATED_ARRAY
__xlated("26: r9 += 1{{$}}")
__xlated("27: if r9 < 0x2 goto pc-14{{$}}")
__xlated("28: r0 = r6")
__xlated("29: exit")
__naked void backward_between(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;" HASH
		      LOOKUP
		      "r6 += 2;"
		      "1: r6 += 4;" ARRAY
		      LOOKUP
		      "r9 += 1;"
		      "if r9 < 2 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(map_hash), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* The target is the instruction right behind the lookup, not part of its body. */
SEC("socket")
__description("forward onto the instruction behind an array lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: r0 = 0{{$}}")
__xlated("13: if r7 == 0x0 goto pc+7{{$}}")
XLATED_ARRAY
__xlated("21: if r0 != 0x0 goto pc+1{{$}}")
__xlated("22: r6 += 4{{$}}")
__xlated("23: r0 = r6")
__xlated("24: exit")
__naked void forward_behind_array(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN ARRAY
		      "r0 = 0;"
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "1: if r0 != 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* A branch right behind one lookup and onto the next: what grew lies in front of both ends. */
SEC("socket")
__description("from behind one lookup onto the next")
__success __retval(9) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r2 = r10")
__xlated("6: r2 += -8{{$}}")
__xlated("7: r1 = 0x")
XLATED_HASH
__xlated("12: r2 = r10")
__xlated("13: r2 += -8{{$}}")
__xlated("14: r1 = 0x")
__xlated("16: if r0 == 0x0 goto pc+1{{$}}")
__xlated("17: r6 += 2{{$}}")
XLATED_ARRAY
__xlated("25: if r0 == 0x0 goto pc+1{{$}}")
__xlated("26: r6 += 8{{$}}")
__xlated("27: r0 = r6")
__xlated("28: exit")
__naked void patch_to_patch(void)
{
	asm volatile ("r6 = 1;" KEYS HASH
		      LOOKUP
		      "r2 = r10; r2 += -8; r1 = %[map_array] ll;"
		      "if r0 == 0 goto 1f;"
		      "r6 += 2;"
		      "1: " LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 8;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(map_hash), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* 32-bit comparisons keep their distance in the same place. */
SEC("socket")
__description("jmp32 over a hash and an array lookup")
__success __retval(9) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if w7 == 0x0 goto pc+16{{$}}")
XLATED_HASH
__xlated("16: r6 += 2{{$}}")
__xlated("17: r2 = r10")
__xlated("18: r2 += -8{{$}}")
__xlated("19: r1 = 0x")
XLATED_ARRAY
__xlated("28: r6 += 4{{$}}")
__xlated("29: r6 += 8{{$}}")
__xlated("30: r0 = r6")
__xlated("31: exit")
__naked void jmp32_over(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN HASH
		      "if w7 == 0 goto 1f;"
		      LOOKUP
		      "r6 += 2;" ARRAY
		      LOOKUP
		      "r6 += 4;"
		      "1: r6 += 8;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_hash), __imm_addr(map_array),
			__imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

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

/* A lookup between two divisions: three bodies, and jumps between all of them. */
SEC("socket")
__description("lookup between divisions")
__success __retval(21) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r8 = 0x")
__xlated("7: r8 = *(u64 *)(r8 +0)")
__xlated("8: r9 = 0{{$}}")
__xlated("9: r2 = 8{{$}}")
__xlated("10: if r8 != 0x0 goto pc+2{{$}}")
__xlated("11: w2 ^= w2")
__xlated("12: goto pc+1{{$}}")
__xlated("13: r2 /= r8")
__xlated("14: if r2 == 0x0 goto pc+20{{$}}")
__xlated("15: r2 = r10")
__xlated("16: r2 += -8{{$}}")
__xlated("17: r1 = 0x")
XLATED_ARRAY
__xlated("26: if r0 == 0x0 goto pc+1{{$}}")
__xlated("27: r6 += 2{{$}}")
__xlated("28: r0 = 8{{$}}")
__xlated("29: if r8 == 0x0 goto pc+1{{$}}")
__xlated("30: r0 %= r8")
__xlated("31: if r0 != 0x0 goto pc+4{{$}}")
__xlated("32: r6 += 4{{$}}")
__xlated("33: r9 += 1{{$}}")
__xlated("34: if r9 < 0x2 goto pc-26{{$}}")
__xlated("35: r6 += 8{{$}}")
__xlated("36: r0 = r6")
__xlated("37: exit")
__naked void mixed(void)
{
	asm volatile ("r6 = 1;" KEYS ONE
		      "r9 = 0;"
		      "1: r2 = 8;"
		      "r2 /= r8;"
		      "if r2 == 0 goto 3f;" ARRAY
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 2;"
		      "2: r0 = 8;"
		      "r0 %%= r8;"
		      "if r0 != 0 goto 4f;"
		      "r6 += 4;"
		      "r9 += 1;"
		      "if r9 < 2 goto 1b;"
		      "3: r6 += 8;"
		      "4: "
		      RETURN
		      :
		      : __imm_addr(one), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
