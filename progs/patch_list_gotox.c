// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jump tables whose entries lie before, at and behind what the verifier
 * rewrites: each entry has to move along with its instruction. This needs
 * indirect jumps (Linux 6.19); prog_tests/patch_list_gotox.c sees whether they
 * are there. See verifier_patch_list.c.
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

/* The assembler has no word for it unless it compiles for a later CPU. */
#define GOTOX_R0 ".long 0x0000000d; .long 0;"

/* A table of this function's labels, which are offsets from the start of its section. */
#define TABLE(entries)                                                                             \
	".pushsection .jumptables,\"\",@progbits;"                                                 \
	"table_%=: " entries ".size table_%=, . - table_%=; .global table_%=;"                     \
	".popsection;"
#define ENTRY(label) ".quad " label "_%= - socket;"
#define ENTRY_TEXT(label) ".quad " label "_%= - .text;"

/* r0 = the entry of index r9. */
#define LOAD_ENTRY                                                                                 \
	"r0 = table_%= ll; r3 = r9; r3 <<= 3; r0 += r3;"                                           \
	"r0 = *(u64 *)(r0 + 0);"

/* Guards entries before, at and behind a lookup, and behind a second one. */
SEC("socket")
__description("jump table before, at and behind lookups")
__success __retval(47) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: if r9 > 0x3 goto pc+30{{$}}")
__xlated("7: r2 = r10")
__xlated("8: r2 += -8{{$}}")
__xlated("9: r1 = 0x")
__xlated("11: r0 = 0x")
__xlated("13: r3 = r9")
__xlated("14: r3 <<= 3{{$}}")
__xlated("15: r0 += r3")
__xlated("16: r0 = *(u64 *)(r0 +0)")
__xlated("17: r9 += 1{{$}}")
__xlated("18: gotox r0")
__xlated("19: r6 += 2{{$}}")
XLATED_ARRAY
__xlated("27: r6 += 4{{$}}")
__xlated("28: r2 = r10")
__xlated("29: r2 += -8{{$}}")
__xlated("30: r1 = 0x")
XLATED_HASH
__xlated("35: r6 += 8{{$}}")
__xlated("36: goto pc-31{{$}}")
__xlated("37: r0 = r6")
__xlated("38: exit")
__naked void entries_around(void)
{
	asm volatile (TABLE(ENTRY("before") ENTRY("at") ENTRY("behind") ENTRY("further"))
		      "r6 = 1;" KEYS
		      "r9 = 0;"
		      "1: if r9 > 3 goto 2f;" ARRAY
		      LOAD_ENTRY
		      "r9 += 1;"
		      GOTOX_R0
		      "before_%=: r6 += 2;"
		      "at_%=: " LOOKUP
		      "behind_%=: r6 += 4;" HASH
		      LOOKUP
		      "further_%=: r6 += 8;"
		      "goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(map_array), __imm_addr(map_hash), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards entries that lie in front of the jump, with what grows at and behind each of them. */
SEC("socket")
__description("jump table whose entries are divisions behind it and before it")
__success __retval(45)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 0{{$}}")
__xlated("5: r7 = 9{{$}}")
__xlated("6: goto pc+15{{$}}")
XLATED_DIV64("r7", "r8")
__xlated("11: r6 += 2{{$}}")
XLATED_SDIV32("w7", "w8")
__xlated("20: r6 += r7")
__xlated("21: r6 += 8{{$}}")
__xlated("22: if r9 > 0x2 goto pc+12{{$}}")
__xlated("23: r0 = 0x")
__xlated("25: r3 = r9")
__xlated("26: r3 <<= 3{{$}}")
__xlated("27: r0 += r3")
__xlated("28: r0 = *(u64 *)(r0 +0)")
__xlated("29: r9 += 1{{$}}")
__xlated("30: gotox r0")
XLATED_MOD64("r7", "r8")
__xlated("33: r6 += 8{{$}}")
__xlated("34: r6 += r7")
__xlated("35: r0 = r6")
__xlated("36: exit")
__naked void entries_backward(void)
{
	asm volatile (TABLE(ENTRY("first") ENTRY("second") ENTRY("end"))
		      "r6 = 1;" ONE
		      "r9 = 0;"
		      "r7 = 9;"
		      "goto 1f;"
		      "first_%=: r7 /= r8;"
		      "r6 += 2;"
		      "second_%=: w7 s/= w8;"
		      "r6 += r7;"
		      "r6 += 8;"
		      "1: if r9 > 2 goto 2f;"
		      LOAD_ENTRY
		      "r9 += 1;"
		      GOTOX_R0
		      "end_%=: r7 %%= r8;"
		      "r6 += 8;"
		      "r6 += r7;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards entries around code that the verifier removes: they move down, not up. */
SEC("socket")
__description("jump table around dead code")
__success __retval(28) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r9 = 0{{$}}")
__xlated("6: r8 = 5{{$}}")
__xlated("7: if r9 > 0x2 goto pc+24{{$}}")
__xlated("8: r0 = 0x")
__xlated("10: r3 = r9")
__xlated("11: r3 <<= 3{{$}}")
__xlated("12: r0 += r3")
__xlated("13: r0 = *(u64 *)(r0 +0)")
__xlated("14: r9 += 1{{$}}")
__xlated("15: gotox r0")
__xlated("16: r6 += 2{{$}}")
__xlated("17: r2 = r10")
__xlated("18: r2 += -8{{$}}")
__xlated("19: r1 = 0x")
XLATED_ARRAY
__xlated("28: r6 += 4{{$}}")
__xlated("29: r6 += 1{{$}}")
__xlated("30: r6 += 5{{$}}")
__xlated("31: goto pc-25{{$}}")
__xlated("32: r0 = r6")
__xlated("33: exit")
__naked void entries_around_dead(void)
{
	asm volatile (TABLE(ENTRY("before") ENTRY("behind") ENTRY("further"))
		      "r6 = 1;" KEYS
		      "r9 = 0;"
		      "r8 = 5;"
		      "1: if r9 > 2 goto 2f;"
		      LOAD_ENTRY
		      "r9 += 1;"
		      GOTOX_R0
		      "before_%=: r6 += 2;"
		      "if r8 == 5 goto 3f;" ARRAY
		      LOOKUP
		      "r6 += 64;"
		      "3: " ARRAY
		      LOOKUP
		      "behind_%=: r6 += 4;"
		      "if r8 == 5 goto 4f;"
		      "r6 += 64;"
		      "4: r6 += 1;"
		      "further_%=: r6 += 5;"
		      "goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

static __naked __noinline __used int chooses(void)
{
	asm volatile (TABLE(ENTRY_TEXT("divide") ENTRY_TEXT("out"))
		      "r9 = r1;"
		      "r9 &= 1;"
		      "r8 = r2;"
		      LOAD_ENTRY
		      GOTOX_R0
		      "divide_%=: r8 /= r2;"
		      "r8 += 2;"
		      "out_%=: r0 = r8;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards the table of a subprogram, which moves with what grows in front of all of it. */
SEC("socket")
__description("jump table of a subprogram behind lookups")
__success __retval(11) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r2 = r10")
__xlated("6: r2 += -8{{$}}")
__xlated("7: r1 = 0x")
XLATED_ARRAY
__xlated("16: r1 = 0{{$}}")
__xlated("17: r2 = 7{{$}}")
__xlated("18: call pc+18{{$}}")
__xlated("19: r6 += r0")
__xlated("20: r2 = r10")
__xlated("21: r2 += -8{{$}}")
__xlated("22: r1 = 0x")
XLATED_ARRAY
__xlated("31: r1 = 1{{$}}")
__xlated("32: r2 = 7{{$}}")
__xlated("33: call pc+3{{$}}")
__xlated("34: r6 += r0")
__xlated("35: r0 = r6")
__xlated("36: exit")
__xlated("37: r9 = r1")
__xlated("38: r9 &= 1{{$}}")
__xlated("39: r8 = r2")
__xlated("40: r0 = 0x")
__xlated("42: r3 = r9")
__xlated("43: r3 <<= 3{{$}}")
__xlated("44: r0 += r3")
__xlated("45: r0 = *(u64 *)(r0 +0)")
__xlated("46: gotox r0")
XLATED_DIV64("r8", "r2")
__xlated("51: r8 += 2{{$}}")
__xlated("52: r0 = r8")
__xlated("53: exit")
__naked void entries_of_subprog(void)
{
	asm volatile ("r6 = 1;" KEYS ARRAY
		      LOOKUP
		      "r1 = 0;"
		      "r2 = 7;"
		      "call chooses;"
		      "r6 += r0;" ARRAY
		      LOOKUP
		      "r1 = 1;"
		      "r2 = 7;"
		      "call chooses;"
		      "r6 += r0;"
		      RETURN
		      :
		      : __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
