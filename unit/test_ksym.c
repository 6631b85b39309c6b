// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "ksym.h"

static const char *const names[] = { "alloc_area", "clip" };

static int ranges_of(const char *text, struct ksym_range *ranges, size_t max)
{
	char path[] = "/tmp/test_ksym.XXXXXX";
	int fd = mkstemp(path), rc;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	rc = ksym__ranges(path, names, ARRAY_SIZE(names), ranges, max);
	unlink(path);
	return rc;
}

static void test_whole_names_and_suffixes(void **state)
{
	struct ksym_range r[4];

	(void)state;
	assert_int_equal(ranges_of("ffffffff81000000 T start\n"
				   "ffffffff81000010 t __pfx_alloc_area\n"
				   "ffffffff81000020 t alloc_area\n"
				   "ffffffff81000020 T alloc_area_alias\n"
				   "ffffffff81000120 t alloc_areas\n"
				   "ffffffff81000200 t clip.constprop.0\n"
				   "ffffffff81000240 t clip.cold\n"
				   "ffffffff81000248 d alloc_area\n",
				   r, ARRAY_SIZE(r)),
			 3);
	assert_true(r[0].from == 0xffffffff81000020 && r[0].to == 0xffffffff81000120);
	assert_true(r[1].from == 0xffffffff81000200 && r[1].to == 0xffffffff81000240);
	assert_true(r[2].from == 0xffffffff81000240 && r[2].to == 0xffffffff81000248);
}

static void test_modules_are_not_the_core_kernel(void **state)
{
	struct ksym_range r[4];

	(void)state;
	assert_int_equal(ranges_of("ffffffff81000000 T start\n"
				   "ffffffffc0000000 t clip\t[mod]\n",
				   r, ARRAY_SIZE(r)),
			 0);
}

static void test_hidden_addresses_are_told_from_none(void **state)
{
	struct ksym_range r[4] = { { 1, 2 } };

	(void)state;
	assert_int_equal(ranges_of("0000000000000000 T start\n0000000000000000 t clip\n", r, 4),
			 -EPERM);
	assert_true(r[0].from == 1 && r[0].to == 2);
	assert_int_equal(ksym__ranges("/nonexistent", names, 2, r, 4), -ENOENT);
}

static void test_too_many(void **state)
{
	struct ksym_range r[1];

	(void)state;
	assert_int_equal(ranges_of("0000000000000010 t clip\n0000000000000020 t clip\n", r, 1),
			 -ENOSPC);
}

static void test_places_have_names(void **state)
{
	char path[] = "/tmp/test_ksym.XXXXXX";
	const char *text = "ffffffff81000010 T first\n"
			   "ffffffff81000010 T also_first\n"
			   "ffffffff81000020 t second\n"
			   "ffffffff81000028 d data\n"
			   "ffffffffc0000000 t late\t[mod]\n";
	struct ksym_place places[] = {
		{ .address = 0xffffffff81000010 },
		{ .address = 0xffffffff8100002a },
		{ .address = 0xffffffffc0000003 },
		{ .address = 0xffffffff81000000 },
	};
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(ksym__name(path, places, ARRAY_SIZE(places)), 0);
	unlink(path);
	assert_string_equal(places[0].name, "first");
	assert_int_equal(places[0].offset, 0);
	assert_string_equal(places[1].name, "second");
	assert_int_equal(places[1].offset, 0xa);
	assert_string_equal(places[2].name, "late");
	assert_int_equal(places[2].offset, 3);
	assert_string_equal(places[3].name, "");
	assert_int_equal(ksym__name("/nonexistent", places, 1), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_names_and_suffixes),
		cmocka_unit_test(test_modules_are_not_the_core_kernel),
		cmocka_unit_test(test_hidden_addresses_are_told_from_none),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_places_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
