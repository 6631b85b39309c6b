// SPDX-License-Identifier: GPL-2.0-only
/*
 * What makes the verifier allocate as much as it can: a tree of branches that
 * are all different, eight frames deep. Each branch copies the state of all
 * frames, and no state is like one before, for the path is in r6, which has to
 * be exact. Few states are alive at a time.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define LEVEL(n) "if r7 & 1 << " #n " goto 1f; r6 |= 1 << " #n "; 1:"
#define LEVELS_10 \
	LEVEL(0) LEVEL(1) LEVEL(2) LEVEL(3) LEVEL(4) LEVEL(5) LEVEL(6) LEVEL(7) LEVEL(8) LEVEL(9)
#define LEVELS_25                                                                           \
	LEVELS_10 LEVEL(10) LEVEL(11) LEVEL(12) LEVEL(13) LEVEL(14) LEVEL(15) LEVEL(16)     \
	LEVEL(17) LEVEL(18) LEVEL(19) LEVEL(20) LEVEL(21) LEVEL(22) LEVEL(23) LEVEL(24)

#define TREE(levels)                                                                       \
	asm volatile("call %[random];"                                                     \
		     "r7 = r0;"                                                            \
		     "r6 = 0;" levels "if r6 > 0x7ffffffe goto +0;"                        \
		     :                                                                     \
		     : [random] "i"(bpf_get_prandom_u32)                                   \
		     : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "memory")

/* A frame whose stack is in the state, too. */
#define FRAME(name, inner)                      \
	static __noinline int name(void)        \
	{                                       \
		volatile __u64 room[4] = { 1 }; \
						\
		inner();                        \
		return room[0];                 \
	}

static __noinline int tree_10(void)
{
	TREE(LEVELS_10);
	return 0;
}

FRAME(a6, tree_10)
FRAME(a5, a6)
FRAME(a4, a5)
FRAME(a3, a4)
FRAME(a2, a3)
FRAME(a1, a2)

SEC("socket")
int bounded(void *ctx)
{
	a1();
	return 0;
}

static __noinline int tree_25(void)
{
	TREE(LEVELS_25);
	return 0;
}

FRAME(b6, tree_25)
FRAME(b5, b6)
FRAME(b4, b5)
FRAME(b3, b4)
FRAME(b2, b3)
FRAME(b1, b2)

/* More of it than the verifier looks at: a million instructions. */
SEC("socket")
int unbounded(void *ctx)
{
	b1();
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
