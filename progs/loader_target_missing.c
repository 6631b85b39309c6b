// SPDX-License-Identifier: GPL-2.0-only
/* One program attaches to a function that no kernel has, its sibling to nothing. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("fentry/bpf_ab_no_such_function")
int without_target(void *ctx)
{
	return 0;
}

SEC("tc")
int sibling(struct __sk_buff *skb)
{
	return skb->len & 1;
}

char _license[] SEC("license") = "GPL";
