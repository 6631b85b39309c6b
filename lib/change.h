/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What became of a test from one recording to the other, in the words that are
 * used of tests:
 *
 *	unchanged pass, unchanged failure, unchanged skip
 *	fixed		failed, passes
 *	broken		did not fail, fails, be it in one of several runs
 *	no longer run	passed or failed, is skipped
 *	now run		was skipped, passes
 *	new, gone	is in one recording only
 *	unstable	several runs of one side disagree, and it got no worse
 *
 * All other rows are called by their verdict.
 */
#ifndef BPF_AB_CHANGE_H
#define BPF_AB_CHANGE_H

#include "compare.h"

/* NULL if this is no recording of tests, or has no outcomes. The string is static. */
const char *change__of(const struct comparison *cmp, const struct compare_row *row);

struct change_count {
	const char *name;
	size_t n;
};

/* How many tests became what, in the order above, without those of which there are none. */
#define CHANGE_KINDS 24
size_t change__count(const struct comparison *cmp, struct change_count counts[CHANGE_KINDS]);

#endif
