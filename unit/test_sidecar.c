// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "cleanup.h"
#include "sidecar.h"

/* size counts the literal's last NUL, which is where file__read() has one, too. */
static int read_bytes(const char *bytes, size_t size, struct recording **ret_rec, struct err *err)
{
	_cleanup_free_ char *copy = malloc(size);

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	assert_int_equal(recording__new(SUITE_BENCH, ret_rec), 0);
	return sidecar__read(*ret_rec, "f.env", copy, size - 1, err);
}

static void lines_of_every_kind(void **state __unused_arg)
{
	static const char text[] = "kernel=7.3.4 #1 "
				   "a=b\n\nclock=host\r\n\r\nempty=\ncpu=x\ry\nlast=1";
	_cleanup_(recording__freep) struct recording *rec = NULL, *none = NULL;
	struct err err = {};

	assert_int_equal(read_bytes(text, sizeof(text), &rec, &err), 0);
	assert_int_equal(rec->env.n, 5);
	assert_string_equal(recording__env(rec, "kernel"), "7.3.4 #1 a=b");
	assert_string_equal(recording__env(rec, "clock"), "host");
	assert_string_equal(recording__env(rec, "empty"), "");
	assert_string_equal(recording__env(rec, "cpu"), "x\ry");
	assert_string_equal(recording__env(rec, "last"), "1");
	assert_true(rec->complete);
	assert_int_equal(read_bytes("", 1, &none, &err), 0);
	assert_int_equal(none->env.n, 0);
}

static void a_run_that_was_cut_short(void **state __unused_arg)
{
	static const struct {
		const char *text;
		bool complete;
	} texts[] = {
		{ "complete=no\n", false },
		{ "complete=yes\n", true },
		{ "complete=no\ncomplete=yes\n", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_(recording__freep) struct recording *rec = NULL;
		struct err err = {};

		assert_int_equal(read_bytes(texts[i].text, strlen(texts[i].text) + 1, &rec, &err),
				 0);
		assert_int_equal(rec->complete, texts[i].complete);
		assert_null(recording__env(rec, "complete"));
	}
}

static void bad_lines_say_where(void **state __unused_arg)
{
#define BAD(text, words)                  \
	{                                 \
		text, sizeof(text), words \
	}
	static const struct {
		const char *text;
		size_t size;
		const char *words;
	} bad[] = {
		BAD("kernel 7.3\n", "f.env:1:1: expected key=value, found 'kernel 7.3'"),
		BAD("clock=host\n=x\n", "f.env:2:1: expected key=value, found '=x'"),
		BAD("clock=host\n\nclock=kvm\n", "f.env:3:1: expected each key once, found "
						 "'clock'"),
		/* All that is behind it would be missed without a word. */
		BAD("clock=host\ncpu=a\0b\nhost=c\n", "f.env:2:6: expected text, found a NUL byte"),
		BAD("clock=host\n\0", "f.env:2:1: expected text, found a NUL byte"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_(recording__freep) struct recording *rec = NULL;
		struct err err = {};

		assert_int_equal(read_bytes(bad[i].text, bad[i].size, &rec, &err), -EINVAL);
		assert_string_equal(err.text, bad[i].words);
	}
}

static void what_is_written_reads_back(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL, *back = NULL;
	_cleanup_free_ char *text = NULL;
	struct err err = {};
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(recording__set_env(rec, "cmdline", "two\nlines = \"one\""), 0);
	assert_int_equal(recording__set_env(rec, "host", ""), 0);
	rec->complete = false;
	assert_int_equal(sidecar__print(rec, out), 0);
	fclose(out);
	assert_int_equal(read_bytes(text, len + 1, &back, &err), 0);
	assert_int_equal(back->env.n, 2);
	assert_string_equal(recording__env(back, "cmdline"), "two lines = \"one\"");
	assert_string_equal(recording__env(back, "host"), "");
	assert_false(back->complete);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_every_kind),
		cmocka_unit_test(a_run_that_was_cut_short),
		cmocka_unit_test(bad_lines_say_where),
		cmocka_unit_test(what_is_written_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
