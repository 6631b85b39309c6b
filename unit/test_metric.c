// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "metric.h"

static void every_name_finds_its_own_row(void **state __unused_arg)
{
	for (size_t i = 0; i < metric__count(); i++) {
		const struct metric *m = metric__at(i), *other;

		assert_true(m->suite < SUITE_MAX);
		assert_ptr_equal(metric__find(m->suite, m->id), m);
		for (size_t j = 0; j < METRIC_NAMES && m->names[j]; j++)
			assert_ptr_equal(metric__find(m->suite, m->names[j]), m);
		other = metric__find((m->suite + 1) % SUITE_MAX, m->id);
		/* The one name that two suites share. */
		if (other) {
			assert_string_equal(m->id, "xlated_hash");
			assert_int_equal(other->suite, (m->suite + 1) % SUITE_MAX);
		}
		for (size_t j = 0; j < ARRAY_SIZE(suite_keys[m->suite].columns); j++)
			assert_string_not_equal(suite_keys[m->suite].columns[j], m->id);
	}
}

static void rows_agree_with_themselves(void **state __unused_arg)
{
	for (size_t i = 0; i < metric__count(); i++) {
		const struct metric *m = metric__at(i);
		bool text = m->flags & METRIC_TEXT;

		assert_non_null(m->title);
		assert_non_null(m->unit);
		assert_int_equal(m->better == METRIC_RANKED, m->ranks[0] != NULL);
		if (m->better == METRIC_ANY)
			assert_true(text);
		if (text) {
			assert_int_equal(m->kind, METRIC_EXACT);
			assert_int_not_equal(m->better, METRIC_LOWER);
			assert_int_not_equal(m->better, METRIC_HIGHER);
		}
		for (size_t j = 0; j < METRIC_PARTS && m->parts[j]; j++) {
			const struct metric *part = metric__find(m->suite, m->parts[j]);

			assert_non_null(part);
			assert_false(part->flags & METRIC_TEXT);
			assert_ptr_equal(metric__sum_of(part), m);
		}
	}
}

/* The columns and further names that the kernel's veristat (7.3) writes and takes. */
static void veristat_names_are_those_of_the_kernel(void **state __unused_arg)
{
	static const char *const names[][2] = {
		{ "verdict", "verdict" },
		{ "duration", "dur" },
		{ "total_insns", "insns" },
		{ "total_states", "states" },
		{ "peak_states", "peak_states" },
		{ "max_states_per_insn", "max_states_per_insn" },
		{ "max_mark_read_len", "mark_read" },
		{ "prog_size", "prog_size" },
		{ "prog_size_jited", "prog_size_jited" },
		{ "stack_depth", "stack" },
		{ "max_stack_depth", "max_stack_depth" },
		{ "prog_type", "prog_type" },
		{ "attach_type", "attach_type" },
		{ "mem_peak", "mem_peak" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct metric *m = metric__find(SUITE_VERISTAT, names[i][1]);

		assert_non_null(m);
		assert_string_equal(m->id, names[i][0]);
	}
}

static void ranks_order_words(void **state __unused_arg)
{
	const struct metric *verdict = metric__find(SUITE_VERISTAT, "verdict");
	const struct metric *outcome = metric__find(SUITE_TEST_PROGS, "outcome");

	assert_int_equal(metric__rank(verdict, "success"), 0);
	assert_int_equal(metric__rank(verdict, "failure"), 1);
	assert_int_equal(metric__rank(verdict, "sucess"), -1);
	assert_true(metric__rank(outcome, "pass") < metric__rank(outcome, "skip"));
	assert_true(metric__rank(outcome, "skip") < metric__rank(outcome, "fail"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_finds_its_own_row),
		cmocka_unit_test(rows_agree_with_themselves),
		cmocka_unit_test(veristat_names_are_those_of_the_kernel),
		cmocka_unit_test(ranks_order_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
