// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps around lookups in maps of maps, maps per CPU and maps with an order of
 * use, whose inlined code is longer than that of plain ones; see
 * verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

struct inner {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_array SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, int);
	__array(values, struct inner);
} map_arrays SEC(".maps") = { .values = { [0] = &map_array } };

struct {
	__uint(type, BPF_MAP_TYPE_HASH_OF_MAPS);
	__uint(max_entries, 2);
	__type(key, int);
	__array(values, struct inner);
} map_hashes SEC(".maps") = { .values = { [0] = &map_array } };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_percpu SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_percpu_hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_lru SEC(".maps");

#define KEY0   "r2 = r10; r2 += -8;"
#define KEY7   "r2 = r10; r2 += -16;"
#define PERCPU KEY0 "r1 = %[map_percpu] ll;"
#define LRU    KEY0 "r1 = %[map_lru] ll;"
#define ARRAYS KEY0 "r1 = %[map_arrays] ll;"
#define HASHES KEY0 "r1 = %[map_hashes] ll;"

/* Guards a forward jump over the lookup of a map in an array. */
SEC("socket")
__description("forward over a lookup in an array of maps")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+10{{$}}")
__xlated("13: r1 += {{[0-9]+$}}")
__xlated("14: r0 = *(u32 *)(r2 +0)")
__xlated("15: if r0 >= 0x2 goto pc+5{{$}}")
__xlated("16: r0 <<= 3{{$}}")
__xlated("17: r0 += r1")
__xlated("18: r0 = *(u64 *)(r0 +0)")
__xlated("19: if r0 == 0x0 goto pc+1{{$}}")
__xlated("20: goto pc+1{{$}}")
__xlated("21: r0 = 0{{$}}")
__xlated("22: r6 += 2{{$}}")
__xlated("23: r6 += 4{{$}}")
__xlated("24: r0 = r6")
__xlated("25: exit")
__naked void forward_over_arrays(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN ARRAYS
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_arrays), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a back edge over two lookups, the second in the map that the first one found. */
SEC("socket")
__description("backward over a lookup in an array of maps and in what it found")
__success __retval(21) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r2 = r10")
__xlated("7: r2 += -8{{$}}")
__xlated("8: r1 = 0x")
__xlated("10: r1 += {{[0-9]+$}}")
__xlated("11: r0 = *(u32 *)(r2 +0)")
__xlated("12: if r0 >= 0x2 goto pc+5{{$}}")
__xlated("13: r0 <<= 3{{$}}")
__xlated("14: r0 += r1")
__xlated("15: r0 = *(u64 *)(r0 +0)")
__xlated("16: if r0 == 0x0 goto pc+1{{$}}")
__xlated("17: goto pc+1{{$}}")
__xlated("18: r0 = 0{{$}}")
__xlated("19: if r0 == 0x0 goto pc+12{{$}}")
__xlated("20: r1 = r0")
__xlated("21: r2 = r10")
__xlated("22: r2 += -8{{$}}")
XLATED_ARRAY
__xlated("30: if r0 == 0x0 goto pc+1{{$}}")
__xlated("31: r6 += 10{{$}}")
__xlated("32: r9 += 1{{$}}")
__xlated("33: if r9 < 0x2 goto pc-28{{$}}")
__xlated("34: r0 = r6")
__xlated("35: exit")
__naked void backward_over_arrays(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;"
		      "1: " ARRAYS
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r1 = r0;" KEY0
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 10;"
		      "2: r9 += 1;"
		      "if r9 < 2 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(map_arrays), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a jump onto the call in a hash of maps, of which the key must be the first one. */
SEC("socket")
__description("forward onto a lookup in a hash of maps")
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
__xlated("14: call {{.*}}")
__xlated("15: if r0 == 0x0 goto pc+2{{$}}")
__xlated("16: r0 += {{[0-9]+$}}")
__xlated("17: r0 = *(u64 *)(r0 +0)")
__xlated("18: if r0 == 0x0 goto pc+1{{$}}")
__xlated("19: r6 += 4{{$}}")
__xlated("20: r0 = r6")
__xlated("21: exit")
__naked void forward_onto_hashes(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN HASHES
		      "if r7 == 0 goto 1f;"
		      "r2 += -8;"
		      "1: " LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_hashes), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a forward jump over the lookup of this CPU's element. */
SEC("socket")
__description("forward over a per-CPU array lookup")
__success __retval(5) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: if r7 == 0x0 goto pc+10{{$}}")
__xlated("13: r1 += {{[0-9]+$}}")
__xlated("14: r0 = *(u32 *)(r2 +0)")
__xlated("15: if r0 >= 0x1 goto pc+5{{$}}")
__xlated("16: r0 <<= 3{{$}}")
__xlated("17: r0 += r1")
__xlated("18: r0 = *(u64 *)(r0 +0)")
__xlated("19: r0 = &(void __percpu *)(r0)")
__xlated("20: goto pc+1{{$}}")
__xlated("21: r0 = 0{{$}}")
__xlated("22: r6 += 2{{$}}")
__xlated("23: r6 += 4{{$}}")
__xlated("24: r0 = r6")
__xlated("25: exit")
__naked void forward_over_percpu(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN PERCPU
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_percpu), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a jump back onto such a lookup, with a key that is not there. */
SEC("socket")
__description("backward onto a per-CPU array lookup")
__success __retval(13) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r2 = r10")
__xlated("7: r2 += -8{{$}}")
__xlated("8: r1 = 0x")
__xlated("10: r1 += {{[0-9]+$}}")
__xlated("11: r0 = *(u32 *)(r2 +0)")
__xlated("12: if r0 >= 0x1 goto pc+5{{$}}")
__xlated("13: r0 <<= 3{{$}}")
__xlated("14: r0 += r1")
__xlated("15: r0 = *(u64 *)(r0 +0)")
__xlated("16: r0 = &(void __percpu *)(r0)")
__xlated("17: goto pc+1{{$}}")
__xlated("18: r0 = 0{{$}}")
__xlated("19: if r0 != 0x0 goto pc+2{{$}}")
__xlated("20: r6 += 4{{$}}")
__xlated("21: goto pc+1{{$}}")
__xlated("22: r6 += 8{{$}}")
__xlated("23: r9 += 1{{$}}")
__xlated("24: if r9 > 0x1 goto pc+5{{$}}")
__xlated("25: r2 = r10")
__xlated("26: r2 += -16{{$}}")
__xlated("27: r1 = 0x")
__xlated("29: goto pc-20{{$}}")
__xlated("30: r0 = r6")
__xlated("31: exit")
__naked void backward_onto_percpu(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;" PERCPU
		      "1: " LOOKUP
		      "if r0 != 0 goto 2f;"
		      "r6 += 4;"
		      "goto 3f;"
		      "2: r6 += 8;"
		      "3: r9 += 1;"
		      "if r9 > 1 goto 4f;" KEY7
		      "r1 = %[map_percpu] ll;"
		      "goto 1b;"
		      "4: "
		      RETURN
		      :
		      : __imm_addr(map_percpu), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a back edge over the per-CPU lookup that has a call and a branch. */
SEC("socket")
__description("backward over a per-CPU hash lookup")
__success __retval(7) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r6 += 2{{$}}")
__xlated("7: r2 = r10")
__xlated("8: r2 += -8{{$}}")
__xlated("9: r1 = 0x")
__xlated("11: call {{.*}}")
__xlated("12: if r0 == 0x0 goto pc+3{{$}}")
__xlated("13: r0 += {{[0-9]+$}}")
__xlated("14: r0 = *(u64 *)(r0 +0)")
__xlated("15: r0 = &(void __percpu *)(r0)")
__xlated("16: if r0 == 0x0 goto pc+1{{$}}")
__xlated("17: r6 += 100{{$}}")
__xlated("18: r9 += 1{{$}}")
__xlated("19: if r9 < 0x3 goto pc-14{{$}}")
__xlated("20: r0 = r6")
__xlated("21: exit")
__naked void backward_over_percpu_hash(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;"
		      "1: r6 += 2;" KEY0
		      "r1 = %[map_percpu_hash] ll;"
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 100;"
		      "2: r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(map_percpu_hash), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards the instruction behind a lookup that also marks its element as used. */
SEC("socket")
__description("forward onto the instruction behind an LRU lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
__xlated("12: r0 = 0{{$}}")
__xlated("13: if r7 == 0x0 goto pc+6{{$}}")
__xlated("14: call {{.*}}")
__xlated("15: if r0 == 0x0 goto pc+4{{$}}")
__xlated("16: r1 = *(u8 *)(r0 +{{[0-9]+}})")
__xlated("17: if r1 != 0x0 goto pc+1{{$}}")
__xlated("18: *(u8 *)(r0 +{{[0-9]+}}) = 1{{$}}")
__xlated("19: r0 += {{[0-9]+$}}")
__xlated("20: if r0 != 0x0 goto pc+1{{$}}")
__xlated("21: r6 += 4{{$}}")
__xlated("22: r0 = r6")
__xlated("23: exit")
__naked void onto_behind_lru(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN LRU
		      "r0 = 0;"
		      "if r7 == 0 goto 1f;"
		      LOOKUP
		      "1: if r0 != 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_lru), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a 32-bit condition over three bodies, and the branches right behind each of them. */
SEC("socket")
__description("jmp32 over lookups of three kinds, both ways")
__success __retval(21) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: if w7 == 0x2 goto pc+40{{$}}")
__xlated("9: r2 = r10")
__xlated("10: r2 += -8{{$}}")
__xlated("11: r1 = 0x")
__xlated("13: call {{.*}}")
__xlated("14: if r0 == 0x0 goto pc+4{{$}}")
__xlated("15: r1 = *(u8 *)(r0 +{{[0-9]+}})")
__xlated("16: if r1 != 0x0 goto pc+1{{$}}")
__xlated("17: *(u8 *)(r0 +{{[0-9]+}}) = 1{{$}}")
__xlated("18: r0 += {{[0-9]+$}}")
__xlated("19: if r0 != 0x0 goto pc+29{{$}}")
__xlated("20: r2 = r10")
__xlated("21: r2 += -8{{$}}")
__xlated("22: r1 = 0x")
__xlated("24: r1 += {{[0-9]+$}}")
__xlated("25: r0 = *(u32 *)(r2 +0)")
__xlated("26: if r0 >= 0x1 goto pc+5{{$}}")
__xlated("27: r0 <<= 3{{$}}")
__xlated("28: r0 += r1")
__xlated("29: r0 = *(u64 *)(r0 +0)")
__xlated("30: r0 = &(void __percpu *)(r0)")
__xlated("31: goto pc+1{{$}}")
__xlated("32: r0 = 0{{$}}")
__xlated("33: if r0 == 0x0 goto pc+15{{$}}")
__xlated("34: r2 = r10")
__xlated("35: r2 += -8{{$}}")
__xlated("36: r1 = 0x")
__xlated("38: r1 += {{[0-9]+$}}")
__xlated("39: r0 = *(u32 *)(r2 +0)")
__xlated("40: if r0 >= 0x2 goto pc+5{{$}}")
__xlated("41: r0 <<= 3{{$}}")
__xlated("42: r0 += r1")
__xlated("43: r0 = *(u64 *)(r0 +0)")
__xlated("44: if r0 == 0x0 goto pc+1{{$}}")
__xlated("45: goto pc+1{{$}}")
__xlated("46: r0 = 0{{$}}")
__xlated("47: if r0 == 0x0 goto pc+1{{$}}")
__xlated("48: r6 += 4{{$}}")
__xlated("49: r6 += 4{{$}}")
__xlated("50: w7 += 1{{$}}")
__xlated("51: if w7 < 0x3 goto pc-44{{$}}")
__xlated("52: r0 = r6")
__xlated("53: exit")
__naked void jmp32_over_three(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN
		      "1: if w7 == 2 goto 2f;" LRU
		      LOOKUP
		      "if r0 != 0 goto 2f;" PERCPU
		      LOOKUP
		      "if r0 == 0 goto 2f;" ARRAYS
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 4;"
		      "2: r6 += 4;"
		      "w7 += 1;"
		      "if w7 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_lru), __imm_addr(map_percpu),
			__imm_addr(map_arrays), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards jumps over what the verifier removes: a lookup that is never reached leaves nothing. */
SEC("socket")
__description("forward over a dead and a live lookup")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r9 = 3{{$}}")
__xlated("9: if r7 == 0x0 goto pc+12{{$}}")
__xlated("10: r2 = r10")
__xlated("11: r2 += -8{{$}}")
__xlated("12: r1 = 0x")
XLATED_ARRAY
__xlated("21: r6 += 2{{$}}")
__xlated("22: r6 += 4{{$}}")
__xlated("23: r0 = r6")
__xlated("24: exit")
__naked void dead_and_live(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN
		      "r9 = 3;"
		      "if r7 == 0 goto 2f;"
		      "if r9 == 3 goto 1f;" ARRAY
		      LOOKUP
		      "r6 += 32;"
		      "1: " ARRAY
		      LOOKUP
		      "r6 += 2;"
		      "2: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a back edge from behind dead code over live lookups on both sides of it. */
SEC("socket")
__description("backward over live lookups with dead code between")
__success __retval(13) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r8 = 5{{$}}")
__xlated("7: r2 = r10")
__xlated("8: r2 += -8{{$}}")
__xlated("9: r1 = 0x")
XLATED_ARRAY
__xlated("18: if r0 == 0x0 goto pc+11{{$}}")
__xlated("19: r2 = r10")
__xlated("20: r2 += -8{{$}}")
__xlated("21: r1 = 0x")
__xlated("23: call {{.*}}")
__xlated("24: if r0 == 0x0 goto pc+4{{$}}")
__xlated("25: r1 = *(u8 *)(r0 +{{[0-9]+}})")
__xlated("26: if r1 != 0x0 goto pc+1{{$}}")
__xlated("27: *(u8 *)(r0 +{{[0-9]+}}) = 1{{$}}")
__xlated("28: r0 += {{[0-9]+$}}")
__xlated("29: r6 += 4{{$}}")
__xlated("30: r9 += 1{{$}}")
__xlated("31: if r9 < 0x3 goto pc-25{{$}}")
__xlated("32: r0 = r6")
__xlated("33: exit")
__naked void dead_between(void)
{
	asm volatile ("r6 = 1;" KEYS
		      "r9 = 0;"
		      "r8 = 5;"
		      "1: " ARRAY
		      LOOKUP
		      "if r8 == 5 goto 2f;"
		      "r6 += 64;" ARRAY
		      LOOKUP
		      "r6 += 64;"
		      "2: if r0 == 0 goto 3f;" LRU
		      LOOKUP
		      "r6 += 4;"
		      "3: r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(map_array), __imm_addr(map_lru), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
