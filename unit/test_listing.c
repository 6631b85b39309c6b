// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cleanup.h"
#include "listing.h"

#define MAX_WIDTH 100

/* Instruction 2 takes two: there is no line 3. */
static const char program[] = "0: r1 = 7\n"
			      "1: r2 = r1\n"
			      "2: r3 = 0x100000000 ll\n"
			      "4: if r2 == 0x0 goto pc+1\n"
			      "5: r2 = r1\n"
			      "6: r0 = 0\n"
			      "7: exit\n";

/* Lines as annotations give them, NULL at the end; the caller frees. NULL: no difference. */
static char *compare(const char *const *lines, const char *text)
{
	struct match_list list = {};
	char *result = NULL;
	int rc;

	for (; *lines; lines++)
		assert_int_equal(match_list__add_line(&list, *lines, NULL), 0);
	rc = listing__compare(&list, text, &result);
	assert_int_equal(rc, result != NULL);
	match_list__clear(&list);
	return result;
}

#define COMPARE(text, ...) compare((const char *const[]){ __VA_ARGS__, NULL }, text)

/* The row's columns without the spaces between them: "-->|7|exit" and so on. */
static void squeeze(const char *row, char *out)
{
	bool space = false;

	for (; *row; row++) {
		if (*row == ' ') {
			space = true;
			continue;
		}
		if (space)
			*out++ = ' ';
		space = false;
		*out++ = *row;
	}
	*out = '\0';
}

/* The rows below the header; each at most as wide as promised and without blanks at its end. */
static void check_rows(char *text, const char *const *expected)
{
	char *row, *save, squeezed[2 * MAX_WIDTH];

	assert_non_null(text);
	row = strtok_r(text, "\n", &save);
	assert_non_null(strstr(row, "expected"));
	assert_non_null(strstr(row, "actual"));
	while ((row = strtok_r(NULL, "\n", &save))) {
		assert_true(strlen(row) <= MAX_WIDTH);
		assert_true(row[strlen(row) - 1] != ' ');
		squeeze(row, squeezed);
		assert_non_null(*expected);
		assert_string_equal(squeezed, *expected);
		expected++;
	}
	assert_null(*expected);
}

#define ROWS(text, ...) check_rows(text, (const char *const[]){ __VA_ARGS__, NULL })

static void nothing_differs(void **state __unused_arg)
{
	struct match_list list = {};

	assert_int_equal(listing__compare(&list, program, NULL), 0);
	assert_null(COMPARE(program, "0: r1 = 7", "r2 = r1"));
	assert_null(COMPARE(program, "r2 = r1", "...", "exit"));
	/* Nowhere is no place beside a line. */
	assert_int_equal(match_list__add(&list, "exit", MATCH_ABSENT, NULL), 0);
	assert_int_equal(listing__compare(&list, program, NULL), 0);
	match_list__clear(&list);
}

static void one_line_differs(void **state __unused_arg)
{
	_cleanup_free_ char *text = COMPARE(program, "r1 = 7", "r2 = r5", "r3 = 0x100000000");

	ROWS(text, " 0 r1 = 7 0 r1 = 7", "--> 1 r2 = r5 | 1 r2 = r1",
	     " 2 r3 = 0x100000000 2 r3 = 0x100000000 ll", " 4 if r2 == 0x0 goto pc+1", " 5 r2 = r1",
	     " 6 r0 = 0", " ... ...");
}

/* From there on the numbers of both sides differ, by what is too much. */
static void one_line_too_many(void **state __unused_arg)
{
	_cleanup_free_ char *text =
		COMPARE(program, "r1 = 7", "r3 = {{.*}} ll", "if r2", "r2 = r1", "r0 = 1", "exit");

	ROWS(text, " 0 r1 = 7 0 r1 = 7", "--> > 1 r2 = r1",
	     " 1 r3 = {{.*}} ll 2 r3 = 0x100000000 ll", " 3 if r2 4 if r2 == 0x0 goto pc+1",
	     " 4 r2 = r1 5 r2 = r1", " 5 r0 = 1 | 6 r0 = 0", " 6 exit 7 exit");
}

static void one_line_missing(void **state __unused_arg)
{
	_cleanup_free_ char *text = COMPARE(program, "r1 = 7", "r9 = r1", "r2 = r1", "r3 = ");

	ROWS(text, " 0 r1 = 7 0 r1 = 7", "--> 1 r9 = r1 <", " 2 r2 = r1 1 r2 = r1",
	     " 3 r3 = 2 r3 = 0x100000000 ll", " 4 if r2 == 0x0 goto pc+1", " 5 r2 = r1",
	     " 6 r0 = 0", " ... ...");
}

static void the_text_ends_first(void **state __unused_arg)
{
	_cleanup_free_ char *text = COMPARE(program, "exit", "r0 = 1", "exit");

	ROWS(text, " ... ...", " 7 exit 7 exit", "--> 8 r0 = 1 <", " 9 exit <");
	_cleanup_free_ char *nothing = COMPARE("", "exit");

	ROWS(nothing, "--> exit <");
}

/* What came before the listing that differs is shown, what comes after it is not. */
static void later_listing_differs(void **state __unused_arg)
{
	_cleanup_free_ char *text =
		COMPARE(program, "r1 = 7", "...", "r5 = r1", "r0 = 0", "exit", "...", "exit");

	ROWS(text, " 0 r1 = 7 0 r1 = 7", " ... ...", "--> 5 r5 = r1 | 5 r2 = r1",
	     " 6 r0 = 0 6 r0 = 0", " 7 exit 7 exit", " ... ...");
}

static void nothing_is_alike(void **state __unused_arg)
{
	_cleanup_free_ char *text = COMPARE(program, "r8 = 1", "r9 = 2");

	ROWS(text, "--> 0 r8 = 1 | 0 r1 = 7", " 1 r9 = 2 | 1 r2 = r1", " 2 r3 = 0x100000000 ll",
	     " 4 if r2 == 0x0 goto pc+1", " 5 r2 = r1", " ... ...");
}

/* A number that is written in the pattern is the one that is shown. */
static void numbers_in_patterns(void **state __unused_arg)
{
	_cleanup_free_ char *text = COMPARE(program, "6: r0 = 0", "8: exit");

	ROWS(text, " ... ...", " 6 r0 = 0 6 r0 = 0", "--> 8 exit | 7 exit");
}

static void long_lines_go_on_below(void **state __unused_arg)
{
	static const char line[] = "0123456789012345678901234567890123456789-end";
	_cleanup_free_ char *text =
		COMPARE("3: 0123456789012345678901234567890123456789-fin\n", line);

	ROWS(text,
	     "--> 3 0123456789012345678901234567890123456789 | 3 "
	     "0123456789012345678901234567890123456789",
	     " -end | -fin");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_differs),	  cmocka_unit_test(one_line_differs),
		cmocka_unit_test(one_line_too_many),	  cmocka_unit_test(one_line_missing),
		cmocka_unit_test(the_text_ends_first),	  cmocka_unit_test(later_listing_differs),
		cmocka_unit_test(nothing_is_alike),	  cmocka_unit_test(numbers_in_patterns),
		cmocka_unit_test(long_lines_go_on_below),
	};

	return cmocka_run_group_tests_name("listing", tests, NULL, NULL);
}
