// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "manifest.h"

static int read_text(struct manifest *manifest, const char *text, struct err *err)
{
	char path[] = "/tmp/test_manifest.XXXXXX";
	int fd = mkstemp(path), rc;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	rc = manifest__read(manifest, path, err);
	unlink(path);
	return rc;
}

static void what_is_expected(void **state __unused_arg)
{
	_cleanup_manifest_ struct manifest *manifest = NULL;

	assert_int_equal(manifest__new(&manifest), 0);
	assert_int_equal(read_text(manifest,
				   "# words\n\na.bpf.o/one rejected\n  a.bpf.o/* \tmap create \n"
				   "b*.bpf.o/two kfunc missing\nbroken.bpf.o not opened",
				   NULL),
			 0);
	assert_int_equal(manifest__expects(manifest, "a.bpf.o", "one"), LOAD_REJECTED);
	assert_int_equal(manifest__expects(manifest, "a.bpf.o", "two"), LOAD_NO_MAP);
	assert_int_equal(manifest__expects(manifest, "bc.bpf.o", "two"), LOAD_NO_EXTERN);
	assert_int_equal(manifest__expects(manifest, "bc.bpf.o", "three"), LOAD_OK);
	assert_int_equal(manifest__expects(manifest, "broken.bpf.o", "any"), LOAD_OK);
	assert_true(manifest__expects_unopened(manifest, "broken.bpf.o"));
	assert_false(manifest__expects_unopened(manifest, "a.bpf.o"));
}

static void a_second_file_is_added(void **state __unused_arg)
{
	_cleanup_manifest_ struct manifest *manifest = NULL;

	assert_int_equal(manifest__new(&manifest), 0);
	assert_int_equal(read_text(manifest, "a.bpf.o/one rejected\n", NULL), 0);
	assert_int_equal(read_text(manifest, "a.bpf.o/* refused\n", NULL), 0);
	assert_int_equal(manifest__expects(manifest, "a.bpf.o", "one"), LOAD_REJECTED);
	assert_int_equal(manifest__expects(manifest, "a.bpf.o", "two"), LOAD_REFUSED);
}

static void what_means_nothing(void **state __unused_arg)
{
	static const struct {
		const char *text, *place;
	} bad[] = {
		{ "# one\na.bpf.o/p", ":2:10: expected why" },
		{ "a.bpf.o/p loaded", ":1:11: expected why" },
		{ "a.bpf.o/p rejected today", ":1:11: expected why" },
		{ "  a.bpf.o", ":1:10: expected 'not opened'" },
		{ "a.bpf.o rejected", ":1:9: expected 'not opened'" },
		{ "/p rejected", ":1:1: expected OBJECT" },
		{ "a.bpf.o/ rejected", ":1:1: expected OBJECT" },
		{ "d/a.bpf.o/p rejected", ":1:1: expected OBJECT" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_manifest_ struct manifest *manifest = NULL;
		struct err err = {};

		assert_int_equal(manifest__new(&manifest), 0);
		assert_int_equal(read_text(manifest, bad[i].text, &err), -EINVAL);
		if (!strstr(err.text, bad[i].place))
			fail_msg("'%s' for '%s'", err.text, bad[i].text);
	}
}

static void no_file(void **state __unused_arg)
{
	_cleanup_manifest_ struct manifest *manifest = NULL;
	struct err err = {};

	assert_int_equal(manifest__new(&manifest), 0);
	assert_int_equal(manifest__read(manifest, "/nonexistent/list", &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/list: cannot read a manifest: No such file "
				      "or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_expected),
		cmocka_unit_test(a_second_file_is_added),
		cmocka_unit_test(what_means_nothing),
		cmocka_unit_test(no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
