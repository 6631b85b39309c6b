// SPDX-License-Identifier: GPL-2.0-only
/* Source lines of a verifier log, counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "src_lines.h"

static void assert_line(const struct src_line *line, size_t n, const char *text, const char *place)
{
	assert_int_equal(line->n, n);
	assert_int_equal(line->len, strlen(text));
	assert_memory_equal(line->text, text, line->len);
	if (!place) {
		assert_null(line->place);
		return;
	}
	assert_int_equal(line->place_len, strlen(place));
	assert_memory_equal(line->place, place, line->place_len);
}

static void counted_by_text_and_place(void **state __unused_arg)
{
	static const char log[] = "func#0 @0\n"
				  "; x = 1; @ a.c:1\n"
				  "0: (b7) r0 = 1\n"
				  "; y = 2; @ a.c:2\n"
				  "; x = 1; @ a.c:1\n"
				  "; x = 1; @ b.c:1\n"
				  ";no space\n"
				  " ; not at the beginning\n"
				  "; mail(a@b); @ c.c:9";
	struct src_lines lines;

	assert_int_equal(src_lines__count(log, &lines), 0);
	assert_int_equal(lines.n, 4);
	assert_line(&lines.v[0], 2, "x = 1;", "a.c:1");
	assert_line(&lines.v[1], 1, "mail(a@b);", "c.c:9");
	assert_line(&lines.v[2], 1, "x = 1;", "b.c:1");
	assert_line(&lines.v[3], 1, "y = 2;", "a.c:2");
	src_lines__clear(&lines);
}

static void lines_without_a_place(void **state __unused_arg)
{
	struct src_lines lines;

	assert_int_equal(src_lines__count("; x\n; \n; x\n", &lines), 0);
	assert_int_equal(lines.n, 2);
	assert_line(&lines.v[0], 2, "x", NULL);
	assert_line(&lines.v[1], 1, "", NULL);
	src_lines__clear(&lines);
}

static void a_log_without_any(void **state __unused_arg)
{
	struct src_lines lines;

	assert_int_equal(src_lines__count("", &lines), 0);
	assert_int_equal(lines.n, 0);
	src_lines__clear(&lines);
	assert_int_equal(src_lines__count("processed 1 insns", &lines), 0);
	assert_int_equal(lines.n, 0);
	src_lines__clear(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counted_by_text_and_place),
		cmocka_unit_test(lines_without_a_place),
		cmocka_unit_test(a_log_without_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
