// SPDX-License-Identifier: GPL-2.0-only
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cleanup.h"

#define EXACT_MAX 60
#define RESAMPLES 4000
#define TAIL	  0.025
#define SEED	  0x9e3779b97f4a7c15ull

static int cmp_double(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static double *sorted_copy(const double *v, size_t n)
{
	double *copy = malloc(n * sizeof(*copy));

	if (copy) {
		memcpy(copy, v, n * sizeof(*copy));
		qsort(copy, n, sizeof(*copy), cmp_double);
	}
	return copy;
}

static double sorted_median(const double *v, size_t n)
{
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double stats__median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), cmp_double);
	return sorted_median(v, n);
}

int stats__summary(const double *v, size_t n, struct stats_summary *ret_summary)
{
	_cleanup_free_ double *sorted = sorted_copy(v, n);
	double sum = 0, squares = 0, mean;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	mean = sum / n;
	/* Around the mean: sums of squares of large values would cancel. */
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	*ret_summary = (struct stats_summary){
		.n = n,
		.min = sorted[0],
		.max = sorted[n - 1],
		.mean = mean,
		.median = sorted_median(sorted, n),
		.deviation = n > 1 ? sqrt(squares / (n - 1)) : 0,
	};
	return 0;
}

double stats__geomean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += log(v[i]);
	return exp(sum / n);
}

/* ---- Mann-Whitney ----------------------------------------------------------- */

/* Twice the midrank of each sorted value, so that ties stay integers. */
static void double_ranks(const double *sorted, size_t n, size_t *ranks)
{
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && sorted[end] == sorted[i]; end++)
			;
		for (size_t j = i; j < end; j++)
			ranks[j] = i + 1 + end;
	}
}

/* Share of the ways to deal k of the ranks whose sum is as far from the middle as distance. */
static int exact_p(const size_t *ranks, size_t n, size_t k, size_t distance, double *ret_p)
{
	size_t total = n * (n + 1), middle = k * (n + 1), filled = 0;
	_cleanup_free_ double *ways = calloc((k + 1) * (total + 1), sizeof(*ways));
	double all = 0, far = 0;

	if (!ways)
		return -ENOMEM;
	/* ways[j][s]: in how many ways j of the ranks seen so far add up to s. */
	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		filled += ranks[i];
		for (size_t j = i + 1 < k ? i + 1 : k; j > 0; j--) {
			double *with = ways + j * (total + 1);
			const double *without = ways + (j - 1) * (total + 1);

			for (size_t s = ranks[i]; s <= filled; s++)
				with[s] += without[s - ranks[i]];
		}
	}
	for (size_t s = 0; s <= total; s++) {
		double count = ways[k * (total + 1) + s];

		all += count;
		if ((s > middle ? s - middle : middle - s) >= distance)
			far += count;
	}
	*ret_p = far / all;
	return 0;
}

static double normal_p(const size_t *ranks, size_t n, size_t k, size_t distance)
{
	double ties = 0, variance, z;
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		double t;

		for (end = i + 1; end < n && ranks[end] == ranks[i]; end++)
			;
		t = end - i;
		ties += t * t * t - t;
	}
	variance = (double)k * (n - k) / 12 * (n + 1 - ties / ((double)n * (n - 1)));
	if (variance <= 0)
		return 1;
	z = fmax(0, distance / 2.0 - 0.5) / sqrt(variance);
	return erfc(z / M_SQRT2);
}

int stats__mann_whitney(const double *a, size_t na, const double *b, size_t nb, double *ret_p)
{
	size_t n = na + nb, sum = 0, middle = na * (n + 1), distance;
	_cleanup_free_ double *all = malloc(n * sizeof(*all));
	_cleanup_free_ size_t *ranks = malloc(n * sizeof(*ranks));

	if (!all || !ranks)
		return -ENOMEM;
	memcpy(all, a, na * sizeof(*all));
	memcpy(all + na, b, nb * sizeof(*all));
	qsort(all, n, sizeof(*all), cmp_double);
	double_ranks(all, n, ranks);
	for (size_t i = 0; i < na; i++) {
		const double *at = bsearch(&a[i], all, n, sizeof(*all), cmp_double);

		sum += ranks[at - all];
	}
	distance = sum > middle ? sum - middle : middle - sum;
	if (n <= EXACT_MAX)
		return exact_p(ranks, n, na, distance, ret_p);
	*ret_p = normal_p(ranks, n, na, distance);
	return 0;
}

double stats__mann_whitney_min(size_t na, size_t nb)
{
	double ways = 1;

	for (size_t i = 1; i <= na; i++)
		ways *= (double)(nb + i) / i;
	return fmin(1, 2 / ways);
}

/* ---- bootstrap -------------------------------------------------------------- */

/* xorshift64*: nothing here needs more of chance than that it repeats. */
static size_t draw(uint64_t *state, size_t n)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (size_t)(((*state * 0x2545f4914f6cdd1dull) >> 32) * n >> 32);
}

/* The median of n draws with replacement; counts is scratch of n. */
static double resampled_median(const double *sorted, size_t n, unsigned int *counts,
			       uint64_t *state)
{
	size_t seen = 0, i;
	double lower;

	memset(counts, 0, n * sizeof(*counts));
	for (i = 0; i < n; i++)
		counts[draw(state, n)]++;
	for (i = 0; i + 1 < n && seen + counts[i] <= (n - 1) / 2; i++)
		seen += counts[i];
	lower = sorted[i];
	for (; i + 1 < n && seen + counts[i] <= n / 2; i++)
		seen += counts[i];
	return (lower + sorted[i]) / 2;
}

int stats__ratio_interval(const double *a, size_t na, const double *b, size_t nb,
			  struct stats_interval *ret_interval)
{
	_cleanup_free_ double *sa = sorted_copy(a, na), *sb = sorted_copy(b, nb);
	_cleanup_free_ double *ratios = malloc(RESAMPLES * sizeof(*ratios));
	_cleanup_free_ unsigned int *counts = malloc((na + nb) * sizeof(*counts));
	uint64_t state = SEED;

	if (!sa || !sb || !ratios || !counts)
		return -ENOMEM;
	for (size_t i = 0; i < RESAMPLES; i++) {
		double ma = resampled_median(sa, na, counts, &state);

		ratios[i] = resampled_median(sb, nb, counts, &state) / ma;
	}
	qsort(ratios, RESAMPLES, sizeof(*ratios), cmp_double);
	*ret_interval = (struct stats_interval){
		.lo = ratios[(size_t)(RESAMPLES * TAIL)],
		.hi = ratios[RESAMPLES - 1 - (size_t)(RESAMPLES * TAIL)],
	};
	return 0;
}

/* ---- Holm ------------------------------------------------------------------- */

static int cmp_double_ptr(const void *x, const void *y)
{
	return cmp_double(*(double *const *)x, *(double *const *)y);
}

int stats__holm(double *p, size_t n)
{
	_cleanup_free_ double **order = calloc(n ?: 1, sizeof(*order));
	double least = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = &p[i];
	qsort(order, n, sizeof(*order), cmp_double_ptr);
	for (size_t i = 0; i < n; i++) {
		least = fmax(least, fmin(1, *order[i] * (n - i)));
		*order[i] = least;
	}
	return 0;
}

int stats__power(const double *x, const double *y, size_t n, struct stats_power *ret_power)
{
	double mean_x = 0, mean_y = 0, xx = 0, xy = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(x[i] > 0) || !(y[i] > 0))
			return -EINVAL;
		mean_x += log(x[i]) / n;
		mean_y += log(y[i]) / n;
	}
	for (size_t i = 0; i < n; i++) {
		double dx = log(x[i]) - mean_x;

		xx += dx * dx;
		xy += dx * (log(y[i]) - mean_y);
	}
	/* Equal values leave no more than what was lost in rounding. */
	if (n < 2 || xx < 1e-12)
		return -EINVAL;
	ret_power->exponent = xy / xx;
	ret_power->factor = exp(mean_y - ret_power->exponent * mean_x);
	return 0;
}
