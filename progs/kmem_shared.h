/* SPDX-License-Identifier: GPL-2.0-only */
/* What kmem.bpf.c and lib/kmem.c share. */
#ifndef BPF_AB_KMEM_SHARED_H
#define BPF_AB_KMEM_SHARED_H

#include <linux/types.h>

/*
 * An armed thread. Only the thread itself writes here, in task context, so
 * nothing needs to be atomic.
 */
struct kmem_thread {
	__u32 load_window; /* only what happens inside bpf(BPF_PROG_LOAD) counts */
	__u32 inside;
	__u64 kmallocs;
	__u64 kmalloc_bytes_req;
	__u64 kmalloc_bytes;
	__u64 slab_allocs;
	__u64 slab_bytes_req;
	__u64 slab_bytes;
	__u64 nolocks;
	__u64 nolock_bytes_req;
	__u64 nolock_bytes;
	__u64 percpu_allocs;
	__u64 percpu_bytes_req;
	__u64 percpu_bytes;
	__u64 pages;
	__u64 own_kmallocs;
	__u64 own_slab_allocs;
	__u64 frees;
	__u64 frees_unknown;
	__u64 live_peak;
	__u64 live_end; /* at the end of a load */
	__u64 percpu_live_end;
	__u64 lost;
	__u64 percpu_lost;
	__u64 places_lost; /* allocations that no list of places had room for */
	__u64 loads;
	/*
	 * Every tracepoint has a counting program and a second one that only
	 * keeps these. The kernel skips a program that already runs on the
	 * CPU, which happens to us when another task is preempted inside it;
	 * it can't happen to both programs at once, so the sums differ.
	 */
	__u64 events, events_again;
	__u64 enters, enters_again;
	__u64 torn; /* windows whose end was not seen */
};

/* An allocation that has not been freed. */
struct kmem_live {
	__u32 bytes;
	__u32 generation; /* of the window that saw it */
};

/* What is freed when: see kmem_live.h. */
enum kmem_state { KMEM_SHUT, KMEM_OPEN, KMEM_AFTER };

/*
 * Where something was allocated: by which function, or out of which cache.
 * Place is an address, or a number below KMEM_PLACE_MAX that is none.
 */
struct kmem_place {
	__u64 place;
	__u64 generation; /* of the window */
};

enum { KMEM_NAME_MAX = 48, KMEM_PLACES = 8192 };

struct kmem_place_sum {
	__u64 allocs, bytes;
	char name[KMEM_NAME_MAX]; /* of a cache; empty: a size class, or a function */
};

enum { KMEM_OWN_SITES = 16 };

struct kmem_sites {
	__u64 from, to;
};

/* Threads are told by a bit each; the kernel gives no greater number to one. */
enum { KMEM_TID_MAX = 1 << 22 };

/* What kmem_tally.bpf.c counts; the first ones are those of armed threads. */
struct kmem_tally_sums {
	__u64 kmallocs, kmalloc_bytes_req, kmalloc_bytes;
	__u64 slab_allocs, slab_bytes_req, slab_bytes;
	__u64 own; /* the allocators' records */
	__u64 frees;
	__u64 nolocks, nolock_bytes_req, nolock_bytes;
	__u64 vmallocs, vmalloc_bytes;

	__u64 refills, refill_bytes_req, refill_bytes;
	__u64 machine_kmallocs, machine_slab_allocs;
	__u64 machine_again; /* the sum of these two, as a second program saw it */
};

enum { KMEM_REFILL_SITES = 8 };

/* Where something was allocated: an address, or one of these. */
enum { KMEM_SITE_NOLOCK = 1 };

struct kmem_site_sum {
	__u64 allocs, bytes;
};

#endif
