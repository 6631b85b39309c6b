/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What two runs do not have in common. A comparison tells it first: numbers
 * of two machines, configurations or clocks say little about two kernels.
 */
#ifndef BPF_AB_ENVDIFF_H
#define BPF_AB_ENVDIFF_H

#include "record.h"

/* One key on which two sides, or the boots of one side, do not agree. */
struct env_diff {
	const char *key, *a, *b; /* in the recordings; NULL: that side does not say */
	bool kernel;		 /* part of what a comparison of kernels is meant to vary */
};

/*
 * The differences, what matters most first. Left out: keys of no account, and
 * all keys if a side has no sidecar. The caller frees. 0 or -ENOMEM.
 */
int env_diff__list(const struct recording *a, const struct recording *b,
		   struct env_diff **ret_diffs, size_t *ret_n);

/*
 * Adds what a further boot of the same side says to what rec says. Where they
 * disagree the entry lists each value once and is marked as varying; keys of
 * no account keep the first.
 */
int env_diff__join(struct recording *rec, const struct recording *boot);

#endif
