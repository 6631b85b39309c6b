// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cleanup.h"
#include "csv.h"

/* Cells joined by '|', rows by '/', the row's end by its letter: L, F or Q. */
static int read_all(const char *text, size_t len, char *out, size_t size, struct err *err)
{
	_cleanup_free_ char *copy = malloc(len + 1);
	_cleanup_(csv_row__reset) struct csv_row row = {};
	struct csv csv;
	int ret;

	assert_non_null(copy);
	memcpy(copy, text, len);
	copy[len] = '\0';
	*out = '\0';
	csv__open(&csv, "t.csv", copy, len);
	while (!(ret = csv__next(&csv, &row, err))) {
		for (size_t i = 0; i < row.cells.n; i++) {
			strncat(out, i ? "|" : "", size - strlen(out) - 1);
			strncat(out, row.cells.v[i].text, size - strlen(out) - 1);
		}
		strncat(out, (const char *[]){ "L/", "F/", "Q/" }[row.end], size - strlen(out) - 1);
	}
	return ret;
}

static void good_files(void **state __unused_arg)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ "\n\n", "" },
		{ "a,b\n1,2\n", "a|bL/1|2L/" },
		{ "a,b\r\n1,2\r\n", "a|bL/1|2L/" },
		{ "a,b\n1,2", "a|bL/1|2F/" },
		{ "a,b\n1,2\r", "a|bL/1|2F/" },
		{ "a,,c\n,,\n", "a||cL/||L/" },
		{ "a\n\n\nb\n", "aL/bL/" },
		{ "\"a\",\"\"\n", "a|L/" },
		{ "\"a,b\",c\n", "a,b|cL/" },
		{ "\"say \"\"hi\"\"\",c\n", "say \"hi\"|cL/" },
		{ "\"\"\"\"\n", "\"L/" },
		{ "\"two\nlines\",c\n", "two\nlines|cL/" },
		{ "\"two\r\nlines\"\r\n", "two\r\nlinesL/" },
		{ " a , b \n", " a | b L/" },
		{ "\xef\xbb\xbf"
		  "a,b\n",
		  "a|bL/" },
		{ "a\n\"never closed,\nx\n", "aL/never closed,\nx\nQ/" },
		{ "a\n\"ends in \"\"", "aL/ends in \"Q/" },
		{ "a,b\n1,", "a|bL/1|F/" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char out[256];

		assert_int_equal(read_all(cases[i][0], strlen(cases[i][0]), out, sizeof(out), NULL),
				 -ENODATA);
		assert_string_equal(out, cases[i][1]);
	}
}

static void bad_files_say_where(void **state __unused_arg)
{
	static const struct {
		const char *text;
		size_t len;
		const char *where;
	} cases[] = {
		{ "a,b\nx\"y,1\n", 10, "t.csv:2:2: " },
		{ "a,b\n1,\"x\"y\n", 11, "t.csv:2:6: " },
		{ "a,b\n1,x\0y\n", 10, "t.csv:2:4: " },
		{ "a,b\n\"l1\nl2\",\"x\0\"\n", 17, "t.csv:3:5: " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = {};
		char out[256];

		assert_int_equal(read_all(cases[i].text, cases[i].len, out, sizeof(out), &err),
				 -EINVAL);
		assert_memory_equal(err.text, cases[i].where, strlen(cases[i].where));
	}
}

static void huge_cells_are_refused(void **state __unused_arg)
{
	size_t len = CSV_CELL_MAX + 2;
	_cleanup_free_ char *text = malloc(len + 1);
	_cleanup_(csv_row__reset) struct csv_row row = {};
	struct err err = {};
	struct csv csv;

	assert_non_null(text);
	memset(text, 'x', len);
	text[len] = '\0';
	csv__open(&csv, "t.csv", text, len);
	assert_int_equal(csv__next(&csv, &row, &err), -EINVAL);
	assert_memory_equal(err.text, "t.csv:1:1: ", 11);
	text[CSV_CELL_MAX] = '\n';
	csv__open(&csv, "t.csv", text, len);
	assert_int_equal(csv__next(&csv, &row, &err), 0);
	assert_int_equal(strlen(row.cells.v[0].text), CSV_CELL_MAX);
}

static void cells_know_their_place(void **state __unused_arg)
{
	char text[] = "a,b\n\"l1\nl2\",bb,c\nz\n";
	_cleanup_(csv_row__reset) struct csv_row row = {};
	struct csv csv;

	csv__open(&csv, "t.csv", text, strlen(text));
	assert_int_equal(csv__next(&csv, &row, NULL), 0);
	assert_int_equal(csv__next(&csv, &row, NULL), 0);
	assert_int_equal(row.line, 2);
	assert_int_equal(row.cells.v[0].line, 2);
	assert_int_equal(row.cells.v[1].line, 3);
	assert_int_equal(row.cells.v[1].column, 5);
	assert_int_equal(row.cells.v[2].column, 8);
	assert_int_equal(csv__next(&csv, &row, NULL), 0);
	assert_int_equal(row.line, 4);
}

/* Quotes appear where they have to and nowhere else, and reading gives back what was written. */
static void what_is_written_reads_back(void **state __unused_arg)
{
	static const char *const cells[][2] = {
		{ "plain", "plain" },	    { "", "" },
		{ " blanks ", " blanks " }, { "a,b", "\"a,b\"" },
		{ "a\"b", "\"a\"\"b\"" },   { "a\nb", "\"a\nb\"" },
		{ "a\rb", "\"a\rb\"" },	    { "\"", "\"\"\"\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		_cleanup_free_ char *text = NULL;
		_cleanup_(csv_row__reset) struct csv_row row = {};
		size_t len;
		FILE *out = open_memstream(&text, &len);
		struct csv csv;

		assert_non_null(out);
		csv__print_cell(out, cells[i][0]);
		fflush(out);
		assert_string_equal(text, cells[i][1]);
		fputs(",x\n", out);
		fclose(out);
		csv__open(&csv, "t.csv", text, len);
		assert_int_equal(csv__next(&csv, &row, NULL), 0);
		assert_int_equal(row.cells.n, 2);
		assert_string_equal(row.cells.v[0].text, cells[i][0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_files),
		cmocka_unit_test(bad_files_say_where),
		cmocka_unit_test(huge_cells_are_refused),
		cmocka_unit_test(cells_know_their_place),
		cmocka_unit_test(what_is_written_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
