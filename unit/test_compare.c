// SPDX-License-Identifier: GPL-2.0-only
#include "pair.h"

#include "recfile.h"

/* The recorded pairs that broke other tools. */
static void compare_case(struct pair *pair, const char *number)
{
	struct recording **side[] = { &pair->a, &pair->b };

	for (int i = 0; i < 2; i++) {
		char path[64];

		snprintf(path, sizeof(path), "unit/golden/cases/%s-%c.csv", number, 'a' + i);
		assert_int_equal(recfile__read(path, SUITE_VERISTAT, side[i], NULL, NULL), 0);
	}
	compare(pair);
}

/* ---- the recorded pairs ----------------------------------------------------- */

static void case_01_a_new_row_is_not_worse(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};

	compare_case(&pair, "01");
	assert_int_equal(pair.cmp->status, 0);
	assert_int_equal(pair.cmp->rows.n, 3);
	assert_int_equal(row_of(pair.cmp, "mark")->verdict, VERDICT_NEW);
	assert_int_equal(cell_of(pair.cmp, "mark", "verdict")->side[0].n, 0);
	assert_string_equal(cell_of(pair.cmp, "mark", "verdict")->side[1].text, "failure");
	assert_int_equal(pair.cmp->counts[VERDICT_WORSE], 0);
	assert_verdict(pair.cmp, "admit", "verdict", VERDICT_EQUAL);
	assert_verdict(pair.cmp, "drop", "total_insns", VERDICT_EQUAL);
}

static void case_02_one_key_for_two_programs(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};
	const struct compare_row *row;

	compare_case(&pair, "02");
	assert_int_equal(pair.cmp->status, 3);
	assert_int_equal(pair.cmp->rows.n, 1);
	row = row_of(pair.cmp, "setup");
	assert_int_equal(row->verdict, VERDICT_AMBIGUOUS);
	assert_string_equal(row->object, "main.bpf.o");
	assert_non_null(strstr(row->why, "total_insns of 1200 and of 8400"));
	for (size_t i = 0; i < pair.cmp->metrics.n; i++) {
		assert_false(row->cells[i].has_ratio);
		assert_int_equal(row->cells[i].side[0].n, 0);
		assert_int_equal(row->cells[i].side[1].n, 0);
	}
	assert_int_equal(pair.cmp->counts[VERDICT_AMBIGUOUS], 1);
	assert_int_equal(pair.cmp->counts[VERDICT_EQUAL], 0);
	assert_int_equal(pair.cmp->counts[VERDICT_WORSE], 0);
}

static void case_03_columns_join_by_name(void **state __unused_arg)
{
	static const char *const equal[] = { "verdict", "total_insns", "total_states",
					     "peak_states" };
	_cleanup_pair_ struct pair pair = {};

	compare_case(&pair, "03");
	assert_int_equal(pair.cmp->status, 0);
	for (size_t i = 0; i < ARRAY_SIZE(equal); i++)
		assert_verdict(pair.cmp, "admit", equal[i], VERDICT_EQUAL);
	assert_verdict(pair.cmp, "admit", "max_stack_depth", VERDICT_NOT_MEASURED);
	assert_why(pair.cmp, "admit", "max_stack_depth", "A: not recorded");
	assert_verdict(pair.cmp, "admit", "kmallocs", VERDICT_NOT_MEASURED);
	assert_int_equal(cell_of(pair.cmp, "admit", "kmallocs")->side[1].n, 1);
	assert_false(cell_of(pair.cmp, "admit", "kmallocs")->has_ratio);
}

static void case_04_minus_one_is_no_number(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};

	compare_case(&pair, "04");
	assert_int_equal(pair.cmp->status, 0);
	assert_verdict(pair.cmp, "lost_on_b", "mem_peak", VERDICT_NOT_MEASURED);
	assert_why(pair.cmp, "lost_on_b", "mem_peak", "B: not recorded");
	assert_false(cell_of(pair.cmp, "lost_on_b", "mem_peak")->has_ratio);
	assert_verdict(pair.cmp, "lost_on_a", "mem_peak", VERDICT_NOT_MEASURED);
	assert_why(pair.cmp, "lost_on_a", "mem_peak", "A: not recorded");
	assert_false(cell_of(pair.cmp, "lost_on_a", "mem_peak")->has_ratio);
	assert_verdict(pair.cmp, "same", "mem_peak", VERDICT_EQUAL);
}

static void case_05_no_invented_columns(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};

	compare_case(&pair, "05");
	assert_int_equal(pair.cmp->status, 0);
	assert_int_equal(pair.cmp->metrics.n, 2);
	assert_verdict(pair.cmp, "admit", "verdict", VERDICT_EQUAL);
	assert_verdict(pair.cmp, "admit", "total_states", VERDICT_EQUAL);
}

static void case_06_one_sample_of_small_programs(void **state __unused_arg)
{
	static const char *const programs[] = { "find_byte", "parse_0", "walk_list" };
	_cleanup_pair_ struct pair pair = {};

	compare_case(&pair, "06");
	assert_int_equal(pair.cmp->status, 0);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		assert_verdict(pair.cmp, programs[i], "verdict", VERDICT_EQUAL);
		assert_verdict(pair.cmp, programs[i], "total_insns", VERDICT_EQUAL);
		assert_verdict(pair.cmp, programs[i], "total_states", VERDICT_EQUAL);
		assert_verdict(pair.cmp, programs[i], "duration", VERDICT_TOO_SMALL);
		assert_why(pair.cmp, programs[i], "duration", "1+1 samples are too few");
	}
	assert_int_equal(pair.cmp->counts[VERDICT_BETTER], 0);
}

static void case_07_failure_and_gone_are_worse(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};

	compare_case(&pair, "07");
	assert_int_equal(pair.cmp->status, 1);
	assert_verdict(pair.cmp, "admit", "verdict", VERDICT_WORSE);
	assert_verdict(pair.cmp, "admit", "total_insns", VERDICT_EQUAL);
	assert_int_equal(row_of(pair.cmp, "admit")->verdict, VERDICT_WORSE);
	assert_int_equal(row_of(pair.cmp, "drop")->verdict, VERDICT_GONE);
}

static void case_08_no_ratio_from_zero(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};

	compare_case(&pair, "08");
	assert_int_equal(pair.cmp->status, 1);
	assert_verdict(pair.cmp, "none_before", "kmallocs", VERDICT_WORSE);
	assert_verdict(pair.cmp, "none_after", "kmallocs", VERDICT_BETTER);
	assert_verdict(pair.cmp, "none_at_all", "kmallocs", VERDICT_EQUAL);
	for (size_t i = 0; i < pair.cmp->rows.n; i++)
		assert_false(cell_of(pair.cmp, pair.cmp->rows.v[i].program, "kmallocs")->has_ratio);
}

static void case_09_six_samples_tell(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};
	const struct compare_cell *cell;

	compare_case(&pair, "09");
	assert_int_equal(pair.cmp->status, 0);
	assert_int_equal(pair.cmp->rows.n, 2);
	assert_verdict(pair.cmp, "faster", "duration", VERDICT_BETTER);
	cell = cell_of(pair.cmp, "faster", "duration");
	assert_near(cell->ratio, 0.80, 0.002);
	assert_true(cell->has_interval);
	assert_true(cell->interval.lo < 0.80 && cell->interval.hi > 0.80);
	assert_near(cell->interval.lo, 0.80, 0.015);
	assert_near(cell->interval.hi, 0.80, 0.015);
	assert_near(cell->p, .0022, 5e-5);
	assert_near(cell->p_holm, .0043, 5e-5);
	cell = cell_of(pair.cmp, "noise", "duration");
	assert_true(cell->verdict == VERDICT_EQUAL || cell->verdict == VERDICT_INCONCLUSIVE);
	assert_true(cell->p > .5);
}

/* ---- exact ------------------------------------------------------------------ */

static void exact_numbers_by_equality(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "same", "live_peak", 0, 1000000, 1000000);
	SAMPLES(pair.b, "same", "live_peak", 0, 1000000, 1000000);
	SAMPLES(pair.a, "one_more", "live_peak", 0, 1000000, 1000000);
	SAMPLES(pair.b, "one_more", "live_peak", 0, 1000001, 1000001);
	SAMPLES(pair.a, "one_less", "live_peak", 0, 1000000);
	SAMPLES(pair.b, "one_less", "live_peak", 0, 999999);
	compare(&pair);
	assert_verdict(pair.cmp, "same", "live_peak", VERDICT_EQUAL);
	assert_verdict(pair.cmp, "one_more", "live_peak", VERDICT_WORSE);
	assert_verdict(pair.cmp, "one_less", "live_peak", VERDICT_BETTER);
}

static void exact_numbers_that_vary_are_unstable(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "p", "live_peak", 0, 10, 10);
	SAMPLES(pair.b, "p", "live_peak", 0, 10, 12);
	SAMPLES(pair.a, "q", "live_peak", 0, 10, 12);
	SAMPLES(pair.b, "q", "live_peak", 0, 10, 12);
	compare(&pair);
	assert_verdict(pair.cmp, "p", "live_peak", VERDICT_UNSTABLE);
	assert_why(pair.cmp, "p", "live_peak", "B: 10 to 12");
	assert_verdict(pair.cmp, "q", "live_peak", VERDICT_UNSTABLE);
	assert_int_equal(pair.cmp->status, 0);
}

/* In one boot it is two programs, from boot to boot it is one that varies. */
static void identity_that_varies(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "p", "total_states", 2, 5, 5, 6, 6);
	SAMPLES(pair.b, "p", "total_states", 2, 5, 5, 5, 5);
	SAMPLES(pair.a, "q", "total_states", 2, 5, 5, 5, 5);
	SAMPLES(pair.b, "q", "total_states", 2, 5, 5, 5, 6);
	compare(&pair);
	assert_verdict(pair.cmp, "p", "total_states", VERDICT_UNSTABLE);
	assert_int_equal(row_of(pair.cmp, "q")->verdict, VERDICT_AMBIGUOUS);
	assert_non_null(strstr(row_of(pair.cmp, "q")->why, "B has it with total_states of 5"));
	assert_int_equal(pair.cmp->status, 3);
}

static void words_that_should_not_move(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	set_word(pair.a, add_row(pair.a, "p"), "xlated_hash", "aaaa");
	set_word(pair.b, add_row(pair.b, "p"), "xlated_hash", "bbbb");
	set_word(pair.a, &pair.a->rows.v[0], "cause", "x");
	set_word(pair.b, &pair.b->rows.v[0], "cause", "y");
	compare(&pair);
	assert_verdict(pair.cmp, "p", "xlated_hash", VERDICT_WORSE);
	assert_verdict(pair.cmp, "p", "cause", VERDICT_DIFFERS);
	assert_int_equal(pair.cmp->counts[VERDICT_WORSE], 1);
}

static void test_outcomes(void **state __unused_arg)
{
	static const struct {
		const char *a, *b;
		enum verdict verdict;
	} cases[] = {
		{ "pass", "pass", VERDICT_EQUAL },  { "pass", "skip", VERDICT_WORSE },
		{ "pass", "fail", VERDICT_WORSE },  { "skip", "pass", VERDICT_BETTER },
		{ "skip", "skip", VERDICT_EQUAL },  { "skip", "fail", VERDICT_WORSE },
		{ "fail", "pass", VERDICT_BETTER }, { "fail", "skip", VERDICT_INCONCLUSIVE },
		{ "fail", "fail", VERDICT_EQUAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_pair_ struct pair pair = pair_of(SUITE_TEST_PROGS, NULL);

		set_word(pair.a, add_row(pair.a, "t"), "outcome", cases[i].a);
		set_word(pair.b, add_row(pair.b, "t"), "outcome", cases[i].b);
		compare(&pair);
		assert_verdict(pair.cmp, "t", "outcome", cases[i].verdict);
		assert_int_equal(pair.cmp->status, cases[i].verdict == VERDICT_WORSE);
	}
}

/* A test that fails now and then on B, and did not on A, got worse. */
static void flaky_tests_count_by_their_worst(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_TEST_PROGS, NULL);

	set_word(pair.a, add_row(pair.a, "t"), "outcome", "pass");
	set_word(pair.b, add_row(pair.b, "t"), "outcome", "fail");
	set_word(pair.b, add_row(pair.b, "t"), "outcome", "pass");
	set_word(pair.a, add_row(pair.a, "u"), "outcome", "fail");
	set_word(pair.b, add_row(pair.b, "u"), "outcome", "pass");
	set_word(pair.b, add_row(pair.b, "u"), "outcome", "fail");
	compare(&pair);
	assert_verdict(pair.cmp, "t", "outcome", VERDICT_WORSE);
	assert_why(pair.cmp, "t", "outcome", "B: fail and pass");
	assert_verdict(pair.cmp, "u", "outcome", VERDICT_UNSTABLE);
	assert_int_equal(pair.cmp->status, 1);
}

/* A slab-cache patch: 40 allocations move, nothing is saved, nothing is lost. */
static void sums_are_judged_and_parts_are_shown(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);
	struct record_row *row = add_row(pair.a, "p");

	set(pair.a, row, "kmallocs", 100);
	set(pair.a, row, "slab_allocs", 10);
	row = add_row(pair.b, "p");
	set(pair.b, row, "kmallocs", 60);
	set(pair.b, row, "slab_allocs", 50);
	compare(&pair);
	assert_verdict(pair.cmp, "p", "allocs", VERDICT_EQUAL);
	assert_verdict(pair.cmp, "p", "kmallocs", VERDICT_DIFFERS);
	assert_verdict(pair.cmp, "p", "slab_allocs", VERDICT_DIFFERS);
	assert_int_equal(pair.cmp->status, 0);
}

static void parts_without_their_sum_are_judged(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);
	struct record_row *row = add_row(pair.a, "p");

	set(pair.a, row, "kmallocs", 100);
	set(pair.a, row, "slab_allocs", 10);
	set(pair.b, add_row(pair.b, "p"), "kmallocs", 101);
	compare(&pair);
	assert_verdict(pair.cmp, "p", "kmallocs", VERDICT_WORSE);
	assert_why(pair.cmp, "p", "kmallocs", "allocs is not known");
	assert_verdict(pair.cmp, "p", "allocs", VERDICT_NOT_MEASURED);
	assert_int_equal(pair.cmp->status, 1);
}

/* ---- absent ----------------------------------------------------------------- */

static void what_is_missing_has_its_reason(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);
	struct record_row *row = add_row(pair.a, "p");

	set(pair.a, row, "kmallocs", 5);
	row = add_row(pair.b, "p");
	set(pair.b, row, "kmallocs", 5);
	assert_int_equal(
		recording__set_missing(pair.b, row, "kmallocs", CELL_UNSUPPORTED, "no BPF"), 0);
	row = add_row(pair.a, "q");
	set(pair.a, row, "kmallocs", 5);
	row = add_row(pair.b, "q");
	set(pair.b, row, "kmallocs", 5);
	row = add_row(pair.b, "q");
	assert_int_equal(recording__set_missing(pair.b, row, "kmallocs", CELL_FAILED, "lost"), 0);
	add_row(pair.b, "q");
	compare(&pair);
	assert_verdict(pair.cmp, "p", "kmallocs", VERDICT_NOT_MEASURED);
	assert_why(pair.cmp, "p", "kmallocs", "B: unsupported: no BPF");
	assert_verdict(pair.cmp, "q", "kmallocs", VERDICT_EQUAL);
	assert_why(pair.cmp, "q", "kmallocs", "1 of 2 samples on B lack it: lost");
}

/* No verdict is no number, but a program that could be loaded cannot any more. */
static void a_verdict_that_is_lost_is_worse(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);
	static const struct {
		const char *program, *a;
		enum cell_state b;
		enum verdict verdict;
	} rows[] = {
		{ "lost", "success", CELL_FAILED, VERDICT_WORSE },
		{ "nothing_lost", "failure", CELL_FAILED, VERDICT_NOT_MEASURED },
		{ "nobody_asked", "success", CELL_ABSENT, VERDICT_NOT_MEASURED },
		{ "cannot_be_known", "success", CELL_UNSUPPORTED, VERDICT_NOT_MEASURED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct record_row *b;

		set_word(pair.a, add_row(pair.a, rows[i].program), "verdict", rows[i].a);
		b = add_row(pair.b, rows[i].program);
		set_word(pair.b, b, "verdict", "success");
		recording__set_missing(pair.b, b, "verdict", rows[i].b, "map create");
	}
	compare(&pair);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_verdict(pair.cmp, rows[i].program, "verdict", rows[i].verdict);
		assert_false(cell_of(pair.cmp, rows[i].program, "verdict")->has_ratio);
	}
	assert_why(pair.cmp, "lost", "verdict", "B: failed: map create");
	assert_int_equal(pair.cmp->counts[VERDICT_WORSE], 1);
	assert_int_equal(pair.cmp->status, 1);
}

static void a_row_that_is_gone_is_worse(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "p", "kmallocs", 0, 5);
	SAMPLES(pair.a, "q", "kmallocs", 0, 5);
	SAMPLES(pair.b, "p", "kmallocs", 0, 5);
	compare(&pair);
	assert_int_equal(row_of(pair.cmp, "q")->verdict, VERDICT_GONE);
	assert_int_equal(pair.cmp->counts[VERDICT_WORSE], 0);
	assert_int_equal(pair.cmp->status, 1);
}

static void a_run_that_was_cut_short_is_not_whole(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "p", "kmallocs", 0, 5);
	SAMPLES(pair.a, "q", "kmallocs", 0, 5);
	SAMPLES(pair.b, "p", "kmallocs", 0, 5);
	pair.b->complete = false;
	compare(&pair);
	assert_int_equal(row_of(pair.cmp, "q")->verdict, VERDICT_NOT_MEASURED);
	assert_int_equal(pair.cmp->counts[VERDICT_GONE], 0);
	assert_int_equal(pair.cmp->status, 3);
}

static void nothing_in_common_is_no_comparison(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);
	_cleanup_pair_ struct pair empty = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.b, "p", "kmallocs", 0, 5);
	compare(&pair);
	assert_int_equal(pair.cmp->status, 3);
	compare(&empty);
	assert_int_equal(empty.cmp->status, 3);
}

static bool keep_q(const void *ctx, const char *object __unused_arg, const char *program)
{
	return streq(program, ctx);
}

static void chosen_rows_and_metrics_only(void **state __unused_arg)
{
	const struct metric *frees = metric__find(SUITE_VERISTAT, "frees");
	_cleanup_pair_ struct pair pair = pair_of(SUITE_VERISTAT, NULL);

	SAMPLES(pair.a, "p", "kmallocs", 0, 5);
	SAMPLES(pair.a, "q", "kmallocs", 0, 5);
	SAMPLES(pair.b, "q", "kmallocs", 0, 6);
	set(pair.a, &pair.a->rows.v[1], "frees", 1);
	set(pair.b, &pair.b->rows.v[0], "frees", 1);
	compare_with(&pair,
		     &(struct compare_opts){
			     .keep = keep_q, .ctx = "q", .metrics = &frees, .n_metrics = 1 });
	assert_int_equal(pair.cmp->rows.n, 1);
	assert_int_equal(pair.cmp->metrics.n, 1);
	assert_verdict(pair.cmp, "q", "frees", VERDICT_EQUAL);
	assert_int_equal(pair.cmp->status, 0);
}

/* One side booted with mitigations=off: unprivileged programs are treated differently. */
static void unprivileged_tests_are_not_blamed_on_the_patch(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = pair_of(SUITE_TEST_PROGS, "icount");
	_cleanup_pair_ struct pair same = pair_of(SUITE_TEST_PROGS, "icount");
	struct pair *pairs[] = { &pair, &same };

	for (int i = 0; i < 2; i++) {
		set_word(pairs[i]->a, add_row(pairs[i]->a, "and_or @unpriv"), "outcome", "pass");
		set_word(pairs[i]->b, add_row(pairs[i]->b, "and_or @unpriv"), "outcome", "fail");
		assert_int_equal(recording__set_env(pairs[i]->a, "mitigations", "on"), 0);
		assert_int_equal(recording__set_env(pairs[i]->b, "mitigations", i ? "on" : "off"),
				 0);
		compare(pairs[i]);
	}
	assert_verdict(pair.cmp, "and_or @unpriv", "outcome", VERDICT_INCONCLUSIVE);
	assert_why(pair.cmp, "and_or @unpriv", "outcome", "mitigations: on and off");
	assert_int_equal(pair.cmp->status, 3);
	assert_verdict(same.cmp, "and_or @unpriv", "outcome", VERDICT_WORSE);
	assert_int_equal(same.cmp->status, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_01_a_new_row_is_not_worse),
		cmocka_unit_test(case_02_one_key_for_two_programs),
		cmocka_unit_test(case_03_columns_join_by_name),
		cmocka_unit_test(case_04_minus_one_is_no_number),
		cmocka_unit_test(case_05_no_invented_columns),
		cmocka_unit_test(case_06_one_sample_of_small_programs),
		cmocka_unit_test(case_07_failure_and_gone_are_worse),
		cmocka_unit_test(case_08_no_ratio_from_zero),
		cmocka_unit_test(case_09_six_samples_tell),
		cmocka_unit_test(exact_numbers_by_equality),
		cmocka_unit_test(exact_numbers_that_vary_are_unstable),
		cmocka_unit_test(identity_that_varies),
		cmocka_unit_test(words_that_should_not_move),
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(flaky_tests_count_by_their_worst),
		cmocka_unit_test(sums_are_judged_and_parts_are_shown),
		cmocka_unit_test(parts_without_their_sum_are_judged),
		cmocka_unit_test(what_is_missing_has_its_reason),
		cmocka_unit_test(a_row_that_is_gone_is_worse),
		cmocka_unit_test(a_verdict_that_is_lost_is_worse),
		cmocka_unit_test(a_run_that_was_cut_short_is_not_whole),
		cmocka_unit_test(nothing_in_common_is_no_comparison),
		cmocka_unit_test(chosen_rows_and_metrics_only),
		cmocka_unit_test(unprivileged_tests_are_not_blamed_on_the_patch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
