// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cleanup.h"
#include "match.h"

static const char log_text[] = "0: R1=ctx() R10=fp0\n"
			       "0: (b7) r0 = 7                        ; R0=7\n"
			       "1: (95) exit\n"
			       "processed 2 insns (limit 1000000)\n";

static const char listing[] = "0: r1 = 7\n"
			      "1: r2 = r1\n"
			      "2: if r2 == 0x0 goto pc+1\n"
			      "3: r2 = r1\n"
			      "4: exit\n";

struct row {
	enum match_kind kind;
	const char *text;
};

static int check_rows(const char *text, const struct row *rows, size_t n, char **ret_report)
{
	struct match_list list = {};
	int rc;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(match_list__add(&list, rows[i].text, rows[i].kind, NULL), 0);
	rc = match_list__check(&list, text, ret_report);
	match_list__clear(&list);
	return rc;
}

#define CHECK(text, report, ...)                              \
	check_rows(text, (const struct row[]){ __VA_ARGS__ }, \
		   ARRAY_SIZE(((const struct row[]){ __VA_ARGS__ })), report)

static int check_lines(const char *text, const char *const *lines, size_t n, char **ret_report)
{
	struct match_list list = {};
	int rc;

	for (size_t i = 0; i < n; i++)
		assert_int_equal(match_list__add_line(&list, lines[i], NULL), 0);
	rc = match_list__check(&list, text, ret_report);
	match_list__clear(&list);
	return rc;
}

#define LINES(text, report, ...)                                \
	check_lines(text, (const char *const[]){ __VA_ARGS__ }, \
		    ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })), report)

static void empty_list_holds(void **state __unused_arg)
{
	struct match_list list = {};

	assert_int_equal(match_list__check(&list, "", NULL), 0);
	assert_int_equal(match_list__check(&list, log_text, NULL), 0);
}

static void in_order(void **state __unused_arg)
{
	_cleanup_free_ char *report = NULL;

	assert_int_equal(CHECK(log_text, NULL, { MATCH_ANYWHERE, "r0 = 7" },
			       { MATCH_ANYWHERE, "exit" }, { MATCH_ANYWHERE, "processed 2 insns" }),
			 0);
	assert_int_equal(CHECK(log_text, &report, { MATCH_ANYWHERE, "exit" },
			       { MATCH_ANYWHERE, "r0 = 7" }),
			 1);
	assert_non_null(strstr(report, "found      'exit'"));
	assert_non_null(strstr(report, "not found  'r0 = 7'"));
	assert_non_null(strstr(report, "behind line 3"));
}

/* Each match uses up its text: twice the same pattern needs two places. */
static void each_match_is_behind_the_last(void **state __unused_arg)
{
	_cleanup_free_ char *report = NULL;

	assert_int_equal(CHECK("aba", NULL, { MATCH_ANYWHERE, "a" }, { MATCH_ANYWHERE, "a" }), 0);
	assert_int_equal(CHECK("ab", &report, { MATCH_ANYWHERE, "a" }, { MATCH_ANYWHERE, "a" }), 1);
}

static void regex(void **state __unused_arg)
{
	_cleanup_free_ char *report = NULL, *line_report = NULL, *start_report = NULL;

	assert_int_equal(CHECK(log_text, NULL, { MATCH_ANYWHERE, "R{{[0-9]+}}=fp0" },
			       { MATCH_ANYWHERE, "{{^1: }}(95) {{ex.t$}}" }),
			 0);
	/* Outside of the braces nothing is special. */
	assert_int_equal(CHECK(log_text, &report, { MATCH_ANYWHERE, "R.=ctx{{[(][)]}}" }), 1);
	/* What is inside does not leave its line. */
	assert_int_equal(CHECK(log_text, &line_report, { MATCH_ANYWHERE, "R10{{.*}}r0 = 7" }), 1);
	/* The place behind a match is no beginning of a line. */
	assert_int_equal(CHECK("ab\n", &start_report, { MATCH_ANYWHERE, "a" },
			       { MATCH_ANYWHERE, "{{^b}}" }),
			 1);
	assert_int_equal(
		CHECK("a\nb\n", NULL, { MATCH_ANYWHERE, "a\n" }, { MATCH_ANYWHERE, "{{^b}}" }), 0);
}

static void bad_patterns(void **state __unused_arg)
{
	struct match_list list = {};
	struct err err = {};

	assert_int_equal(match_list__add(&list, "R{{[0-9]", MATCH_ANYWHERE, &err), -EINVAL);
	assert_non_null(strstr(err.text, "expected }}"));
	assert_int_equal(match_list__add(&list, "R{{[0-9}}", MATCH_ANYWHERE, &err), -EINVAL);
	assert_non_null(strstr(err.text, "R{{[0-9}}"));
	assert_int_equal(list.patterns.n, 0);
	match_list__clear(&list);
}

static void the_empty_pattern_is_everywhere(void **state __unused_arg)
{
	_cleanup_free_ char *report = NULL;

	assert_int_equal(CHECK("", NULL, { MATCH_ANYWHERE, "" }), 0);
	assert_int_equal(CHECK("a", &report, { MATCH_ANYWHERE, "" }, { MATCH_ANYWHERE, "b" }), 1);
}

static void absent_between_neighbours(void **state __unused_arg)
{
	_cleanup_free_ char *first = NULL, *second = NULL, *alone = NULL;

	/* "exit" is there, but not between the two. */
	assert_int_equal(CHECK(log_text, NULL, { MATCH_ANYWHERE, "R1=ctx" },
			       { MATCH_ABSENT, "exit" }, { MATCH_ANYWHERE, "r0 = 7" }),
			 0);
	assert_int_equal(CHECK(log_text, &first, { MATCH_ANYWHERE, "R1=ctx" },
			       { MATCH_ABSENT, "exit" }, { MATCH_ANYWHERE, "processed" }),
			 1);
	assert_non_null(strstr(first, "unexpected 'exit'"));
	assert_non_null(strstr(first, "'1: (95) exit'"));
	/* Of several in a row, each counts. */
	assert_int_equal(CHECK(log_text, &second, { MATCH_ABSENT, "nothing" },
			       { MATCH_ABSENT, "r0 = 7" }, { MATCH_ANYWHERE, "processed" }),
			 1);
	assert_int_equal(CHECK(log_text, &alone, { MATCH_ABSENT, "limit" }), 1);
	assert_int_equal(CHECK(log_text, NULL, { MATCH_ABSENT, "invalid" }), 0);
}

/* A pattern that does not come does not hide what stands behind it. */
static void missing_neighbour(void **state __unused_arg)
{
	_cleanup_free_ char *report = NULL;

	assert_int_equal(CHECK(log_text, &report, { MATCH_ABSENT, "exit" },
			       { MATCH_ANYWHERE, "no such line" }),
			 1);
	assert_non_null(strstr(report, "unexpected 'exit'"));
}

static void lines_follow_each_other(void **state __unused_arg)
{
	assert_int_equal(LINES(listing, NULL, "r1 = 7", "r2 = r1", "if r2 == 0x0 goto pc+1"), 0);
	/* The first may be anywhere, and so may what follows "...". */
	assert_int_equal(LINES(listing, NULL, "r2 = r1", "if r2"), 0);
	assert_int_equal(LINES(listing, NULL, "r1 = 7", "...", "exit"), 0);
	assert_int_equal(LINES(listing, NULL, "...", "3: r2", "exit", "..."), 0);
}

static void line_is_wrong(void **state __unused_arg)
{
	_cleanup_free_ char *report = NULL;

	assert_int_equal(LINES(listing, &report, "r1 = 7", "if r2 == 0x0 goto pc+1"), 1);
	assert_non_null(strstr(report, "wrong line 'if r2 == 0x0 goto pc+1'"));
	assert_non_null(strstr(report, "on line 2"));
	assert_non_null(strstr(report, "actual:   '1: r2 = r1'"));
	assert_non_null(strstr(report, "found on line 3 instead"));
}

static void line_is_missing(void **state __unused_arg)
{
	_cleanup_free_ char *report = NULL, *at_end = NULL, *same = NULL;

	assert_int_equal(LINES(listing, &report, "goto pc+1", "r2 = r3"), 1);
	assert_non_null(strstr(report, "not found  'r2 = r3'"));
	assert_non_null(strstr(report, "actual:   '3: r2 = r1'"));
	assert_int_equal(LINES(listing, &at_end, "4: exit", "exit"), 1);
	assert_non_null(strstr(at_end, "the text ends"));
	/* The rest of the same line is not the next one. */
	assert_int_equal(LINES(listing, &same, "0: r1", "= 7"), 1);
}

static void a_new_listing_starts_anywhere(void **state __unused_arg)
{
	struct match_list list = {};

	assert_int_equal(match_list__add_line(&list, "r1 = 7", NULL), 0);
	match_list__new_listing(&list);
	assert_int_equal(match_list__add_line(&list, "exit", NULL), 0);
	assert_int_equal(match_list__check(&list, listing, NULL), 0);
	match_list__clear(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_list_holds),
		cmocka_unit_test(in_order),
		cmocka_unit_test(each_match_is_behind_the_last),
		cmocka_unit_test(regex),
		cmocka_unit_test(bad_patterns),
		cmocka_unit_test(the_empty_pattern_is_everywhere),
		cmocka_unit_test(absent_between_neighbours),
		cmocka_unit_test(missing_neighbour),
		cmocka_unit_test(lines_follow_each_other),
		cmocka_unit_test(line_is_wrong),
		cmocka_unit_test(line_is_missing),
		cmocka_unit_test(a_new_listing_starts_anywhere),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
