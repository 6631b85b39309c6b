// SPDX-License-Identifier: GPL-2.0-only
#include "pair.h"

/* ---- counted ---------------------------------------------------------------- */

static void counted_instructions_by_resolution(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, "icount");

	/* The two boots of two loads of the first claim; nothing changed. */
	SAMPLES(pair.a, "equal", "duration", 2, 3208218, 3208300, 3208190, 3208230);
	SAMPLES(pair.b, "equal", "duration", 2, 3208190, 3208310, 3208250, 3208200);
	/* Apart, but by less than 0.1 %. */
	SAMPLES(pair.a, "below", "duration", 2, 1000000, 1000010, 1000000, 1000005);
	SAMPLES(pair.b, "below", "duration", 2, 1000900, 1000910, 1000900, 1000905);
	SAMPLES(pair.a, "worse", "duration", 2, 1000000, 1000010, 1000000, 1000005);
	SAMPLES(pair.b, "worse", "duration", 2, 1002000, 1002010, 1002000, 1002005);
	SAMPLES(pair.a, "better", "duration", 2, 1000000, 1000010, 1000000, 1000005);
	SAMPLES(pair.b, "better", "duration", 2, 998000, 998010, 998000, 998005);
	/* 0.2 % apart, where one kernel spreads over 0.1 %: 0.3 % could be told. */
	SAMPLES(pair.a, "within", "duration", 2, 1000000, 1001000, 1000000, 1001000);
	SAMPLES(pair.b, "within", "duration", 2, 1002000, 1003000, 1002000, 1003000);
	/* So far apart that "equal" would hide 15 %. */
	SAMPLES(pair.a, "wide", "duration", 2, 1000000, 1050000, 1000000, 1050000);
	SAMPLES(pair.b, "wide", "duration", 2, 1000000, 1050000, 1000000, 1050000);
	/* Small programs can be timed by instructions. */
	SAMPLES(pair.a, "small", "duration", 2, 400, 400, 400, 400);
	SAMPLES(pair.b, "small", "duration", 2, 300, 300, 300, 300);
	set(pair.a, &pair.a->rows.v[pair.a->rows.n - 1], "total_insns", 20);
	set(pair.b, &pair.b->rows.v[pair.b->rows.n - 1], "total_insns", 20);
	compare(&pair);
	assert_verdict(pair.cmp, "equal", "duration", VERDICT_EQUAL);
	assert_near(cell_of(pair.cmp, "equal", "duration")->resolution, 0.001, 1e-9);
	assert_verdict(pair.cmp, "below", "duration", VERDICT_EQUAL);
	assert_verdict(pair.cmp, "worse", "duration", VERDICT_WORSE);
	assert_verdict(pair.cmp, "better", "duration", VERDICT_BETTER);
	assert_verdict(pair.cmp, "within", "duration", VERDICT_EQUAL);
	assert_near(cell_of(pair.cmp, "within", "duration")->resolution, 0.003, 1e-5);
	assert_verdict(pair.cmp, "wide", "duration", VERDICT_INCONCLUSIVE);
	assert_verdict(pair.cmp, "small", "duration", VERDICT_BETTER);
	for (size_t i = 0; i < pair.cmp->rows.n; i++)
		assert_false(pair.cmp->rows.v[i].cells[0].has_p);
	assert_int_equal(pair.cmp->status, 1);
}

static void counted_range_of_one_kernel(void **state __unused_arg)
{
	_cleanup_pair_ struct pair same = pair_of(SUITE_VERISTAT, "icount");
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, "icount");
	_cleanup_pair_ struct pair overlap = pair_of(SUITE_VERISTAT, "icount");

	/* The boots of A/A are 0.2 % apart, the loads of a boot are not. */
	SAMPLES(same.a, "p", "duration", 2, 100000, 100000);
	SAMPLES(same.b, "p", "duration", 2, 100200, 100200);
	compare(&same);
	SAMPLES(pair.a, "p", "duration", 2, 100000, 100000);
	SAMPLES(pair.b, "p", "duration", 2, 100500, 100500);
	compare_with(&pair, &(struct compare_opts){ .same = same.cmp });
	assert_verdict(pair.cmp, "p", "duration", VERDICT_EQUAL);
	assert_near(cell_of(pair.cmp, "p", "duration")->resolution, 0.006, 1e-6);
	comparison__free(pair.cmp);
	compare(&pair);
	assert_verdict(pair.cmp, "p", "duration", VERDICT_WORSE);

	/* More than can be told apart, but the sides are not apart. */
	SAMPLES(overlap.a, "p", "duration", 2, 100000, 103000);
	SAMPLES(overlap.b, "p", "duration", 2, 102900, 103900);
	compare_with(&overlap, &(struct compare_opts){ .same = same.cmp });
	assert_verdict(overlap.cmp, "p", "duration", VERDICT_INCONCLUSIVE);
	assert_why(overlap.cmp, "p", "duration", "overlap");
}

static void counted_with_one_sample(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, "icount");

	SAMPLES(pair.a, "far", "duration", 0, 1000000);
	SAMPLES(pair.b, "far", "duration", 0, 2000000);
	SAMPLES(pair.a, "near", "duration", 0, 1000000);
	SAMPLES(pair.b, "near", "duration", 0, 1000100);
	compare(&pair);
	assert_verdict(pair.cmp, "far", "duration", VERDICT_TOO_FEW);
	assert_verdict(pair.cmp, "near", "duration", VERDICT_EQUAL);
}

/* Allocations per operation are counted whatever the clock; a rate goes the other way. */
static void counted_in_benchmarks(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");
	_cleanup_pair_ struct pair counted = pair_of(SUITE_BENCH, "icount");

	SAMPLES(pair.a, "b", "kmallocs_per_op", 0, 4.15, 4.151);
	SAMPLES(pair.b, "b", "kmallocs_per_op", 0, 1.11, 1.111);
	/* Apart by less than what this metric differs from boot to boot. */
	SAMPLES(pair.a, "floor", "kmallocs_per_op", 0, 1.500, 1.501);
	SAMPLES(pair.b, "floor", "kmallocs_per_op", 0, 1.520, 1.521);
	SAMPLES(pair.a, "zero", "kmallocs_per_op", 0, 0, 0);
	SAMPLES(pair.b, "zero", "kmallocs_per_op", 0, 0, 0);
	SAMPLES(pair.a, "from_zero", "kmallocs_per_op", 0, 0, 0);
	SAMPLES(pair.b, "from_zero", "kmallocs_per_op", 0, 1, 1);
	compare(&pair);
	assert_verdict(pair.cmp, "b", "kmallocs_per_op", VERDICT_BETTER);
	assert_verdict(pair.cmp, "floor", "kmallocs_per_op", VERDICT_EQUAL);
	assert_verdict(pair.cmp, "zero", "kmallocs_per_op", VERDICT_EQUAL);
	assert_verdict(pair.cmp, "from_zero", "kmallocs_per_op", VERDICT_WORSE);
	assert_false(cell_of(pair.cmp, "from_zero", "kmallocs_per_op")->has_ratio);

	/* Frees are shown: not even a wide range makes a question of them. */
	SAMPLES(counted.a, "f", "frees_per_op", 0, 1, 2);
	SAMPLES(counted.b, "f", "frees_per_op", 0, 1, 2);
	SAMPLES(counted.a, "g", "frees_per_op", 0, 1, 2);
	SAMPLES(counted.b, "g", "frees_per_op", 0, 5, 7);
	SAMPLES(counted.a, "b", "ops_per_sec", 0, 1000, 1000);
	SAMPLES(counted.b, "b", "ops_per_sec", 0, 1100, 1100);
	compare(&counted);
	assert_verdict(counted.cmp, "b", "ops_per_sec", VERDICT_BETTER);
	assert_verdict(counted.cmp, "f", "frees_per_op", VERDICT_EQUAL);
	assert_verdict(counted.cmp, "g", "frees_per_op", VERDICT_DIFFERS);
}

/* ---- clocks ----------------------------------------------------------------- */

static void clocks_decide_whether_time_counts(void **state __unused_arg)
{
	static const struct {
		const char *a, *b;
		enum verdict verdict;
		const char *why;
	} cases[] = {
		{ "host", "host", VERDICT_BETTER, "" },
		{ "kvm", "kvm", VERDICT_BETTER, "" },
		{ NULL, NULL, VERDICT_BETTER, "" },
		{ "icount", "icount", VERDICT_BETTER, "" },
		{ "tcg-wall", "tcg-wall", VERDICT_NOT_MEASURED,
		  "A: the wall clock of an emulated" },
		{ "host", "tcg-wall", VERDICT_NOT_MEASURED, "B: the wall clock of an emulated" },
		{ "icount", "host", VERDICT_NOT_MEASURED, "the clocks differ: icount and host" },
		{ NULL, "icount", VERDICT_NOT_MEASURED, "the clocks differ: not recorded and" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_pair_ struct pair pair =
			pair_of_two(SUITE_VERISTAT, cases[i].a, cases[i].b);
		const struct compare_cell *cell;

		SAMPLES(pair.a, "p", "duration", 0, 1000, 1001, 1002, 1000, 1001);
		SAMPLES(pair.b, "p", "duration", 0, 500, 501, 502, 500, 501);
		set(pair.a, &pair.a->rows.v[0], "total_insns", 100000);
		set(pair.b, &pair.b->rows.v[0], "total_insns", 100000);
		compare(&pair);
		assert_verdict(pair.cmp, "p", "duration", cases[i].verdict);
		assert_why(pair.cmp, "p", "duration", cases[i].why);
		assert_verdict(pair.cmp, "p", "total_insns", VERDICT_EQUAL);
		cell = cell_of(pair.cmp, "p", "duration");
		assert_int_equal(cell->has_ratio, cases[i].verdict == VERDICT_BETTER);
		assert_int_equal(cell->side[0].n != 0, cases[i].verdict == VERDICT_BETTER);
	}
}

static void boots_under_different_clocks(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of_two(SUITE_BENCH, "icount | host", "icount");

	pair.a->env.v[0].varies = true;
	SAMPLES(pair.a, "b", "ops_per_sec", 0, 1000);
	SAMPLES(pair.b, "b", "ops_per_sec", 0, 1000);
	compare(&pair);
	assert_verdict(pair.cmp, "b", "ops_per_sec", VERDICT_NOT_MEASURED);
	assert_why(pair.cmp, "b", "ops_per_sec", "A: its boots ran under different clocks");
}

static void too_small_to_time(void **state __unused_arg)
{
	static const struct {
		const char *clock;
		double a, b;
		enum verdict verdict;
	} cases[] = {
		{ "host", 9999, 9999, VERDICT_TOO_SMALL }, { NULL, 9999, 9999, VERDICT_TOO_SMALL },
		{ "kvm", 20, 20, VERDICT_TOO_SMALL },	   { "host", 10000, 10000, VERDICT_BETTER },
		{ "host", 100000, 20, VERDICT_BETTER },	   { "icount", 20, 20, VERDICT_BETTER },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, cases[i].clock);

		SAMPLES(pair.a, "p", "duration", 0, 1000, 1001, 1002, 1000, 1001);
		SAMPLES(pair.b, "p", "duration", 0, 500, 501, 502, 500, 501);
		set(pair.a, &pair.a->rows.v[0], "total_insns", cases[i].a);
		set(pair.b, &pair.b->rows.v[0], "total_insns", cases[i].b);
		compare(&pair);
		assert_verdict(pair.cmp, "p", "duration", cases[i].verdict);
	}
}

/* ---- noisy ------------------------------------------------------------------ */

/* Seven samples of a side around a centre, spread * centre apart. */
static void around(struct recording *rec, const char *program, const char *name, double centre,
		   double spread)
{
	for (int i = -3; i <= 3; i++)
		set(rec, add_row(rec, program), name, centre * (1 + i * spread));
}

static void noisy_by_interval_and_margin(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");
	static const struct {
		const char *name;
		double b, spread;
		enum verdict verdict;
	} cases[] = {
		{ "equal", 1000, 0.001, VERDICT_EQUAL },
		/* Beyond 1 for sure, but by less than matters. */
		{ "below_margin", 1005, 0.0005, VERDICT_EQUAL },
		{ "better", 1100, 0.001, VERDICT_BETTER },
		{ "worse", 900, 0.001, VERDICT_WORSE },
		/* Higher is better: the interval reaches far up, not down. */
		{ "not_worse", 1010, 0.006, VERDICT_NOT_WORSE },
		{ "inconclusive", 970, 0.02, VERDICT_INCONCLUSIVE },
		/* Below 1 for sure, yet by less than the margin, which the interval crosses. */
		{ "small_effect", 992, 0.0015, VERDICT_INCONCLUSIVE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		around(pair.a, cases[i].name, "ops_per_sec", 1000, cases[i].spread);
		around(pair.b, cases[i].name, "ops_per_sec", cases[i].b, cases[i].spread);
	}
	compare(&pair);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct compare_cell *cell = cell_of(pair.cmp, cases[i].name, "ops_per_sec");

		assert_verdict(pair.cmp, cases[i].name, "ops_per_sec", cases[i].verdict);
		assert_true(cell->has_interval);
		assert_true(cell->interval.lo <= cell->ratio && cell->ratio <= cell->interval.hi);
		assert_near(cell->resolution, 0.01, 1e-12);
	}
	assert_why(pair.cmp, "inconclusive", "ops_per_sec", "more runs a side would settle it");
}

/*
 * Two modes a side, each a tenth higher on B: the test sees it, but which mode
 * the median is in is up to chance.
 */
static void a_test_alone_does_not_tell(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");
	const struct compare_cell *cell;

	for (int i = 0; i < 29; i++) {
		set(pair.a, add_row(pair.a, "b"), "ops_per_sec", i < 15 ? 100 : 200);
		set(pair.b, add_row(pair.b, "b"), "ops_per_sec", i < 15 ? 110 : 220);
	}
	compare(&pair);
	cell = cell_of(pair.cmp, "b", "ops_per_sec");
	assert_true(cell->p_holm < 0.05);
	assert_true(cell->interval.lo < 1 && cell->interval.hi > 1);
	assert_near(cell->ratio, 1.1, 1e-9);
	assert_verdict(pair.cmp, "b", "ops_per_sec", VERDICT_INCONCLUSIVE);
}

static void fewer_than_four_samples_tell_nothing(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");

	SAMPLES(pair.a, "three", "ops_per_sec", 0, 1000, 1001, 1002);
	SAMPLES(pair.b, "three", "ops_per_sec", 0, 10, 11, 12, 10, 11, 12, 10);
	SAMPLES(pair.a, "four", "ops_per_sec", 0, 1000, 1001, 1002, 1003);
	SAMPLES(pair.b, "four", "ops_per_sec", 0, 10, 11, 12, 13);
	/* One that comes out the same by chance is no evidence either. */
	SAMPLES(pair.a, "chance", "ops_per_sec", 0, 1000);
	SAMPLES(pair.b, "chance", "ops_per_sec", 0, 1000);
	compare(&pair);
	assert_verdict(pair.cmp, "three", "ops_per_sec", VERDICT_TOO_FEW);
	assert_why(pair.cmp, "three", "ops_per_sec", "3+7 samples are too few");
	assert_false(cell_of(pair.cmp, "three", "ops_per_sec")->has_p);
	assert_verdict(pair.cmp, "four", "ops_per_sec", VERDICT_WORSE);
	assert_near(cell_of(pair.cmp, "four", "ops_per_sec")->p, .0286, 5e-5);
	assert_verdict(pair.cmp, "chance", "ops_per_sec", VERDICT_TOO_FEW);
}

/* Loads of one boot are not independent: three boots of four loads are three samples. */
static void boots_are_the_samples(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "kvm");
	_cleanup_pair_ struct pair more = pair_of(SUITE_BENCH, "kvm");
	const struct compare_cell *cell;

	SAMPLES(pair.a, "b", "ops_per_sec", 4, 10, 10, 11, 11, 10, 10, 11, 11, 10, 10, 11, 11);
	SAMPLES(pair.b, "b", "ops_per_sec", 4, 20, 20, 21, 21, 20, 20, 21, 21, 20, 20, 21, 21);
	compare(&pair);
	assert_verdict(pair.cmp, "b", "ops_per_sec", VERDICT_TOO_FEW);

	SAMPLES(more.a, "b", "ops_per_sec", 3, 1, 10, 99, 1, 11, 99, 1, 12, 99, 1, 13, 99);
	SAMPLES(more.b, "b", "ops_per_sec", 3, 1, 20, 99, 1, 21, 99, 1, 22, 99, 1, 23, 99);
	compare(&more);
	assert_verdict(more.cmp, "b", "ops_per_sec", VERDICT_BETTER);
	cell = cell_of(more.cmp, "b", "ops_per_sec");
	assert_int_equal(cell->side[0].n, 12);
	assert_int_equal(cell->side[0].n_units, 4);
	assert_near(cell->side[0].median, 11.5, 0);
	assert_near(cell->p, .0286, 5e-5);
}

/* What is significant alone need not be among many: 4 samples a side, 2 programs. */
static void many_programs_need_more_evidence(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");

	SAMPLES(pair.a, "p", "ops_per_sec", 0, 1000, 1001, 1002, 1003);
	SAMPLES(pair.b, "p", "ops_per_sec", 0, 800, 801, 802, 803);
	SAMPLES(pair.a, "q", "ops_per_sec", 0, 1000, 1001, 1002, 1003);
	SAMPLES(pair.b, "q", "ops_per_sec", 0, 1000, 1001, 1002, 1003);
	compare(&pair);
	assert_near(cell_of(pair.cmp, "p", "ops_per_sec")->p, .0286, 5e-5);
	assert_near(cell_of(pair.cmp, "p", "ops_per_sec")->p_holm, .0571, 5e-5);
	assert_verdict(pair.cmp, "p", "ops_per_sec", VERDICT_INCONCLUSIVE);
	assert_why(pair.cmp, "p", "ops_per_sec", "not significant among 2 programs");
	assert_why(pair.cmp, "p", "ops_per_sec", "about 1 more run a side");
	assert_int_equal(pair.cmp->status, 0);
}

static void the_floor_of_one_kernel_against_itself(void **state __unused_arg)
{
	_cleanup_pair_ struct pair same = pair_of(SUITE_BENCH, "host");
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");

	around(same.a, "b", "ops_per_sec", 1000, 0.0001);
	around(same.b, "b", "ops_per_sec", 1040, 0.0001);
	compare(&same);
	around(pair.a, "b", "ops_per_sec", 1000, 0.0001);
	around(pair.b, "b", "ops_per_sec", 970, 0.0001);
	compare(&pair);
	assert_verdict(pair.cmp, "b", "ops_per_sec", VERDICT_WORSE);
	comparison__free(pair.cmp);
	compare_with(&pair, &(struct compare_opts){ .same = same.cmp });
	assert_verdict(pair.cmp, "b", "ops_per_sec", VERDICT_EQUAL);
	assert_near(cell_of(pair.cmp, "b", "ops_per_sec")->resolution, 0.04, 0.001);
}

static void all_equal_on_each_side_is_a_difference(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");

	SAMPLES(pair.a, "b", "ops_per_sec", 0, 1000, 1000, 1000, 1000);
	SAMPLES(pair.b, "b", "ops_per_sec", 0, 900, 900, 900, 900);
	compare(&pair);
	assert_verdict(pair.cmp, "b", "ops_per_sec", VERDICT_WORSE);
	assert_near(cell_of(pair.cmp, "b", "ops_per_sec")->interval.hi, 0.9, 1e-9);
}

static void outliers_are_flagged_and_kept(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_BENCH, "host");
	const struct compare_cell *cell;

	SAMPLES(pair.a, "b", "ops_per_sec", 0, 1000, 1001, 1002, 1003, 1004, 9000);
	SAMPLES(pair.b, "b", "ops_per_sec", 0, 1000, 1001, 1002, 1003, 1004, 1005);
	compare(&pair);
	assert_why(pair.cmp, "b", "ops_per_sec", "outliers: 1 of 6 on A");
	cell = cell_of(pair.cmp, "b", "ops_per_sec");
	assert_int_equal(cell->side[0].n_units, 6);
	assert_near(cell->side[0].max, 9000, 0);
}

static void noisy_zeros_have_no_ratio(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "grows", "mem_peak_kib", 0, 0, 0, 0, 0, 0);
	SAMPLES(pair.b, "grows", "mem_peak_kib", 0, 9000, 9001, 9002, 9003, 9004);
	SAMPLES(pair.a, "none", "mem_peak_kib", 0, 0, 0, 0, 0, 0);
	SAMPLES(pair.b, "none", "mem_peak_kib", 0, 0, 0, 0, 0, 0);
	compare(&pair);
	assert_verdict(pair.cmp, "grows", "mem_peak_kib", VERDICT_WORSE);
	assert_false(cell_of(pair.cmp, "grows", "mem_peak_kib")->has_ratio);
	assert_false(cell_of(pair.cmp, "grows", "mem_peak_kib")->has_interval);
	assert_verdict(pair.cmp, "none", "mem_peak_kib", VERDICT_EQUAL);
}

/* ---- memory ----------------------------------------------------------------- */

static void memory_by_batches_of_charges(void **state __unused_arg)
{
	static const struct {
		const char *metric, *vcpus;
		double a, b;
		enum verdict verdict;
	} cases[] = {
		{ "mem_peak_kib", NULL, 10000, 10000, VERDICT_EQUAL },
		{ "mem_peak_kib", NULL, 0, 256, VERDICT_EQUAL },
		{ "mem_peak_kib", NULL, 256, 0, VERDICT_EQUAL },
		{ "mem_peak_kib", NULL, 10000, 10256, VERDICT_EQUAL },
		{ "mem_peak_kib", NULL, 10000, 10257, VERDICT_TOO_FEW },
		{ "mem_peak_kib", "4", 10000, 11024, VERDICT_EQUAL },
		{ "mem_peak_kib", "4", 10000, 11025, VERDICT_TOO_FEW },
		/* Whole MiB: 10,239 KiB and 10,240 KiB are 9 and 10. */
		{ "mem_peak", "1", 10, 11, VERDICT_EQUAL },
		{ "mem_peak", "1", 10, 12, VERDICT_TOO_FEW },
		{ "mem_peak", "8", 10, 13, VERDICT_EQUAL },
		{ "mem_peak", "8", 10, 14, VERDICT_TOO_FEW },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, "host");

		SAMPLES(pair.a, "p", cases[i].metric, 0, cases[i].a);
		SAMPLES(pair.b, "p", cases[i].metric, 0, cases[i].b);
		if (cases[i].vcpus)
			assert_int_equal(recording__set_env(pair.b, "vcpus", cases[i].vcpus), 0);
		compare(&pair);
		assert_verdict(pair.cmp, "p", cases[i].metric, cases[i].verdict);
	}
}

/* Medians a batch apart or less say nothing if the samples lie all over the place. */
static void memory_samples_far_apart(void **state __unused_arg)
{
	static const struct {
		double a1, a2, b1, b2;
		enum verdict verdict;
	} cases[] = {
		{ 39012, 38756, 39280, 39284, VERDICT_TOO_FEW },
		{ 39012, 38756, 39240, 38760, VERDICT_EQUAL },
		{ 39000, 38100, 39010, 38110, VERDICT_TOO_FEW },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, "host");

		SAMPLES(pair.a, "p", "mem_peak_kib", 0, cases[i].a1, cases[i].a2);
		SAMPLES(pair.b, "p", "mem_peak_kib", 0, cases[i].b1, cases[i].b2);
		compare(&pair);
		assert_verdict(pair.cmp, "p", "mem_peak_kib", cases[i].verdict);
	}
}

/* Before 6.17 no control group saw what the verifier allocates. */
static void memory_across_the_kernel_that_began_to_charge(void **state __unused_arg)
{
	static const struct {
		const char *a, *b;
		enum verdict verdict;
		const char *why;
	} cases[] = {
		{ "6.16.9 #1", "7.3.4 #1", VERDICT_NOT_MEASURED, "A: this kernel does not charge" },
		{ "6.17.0-rc1", "6.12.1", VERDICT_NOT_MEASURED, "B: this kernel does not charge" },
		{ "6.17.0", "7.3.4", VERDICT_EQUAL, "" },
		{ "6.12.1", "6.16.1", VERDICT_EQUAL, "" },
		{ "of my own", "7.3.4", VERDICT_EQUAL, "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

		assert_int_equal(recording__set_env(pair.a, "kernel", cases[i].a), 0);
		assert_int_equal(recording__set_env(pair.b, "kernel", cases[i].b), 0);
		SAMPLES(pair.a, "p", "mem_peak_kib", 0, 1000);
		SAMPLES(pair.b, "p", "mem_peak_kib", 0, 1000);
		compare(&pair);
		assert_verdict(pair.cmp, "p", "mem_peak_kib", cases[i].verdict);
		assert_why(pair.cmp, "p", "mem_peak_kib", cases[i].why);
	}
}

static void memory_that_spreads_is_not_equal_by_its_median(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "p", "mem_peak_kib", 0, 1000, 5000, 9000);
	SAMPLES(pair.b, "p", "mem_peak_kib", 0, 1000, 5100, 9000);
	compare(&pair);
	assert_verdict(pair.cmp, "p", "mem_peak_kib", VERDICT_TOO_FEW);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counted_instructions_by_resolution),
		cmocka_unit_test(counted_range_of_one_kernel),
		cmocka_unit_test(counted_with_one_sample),
		cmocka_unit_test(counted_in_benchmarks),
		cmocka_unit_test(clocks_decide_whether_time_counts),
		cmocka_unit_test(boots_under_different_clocks),
		cmocka_unit_test(too_small_to_time),
		cmocka_unit_test(noisy_by_interval_and_margin),
		cmocka_unit_test(a_test_alone_does_not_tell),
		cmocka_unit_test(fewer_than_four_samples_tell_nothing),
		cmocka_unit_test(boots_are_the_samples),
		cmocka_unit_test(many_programs_need_more_evidence),
		cmocka_unit_test(the_floor_of_one_kernel_against_itself),
		cmocka_unit_test(all_equal_on_each_side_is_a_difference),
		cmocka_unit_test(outliers_are_flagged_and_kept),
		cmocka_unit_test(noisy_zeros_have_no_ratio),
		cmocka_unit_test(memory_by_batches_of_charges),
		cmocka_unit_test(memory_samples_far_apart),
		cmocka_unit_test(memory_across_the_kernel_that_began_to_charge),
		cmocka_unit_test(memory_that_spreads_is_not_equal_by_its_median),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
