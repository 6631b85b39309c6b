/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocations by call site and by cache; a list is kept only if it is wanted. */
#ifndef BPF_AB_KMEM_PLACES_H
#define BPF_AB_KMEM_PLACES_H

#include "kmem_window.h"

struct kmem_cache {
	unsigned int size, object_size;
	const char *name;
} __attribute__((preserve_access_index));

const volatile bool wants_sites = false, wants_caches = false;

struct places {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, struct kmem_place);
	__type(value, struct kmem_place_sum);
	__uint(max_entries, KMEM_PLACES);
};

struct places sites SEC(".maps");
struct places caches SEC(".maps");

/* Only armed threads get here, but there may be several. cache: NULL for what has no name. */
static __always_inline void place_add(struct kmem_thread *t, void *list, __u64 place, __u64 bytes,
				      struct kmem_cache *cache)
{
	struct kmem_place key = { .place = place, .generation = generation };
	struct kmem_place_sum new = {}, *sum;

	sum = bpf_map_lookup_elem(list, &key);
	if (!sum) {
		if (cache)
			bpf_probe_read_kernel_str(new.name, sizeof(new.name), cache->name);
		bpf_map_update_elem(list, &key, &new, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(list, &key);
	}
	if (!sum) {
		t->places_lost++;
		return;
	}
	__sync_fetch_and_add(&sum->allocs, 1);
	__sync_fetch_and_add(&sum->bytes, bytes);
}

/* An allocation of kmalloc's kin is of the cache for its size. */
static __always_inline void places_kmalloc(struct kmem_thread *t, __u64 site, __u64 bytes)
{
	if (wants_sites)
		place_add(t, &sites, site, bytes, NULL);
	if (wants_caches)
		place_add(t, &caches, bytes, bytes, NULL);
}

static __always_inline void places_slab(struct kmem_thread *t, __u64 site,
					struct kmem_cache *cache)
{
	if (wants_sites)
		place_add(t, &sites, site, cache->size, NULL);
	if (wants_caches)
		place_add(t, &caches, (__u64)cache, cache->size, cache);
}

#endif
