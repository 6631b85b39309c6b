/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that were measured at several sizes, in objects NAME-SIZE.bpf.o:
 * how each number grows with the size on either side.
 */
#ifndef AB_REPORT_GROWTH_H
#define AB_REPORT_GROWTH_H

#include "compare.h"

struct growth_curve {
	const char *program; /* in the comparison */
	const struct metric *metric;
	size_t n;		 /* sizes, ascending */
	double *size, *value[2]; /* owned; NAN where a side has no value */
	bool fits[2];
	double exponent[2]; /* of the power of the size that the values grow with, if fits */
};

struct growth {
	VEC(char *) families;		 /* owned; NAME of each curve */
	VEC(struct growth_curve) curves; /* of numbers that grow: some value is above the least */
};

/* Returns 0 or -ENOMEM. No curve: nothing was measured at two sizes. */
int growth__find(const struct comparison *cmp, struct growth *ret_growth);
void growth__reset(struct growth *growth);

#endif
