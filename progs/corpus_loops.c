// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loops the way they are written today: a bounded loop that the verifier
 * walks turn by turn, and callbacks, whose body it walks until it converges.
 * -DTURNS=N is the bound, -DCALLBACKS=N how many loops stand in a row.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#ifndef TURNS
#define TURNS 2000
#endif
#ifndef CALLBACKS
#define CALLBACKS 128
#endif

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32[TURNS]);
} table SEC(".maps");

SEC("tc")
int bounded(struct __sk_buff *skb)
{
	__u32 zero = 0, sum = skb->len;
	__u32 *value = bpf_map_lookup_elem(&table, &zero);

	if (!value)
		return 0;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < TURNS; i++) {
		__u32 now = value[i];

		if (now > sum)
			sum ^= now;
		else
			sum += now;
		asm volatile("" : "+r"(sum));
	}
	return sum & 1;
}

struct walk {
	__u32 sum, seen;
};

static long step(__u32 index, void *ctx)
{
	struct walk *walk = ctx;

	if (index & 1)
		walk->sum += index;
	else
		walk->sum ^= index;
	if (index % 3 == 0)
		walk->seen++;
	return walk->seen > 1000;
}

SEC("tc")
int callbacks(struct __sk_buff *skb)
{
	struct walk walk = { .sum = skb->len };

#pragma clang loop unroll(full)
	for (int i = 0; i < CALLBACKS; i++)
		bpf_loop(TURNS, step, &walk, 0);
	return walk.sum & 1;
}

char _license[] SEC("license") = "GPL";
