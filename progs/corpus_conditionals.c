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

SEC("tc")
int thousand(struct __sk_buff *skb)
{
	/* Loaded anew each time, so that no branch is known from an earlier one. */
	volatile struct __sk_buff *ctx = skb;
	__u32 sum = skb->len;

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < CONDITIONALS; i++) {
		if (ctx->mark > i)
			asm volatile("%0 ^= %1" : "+r"(sum) : "r"(ctx->mark));
		else
			asm volatile("%0 += %1" : "+r"(sum) : "r"(ctx->mark));
		asm volatile("%0 *= 33" : "+r"(sum));
	}
	return sum & 1;
}

char _license[] SEC("license") = "GPL";
