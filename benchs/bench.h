/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a benchmark is written against. benchs/bench_foo.c defines
 *
 *	const struct bench bench_foo = { ... };
 *
 * and nothing else has to name it. A case only does its work in batches; who
 * does them, for how long, and what comes of it is the harness's part.
 */
#ifndef BPF_AB_BENCH_H
#define BPF_AB_BENCH_H

#include "err.h"
#include "opts.h"

struct bench_env {
	unsigned int producers;
	const void *opts; /* the case's own options, as its table filled them */
};

/* Work that producers did. What failed is an error, never work. */
struct bench_work {
	uint64_t done, failed;
};

struct bench {
	const char *name;  /* on the command line */
	const char *about; /* for -l */
	const char *op;	   /* one operation: "create" */

	/* The case's options: rows, the size of their struct, and its defaults. */
	const struct opt *opts;
	size_t n_opts;
	size_t opts_size;
	const void *opts_default;

	/* Ids of what it reports (lib/metric.c), in the order of the columns; NULL ends. */
	const char *const *metrics;

	/*
	 * Loads and attaches. -EINVAL: an option does not make sense; any
	 * other -errno: it can't be measured here. err has the words.
	 */
	int (*setup)(const struct bench_env *env, void **ret_state, struct err *err);
	void (*teardown)(void *state);

	/* What tells this run from others of the benchmark; part of the recording's key. */
	const char *(*variant)(const void *state);
	/* One line that the reader should know, or NULL. */
	const char *(*note)(const void *state);

	/*
	 * Up to want operations (want > 0) as producer number id, in its
	 * thread; adds what it did to *work, at least one either way.
	 */
	void (*batch)(void *state, unsigned int id, uint64_t want, struct bench_work *work);

	/*
	 * Operations as the BPF side counted them since setup. Called while no
	 * producer works.
	 */
	void (*witness)(const void *state, struct bench_work *ret_work);

	/*
	 * On: operations without what is measured, the same in all else and
	 * seen by the witness, so that what they cost themselves can be told.
	 * Called while no producer works. NULL: there is no such thing.
	 */
	void (*bare)(void *state, bool on);

	/*
	 * What is left of the operations in the kernel, 0 when all of it went.
	 * The kernel may need a while for that. NULL: nothing stays.
	 */
	int (*left)(const void *state, uint64_t *ret_left, struct err *err);
};

#endif
