// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one thread takes from vmalloc; lib/vmalloc.h says what it means. All of
 * vmalloc's kin end in one function.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "kmem_context.h"
#include "pidns.h"
#include "vmalloc_shared.h"

#define PAGE_SIZE 4096ULL

/* Memory for code lies in the last two GiB: the JIT's stock, which programs share. */
#define CODE_START 0xffffffff80000000ULL

__u32 armed_tid = 0; /* 0: none */
bool over = false;   /* nothing that is allocated counts any more, only what is freed */
__u64 old_bytes_req = 0; /* of the area that is being reallocated; 0: not known */
struct vmalloc_sums sums = {};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct vmalloc_area);
	__uint(max_entries, VMALLOC_AREAS_MAX);
} areas SEC(".maps");

/* In the thread itself, not in an interrupt that hits it. */
static __always_inline bool is_armed(const void *ctx)
{
	return armed_tid && !over && !in_interrupt(ctx) && current_tid() == armed_tid;
}

/* Arguments: size, alignment, and where the range of addresses begins. */
SEC("fexit")
int vmalloc_ends(__u64 *ctx)
{
	struct vmalloc_area new = { .bytes_req = ctx[0] };
	__u64 area;

	if (!is_armed(ctx) || ctx[2] >= CODE_START || bpf_get_func_ret(ctx, &area) || !area)
		return 0;
	new.bytes = (new.bytes_req + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	sums.allocs++;
	sums.bytes_req += new.bytes_req;
	sums.bytes += new.bytes;
	if (bpf_map_update_elem(&areas, &area, &new, BPF_ANY)) {
		sums.lost++;
		return 0;
	}
	sums.live += new.bytes;
	if (sums.live + sums.by_chance > sums.peak)
		sums.peak = sums.live + sums.by_chance;
	return 0;
}

/* Arguments: the area, and the new size. Where it moves, the old area is gone at the end. */
SEC("fentry")
int vrealloc_begins(__u64 *ctx)
{
	struct vmalloc_area *old;
	__u64 area;

	if (!is_armed(ctx) || bpf_get_func_arg(ctx, 0, &area))
		return 0;
	old = bpf_map_lookup_elem(&areas, &area);
	old_bytes_req = old ? old->bytes_req : 0;
	return 0;
}

SEC("fexit")
int vrealloc_ends(__u64 *ctx)
{
	__u64 size = ctx[1], old, area;
	struct vmalloc_area *kept;

	if (!is_armed(ctx) || bpf_get_func_arg(ctx, 0, &old) || bpf_get_func_ret(ctx, &area))
		return 0;
	/* Without an area before it is an allocation, and without one after it a free. */
	if (!old || !area)
		return 0;
	sums.reallocs++;
	if (area == old) {
		kept = bpf_map_lookup_elem(&areas, &area);
		if (kept)
			kept->bytes_req = size;
		return 0;
	}
	sums.moves++;
	if (!old_bytes_req)
		sums.unknown++;
	sums.copied += old_bytes_req < size ? old_bytes_req : size;
	return 0;
}

/* Whoever frees it. The argument is const void *, which 6.12 lets no program read. */
static __always_inline int freed(__u64 *ctx)
{
	struct vmalloc_area *old;
	__u64 area, size;

	if (!armed_tid || bpf_get_func_arg(ctx, 0, &area))
		return 0;
	old = bpf_map_lookup_elem(&areas, &area);
	if (!old)
		return 0;
	size = old->bytes;
	if (bpf_map_delete_elem(&areas, &area))
		return 0;
	__sync_fetch_and_sub(&sums.live, size);
	if (!over && !is_armed(ctx))
		__sync_fetch_and_add(&sums.by_chance, size);
	return 0;
}

SEC("fentry/vfree")
int vmalloc_vfree(__u64 *ctx)
{
	return freed(ctx);
}

SEC("fentry/vfree_atomic")
int vmalloc_vfree_atomic(__u64 *ctx)
{
	return freed(ctx);
}

char LICENSE[] SEC("license") = "GPL";
