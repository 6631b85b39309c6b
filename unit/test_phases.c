// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "metric.h"
#include "phases.h"

/* Two tables that cannot see each other, for one is measure's and the other record's. */
static void every_phase_is_a_metric(void **state __unused_arg)
{
	size_t metrics = 0;

	for (size_t i = 0; i < phases__count(); i++) {
		const struct metric *metric;
		char id[64];

		snprintf(id, sizeof(id), "phase.%s", phases__name(i));
		metric = metric__find(SUITE_VERISTAT, id);
		assert_non_null(metric);
		assert_string_equal(metric->unit, "us");
		assert_true(metric->flags & METRIC_TIMED);
	}
	for (size_t i = 0; i < metric__count(); i++)
		metrics += str_starts(metric__at(i)->id, "phase.");
	assert_int_equal(metrics, phases__count());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_phase_is_a_metric),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
