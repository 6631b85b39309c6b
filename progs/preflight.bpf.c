// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loaded once before any test: shows that this process may load BPF, and
 * makes libbpf try the kernel's features while all capabilities are there.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

int hits;
const volatile int step = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} counts SEC(".maps");

__noinline int preflight_add(int by)
{
	hits += by;
	return hits;
}

SEC("socket")
int preflight(void *ctx)
{
	int key = 0;
	long *count = bpf_map_lookup_elem(&counts, &key);

	if (count)
		*count += 1;
	return preflight_add(step);
}

char _license[] SEC("license") = "GPL";
