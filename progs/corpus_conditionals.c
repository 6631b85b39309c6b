// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thousand conditionals (-DCONDITIONALS=N) whose two sides meet again: the
 * verifier walks one side of each, and at the end of the other finds that it
 * has been there. Comparing states is most of the work.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#ifndef CONDITIONALS
#define CONDITIONALS 1000
#endif

/*
 * Unknown each time, so that no branch follows from an earlier one. In
 * assembly because a compiler adds the offset to the context once and for
 * all, and the kernel takes no context that was added to.
 */
static __always_inline __u32 unknown(struct __sk_buff *skb)
{
	__u32 mark;

	asm volatile("%0 = *(u32 *)(%1 + %2)"
		     : "=r"(mark)
		     : "r"(skb), "i"(__builtin_offsetof(struct __sk_buff, mark)));
	return mark;
}

SEC("tc")
int thousand(struct __sk_buff *skb)
{
	__u32 sum = skb->len;

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < CONDITIONALS; i++) {
		__u32 mark = unknown(skb);

		if (mark > i)
			asm volatile("%0 ^= %1" : "+r"(sum) : "r"(mark));
		else
			asm volatile("%0 += %1" : "+r"(sum) : "r"(mark));
		asm volatile("%0 *= 33" : "+r"(sum));
	}
	return sum & 1;
}

char _license[] SEC("license") = "GPL";
