// SPDX-License-Identifier: GPL-2.0-only
/*
 * These take CAP_BPF; CAP_NET_ADMIN, too, for the type; CAP_NET_ADMIN for the map.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_SOCKMAP);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, int);
} sockets SEC(".maps");

SEC("socket")
int of_bpf(struct __sk_buff *skb)
{
	return skb->len & 1;
}

SEC("tc")
int of_networks(struct __sk_buff *skb)
{
	return skb->len & 1;
}

SEC("socket")
int has_a_map(struct __sk_buff *skb)
{
	asm volatile("" : : "r"(&sockets));
	return skb->len & 1;
}

char _license[] SEC("license") = "GPL";
