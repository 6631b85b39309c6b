/* SPDX-License-Identifier: GPL-2.0-only */
/* What the allocators do for a number of operations, in a window of their own. */
#ifndef BPF_AB_ALLOCS_H
#define BPF_AB_ALLOCS_H

#include "crew.h"
#include "kmem_tally.h"
#include "record.h"

enum { ALLOCS_WINDOWS = 2 };

struct allocs_opts {
	uint64_t ops; /* of all producers, in each window; 0: 2048 of each */
	size_t sites; /* how many sites to list, those with most allocations; 0: none */
	/*
	 * Gets the lines "bpf-ab: window N begins" and "... ends" of each producer
	 * at its edges of the window (tracefs' trace_marker, say), and "... is void"
	 * if it does not count; window 0 is to warm up. -1: none.
	 */
	int marks_fd;
};

struct allocs_window {
	uint64_t ops, ns;
	struct kmem_tally_counts counts;
};

struct allocs {
	enum cell_state state; /* CELL_OK: all windows are there; else why says why */
	char why[512];
	struct allocs_window windows[ALLOCS_WINDOWS];
	/* Kinds that could not be counted, and why; NULL: it was. */
	char *missing[KMEM_KIND_MAX];
	/* Of all windows, and one before them to warm up: site_ops operations. */
	struct kmem_site *sites;
	size_t n_sites;
	uint64_t site_ops;
	const char *caveat; /* what a reader must know of the counts, or NULL */
};

/* Operations that the BPF side did not see, or other ones, and the words. -EBADE or 0. */
int allocs__check_witness(const struct bench *bench, const struct bench_work *work,
			  const struct bench_work *witness, struct err *err);

/* -EINTR: a signal asked to end. What can't be counted is a state, not an error. */
int allocs__count(const struct bench *bench, struct crew *crew, const struct allocs_opts *opts,
		  struct allocs *ret_allocs);
void allocs__clear(struct allocs *allocs);

#endif
