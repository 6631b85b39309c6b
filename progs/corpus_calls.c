// SPDX-License-Identifier: GPL-2.0-only
/*
 * Eight frames deep, the most there may be. A static function is verified
 * again at every call, so the calls of level 0 to 7 multiply: -DFANOUT=N is
 * how often each level calls the next, -DWORK=N what the deepest one does. It
 * has no branch that depends on data: the work is calls, returns and frames.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#ifndef FANOUT
#define FANOUT 3
#endif
#ifndef WORK
#define WORK 4
#endif

static __noinline __u64 level7(__u64 seed, __u32 turn)
{
	volatile __u64 scratch[2] = { seed, turn };

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < WORK; i++)
		scratch[i & 1] ^= scratch[~i & 1] * 33;
	return scratch[0] + scratch[1];
}

#define LEVEL(here, below)                                                            \
	static __noinline __u64 here(__u64 seed, __u32 turn)                          \
	{                                                                             \
		__u64 sum = seed ^ turn;                                              \
		_Pragma("clang loop unroll(full)") for (__u32 i = 0; i < FANOUT; i++) \
		{                                                                     \
			sum += below(sum, i);                                         \
			asm volatile("" : "+r"(sum));                                 \
		}                                                                     \
		return sum;                                                           \
	}

LEVEL(level6, level7)
LEVEL(level5, level6)
LEVEL(level4, level5)
LEVEL(level3, level4)
LEVEL(level2, level3)
LEVEL(level1, level2)

SEC("tc")
int deep(struct __sk_buff *skb)
{
	return level1(skb->len, skb->mark) & 1;
}

char _license[] SEC("license") = "GPL";
