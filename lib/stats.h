/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers about samples. Nothing here knows what was measured. Arrays are not
 * changed but where it says so; results are the same from run to run.
 */
#ifndef BPF_AB_STATS_H
#define BPF_AB_STATS_H

#include "util.h"

struct stats_summary {
	size_t n;
	double min, max, mean, median;
	double deviation; /* of the sample (n - 1); 0 for a single value */
};

/* n > 0. Returns 0 or -ENOMEM. */
int stats__summary(const double *v, size_t n, struct stats_summary *ret_summary);

/* Sorts v. n > 0. */
double stats__median(double *v, size_t n);

/* Of n > 0 values that are all above 0. */
double stats__geomean(const double *v, size_t n);

/*
 * Two-sided Mann-Whitney test: how likely rank sums at least this far apart
 * are if both samples come from one source. Exact, by counting all ways to
 * deal the (mid)ranks, up to 60 values; above, the normal approximation with
 * corrections for ties and continuity. na, nb > 0. Returns 0 or -ENOMEM.
 */
int stats__mann_whitney(const double *a, size_t na, const double *b, size_t nb, double *ret_p);

/* The smallest p that samples of these sizes can reach. */
double stats__mann_whitney_min(size_t na, size_t nb);

struct stats_interval {
	double lo, hi;
};

/*
 * 95 % percentile bootstrap interval of median(b) / median(a); values are
 * above 0 and na, nb > 0. The seed is fixed. Returns 0 or -ENOMEM.
 */
int stats__ratio_interval(const double *a, size_t na, const double *b, size_t nb,
			  struct stats_interval *ret_interval);

struct stats_power {
	double exponent, factor; /* y is about factor * x^exponent */
};

/*
 * The power of x that y grows with: the straight line through their logarithms
 * with the least squares. -EINVAL: fewer than two different x, or a value that
 * is not above 0.
 */
int stats__power(const double *x, const double *y, size_t n, struct stats_power *ret_power);

/* Holm's step-down adjustment of n p-values, in place. Returns 0 or -ENOMEM. */
int stats__holm(double *p, size_t n);

#endif
