// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds up what allocators do while a window is open; lib/kmem_tally.h says what
 * the sums mean.
 */
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "kmem_context.h"
#include "kmem_shared.h"
#include "pidns.h"

struct kmem_cache {
	unsigned int size, object_size;
} __attribute__((preserve_access_index));

/* Where allocators allocate for themselves, and the BPF allocator: from <= site < to. */
const volatile struct kmem_sites own_sites[KMEM_OWN_SITES] = {};
const volatile struct kmem_sites refill_sites[KMEM_REFILL_SITES] = {};

const volatile bool wants_sites = false;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct kmem_site_sum);
	__uint(max_entries, 4096);
} sites SEC(".maps");

/* How many threads count at present, and which ones. */
__u32 n_armed = 0;
__u8 armed[KMEM_TID_MAX / 8] = {};
struct kmem_tally_sums sums = {};

/* Several CPUs add at once. */
#define add(field, n) __sync_fetch_and_add(&sums.field, n)

static __always_inline bool is_ours(const void *ctx)
{
	__u32 tid = current_tid() % KMEM_TID_MAX;

	return armed[tid / 8] & (1 << tid % 8) && !in_interrupt(ctx);
}

static __always_inline bool is_among(unsigned long call_site, const volatile struct kmem_sites *sites,
				     int n)
{
	for (int i = 0; i < n; i++) {
		if (call_site >= sites[i].from && call_site < sites[i].to)
			return true;
	}
	return false;
}

static __always_inline void add_site(__u64 call_site, __u64 bytes)
{
	struct kmem_site_sum new = { .allocs = 1, .bytes = bytes }, *sum;

	if (!wants_sites)
		return;
	sum = bpf_map_lookup_elem(&sites, &call_site);
	if (!sum) {
		bpf_map_update_elem(&sites, &call_site, &new, BPF_NOEXIST);
		return;
	}
	__sync_fetch_and_add(&sum->allocs, 1);
	__sync_fetch_and_add(&sum->bytes, bytes);
}

SEC("raw_tp/kmalloc")
int BPF_PROG(tally_kmalloc, unsigned long call_site, const void *ptr, size_t bytes_req,
	     size_t bytes_alloc)
{
	if (!n_armed || no_object(ptr))
		return 0;
	add(machine_kmallocs, 1);
	if (is_ours(ctx)) {
		if (is_among(call_site, own_sites, KMEM_OWN_SITES)) {
			add(own, 1);
			return 0;
		}
		add(kmallocs, 1);
		add(kmalloc_bytes_req, bytes_req);
		add(kmalloc_bytes, bytes_alloc);
		add_site(call_site, bytes_alloc);
	} else if (is_among(call_site, refill_sites, KMEM_REFILL_SITES)) {
		add(refills, 1);
		add(refill_bytes_req, bytes_req);
		add(refill_bytes, bytes_alloc);
		add_site(call_site, bytes_alloc);
	}
	return 0;
}

SEC("raw_tp/kmem_cache_alloc")
int BPF_PROG(tally_slab_alloc, unsigned long call_site, const void *ptr, const void *cache)
{
	struct kmem_cache *s = bpf_core_cast(cache, struct kmem_cache);

	if (!n_armed || no_object(ptr))
		return 0;
	add(machine_slab_allocs, 1);
	if (!is_ours(ctx))
		return 0;
	if (is_among(call_site, own_sites, KMEM_OWN_SITES)) {
		add(own, 1);
		return 0;
	}
	add(slab_allocs, 1);
	add(slab_bytes_req, s->object_size);
	add(slab_bytes, s->size);
	add_site(call_site, s->size);
	return 0;
}

static __always_inline int tally_free(const void *ctx, const void *ptr)
{
	if (n_armed && !no_object(ptr) && is_ours(ctx))
		add(frees, 1);
	return 0;
}

SEC("raw_tp/kfree")
int BPF_PROG(tally_kfree, unsigned long call_site, const void *ptr)
{
	return tally_free(ctx, ptr);
}

SEC("raw_tp/kmem_cache_free")
int BPF_PROG(tally_slab_free, unsigned long call_site, const void *ptr)
{
	return tally_free(ctx, ptr);
}

/* The kernel skips a program that already runs on this CPU; it can't skip both. */
static __always_inline int tally_again(const void *ptr)
{
	if (n_armed && !no_object(ptr))
		add(machine_again, 1);
	return 0;
}

SEC("raw_tp/kmalloc")
int BPF_PROG(again_kmalloc, unsigned long call_site, const void *ptr)
{
	return tally_again(ptr);
}

SEC("raw_tp/kmem_cache_alloc")
int BPF_PROG(again_slab_alloc, unsigned long call_site, const void *ptr)
{
	return tally_again(ptr);
}

SEC("fexit/kmalloc_nolock_noprof")
int BPF_PROG(tally_nolock, size_t size, unsigned int flags, int node, const void *ptr)
{
	if (!n_armed || no_object(ptr) || !is_ours(ctx))
		return 0;
	add(nolocks, 1);
	add(nolock_bytes_req, size);
	add(nolock_bytes, size_class(size));
	add_site(KMEM_SITE_NOLOCK, size_class(size));
	return 0;
}

/* Of its nine arguments only the first matters: the size. */
SEC("fexit/__vmalloc_node_range_noprof")
int tally_vmalloc(unsigned long long *ctx)
{
	__u64 size = 0, ptr = 0;

	if (!n_armed || !is_ours(ctx))
		return 0;
	bpf_get_func_arg(ctx, 0, &size);
	bpf_get_func_ret(ctx, &ptr);
	if (no_object((void *)ptr))
		return 0;
	add(vmallocs, 1);
	add(vmalloc_bytes, size);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
