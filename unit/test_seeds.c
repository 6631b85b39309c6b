// SPDX-License-Identifier: GPL-2.0-only
/* The targets of fuzz/ with their seeds, among them what fuzzing has once found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../fuzz/fuzz.h"
#include "cleanup.h"

/* The target aborts if it doesn't like what it sees. */
static void run_seeds(const char *target, void (*run)(const uint8_t *data, size_t len))
{
	_cleanup_free_ char *folder = NULL;
	_cleanup_closedir_ DIR *dir = NULL;
	struct dirent *entry;
	size_t n = 0;

	assert_int_equal(str__printf(&folder, "fuzz/seeds/%s", target), 0);
	dir = opendir(folder);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		_cleanup_free_ char *path = NULL, *text = NULL;
		size_t len;

		if (entry->d_name[0] == '.')
			continue;
		assert_int_equal(str__printf(&path, "%s/%s", folder, entry->d_name), 0);
		assert_int_equal(file__read(path, &text, &len), 0);
		run((const uint8_t *)text, len);
		n++;
	}
	assert_true(n >= 3);
}

#define TEST(name)                                  \
	static void name(void **state __unused_arg) \
	{                                           \
		run_seeds(#name, fuzz_##name);      \
	}
FUZZ_TARGETS(TEST)

#define ENTRY(name) cmocka_unit_test(name),

int main(void)
{
	const struct CMUnitTest tests[] = { FUZZ_TARGETS(ENTRY) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
