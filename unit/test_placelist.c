// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cleanup.h"
#include "placelist.h"

static const struct kmem_listed places[] = {
	{ "few_large+0x10", 2, 9000 }, { "some+0x4 [module]", 30, 3000 },
	{ "a;b\n+0x1", 10, 2000 },     { "many_small+0x8", 900, 1000 },
	{ "nothing", 1, 0 },
};

static void assert_text(size_t top, const char *expected)
{
	_cleanup_free_ char *text = NULL;

	assert_int_equal(placelist__print(places, ARRAY_SIZE(places), top, &text), 0);
	assert_string_equal(text, expected);
}

static void top_is_by_bytes_and_by_allocations(void **state __unused_arg)
{
	assert_text(1, "few_large+0x10 2 9000; many_small+0x8 900 1000");
	assert_text(2, "few_large+0x10 2 9000; some+0x4 [module] 30 3000; "
		       "many_small+0x8 900 1000");
	assert_text(0, "few_large+0x10 2 9000; some+0x4 [module] 30 3000; a?b?+0x1 10 2000; "
		       "many_small+0x8 900 1000; nothing 1 0");
}

static void what_was_printed_is_read(void **state __unused_arg)
{
	_cleanup_free_ char *text = NULL;
	struct kmem_listed place;
	const char *at;

	assert_int_equal(placelist__print(places, ARRAY_SIZE(places), 0, &text), 0);
	at = text;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		assert_int_equal(placelist__next(&at, &place), 1);
		if (i != 2)
			assert_string_equal(place.name, places[i].name);
		assert_int_equal(place.allocs, places[i].allocs);
		assert_int_equal(place.bytes, places[i].bytes);
	}
	assert_int_equal(placelist__next(&at, &place), 0);
	assert_string_equal(at, "");
}

static void nothing_is_a_list(void **state __unused_arg)
{
	_cleanup_free_ char *text = NULL;
	struct kmem_listed place;
	const char *at;

	assert_int_equal(placelist__print(NULL, 0, 3, &text), 0);
	assert_string_equal(text, "");
	at = text;
	assert_int_equal(placelist__next(&at, &place), 0);
}

static void what_is_no_list_is_refused(void **state __unused_arg)
{
	static const char *const wrong[] = {
		"one",
		"1 2",
		"name 1",
		" 1 2",
		"name 1 2x",
		"name x 2",
		"name 1 -2",
		"name 12345678901234567890 1",
		";",
		"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
		"0123456789 0123456789 1 2",
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct kmem_listed place = { .allocs = 7 };
		const char *at = wrong[i];

		assert_int_equal(placelist__next(&at, &place), -EINVAL);
		assert_int_equal(place.allocs, 7);
		assert_false(placelist__is_one(wrong[i]));
	}
	assert_false(placelist__is_one("a 1 2; b 3"));
	assert_true(placelist__is_one("a 1 2; b 3 4"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(top_is_by_bytes_and_by_allocations),
		cmocka_unit_test(what_was_printed_is_read),
		cmocka_unit_test(nothing_is_a_list),
		cmocka_unit_test(what_is_no_list_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
