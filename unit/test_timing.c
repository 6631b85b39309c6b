// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "timing.h"

static void known_clocks(void **state __unused_arg)
{
	static const struct {
		const char *name, *expect;
		enum timing_kind kind;
	} known[] = {
		{ NULL, "host", TIMING_WALL },
		{ "host", "host", TIMING_WALL },
		{ "icount", "icount", TIMING_COUNTED },
		{ "kvm", "kvm", TIMING_WALL },
		{ "tcg-wall", "tcg-wall", TIMING_USELESS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct timing_clock *clock = NULL;

		assert_int_equal(timing__clock(known[i].name, &clock, NULL), 0);
		assert_string_equal(clock->name, known[i].expect);
		assert_int_equal(clock->kind, known[i].kind);
	}
}

static void unknown_clocks(void **state __unused_arg)
{
	static const char *const unknown[] = { "", "tcg", "icount ", "HOST" };

	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++) {
		const struct timing_clock *clock = NULL;
		struct err err = {};

		assert_int_equal(timing__clock(unknown[i], &clock, &err), -EINVAL);
		assert_null(clock);
		assert_non_null(strstr(err.text, "BPF_AB_CLOCK"));
		/* Who misspelt one wants to see them all. */
		assert_non_null(strstr(err.text, "host, icount, kvm, tcg-wall"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_clocks),
		cmocka_unit_test(unknown_clocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
