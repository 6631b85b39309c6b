/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What allocators do in a window of execution, counted cheaply: events are
 * added up and no pointer is followed (kmem.h does that). Of the threads that
 * arm themselves, and of the whole machine while one of them is armed; also the
 * BPF allocator's refills in interrupts, and allocators that fire no tracepoint,
 * where functions may be traced.
 *
 *	rc = kmem_tally__open(&(struct kmem_tally_opts){}, &tally, &err);
 *	kmem_tally__clear(tally);
 *	in each thread:	kmem_tally__arm(tally, tid);
 *			... work ...
 *			kmem_tally__disarm(tally, tid);
 *	when all did:	rc = kmem_tally__read(tally, &counts);
 *
 * arm and disarm enter no kernel, so that the window holds the work only. All
 * is attached from open to free, since tracing functions takes a second to begin
 * and to end: do no timed work between them.
 */
#ifndef BPF_AB_KMEM_TALLY_H
#define BPF_AB_KMEM_TALLY_H

#include <sys/types.h>

#include "cleanup.h"
#include "kmem.h"

struct kmem_tally;

/* Events and bytes; zero is a measured zero, but for kinds that are missing. */
struct kmem_tally_counts {
	/*
	 * Of the armed threads, in task context, without the allocators' records of
	 * themselves (events: own). Bytes as asked for, and as given: the size
	 * class, or the slots of the cache.
	 */
	uint64_t kmallocs, kmalloc_bytes_req, kmalloc_bytes;
	uint64_t slab_allocs, slab_bytes_req, slab_bytes;
	uint64_t own;
	/*
	 * By these threads, of whatever was allocated whenever; also by softirqs
	 * that hit one of them in user space, since these run on its stack.
	 */
	uint64_t frees;
	/* kmalloc_nolock() by these threads. As given: the size class that fits. */
	uint64_t nolocks, nolock_bytes_req, nolock_bytes;
	uint64_t vmallocs, vmalloc_bytes; /* by these threads */
	/*
	 * kmallocs of the BPF allocator that are not the threads' own: it refills
	 * its stocks in irq work, and so on behalf of whoever emptied them. Of
	 * the whole machine.
	 */
	uint64_t refills, refill_bytes_req, refill_bytes;
	/* By anybody in whatever context, these threads included. */
	uint64_t machine_kmallocs, machine_slab_allocs;
};

struct kmem_tally_opts {
	bool sites; /* also by call site: dearer */
};

/* Where so much was allocated. */
struct kmem_site {
	char name[96]; /* "function+0x1c", or what is known instead */
	uint64_t allocs, bytes;
};

/* -EOPNOTSUPP or -EPERM with the reason, as kmem__open(); -ENOMEM. */
int kmem_tally__open(const struct kmem_tally_opts *opts, struct kmem_tally **ret_tally,
		     struct err *err);
void kmem_tally__free(struct kmem_tally *tally);
DEFINE_CLEANUP(struct kmem_tally, kmem_tally__free);
#define _cleanup_kmem_tally_ _cleanup_(kmem_tally__freep)

/*
 * Why a kind of KMEM_KIND_NOLOCK, _VMALLOC or _REFILL can't be counted on this
 * kernel; NULL: it is counted, or this kernel has no such allocator.
 */
const char *kmem_tally__missing(const struct kmem_tally *tally, enum kmem_kind kind);

/* What a reader must know of the counts, as a constant string; NULL: nothing. */
const char *kmem_tally__caveat(const struct kmem_tally *tally);

/* Zeroes the counts, but not those by site. No thread is armed. */
void kmem_tally__clear(struct kmem_tally *tally);
/* A thread by its own number; any number of them, each once. */
void kmem_tally__arm(struct kmem_tally *tally, pid_t tid);
void kmem_tally__disarm(struct kmem_tally *tally, pid_t tid);
/* No thread is armed. -EAGAIN: as kmem__end(): the kernel skipped a counter. */
int kmem_tally__read(const struct kmem_tally *tally, struct kmem_tally_counts *ret_counts);

/*
 * The sites of all windows so far, those with most allocations first: at most
 * max, ret_n of them. kmallocs, slab allocations, refills and nolocks as they
 * are counted above. Returns 0 or -errno.
 */
int kmem_tally__sites(struct kmem_tally *tally, struct kmem_site *ret_sites, size_t max,
		      size_t *ret_n);

#endif
