// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "lines.h"
#include "util.h"

static void read_text(const char *text, struct lines *ret_lines)
{
	char path[] = "/tmp/test_lines.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(lines__read(path, "a list", ret_lines, NULL), 0);
	unlink(path);
}

static void only_what_says_something(void **state __unused_arg)
{
	_cleanup_lines_ struct lines lines = {};

	read_text("# words\n\n  one two \t\r\n \t\n\t# more\nthree", &lines);
	assert_string_equal(lines__next(&lines), "one two");
	assert_int_equal(lines.number, 3);
	assert_string_equal(lines.line, "  one two");
	assert_string_equal(lines__next(&lines), "three");
	assert_int_equal(lines.number, 6);
	assert_null(lines__next(&lines));
	assert_null(lines__next(&lines));
}

static void an_empty_file(void **state __unused_arg)
{
	_cleanup_lines_ struct lines lines = {};

	read_text("", &lines);
	assert_null(lines__next(&lines));
}

static void no_file(void **state __unused_arg)
{
	struct lines lines = {};
	struct err err = {};

	assert_int_equal(lines__read("/nonexistent/list", "a list", &lines, &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/list: cannot read a list: No such file or "
				      "directory");
	assert_null(lines.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_says_something),
		cmocka_unit_test(an_empty_file),
		cmocka_unit_test(no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
