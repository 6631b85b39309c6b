// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last pass over a program minds the upper halves of registers. With
 * BPF_F_TEST_RND_HI32 it fills with noise each one that the verifier, or a
 * patch, did not claim as zero. So a claim that got lost, or that stayed where
 * its instruction no longer is, changes what the program returns. See
 * verifier_patch_list.c.
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

/* Guards the claim of a load in the middle of a patch: the index of an array lookup. */
SEC("socket")
__description("array lookup amid noise in upper halves")
__success __retval(5) __load_if_JITed()
__flag(BPF_F_TEST_RND_HI32)
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: w3 = w7")
XLATED_NOISE("r3")
__xlated("12: if w3 != 0x0 goto pc+13{{$}}")
__xlated("13: r2 = r10")
__xlated("14: r2 += -8{{$}}")
__xlated("15: r1 = 0x")
XLATED_ARRAY
__xlated("24: if r0 == 0x0 goto pc+1{{$}}")
__xlated("25: r6 += 4{{$}}")
__xlated("26: r0 = r6")
__xlated("27: exit")
__naked void noise_array(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN
		      "w3 = w7;"
		      "if w3 != 0 goto 1f;" ARRAY
		      LOOKUP
		      "if r0 == 0 goto 1f;"
		      "r6 += 4;"
		      "1: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_array), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards the claims of a patch's inner and last instructions, in 32-bit divisions. */
SEC("socket")
__description("32-bit division and modulo amid noise in upper halves")
__success __retval(22)
__flag(BPF_F_TEST_RND_HI32)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 21{{$}}")
XLATED_DIV32("w9", "w8")
__xlated("9: r6 += r9")
XLATED_MOD32("w9", "w8")
__xlated("14: r6 += r9")
__xlated("15: w8 = w6")
XLATED_NOISE("r8")
__xlated("19: r0 = r6")
__xlated("20: if w8 == 0x16 goto pc+1{{$}}")
__xlated("21: r0 = 3{{$}}")
__xlated("22: exit")
__naked void noise_divisions(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 21;"
		      "w9 /= w8;"
		      "r6 += r9;"
		      "w9 %%= w8;"
		      "r6 += r9;"
		      "w8 = w6;"
		      "r0 = r6;"
		      "if w8 == 22 goto 1f;"
		      "r0 = 3;"
		      "1: exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards a claim that moves with its instruction, which lies behind lookups. */
SEC("socket")
__description("a 32-bit move behind lookups, amid noise in upper halves")
__success __retval(9) __load_if_JITed()
__flag(BPF_F_TEST_RND_HI32)
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r8 = 0x")
__xlated("7: r8 = *(u64 *)(r8 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
XLATED_HASH
__xlated("15: r2 = r10")
__xlated("16: r2 += -8{{$}}")
__xlated("17: r1 = 0x")
XLATED_ARRAY
__xlated("26: w9 = w8")
__xlated("27: r6 += r9")
__xlated("28: w7 = w6")
XLATED_NOISE("r7")
__xlated("32: if w7 != 0x2 goto pc+1{{$}}")
__xlated("33: r6 += 7{{$}}")
__xlated("34: r0 = r6")
__xlated("35: exit")
__naked void noise_behind(void)
{
	asm volatile ("r6 = 1;" KEYS ONE HASH
		      LOOKUP ARRAY
		      LOOKUP
		      "w9 = w8;"
		      "r6 += r9;"
		      "w7 = w6;"
		      "if w7 != 2 goto 1f;"
		      "r6 += 7;"
		      "1: "
		      RETURN
		      :
		      : __imm_addr(one), __imm_addr(map_hash), __imm_addr(map_array),
			__imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
