// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cleanup.h"
#include "selector.h"

static void allow(struct selector *sel, const char *names)
{
	assert_int_equal(selector__add(sel, SELECTOR_ALLOW, SELECTOR_SUBSTRING, names, NULL), 0);
}

static void allow_glob(struct selector *sel, const char *names)
{
	assert_int_equal(selector__add(sel, SELECTOR_ALLOW, SELECTOR_GLOB, names, NULL), 0);
}

static void deny(struct selector *sel, const char *names)
{
	assert_int_equal(selector__add(sel, SELECTOR_DENY, SELECTOR_SUBSTRING, names, NULL), 0);
}

static void nothing_said_selects_everything(void **state __unused_arg)
{
	struct selector sel = {};

	assert_true(selector__test(&sel, 1, "foo"));
	assert_true(selector__subtest(&sel, 1, "foo", 1, "a", NULL));
}

static void substrings_and_globs(void **state __unused_arg)
{
	struct selector sub = {}, glob = {};

	allow(&sub, "and,xor");
	assert_true(selector__test(&sub, 1, "verifier_and"));
	assert_true(selector__test(&sub, 2, "xor"));
	assert_false(selector__test(&sub, 3, "verifier_or"));
	allow_glob(&glob, "verifier_*_a*,map");
	assert_true(selector__test(&glob, 1, "verifier_x_and"));
	assert_true(selector__test(&glob, 1, "verifier__a"));
	assert_true(selector__test(&glob, 1, "map"));
	assert_false(selector__test(&glob, 1, "maps"));
	assert_false(selector__test(&glob, 1, "verifier_and"));
	/* Only * is special. */
	assert_false(selector__test(&glob, 1, "ma?"));
	selector__clear(&sub);
	selector__clear(&glob);
}

static void deny_wins(void **state __unused_arg)
{
	struct selector sel = {};

	deny(&sel, "slow");
	assert_false(selector__test(&sel, 1, "slow_map"));
	assert_true(selector__test(&sel, 1, "map"));
	allow(&sel, "map");
	assert_false(selector__test(&sel, 1, "slow_map"));
	assert_false(selector__test(&sel, 1, "prog"));
	selector__clear(&sel);
}

static void subtests(void **state __unused_arg)
{
	struct selector sel = {};

	allow(&sel, "map/hash,ring");
	assert_true(selector__test(&sel, 1, "map"));
	assert_true(selector__subtest(&sel, 1, "map", 1, "lru hash @unpriv", NULL));
	assert_false(selector__subtest(&sel, 1, "map", 2, "array", NULL));
	assert_true(selector__subtest(&sel, 1, "map", 2, "array", "an array, not a hash"));
	assert_true(selector__subtest(&sel, 2, "ringbuf", 1, "array", NULL));
	/* A denied subtest leaves the others of its test. */
	deny(&sel, "map/lru");
	assert_true(selector__test(&sel, 1, "map"));
	assert_false(selector__subtest(&sel, 1, "map", 1, "lru hash @unpriv", NULL));
	assert_true(selector__subtest(&sel, 1, "map", 3, "hash", NULL));
	selector__clear(&sel);
}

static void slashes_behind_the_first_belong_to_the_subtest(void **state __unused_arg)
{
	struct selector sel = {};

	allow_glob(&sel, "map/read/write");
	assert_true(selector__subtest(&sel, 1, "map", 1, "read/write", NULL));
	assert_false(selector__subtest(&sel, 1, "map", 2, "read", NULL));
	selector__clear(&sel);
}

static void numbers(void **state __unused_arg)
{
	struct selector sel = {};

	assert_int_equal(selector__add_numbers(&sel, "4,7-9", NULL), 0);
	assert_int_equal(selector__add_numbers(&sel, "12/1-3,5", NULL), 0);
	assert_false(selector__test(&sel, 3, "a"));
	assert_true(selector__test(&sel, 4, "a"));
	assert_true(selector__test(&sel, 9, "a"));
	assert_false(selector__test(&sel, 10, "a"));
	assert_true(selector__test(&sel, 12, "a"));
	assert_true(selector__subtest(&sel, 4, "a", 77, "x", NULL));
	assert_true(selector__subtest(&sel, 12, "a", 3, "x", NULL));
	assert_false(selector__subtest(&sel, 12, "a", 4, "x", NULL));
	assert_true(selector__subtest(&sel, 12, "a", 5, "x", NULL));
	selector__clear(&sel);
}

static void bad_rules_are_named(void **state __unused_arg)
{
	static const char *const names[] = { "", "a,,b", "/sub", "a/", "," };
	static const char *const nums[] = { "",	    "0",  "a",	 "3-",	"-3", "3-2",
					    "1,,2", "7/", "7/0", "7/x", "1 ", "4294967296" };
	struct selector sel = {};
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		err.text[0] = '\0';
		assert_int_equal(selector__add(&sel, SELECTOR_ALLOW, SELECTOR_SUBSTRING, names[i],
					       &err),
				 -EINVAL);
		assert_non_null(strstr(err.text, "expected TEST"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(nums); i++) {
		err.text[0] = '\0';
		assert_int_equal(selector__add_numbers(&sel, nums[i], &err), -EINVAL);
		assert_non_null(strstr(err.text, "expected numbers"));
	}
	assert_int_equal(sel.numbers.n, 0);
	selector__clear(&sel);
}

static void rules_from_a_file(void **state __unused_arg)
{
	char path[] = "/tmp/selector-XXXXXX", arg[64];
	struct selector sel = {};
	struct err err = {};
	FILE *f = fdopen(mkstemp(path), "w");

	assert_non_null(f);
	fputs("# known\n\n  map/a, b and c  \nring\r\n", f);
	assert_int_equal(fclose(f), 0);
	snprintf(arg, sizeof(arg), "@%s", path);
	assert_int_equal(selector__add(&sel, SELECTOR_DENY, SELECTOR_GLOB, arg, &err), 0);
	unlink(path);
	assert_int_equal(sel.deny.n, 2);
	assert_false(selector__subtest(&sel, 1, "map", 1, "a, b and c", NULL));
	assert_false(selector__test(&sel, 2, "ring"));
	assert_true(selector__test(&sel, 3, "known"));
	assert_int_equal(selector__add(&sel, SELECTOR_DENY, SELECTOR_GLOB, arg, &err), -ENOENT);
	assert_non_null(strstr(err.text, path));
	selector__clear(&sel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_said_selects_everything),
		cmocka_unit_test(substrings_and_globs),
		cmocka_unit_test(deny_wins),
		cmocka_unit_test(subtests),
		cmocka_unit_test(slashes_behind_the_first_belong_to_the_subtest),
		cmocka_unit_test(numbers),
		cmocka_unit_test(bad_rules_are_named),
		cmocka_unit_test(rules_from_a_file),
	};

	return cmocka_run_group_tests_name("selector", tests, NULL, NULL);
}
