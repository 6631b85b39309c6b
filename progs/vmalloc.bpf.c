// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one thread takes from vmalloc; lib/vmalloc.h says what it means. All of
 * vmalloc's kin end in one function.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "vmalloc_shared.h"

#define PAGE_SIZE 4096ULL

/* Memory for code lies in the last two GiB: the JIT's stock, which programs share. */
#define CODE_START 0xffffffff80000000ULL

/* The PID namespace of the tid, or 0: the initial one. */
const volatile __u64 pidns_dev = 0, pidns_ino = 0;

__u32 armed_tid = 0; /* 0: none */
struct vmalloc_sums sums = {};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, __u64);
	__uint(max_entries, VMALLOC_AREAS_MAX);
} areas SEC(".maps");

static __always_inline bool is_armed(void)
{
	struct bpf_pidns_info ns;

	if (!armed_tid)
		return false;
	if (!pidns_ino)
		return (__u32)bpf_get_current_pid_tgid() == armed_tid;
	return !bpf_get_ns_current_pid_tgid(pidns_dev, pidns_ino, &ns, sizeof(ns)) &&
	       ns.pid == armed_tid;
}

/* Arguments: size, alignment, and where the range of addresses begins. */
SEC("fexit")
int vmalloc_ends(__u64 *ctx)
{
	__u64 bytes = (ctx[0] + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1), area;

	if (!is_armed() || ctx[2] >= CODE_START || bpf_get_func_ret(ctx, &area) || !area)
		return 0;
	sums.allocs++;
	sums.bytes += bytes;
	if (bpf_map_update_elem(&areas, &area, &bytes, BPF_ANY)) {
		sums.lost++;
		return 0;
	}
	sums.live += bytes;
	if (sums.live > sums.peak)
		sums.peak = sums.live;
	return 0;
}

/* Whoever frees it. */
static __always_inline int freed(__u64 area)
{
	__u64 *bytes, size;

	if (!armed_tid)
		return 0;
	bytes = bpf_map_lookup_elem(&areas, &area);
	if (!bytes)
		return 0;
	size = *bytes;
	if (!bpf_map_delete_elem(&areas, &area))
		__sync_fetch_and_sub(&sums.live, size);
	return 0;
}

SEC("fentry/vfree")
int vmalloc_vfree(__u64 *ctx)
{
	return freed(ctx[0]);
}

SEC("fentry/vfree_atomic")
int vmalloc_vfree_atomic(__u64 *ctx)
{
	return freed(ctx[0]);
}

char LICENSE[] SEC("license") = "GPL";
