/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a window's allocations were made, by call site or by cache: read from
 * the tables of progs/kmem_places.h, with names.
 */
#ifndef BPF_AB_KMEM_PLACES_H
#define BPF_AB_KMEM_PLACES_H

#include "ksym.h"
#include "vec.h"

struct kmem_listed {
	char name[96]; /* "function+0x1c", "kmalloc-64", "task_struct" */
	uint64_t allocs, bytes;
};

struct kmem_places {
	VEC(struct kmem_listed) sites;	/* most bytes first */
	VEC(struct kmem_listed) caches; /* the same */
	VEC(struct ksym_place) known;	/* call sites that have been looked up */
};

/*
 * Replaces sites by what the table has of this generation, and empties the
 * table. Call sites whose function is not known are named by their address.
 * -errno.
 */
int kmem_places__take_sites(struct kmem_places *places, int table, uint32_t generation);
/*
 * The same with caches. kmalloc's are named by their size; a cache has the name
 * that the kernel shows for it, which merged caches share.
 */
int kmem_places__take_caches(struct kmem_places *places, int table, uint32_t generation);
void kmem_places__clear(struct kmem_places *places);

#endif
