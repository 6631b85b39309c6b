// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches that never meet again: every unknown bit doubles the paths, and
 * each path ends with an index that the verifier must know exactly, so no
 * state can stand for another. -DBITS=N is the exponent.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#ifndef BITS
#define BITS 11
#endif

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, char[1 << BITS]);
} table SEC(".maps");

SEC("tc")
int diverging(struct __sk_buff *skb)
{
	__u32 bits = skb->hash, index = 0, zero = 0;
	char *value = bpf_map_lookup_elem(&table, &zero);

	if (!value)
		return 0;
#pragma clang loop unroll(full)
	for (int i = 0; i < BITS; i++) {
		/* The compiler must not turn the branch into arithmetic. */
		if (bits & (1 << i))
			asm volatile("%0 += %1" : "+r"(index) : "i"(1 << i));
		asm volatile("" : "+r"(index));
	}
	return value[index];
}

char _license[] SEC("license") = "GPL";
