// SPDX-License-Identifier: GPL-2.0-only
/* Jumps around casts between address spaces; see verifier_patch_list.c. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARENA);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
} map_arena SEC(".maps");

/* Guards a jump over a cast, which becomes a 32-bit move, and over the division behind it. */
SEC("socket")
__description("forward over a cast from the arena and a division")
__success __retval(5) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r1 = 0x")
__xlated("6: r9 = 42{{$}}")
__xlated("7: if r7 == 0x0 goto pc+6{{$}}")
__xlated("8: w2 = w9")
XLATED_DIV64("r9", "r7")
__xlated("13: r6 += 2{{$}}")
__xlated("14: r6 += 4{{$}}")
__xlated("15: r0 = r6")
__xlated("16: exit")
__naked void forward_over_cast(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r1 = %[map_arena] ll;"
		      "r9 = 42;"
		      "if r7 == 0 goto 1f;"
		      "r2 = addr_space_cast(r9, 0, 1);"
		      "r9 /= r7;"
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_arena)
		      : __clobber_all);
}

/* Guards a back edge over casts in both directions, with a division between them. */
SEC("socket")
__description("backward onto a cast from the arena, over one to it")
__success __retval(49) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r1 = 0x")
__xlated("6: r7 = 0{{$}}")
__xlated("7: r9 = 16{{$}}")
__xlated("8: w2 = w9")
XLATED_DIV64("r9", "r8")
__xlated("13: r3 = addr_space_cast(r2, 1, 0)")
__xlated("14: r6 += r9")
__xlated("15: r7 += 1{{$}}")
__xlated("16: if r7 < 0x3 goto pc-9{{$}}")
__xlated("17: r0 = r6")
__xlated("18: exit")
__naked void backward_onto_cast(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r1 = %[map_arena] ll;"
		      "r7 = 0;"
		      "r9 = 16;"
		      "1: r2 = addr_space_cast(r9, 0, 1);"
		      "r9 /= r8;"
		      "r3 = addr_space_cast(r2, 1, 0);"
		      "r6 += r9;"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(one), __imm_addr(map_arena)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
