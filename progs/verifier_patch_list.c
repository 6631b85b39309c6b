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
