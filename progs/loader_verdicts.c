// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that the verifier takes and rejects, each by itself: with logs that
 * are long, and among struct_ops siblings.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

SEC("tc")
int taken(struct __sk_buff *skb)
{
	return skb->len & 1;
}

SEC("tc")
int rejected(struct __sk_buff *skb)
{
	char bytes[8] = {};

	return *(volatile char *)&bytes[skb->len & 15];
}

/* What is said of a thousand instructions fills a small log many times. */
static __always_inline __u32 length(struct __sk_buff *skb)
{
	__u32 sum = 0, mark = skb->mark, hash = skb->hash, len = skb->len;

#pragma clang loop unroll(full)
	for (int i = 0; i < 250; i++) {
		asm volatile("%0 += %1" : "+r"(sum) : "r"(mark));
		if (len == i)
			asm volatile("%0 ^= %1" : "+r"(sum) : "r"(hash));
	}
	return sum;
}

SEC("tc")
int taken_at_length(struct __sk_buff *skb)
{
	return length(skb) & 1;
}

SEC("tc")
int rejected_at_length(struct __sk_buff *skb)
{
	char bytes[8] = {};

	return *(volatile char *)&bytes[length(skb) & 15];
}

SEC("no_such_section")
int of_no_type(void *ctx)
{
	return 0;
}

char _license[] SEC("license") = "GPL";
