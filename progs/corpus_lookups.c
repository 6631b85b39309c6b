// SPDX-License-Identifier: GPL-2.0-only
/*
 * Straight-line code full of map lookups that the kernel inlines: each is an
 * instruction patched into several, so the cost of patching shows here. The
 * growth with -DLOOKUPS=N is the question; both branches behind a lookup meet
 * again at once, so the verifier itself has linear work.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#ifndef LOOKUPS
#define LOOKUPS 1024
#endif

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, LOOKUPS);
	__type(key, __u32);
	__type(value, __u64);
} array SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, LOOKUPS);
	__type(key, __u32);
	__type(value, __u64);
} hash SEC(".maps");

static __always_inline __u64 add(__u64 sum, void *map, __u32 *key)
{
	__u64 *value = bpf_map_lookup_elem(map, key);

	if (value)
		sum += *value;
	/* One sum at a time: reordered additions would outgrow the stack. */
	asm volatile("" : "+r"(sum));
	return sum;
}

SEC("tc")
int array_lookups(struct __sk_buff *skb)
{
	__u64 sum = skb->len;
	__u32 key;

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < LOOKUPS; i++) {
		key = i;
		sum = add(sum, &array, &key);
	}
	return sum & 1;
}

SEC("tc")
int hash_lookups(struct __sk_buff *skb)
{
	__u64 sum = skb->len;
	__u32 key;

#pragma clang loop unroll(full)
	for (__u32 i = 0; i < LOOKUPS; i++) {
		key = i;
		sum = add(sum, &hash, &key);
	}
	return sum & 1;
}

char _license[] SEC("license") = "GPL";
