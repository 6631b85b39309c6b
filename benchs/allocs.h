/* SPDX-License-Identifier: GPL-2.0-only */
/* What the allocators do for a number of operations of one thread. */
#ifndef BPF_AB_ALLOCS_H
#define BPF_AB_ALLOCS_H

#include "bench.h"
#include "kmem_tally.h"
#include "record.h"

enum { ALLOCS_WINDOWS = 2 };

struct allocs_opts {
	uint64_t ops; /* in each window; 0: 2048 */
	size_t sites; /* how many sites to list, those with most allocations; 0: none */
	/*
	 * Gets a line "bpf-ab: window begins" or "... ends" at each window's
	 * edges (tracefs' trace_marker, say); -1: none.
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

/* What can't be counted is a state, not an error. */
void allocs__count(const struct bench *bench, void *state, const struct allocs_opts *opts,
		   struct allocs *ret_allocs);
void allocs__clear(struct allocs *allocs);

#endif
