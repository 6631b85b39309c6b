/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where in the kernel allocations are made that are to be told apart by their
 * call site. Source: /proc/kallsyms.
 */
#ifndef BPF_AB_KMEM_SITES_H
#define BPF_AB_KMEM_SITES_H

#include "../progs/kmem_shared.h"
#include "util.h"

/*
 * The allocators' records of themselves; vmalloc_is_own: see kmem.h. 0, or
 * -errno (-ENOENT, -EPERM): they can't be told, and ret_sites is untouched.
 */
int kmem_sites__own(bool vmalloc_is_own, struct kmem_sites ret_sites[KMEM_OWN_SITES]);

/* The BPF allocator, where it fills its stocks. The same. */
int kmem_sites__refill(struct kmem_sites ret_sites[KMEM_REFILL_SITES]);

#endif
