/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact allocator counters of a window of execution, from the kernel's kmem
 * tracepoints. Only what the armed threads do themselves in task context
 * counts: events of interrupts that happen to hit them do not.
 *
 *	err = kmem__open(&(struct kmem_opts){}, &kmem, &e);
 *	err = kmem__begin(kmem, gettid(), KMEM_WINDOW_PROG_LOAD);
 *	... bpf_object__load() ...
 *	err = kmem__end(kmem, &counts);
 *
 * Outside begin..end nothing is attached, so timed work between two windows
 * is not slowed down. Tracing slows the work inside: never time there.
 *
 * With no pointer lost (counts.lost == 0) these hold:
 *	kmallocs + slab_allocs + nolocks == frees + frees_elsewhere + frees_after + live_objects
 *	leaked <= live_end <= live_peak <= kmalloc_bytes + slab_bytes + nolock_bytes
 */
#ifndef BPF_AB_KMEM_H
#define BPF_AB_KMEM_H

#include <sys/types.h>

#include "cleanup.h"
#include "err.h"
#include "kmem_places.h"

struct kmem;

enum kmem_window {
	/*
	 * From entry to exit of bpf(BPF_PROG_LOAD) by the thread. If it loads
	 * more than once, the last load counts, so that libbpf's feature
	 * probes do not; counts.loads says how many there were, 0: none, and
	 * then there is nothing to report.
	 */
	KMEM_WINDOW_PROG_LOAD,
	/*
	 * Everything the thread does from begin to end. begin may be called
	 * for more threads before end; their counts are summed. Threads other
	 * than the caller's must be at rest (waiting in a barrier, say) while
	 * begin and end run, or end may say -EAGAIN.
	 */
	KMEM_WINDOW_THREAD,
};

/* What one may want counted; some kinds no tracepoint tells about. */
enum kmem_kind {
	KMEM_KIND_KMALLOC,
	KMEM_KIND_SLAB,
	KMEM_KIND_FREE,
	KMEM_KIND_NOLOCK,
	KMEM_KIND_VMALLOC, /* vmalloc.h */
	KMEM_KIND_PERCPU,
	KMEM_KIND_PAGES,
	KMEM_KIND_BULK,
	KMEM_KIND_REFILL, /* what the BPF allocator does in irq work: kmem_tally.h */
	KMEM_KIND_MAX,
};

#define KMEM_WANTS(kind) (1U << KMEM_KIND_##kind)

struct kmem_opts {
	/* KMEM_WANTS(NOLOCK), (PERCPU), (PAGES): these too. The first three kinds always are. */
	unsigned int kinds;
	bool sites, caches; /* kmem__places() has the lists: dearer */
	/*
	 * KMEM_WINDOW_PROG_LOAD: what a load has left is followed until
	 * kmem__end(), which tells how much that is then: first give up the
	 * program, and wait for kmem__left() to become 0.
	 */
	bool follows;
	/* Pointers alive at one time; 0: 1 << 19. 64 bytes of kernel memory each. */
	size_t max_live;
	size_t max_threads; /* armed at one time; 0: 256 */
	/*
	 * Count what each vmalloc() allocates to describe its area as the
	 * allocators' own records. For work that makes tasks: whether a kernel
	 * stack is vmalloced or comes from a cache depends on RCU.
	 */
	bool vmalloc_is_own;
	bool own_too; /* count the allocators' own records as what they are: allocations */
};

/* Counts are events and bytes; zero is a measured zero. */
struct kmem_counts {
	/* kmalloc() and its kin. Bytes as asked for, and as given: rounded up to a size class. */
	uint64_t kmallocs, kmalloc_bytes_req, kmalloc_bytes;
	/* kmem_cache_alloc() and its kin. Bytes of the objects, and of the cache's slots. */
	uint64_t slab_allocs, slab_bytes_req, slab_bytes;
	/* kmalloc_nolock(). As given: the size class that fits. */
	uint64_t nolocks, nolock_bytes_req, nolock_bytes;
	/* Per-CPU memory. Bytes as asked for: of one CPU; as given: of all of them. */
	uint64_t percpu_allocs, percpu_bytes_req, percpu_bytes;
	/* By the page allocator, one block at a time: slabs, large kmallocs, page tables. */
	uint64_t pages;
	/*
	 * What slab, vmalloc and the tables of ids allocate to keep records
	 * is in no count but these: it depends on what was loaded before, not
	 * on the window.
	 */
	uint64_t own_kmallocs, own_slab_allocs;
	/*
	 * Of what the window allocated: by its threads, and by others (RCU,
	 * interrupts) before its end. By its threads, of what it did not
	 * allocate.
	 */
	uint64_t frees, frees_elsewhere, frees_unknown;
	uint64_t frees_after; /* follows: after the load, by whomever */
	/*
	 * Bytes given by kmalloc, slab and nolock, and not yet freed: the most at
	 * any time, and at the end. Of a load what its thread has not freed
	 * itself: whether RCU frees something before the end is chance.
	 */
	uint64_t live_peak, live_end;
	/* At kmem__end(): bytes and pointers. Without follows leaked is live_end. */
	uint64_t leaked, live_objects;
	uint64_t percpu_live, percpu_leaked; /* bytes as given, as live_end and leaked */
	uint64_t loads;			     /* KMEM_WINDOW_PROG_LOAD: loads seen; else 0 */
	/*
	 * Allocations that found no room in the table of live pointers. If
	 * not 0, the counts of allocations stand, but frees*, live_* and leaked
	 * are wrong and must be reported as failed: raise max_live.
	 */
	uint64_t lost;
	uint64_t percpu_lost; /* the same of percpu_live and percpu_leaked */
	uint64_t places_lost; /* allocations that are missing in kmem__places() */
};

/*
 * Loads the counters. -EOPNOTSUPP or -EPERM with the reason where the kernel
 * or the user may not (then the numbers are unsupported, not zero), -ENOMEM.
 */
int kmem__open(const struct kmem_opts *opts, struct kmem **ret_kmem, struct err *err);
void kmem__free(struct kmem *kmem);
DEFINE_CLEANUP(struct kmem, kmem__free);
#define _cleanup_kmem_ _cleanup_(kmem__freep)

/*
 * Arms a thread (a tid of this or another process, as this PID namespace has
 * it) and attaches the counters with the first one. Zeroes the counts.
 * -EBUSY: a window of another kind is open, or a PROG_LOAD window, which is for
 * one thread; -ENOSPC: more threads than max_threads; -EEXIST: this thread is
 * armed already; other: from attaching.
 */
int kmem__begin(struct kmem *kmem, pid_t tid, enum kmem_window window);

/*
 * Detaches and hands over the sums. -EINVAL: no window is open. -EAGAIN: the
 * kernel skipped one of our programs (it does when another task is preempted
 * inside it), so the counts would be short: measure again.
 */
int kmem__end(struct kmem *kmem, struct kmem_counts *ret_counts);

/*
 * KMEM_WINDOW_PROG_LOAD that follows: bytes that are still alive of the load,
 * per-CPU memory included.
 */
uint64_t kmem__left(const struct kmem *kmem);

/* After kmem__end() until the next begin: the lists that were asked for. */
const struct kmem_places *kmem__places(const struct kmem *kmem);

/*
 * Why a kind of kmem_opts.kinds can't be counted on this kernel; NULL: it is
 * counted, or this kernel has no such allocator, or it was not asked for.
 */
const char *kmem__missing(const struct kmem *kmem, enum kmem_kind kind);

/*
 * What a reader must know of the counts on this kernel; NULL: nothing.
 */
const char *kmem__caveat(const struct kmem *kmem);

#endif
