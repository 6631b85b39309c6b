/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes a random program that fails smaller, as long as it goes on failing. */
#ifndef BPF_AB_REDUCE_H
#define BPF_AB_REDUCE_H

#include "randprog.h"

struct reduce_opts {
	/*
	 * Whether the program still fails in the way that is looked for, and of how
	 * many instructions it is: 1, 0, or -errno, which ends the reduction.
	 */
	int (*fails)(void *ctx, const struct randprog *prog, size_t *ret_insns);
	void *ctx;
	size_t max_tries; /* calls of fails() */
};

/*
 * Drops units and simplifies what is left, for as long as that helps or tries
 * are left. Returns 0 with the program reduced, or the error of fails() with
 * the program as small as it was by then.
 */
int reduce__program(struct randprog *prog, const struct reduce_opts *opts);

#endif
