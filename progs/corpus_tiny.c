// SPDX-License-Identifier: GPL-2.0-only
/* The cost of verifying next to nothing: too small to time, exact in everything else. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("socket")
int tiny(struct __sk_buff *skb)
{
	return skb->len > 64;
}

char _license[] SEC("license") = "GPL";
