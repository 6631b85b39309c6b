// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps around what is written for those whose programs might speculate: the
 * unprivileged get masks on indices and pointers, and barriers behind stores.
 * Each program is pinned as both get it. See verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 5);
	__type(key, int);
	__type(value, long[8]);
} map_wide SEC(".maps");

void masks_target(void);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(int));
	__array(values, void(void));
} map_progs SEC(".maps") = { .values = { [2] = (void *)&masks_target } };

#define KEY  "r2 = 3; *(u64 *)(r10 - 8) = r2;"
#define WIDE "r2 = r10; r2 += -8; r1 = %[map_wide] ll;"

#define XLATED_WIDE                                                                                \
	__xlated("r1 += {{[0-9]+$}}")                                                              \
	__xlated("r0 = *(u32 *)(r2 +0)")                                                           \
	__xlated("if r0 >= 0x5 goto pc+3{{$}}")                                                    \
	__xlated("r0 <<= 6")                                                                       \
	__xlated("r0 += r1")                                                                       \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated("r0 = 0{{$}}")
#define XLATED_WIDE_MASKED                                                                         \
	__xlated_unpriv("r1 += {{[0-9]+$}}")                                                       \
	__xlated_unpriv("r0 = *(u32 *)(r2 +0)")                                                    \
	__xlated_unpriv("if r0 >= 0x5 goto pc+4{{$}}")                                             \
	__xlated_unpriv("w0 &= 7{{$}}")                                                            \
	__xlated_unpriv("r0 <<= 6")                                                                \
	__xlated_unpriv("r0 += r1")                                                                \
	__xlated_unpriv("goto pc+1{{$}}")                                                          \
	__xlated_unpriv("r0 = 0{{$}}")
/* r0 += r9, or nothing where r9 is above the limit. The hidden register's number varies. */
#define XLATED_ADD_MASKED                                                                          \
	__xlated_unpriv("w{{1[12]}} = 7{{$}}")                                                     \
	__xlated_unpriv("r{{1[12]}} -= r9")                                                        \
	__xlated_unpriv("r{{1[12]}} |= r9")                                                        \
	__xlated_unpriv("r{{1[12]}} = -r{{1[12]$}}")                                               \
	__xlated_unpriv("r{{1[12]}} s>>= 63{{$}}")                                                 \
	__xlated_unpriv("r{{1[12]}} &= r9")                                                        \
	__xlated_unpriv("r0 += r{{1[12]$}}")
#define XLATED_TAIL_CALL_MASKED                                                                    \
	__xlated_unpriv("if r3 >= 0x4 goto pc+2{{$}}")                                             \
	__xlated_unpriv("w3 &= 3{{$}}")                                                            \
	__xlated_unpriv("call bpf_tail_call")

/* Where tail calls arrive. */
SEC("socket")
__auxiliary __auxiliary_unpriv
__naked void masks_target(void)
{
	asm volatile ("r0 = 77;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards jumps onto and over a lookup, whose index is masked for the unprivileged. */
SEC("socket")
__description("onto a lookup with a mask, and over one")
__success __success_unpriv __retval(7) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r2 = 3{{$}}")
__xlated("5: *(u64 *)(r10 -8) = r2")
__xlated("6: r2 = r10")
__xlated("7: r2 += -8{{$}}")
__xlated("8: r1 = 0x")
__xlated("10: if r7 == 0x0 goto pc+1{{$}}")
__xlated("11: r6 += 64{{$}}")
XLATED_WIDE
__xlated("19: if r0 == 0x0 goto pc+14{{$}}")
__xlated("20: r6 += 2{{$}}")
__xlated("21: r2 = r10")
__xlated("22: r2 += -8{{$}}")
__xlated("23: r1 = 0x")
__xlated("25: if r7 == 0x0 goto pc+8{{$}}")
XLATED_WIDE
__xlated("33: r6 += 64{{$}}")
__xlated("34: r6 += 4{{$}}")
__xlated("35: r0 = r6")
__xlated("36: exit")
__xlated_unpriv("0: r6 = 1{{$}}")
__xlated_unpriv("1: r7 = 0x")
__xlated_unpriv("3: r7 = *(u64 *)(r7 +0)")
__xlated_unpriv("4: r2 = 3{{$}}")
__xlated_unpriv("5: *(u64 *)(r10 -8) = r2")
__xlated_unpriv("6: nospec")
__xlated_unpriv("7: r2 = r10")
__xlated_unpriv("8: r2 += -8{{$}}")
__xlated_unpriv("9: r1 = 0x")
__xlated_unpriv("11: if r7 == 0x0 goto pc+1{{$}}")
__xlated_unpriv("12: r6 += 64{{$}}")
XLATED_WIDE_MASKED
__xlated_unpriv("21: if r0 == 0x0 goto pc+15{{$}}")
__xlated_unpriv("22: r6 += 2{{$}}")
__xlated_unpriv("23: r2 = r10")
__xlated_unpriv("24: r2 += -8{{$}}")
__xlated_unpriv("25: r1 = 0x")
__xlated_unpriv("27: if r7 == 0x0 goto pc+9{{$}}")
XLATED_WIDE_MASKED
__xlated_unpriv("36: r6 += 64{{$}}")
__xlated_unpriv("37: r6 += 4{{$}}")
__xlated_unpriv("38: r0 = r6")
__xlated_unpriv("39: exit")
__naked void around_masked_lookup(void)
{
	asm volatile ("r6 = 1;" UNKNOWN KEY WIDE
		      "if r7 == 0 goto 1f;"
		      "r6 += 64;"
		      "1: " LOOKUP
		      "if r0 == 0 goto 2f;"
		      "r6 += 2;" WIDE
		      "if r7 == 0 goto 2f;"
		      LOOKUP
		      "r6 += 64;"
		      "2: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_wide), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards jumps onto and over an addition to a pointer, which is several for the unprivileged. */
SEC("socket")
__description("onto and over a masked addition to a pointer")
__success __success_unpriv __retval(7) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r2 = 3{{$}}")
__xlated("8: *(u64 *)(r10 -8) = r2")
__xlated("9: r2 = r10")
__xlated("10: r2 += -8{{$}}")
__xlated("11: r1 = 0x")
XLATED_WIDE
__xlated("20: if r0 == 0x0 goto pc+11{{$}}")
__xlated("21: r9 = r7")
__xlated("22: r9 &= 7{{$}}")
__xlated("23: if r8 != 0x0 goto pc+1{{$}}")
__xlated("24: r6 += 64{{$}}")
__xlated("25: r0 += r9")
__xlated("26: if r7 == 0x0 goto pc+2{{$}}")
__xlated("27: r0 += r9")
__xlated("28: r6 += 64{{$}}")
__xlated("29: r1 = *(u8 *)(r0 +0)")
__xlated("30: r6 += r1")
__xlated("31: r6 += 6{{$}}")
__xlated("32: r0 = r6")
__xlated("33: exit")
__xlated_unpriv("0: r6 = 1{{$}}")
__xlated_unpriv("1: r7 = 0x")
__xlated_unpriv("3: r7 = *(u64 *)(r7 +0)")
__xlated_unpriv("4: r8 = 0x")
__xlated_unpriv("6: r8 = *(u64 *)(r8 +0)")
__xlated_unpriv("7: r2 = 3{{$}}")
__xlated_unpriv("8: *(u64 *)(r10 -8) = r2")
__xlated_unpriv("9: nospec")
__xlated_unpriv("10: r2 = r10")
__xlated_unpriv("11: r2 += -8{{$}}")
__xlated_unpriv("12: r1 = 0x")
XLATED_WIDE_MASKED
__xlated_unpriv("22: if r0 == 0x0 goto pc+23{{$}}")
__xlated_unpriv("23: r9 = r7")
__xlated_unpriv("24: r9 &= 7{{$}}")
__xlated_unpriv("25: if r8 != 0x0 goto pc+1{{$}}")
__xlated_unpriv("26: r6 += 64{{$}}")
XLATED_ADD_MASKED
__xlated_unpriv("34: if r7 == 0x0 goto pc+8{{$}}")
XLATED_ADD_MASKED
__xlated_unpriv("42: r6 += 64{{$}}")
__xlated_unpriv("43: r1 = *(u8 *)(r0 +0)")
__xlated_unpriv("44: r6 += r1")
__xlated_unpriv("45: r6 += 6{{$}}")
__xlated_unpriv("46: r0 = r6")
__xlated_unpriv("47: exit")
__naked void around_masked_pointer(void)
{
	asm volatile ("r6 = 1;" UNKNOWN ONE KEY WIDE
		      LOOKUP
		      "if r0 == 0 goto 3f;"
		      "r9 = r7;"
		      "r9 &= 7;"
		      "if r8 != 0 goto 1f;"
		      "r6 += 64;"
		      "1: r0 += r9;"
		      "if r7 == 0 goto 2f;"
		      "r0 += r9;"
		      "r6 += 64;"
		      "2: r1 = *(u8 *)(r0 + 0);"
		      "r6 += r1;"
		      "r6 += 6;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(one), __imm_addr(map_wide),
			__imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a jump over one tail call with an unknown index, and onto another one. */
SEC("socket")
__description("over and onto a tail call with a mask")
__success __success_unpriv __retval(77) __load_if_JITed()
__xlated("0: r6 = r1")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r1 = r6")
__xlated("8: r2 = 0x")
__xlated("10: r3 = r7")
__xlated("11: if r7 == 0x0 goto pc+3{{$}}")
__xlated("12: call bpf_tail_call")
__xlated("13: r0 = 3{{$}}")
__xlated("14: exit")
__xlated("15: r3 += 2{{$}}")
__xlated("16: if r8 != 0x0 goto pc+1{{$}}")
__xlated("17: r3 += 1{{$}}")
__xlated("18: call bpf_tail_call")
__xlated("19: r0 = 5{{$}}")
__xlated("20: exit")
__xlated_unpriv("0: r6 = r1")
__xlated_unpriv("1: r7 = 0x")
__xlated_unpriv("3: r7 = *(u64 *)(r7 +0)")
__xlated_unpriv("4: r8 = 0x")
__xlated_unpriv("6: r8 = *(u64 *)(r8 +0)")
__xlated_unpriv("7: r1 = r6")
__xlated_unpriv("8: r2 = 0x")
__xlated_unpriv("10: r3 = r7")
__xlated_unpriv("11: if r7 == 0x0 goto pc+5{{$}}")
XLATED_TAIL_CALL_MASKED
__xlated_unpriv("15: r0 = 3{{$}}")
__xlated_unpriv("16: exit")
__xlated_unpriv("17: r3 += 2{{$}}")
__xlated_unpriv("18: if r8 != 0x0 goto pc+1{{$}}")
__xlated_unpriv("19: r3 += 1{{$}}")
XLATED_TAIL_CALL_MASKED
__xlated_unpriv("23: r0 = 5{{$}}")
__xlated_unpriv("24: exit")
__naked void around_masked_tail_call(void)
{
	asm volatile ("r6 = r1;" UNKNOWN ONE
		      "r1 = r6;"
		      "r2 = %[map_progs] ll;"
		      "r3 = r7;"
		      "if r7 == 0 goto 1f;"
		      "call %[bpf_tail_call];"
		      "r0 = 3;"
		      "exit;"
		      "1: r3 += 2;"
		      "if r8 != 0 goto 2f;"
		      "r3 += 1;"
		      "2: call %[bpf_tail_call];"
		      "r0 = 5;"
		      "exit;"
		      :
		      : __imm_addr(unknown), __imm_addr(one), __imm_addr(map_progs),
			__imm(bpf_tail_call)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
