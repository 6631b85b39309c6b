// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps at the limit of their 16 bits. What grows under them must not be let
 * to wrap the offset: the program is refused, in the verifier's own words; and
 * a jump that just fits must stay; and gotol, which has its offset elsewhere. See
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

#define STEPS(n) ".rept " #n "; r6 += 1; .endr;"

/* Guards the greatest forward offset, which the division's three instructions complete. */
SEC("socket")
__description("forward over a division, as far as 16 bits go")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: if r7 == 0x0 goto pc+32767{{$}}")
XLATED_DIV64("r9", "r7")
__xlated("10: r6 += 1{{$}}")
__xlated("...")
__xlated("32772: r6 += 1{{$}}")
__xlated("32773: r6 += 4{{$}}")
__xlated("32774: r0 = r6")
__xlated("32775: exit")
__naked void forward_fits(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "if r7 == 0 goto 1f;"
		      "r9 /= r7;"
		      STEPS(32763)
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards the first forward offset that is too great, with one instruction more. */
SEC("socket")
__description("forward over a division, further than 16 bits go")
__failure __msg("insn 6 cannot be patched due to 16-bit range")
__naked void forward_too_far(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "if r7 == 0 goto 1f;"
		      "r9 /= r7;"
		      STEPS(32764)
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards the greatest backward offset, which reaches one further than the forward one. */
SEC("socket")
__description("backward over a division, as far as 16 bits go")
__success __retval(65533)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 2{{$}}")
__xlated("5: r7 = 0{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("10: r7 += 1{{$}}")
__xlated("11: r6 += 1{{$}}")
__xlated("...")
__xlated("32772: r6 += 1{{$}}")
__xlated("32773: if r7 < 0x2 goto pc-32768{{$}}")
__xlated("32774: if r9 == 0x2 goto pc+1{{$}}")
__xlated("32775: r6 = 0{{$}}")
__xlated("32776: r6 += 8{{$}}")
__xlated("32777: r0 = r6")
__xlated("32778: exit")
__naked void backward_fits(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 2;"
		      "r7 = 0;"
		      "1: r9 /= r8;"
		      "r7 += 1;"
		      STEPS(32762)
		      "if r7 < 2 goto 1b;"
		      "if r9 == 2 goto 2f;"
		      "r6 = 0;"
		      "2: r6 += 8;"
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards the first backward offset that is too great. */
SEC("socket")
__description("backward over a division, further than 16 bits go")
__failure __msg("insn 6 cannot be patched due to 16-bit range")
__naked void backward_too_far(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 2;"
		      "r7 = 0;"
		      "1: r9 /= r8;"
		      "r7 += 1;"
		      STEPS(32763)
		      "if r7 < 2 goto 1b;"
		      "if r9 == 2 goto 2f;"
		      "r6 = 0;"
		      "2: r6 += 8;"
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

#ifdef CAN_USE_GOTOL
/* Guards that the jump with 32 bits, which starts within 16, may grow beyond them. */
SEC("socket")
__description("gotol over a division, further than 16 bits go")
__success __retval(7)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: if r7 != 0x0 goto pc+1{{$}}")
__xlated("6: gotol pc+32768{{$}}")
XLATED_DIV64("r9", "r7")
__xlated("11: r6 += 1{{$}}")
__xlated("...")
__xlated("32774: r6 += 1{{$}}")
__xlated("32775: r6 += 6{{$}}")
__xlated("32776: r0 = r6")
__xlated("32777: exit")
__naked void gotol_further(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "if r7 != 0 goto 1f;"
		      "gotol 2f;"
		      "1: r9 /= r7;"
		      STEPS(32764)
		      "2: r6 += 6;"
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}
#endif

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
