// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cleanup.h"
#include "stats.h"

#define assert_near(value, expected, within)                                             \
	do {                                                                             \
		double near_v = (value), near_e = (expected);                            \
		if (!(fabs(near_v - near_e) <= (within)))                                \
			fail_msg("%s is %.12g, expected %.12g", #value, near_v, near_e); \
	} while (0)

static double p_of(const double *a, size_t na, const double *b, size_t nb)
{
	double p = -1;

	assert_int_equal(stats__mann_whitney(a, na, b, nb, &p), 0);
	return p;
}

/* Certified values of NIST's Statistical Reference Datasets NumAcc1, NumAcc2 and NumAcc4. */
static void moments_as_certified_by_nist(void **state __unused_arg)
{
	static const double acc1[] = { 10000001, 10000003, 10000002 };
	struct stats_summary s;
	double acc[1001];

	assert_int_equal(stats__summary(acc1, ARRAY_SIZE(acc1), &s), 0);
	assert_near(s.mean, 10000002, 0);
	assert_near(s.deviation, 1, 0);
	for (size_t i = 0; i < ARRAY_SIZE(acc); i++)
		acc[i] = i == 0 ? 1.2 : i % 2 ? 1.1 : 1.3;
	assert_int_equal(stats__summary(acc, ARRAY_SIZE(acc), &s), 0);
	assert_near(s.mean, 1.2, 1e-12);
	assert_near(s.deviation, 0.1, 1e-12);
	for (size_t i = 0; i < ARRAY_SIZE(acc); i++)
		acc[i] = i == 0 ? 10000000.2 : i % 2 ? 10000000.1 : 10000000.3;
	assert_int_equal(stats__summary(acc, ARRAY_SIZE(acc), &s), 0);
	assert_near(s.mean, 10000000.2, 1e-7);
	assert_near(s.deviation, 0.1, 1e-8);
}

static void medians(void **state __unused_arg)
{
	double odd[] = { 9, 1, 5 }, even[] = { 9, 1, 5, 2 }, one[] = { 7 };
	struct stats_summary s;

	assert_int_equal(stats__summary(even, 4, &s), 0);
	assert_near(s.median, 3.5, 0);
	assert_near(s.min, 1, 0);
	assert_near(s.max, 9, 0);
	assert_near(even[0], 9, 0);
	assert_near(stats__median(odd, 3), 5, 0);
	assert_near(stats__median(even, 4), 3.5, 0);
	assert_near(stats__median(one, 1), 7, 0);
	assert_int_equal(stats__summary(one, 1, &s), 0);
	assert_near(s.deviation, 0, 0);
}

/* Both examples of Wikipedia's "Geometric mean". */
static void geometric_means(void **state __unused_arg)
{
	assert_near(stats__geomean((const double[]){ 2, 8 }, 2), 4, 1e-12);
	assert_near(stats__geomean((const double[]){ 4, 1, 1.0 / 32 }, 3), 0.5, 1e-12);
}

/* One of na values below all of nb: published in any table of U = 0. */
static void complete_separation(void **state __unused_arg)
{
	static const double low[] = { 1, 2, 3, 4, 5, 6 }, high[] = { 11, 12, 13, 14, 15, 16 };
	static const struct {
		size_t n;
		double p;
	} cases[] = { { 3, .1 }, { 4, .0286 }, { 5, .0079 }, { 6, .0022 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t n = cases[i].n;

		assert_near(p_of(low, n, high, n), cases[i].p, 5e-5);
		assert_near(p_of(high, n, low, n), cases[i].p, 5e-5);
		assert_near(stats__mann_whitney_min(n, n), cases[i].p, 5e-5);
	}
	assert_true(stats__mann_whitney_min(3, 3) > .05);
	assert_true(stats__mann_whitney_min(1, 30) > .05);
	assert_true(stats__mann_whitney_min(2, 9) < .05);
}

/*
 * R's help page of wilcox.test, data of Hollander and Wolfe (1973), p. 69:
 * one-sided p .1272, twice that without ties. SciPy's help page of
 * mannwhitneyu: two-sided exact p 1/9.
 */
static void examples_of_r_and_scipy(void **state __unused_arg)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	static const double males[] = { 19, 22, 16, 29, 24 }, females[] = { 20, 11, 17, 12 };

	assert_near(p_of(x, ARRAY_SIZE(x), y, ARRAY_SIZE(y)), 2 * .1272, 1e-4);
	assert_near(p_of(males, 5, females, 4), 1.0 / 9, 1e-12);
}

/* n values among 1..n such that u pairs have the first above the second. */
static double p_of_u(size_t n, size_t u)
{
	_cleanup_free_ double *a = malloc(n * sizeof(*a)), *b = malloc(n * sizeof(*b));

	assert_non_null(a);
	assert_non_null(b);
	for (size_t i = 0; i < n; i++) {
		size_t above = u < n ? u : n;

		u -= above;
		a[i] = above + 0.5 + (double)i / (2 * n);
		b[i] = i + 1;
	}
	return p_of(a, n, b, n);
}

/* Two-sided critical values of U at .05, as tables have them since Mann and Whitney (1947). */
static void critical_values(void **state __unused_arg)
{
	static const struct {
		size_t n, u;
	} table[] = { { 4, 0 },	  { 5, 2 },   { 6, 5 },	  { 7, 8 },   { 8, 13 },
		      { 10, 23 }, { 12, 37 }, { 15, 64 }, { 18, 99 }, { 20, 127 } };

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_true(p_of_u(table[i].n, table[i].u) <= .05);
		assert_true(p_of_u(table[i].n, table[i].u + 1) > .05);
	}
}

/* Above 60 values: 40 a side, U 204 below its mean of 800, z 1.958: .0502 in tables of the normal
 * distribution. Exact and approximate p meet where one gives way to the other. */
static void large_samples(void **state __unused_arg)
{
	assert_near(p_of_u(40, 596), .0502, 5e-5);
	assert_near(p_of_u(30, 300), p_of_u(31, 322), .004);
}

static double twice_midrank(double value, const double *all, size_t n)
{
	double rank = 1;

	for (size_t i = 0; i < n; i++)
		rank += 2 * (all[i] < value) + (all[i] == value);
	return rank;
}

/* By going through all ways to choose na of the values. */
static double brute_force_p(const double *all, size_t na, size_t n)
{
	double middle = (double)na * (n + 1), seen = 0, far = 0, count = 0;

	for (size_t i = 0; i < na; i++)
		seen += twice_midrank(all[i], all, n);
	for (unsigned int set = 0; set < 1u << n; set++) {
		double sum = 0;

		if ((size_t)__builtin_popcount(set) != na)
			continue;
		for (size_t i = 0; i < n; i++)
			if (set & 1u << i)
				sum += twice_midrank(all[i], all, n);
		count++;
		far += fabs(sum - middle) >= fabs(seen - middle);
	}
	return far / count;
}

static void ties_as_by_enumeration(void **state __unused_arg)
{
	unsigned int seed = 1;

	for (int round = 0; round < 200; round++) {
		size_t na = 1 + round % 5, nb = 1 + round / 5 % 6, n = na + nb;
		double all[12];

		for (size_t i = 0; i < n; i++)
			all[i] = rand_r(&seed) % 4;
		assert_near(p_of(all, na, all + na, nb), brute_force_p(all, na, n), 1e-12);
	}
	assert_near(p_of((const double[]){ 3, 3, 3, 3 }, 4, (const double[]){ 3, 3, 3, 3 }, 4), 1,
		    0);
	/* All equal on each side, yet different: as far apart as four can be. */
	assert_near(p_of((const double[]){ 3, 3, 3, 3 }, 4, (const double[]){ 4, 4, 4, 4 }, 4),
		    .0286, 5e-5);
}

/*
 * The example of Wikipedia's "Holm-Bonferroni method" (H1 and H4 rejected at
 * .05, H2 and H3 not), and that of stdlib's documentation of padjust().
 */
static void holm(void **state __unused_arg)
{
	double wikipedia[] = { .01, .04, .03, .005 };
	double stdlib[] = { .319, .201, .4, .374, .113 };

	assert_int_equal(stats__holm(wikipedia, 4), 0);
	assert_near(wikipedia[0], .03, 1e-12);
	assert_near(wikipedia[1], .06, 1e-12);
	assert_near(wikipedia[2], .06, 1e-12);
	assert_near(wikipedia[3], .02, 1e-12);
	assert_int_equal(stats__holm(stdlib, 5), 0);
	assert_near(stdlib[0], .957, 1e-12);
	assert_near(stdlib[1], .804, 1e-12);
	assert_near(stdlib[3], .957, 1e-12);
	assert_near(stdlib[4], .565, 1e-12);
	assert_int_equal(stats__holm(NULL, 0), 0);
}

/*
 * Of three values the resampled median is the least or the greatest in 7 of
 * 27 cases each (Efron 1982): both are within 95 %. Of seven an extreme value
 * is reached in 1.0 % of cases, it or its neighbour in 10.8 % (binomial tails).
 */
static void bootstrap_of_known_distributions(void **state __unused_arg)
{
	static const double one[] = { 10 }, three[] = { 12, 10, 11 };
	static const double seven[] = { 10, 20, 30, 40, 50, 60, 70 };
	struct stats_interval i;

	assert_int_equal(stats__ratio_interval(one, 1, three, 3, &i), 0);
	assert_near(i.lo, 1.0, 1e-12);
	assert_near(i.hi, 1.2, 1e-12);
	assert_int_equal(stats__ratio_interval(one, 1, seven, 7, &i), 0);
	assert_near(i.lo, 2, 1e-12);
	assert_near(i.hi, 6, 1e-12);
	assert_int_equal(stats__ratio_interval(one, 1, one, 1, &i), 0);
	assert_near(i.lo, 1, 0);
	assert_near(i.hi, 1, 0);
}

static void bootstrap_repeats_and_scales(void **state __unused_arg)
{
	static const double a[] = { 1000, 1010, 990, 1005, 995, 1002 };
	static const double b[] = { 800, 810, 790, 805, 795, 802 };
	double twice[ARRAY_SIZE(b)];
	struct stats_interval i, again;

	assert_int_equal(stats__ratio_interval(a, 6, b, 6, &i), 0);
	assert_int_equal(stats__ratio_interval(a, 6, b, 6, &again), 0);
	assert_memory_equal(&i, &again, sizeof(i));
	assert_true(i.lo > .78 && i.lo < .80 && i.hi > .80 && i.hi < .82);
	for (size_t j = 0; j < ARRAY_SIZE(b); j++)
		twice[j] = 2 * b[j];
	assert_int_equal(stats__ratio_interval(a, 6, twice, 6, &again), 0);
	assert_near(again.lo, 2 * i.lo, 1e-12);
	assert_near(again.hi, 2 * i.hi, 1e-12);
}

static void power_is_that_of_the_data(void **state __unused_arg)
{
	const double x[] = { 256, 512, 1024, 2048 }, square[] = { 3, 12, 48, 192 };
	const double line[] = { 7, 14, 28, 56 }, flat[] = { 5, 5, 5, 5 };
	/* e^(0, 1, 0): the line through the logarithms is level. */
	const double few[] = { M_E, M_E * M_E, M_E * M_E * M_E }, bump[] = { 1, M_E, 1 };
	struct stats_power power;

	assert_int_equal(stats__power(x, square, 4, &power), 0);
	assert_near(power.exponent, 2, 1e-12);
	assert_near(power.factor * 256 * 256, 3, 1e-9);
	assert_int_equal(stats__power(x, line, 4, &power), 0);
	assert_near(power.exponent, 1, 1e-12);
	assert_int_equal(stats__power(x, flat, 4, &power), 0);
	assert_near(power.exponent, 0, 1e-12);
	assert_int_equal(stats__power(few, bump, 3, &power), 0);
	assert_near(power.exponent, 0, 1e-12);
	assert_near(power.factor, exp(1.0 / 3), 1e-12);
}

static void no_power_without_data(void **state __unused_arg)
{
	const double same[] = { 4, 4, 4 }, x[] = { 1, 2, 3 }, zero[] = { 1, 0, 3 };
	struct stats_power power = { 9, 9 };

	assert_int_equal(stats__power(same, x, 3, &power), -EINVAL);
	assert_int_equal(stats__power(x, zero, 3, &power), -EINVAL);
	assert_int_equal(stats__power(zero, x, 3, &power), -EINVAL);
	assert_int_equal(stats__power(x, x, 1, &power), -EINVAL);
	assert_true(power.exponent == 9 && power.factor == 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments_as_certified_by_nist),
		cmocka_unit_test(medians),
		cmocka_unit_test(geometric_means),
		cmocka_unit_test(complete_separation),
		cmocka_unit_test(examples_of_r_and_scipy),
		cmocka_unit_test(critical_values),
		cmocka_unit_test(large_samples),
		cmocka_unit_test(ties_as_by_enumeration),
		cmocka_unit_test(holm),
		cmocka_unit_test(bootstrap_of_known_distributions),
		cmocka_unit_test(bootstrap_repeats_and_scales),
		cmocka_unit_test(power_is_that_of_the_data),
		cmocka_unit_test(no_power_without_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
