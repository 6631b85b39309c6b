// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "ktap.h"
#include "recfile.h"

#define HEADER "test_name,subtest_name,outcome,message\n"

/* What is read from text, as a CSV; the notes; whether it is whole. */
struct reading {
	char *csv, *notes;
	bool complete;
	struct err err;
	int rc;
};

static void reading__clear(struct reading *reading)
{
	free(reading->csv);
	free(reading->notes);
}

static void read_ktap(const char *text, struct reading *ret)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_free_ char *copy = strdup(text);
	size_t len;
	FILE *out;

	*ret = (struct reading){};
	out = open_memstream(&ret->notes, &len);
	assert_non_null(out);
	ret->rc = ktap__read("in", copy, out, &rec, &ret->err);
	fclose(out);
	if (ret->rc < 0)
		return;
	out = open_memstream(&ret->csv, &len);
	assert_non_null(out);
	assert_int_equal(recfile__print(rec, out), 0);
	fclose(out);
	ret->complete = rec->complete;
}

static void expect(const char *text, const char *rows)
{
	_cleanup_(reading__clear) struct reading reading;
	_cleanup_free_ char *want = NULL;

	assert_int_equal(str__printf(&want, HEADER "%s", rows), 0);
	read_ktap(text, &reading);
	assert_int_equal(reading.rc, 0);
	assert_string_equal(reading.csv, want);
	assert_string_equal(reading.notes, "");
	assert_true(reading.complete);
}

static void expect_cut(const char *text, const char *rows, const char *note)
{
	_cleanup_(reading__clear) struct reading reading;
	_cleanup_free_ char *want = NULL;

	assert_int_equal(str__printf(&want, HEADER "%s", rows), 0);
	read_ktap(text, &reading);
	assert_int_equal(reading.rc, 0);
	assert_string_equal(reading.csv, want);
	assert_string_equal(reading.notes, note);
	assert_false(reading.complete);
}

static void expect_error(const char *text, const char *words)
{
	_cleanup_(reading__clear) struct reading reading;

	read_ktap(text, &reading);
	assert_int_equal(reading.rc, -EINVAL);
	assert_string_equal(reading.err.text, words);
}

static void outcomes(void **state __unused_arg)
{
	expect("KTAP version 1\n1..4\nok 1 a\nnot ok 2 - b\nok 3 c # SKIP no such thing\n"
	       "not ok 4 d # SKIP: nor this\n",
	       "a,,pass,\nb,,fail,\nc,,skip,no such thing\nd,,skip,nor this\n");
}

static void expected_failures(void **state __unused_arg)
{
	expect("TAP version 13\n1..3\nnot ok 1 a # TODO later\nok 2 b # TODO done\n"
	       "not ok 3 c # XFAIL this machine\n",
	       "a,,skip,later\nb,,pass,done\nc,,skip,this machine\n");
}

static void what_failed_is_said_before(void **state __unused_arg)
{
	expect("KTAP version 1\n1..3\n# of a\nok 1 a\n# old\n# it broke\nnot ok 2 b\n"
	       "# in vain\nnot ok 3 c # exit=1\n",
	       "a,,pass,\nb,,fail,it broke\nc,,fail,exit=1\n");
}

static void names(void **state __unused_arg)
{
	expect("KTAP version 1\n1..4\nok 1\nok 2   spaces inside \r\nok 3 a \\# b\n"
	       "ok 4 SKIPPED # skipping is no directive\n",
	       "1,,pass,\nspaces inside,,pass,\na \\# b,,pass,\n"
	       "SKIPPED,,pass,skipping is no directive\n");
}

static void nested(void **state __unused_arg)
{
	expect("KTAP version 1\n1..2\n  KTAP version 1\n  1..2\n  ok 1 x\n"
	       "    KTAP version 1\n    1..1\n    # deep\n    not ok 1 z\n  not ok 2 y\n"
	       "not ok 1 a\nok 2 b\n",
	       "a,x,pass,\na,y/z,fail,deep\nb,,pass,\n");
}

static void a_test_fails_by_itself(void **state __unused_arg)
{
	expect("KTAP version 1\n1..1\n  KTAP version 1\n  1..1\n  ok 1 x\n# splat\nnot ok 1 a\n",
	       "a,x,pass,\na,,fail,splat\n");
}

static void kselftest(void **state __unused_arg)
{
	expect("TAP version 13\n1..2\n# timeout set to 45\n# selftests: bpf: m\n"
	       "# TAP version 13\n# 1..2\n# words\n# ok 1 one\n# not ok 2 two\n"
	       "# # Totals: pass:1 fail:1\nnot ok 1 selftests: bpf: m # exit=1\n"
	       "# ok 3 is only said\nok 2 selftests: bpf: n\n",
	       "selftests: bpf: m,one,pass,\nselftests: bpf: m,two,fail,\n"
	       "selftests: bpf: n,,pass,\n");
}

static void kunit_in_a_log(void **state __unused_arg)
{
	expect("[    1.5] KTAP version 1\n<6>[    1.6] 1..1\n[    1.7] Linux says\n"
	       "[    1.7]     # Subtest: s\n[    1.7]     1..2\n[    1.8]     ok 1 c\n"
	       "[    1.8]     ok 2 d\n[    1.9] ok 1 s\n",
	       "s,c,pass,\ns,d,pass,\n");
}

static void one_after_the_other(void **state __unused_arg)
{
	expect("KTAP version 1\n1..1\nok 1 a\nKTAP version 1\n1..1\nok 1 b\n", "a,,pass,\nb,,pass,"
									       "\n");
}

static void cut_short(void **state __unused_arg)
{
	expect_cut("KTAP version 1\n1..3\nok 1 a\n", "a,,pass,\n",
		   "in:3: cut short: 1 results where 3 were planned\n");
	expect_cut("KTAP version 1\n1..1\nok 1 a\nBail out! no memory\n", "a,,pass,\n",
		   "in:4: cut short: Bail out! no memory\n");
	expect_cut("KTAP version 1\n1..2\nok 1 a\n  KTAP version 1\n  1..1\n  ok 1 x\n",
		   "a,,pass,\n",
		   "in:6: cut short: the last test has not ended; its subtests are left out\n"
		   "in:6: cut short: 1 results where 2 were planned\n");
}

static void errors(void **state __unused_arg)
{
	expect_error("KTAP version 1\n1..1\nok one\n", "in:3:4: expected the number of a test, "
						       "found 'one'");
	expect_error("KTAP version 1\n1..2x\n", "in:2:1: expected a plan like 1..N, found '1..2x'");
	expect_error("KTAP version 1\n1..1\n1..1\n", "in:3:1: expected one plan for each version "
						     "line, found '1..1'");
	expect_error("KTAP version 1\n1..0 # SKIP all\n", "in:2:1: expected a result, found none");
}

static void tells_ktap_from_csv(void **state __unused_arg)
{
	assert_true(ktap__is("\n\nKTAP version 1\n"));
	assert_true(ktap__is("[    0.1] TAP version 14\n"));
	assert_false(ktap__is("test_name,subtest_name,outcome\nKTAP version 1,,pass\n"));
	assert_false(ktap__is(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outcomes),
		cmocka_unit_test(expected_failures),
		cmocka_unit_test(what_failed_is_said_before),
		cmocka_unit_test(names),
		cmocka_unit_test(nested),
		cmocka_unit_test(a_test_fails_by_itself),
		cmocka_unit_test(kselftest),
		cmocka_unit_test(kunit_in_a_log),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(errors),
		cmocka_unit_test(tells_ktap_from_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
