// SPDX-License-Identifier: GPL-2.0-only
#include "kmem_sites.h"

#include <errno.h>

#include "ksym.h"

/*
 * Functions that allocate records of the allocators themselves. How many a
 * window needs depends on what was loaded and freed before it (the holes in
 * vmalloc's address space, whether a slab is full, which id comes next), so
 * equal loads would differ by them. They are told by their call site, because
 * caches of one size are one cache. Compilers inline the inner ones.
 */
static const char *const own_functions[] = {
	/* vmalloc: its areas */
	"alloc_vmap_area",
	"adjust_va_to_fit_type",
	"va_clip",
	"preload_this_cpu_lock",
	/* slab: whom an object is charged to, per-CPU stocks */
	"alloc_slab_obj_exts",
	"account_slab",
	"allocate_slab",
	"new_slab",
	"__alloc_empty_sheaf",
	"alloc_empty_sheaf",
	/* tables of ids */
	"radix_tree_node_alloc",
	"__radix_tree_preload",
	"xas_alloc",
	/* only where vmalloc_is_own: an area, and the table of its pages */
	"__get_vm_area_node",
	"__vmalloc_node_range_noprof",
};

enum { VMALLOC_FUNCTIONS = 2 };

/* Compilers inline one into another. */
static const char *const refill_functions[] = { "__alloc", "alloc_bulk", "bpf_mem_refill" };

static int find_sites(const char *const *names, size_t n_names, struct kmem_sites *ret_sites,
		      size_t max)
{
	struct ksym_range ranges[KMEM_OWN_SITES];
	int n = ksym__ranges("/proc/kallsyms", names, n_names, ranges, max);

	if (n <= 0)
		return n ?: -ENOENT;
	for (int i = 0; i < n; i++) {
		ret_sites[i].from = ranges[i].from;
		ret_sites[i].to = ranges[i].to;
	}
	return 0;
}

int kmem_sites__own(bool vmalloc_is_own, struct kmem_sites ret_sites[KMEM_OWN_SITES])
{
	size_t names = ARRAY_SIZE(own_functions) - (vmalloc_is_own ? 0 : VMALLOC_FUNCTIONS);

	return find_sites(own_functions, names, ret_sites, KMEM_OWN_SITES);
}

int kmem_sites__refill(struct kmem_sites ret_sites[KMEM_REFILL_SITES])
{
	return find_sites(refill_functions, ARRAY_SIZE(refill_functions), ret_sites,
			  KMEM_REFILL_SITES);
}
