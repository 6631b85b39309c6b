// SPDX-License-Identifier: GPL-2.0-only
/* A map that no kernel creates: who uses it is not loaded, though not rejected. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, 3);
	__uint(value_size, 8);
} odd SEC(".maps");

SEC("tc")
int uses_it(struct __sk_buff *skb)
{
	int key = skb->len;

	return bpf_map_lookup_elem(&odd, &key) != 0;
}

SEC("tc")
int does_not(struct __sk_buff *skb)
{
	return skb->len & 1;
}

char _license[] SEC("license") = "GPL";
