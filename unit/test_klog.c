// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cleanup.h"
#include "klog.h"

#define _cleanup_klog_ _cleanup_(klog__reset)

static const char quiet[] = "[    0.000000] Linux version 7.3.4\n[    1.5] all is well\n";
static const char warned[] = "[    0.000000] Linux version 7.3.4\n"
			     "[    7.1] ------------[ cut here ]------------\n"
			     "[    7.1] WARNING: kernel/bpf/verifier.c:120 at do_check+0x1f/0x200, "
			     "CPU#1: test/77\n"
			     "[    7.1] RIP: 0010:do_check+0x1f/0x200\n";
/* The same on another kernel: the function moved, and so did its lines. */
static const char warned_too[] = "[    3.000001][   T12] WARNING: kernel/bpf/verifier.c:133 at "
				 "do_check+0x2a/0x20f, CPU#0: test/9\r\n";
static const char other[] = "<4>[   10.000000] BUG: KASAN: slab-use-after-free in "
			    "map_put+0x1/0x2\n";

static void add(struct klog *log, int side, const char *text)
{
	assert_int_equal(klog__add(log, side, side ? "patched/boot-1" : "base/boot-1", text), 0);
}

static void times_are_no_part_of_a_line(void **state __unused_arg)
{
	static const char *const lines[][2] = {
		{ "[    0.123456] text", "text" },
		{ "[    0.123456][    T1] text", "text" },
		{ "[    0.123456][    C0] [x] text", "[x] text" },
		{ "<6>[12.5] text", "text" },
		{ "text [1.0]", "text [1.0]" },
		{ "[drm] text", "[drm] text" },
		{ "<text>", "<text>" },
		{ "[", "[" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_string_equal(klog__strip_time(lines[i][0]), lines[i][1]);
}

static void numbers_are_masked(void **state __unused_arg)
{
	static const char *const texts[][2] = {
		{ "at do_check+0x1f/0x200, CPU#1: test/77", "at do_check+#/#, CPU##: test/#" },
		{ "address: ffff888102b4c000", "address: #" },
		{ "address: 0000000000000008", "address: #" },
		{ "bpf_prog_32 uses x86_64 dead code", "bpf_prog_32 uses x86_64 dead code" },
		{ "kernel/bpf/core2.c:1:2", "kernel/bpf/core2.c:#:#" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char text[128];

		snprintf(text, sizeof(text), "%s", texts[i][0]);
		klog__mask(text);
		assert_string_equal(text, texts[i][1]);
	}
}

static void what_only_b_has_is_worse(void **state __unused_arg)
{
	_cleanup_klog_ struct klog log = {};

	add(&log, 0, quiet);
	add(&log, 1, quiet);
	assert_int_equal(klog__verdict(&log), KLOG_EQUAL);
	add(&log, 1, warned);
	assert_int_equal(klog__verdict(&log), KLOG_WORSE);
	assert_int_equal(log.splats.n, 1);
	assert_string_equal(log.splats.v[0].boot, "patched/boot-1");
	assert_string_equal(log.splats.v[0].text, "WARNING: kernel/bpf/verifier.c:120 at "
						  "do_check+0x1f/0x200, CPU#1: test/77");
}

static void what_both_or_only_a_has_is_not(void **state __unused_arg)
{
	_cleanup_klog_ struct klog log = {};

	add(&log, 0, warned);
	add(&log, 1, quiet);
	assert_int_equal(klog__verdict(&log), KLOG_EQUAL);
	add(&log, 1, warned_too);
	assert_int_equal(log.splats.n, 1);
	assert_int_equal(log.splats.v[0].n[1], 1);
	assert_int_equal(klog__verdict(&log), KLOG_EQUAL);
	add(&log, 1, other);
	assert_int_equal(klog__verdict(&log), KLOG_WORSE);
}

static void the_order_of_the_sides_does_not_matter(void **state __unused_arg)
{
	_cleanup_klog_ struct klog log = {};

	add(&log, 1, warned_too);
	add(&log, 0, warned);
	assert_int_equal(klog__verdict(&log), KLOG_EQUAL);
}

static void a_missing_log_is_not_clean(void **state __unused_arg)
{
	_cleanup_klog_ struct klog log = {}, none = {}, half = {};

	assert_int_equal(klog__verdict(&none), KLOG_UNREAD);
	add(&half, 0, quiet);
	assert_int_equal(klog__verdict(&half), KLOG_UNREAD);
	add(&log, 0, quiet);
	add(&log, 1, quiet);
	assert_int_equal(klog__add_unread(&log, 1, "patched/boot-2", "dmesg: empty"), 0);
	assert_int_equal(klog__verdict(&log), KLOG_UNREAD);
	assert_string_equal(log.unread.v[0], "B, patched/boot-2: dmesg: empty");
	/* What was seen is told all the same. */
	add(&log, 1, other);
	assert_int_equal(klog__verdict(&log), KLOG_WORSE);
}

static void known_splats_do_not_count(void **state __unused_arg)
{
	_cleanup_klog_ struct klog log = {};
	char path[] = "/tmp/bpf-ab-allow-XXXXXX";
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");
	struct err err = {};

	assert_non_null(file);
	fputs("# known since 7.1\nWARNING: kernel/bpf/verifier.c:* at do_check+*\n"
	      "BUG: never seen\n",
	      file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(klog__allow(&log, path, &err), 0);
	unlink(path);
	add(&log, 0, quiet);
	add(&log, 1, warned);
	assert_true(log.splats.v[0].allowed);
	assert_int_equal(klog__verdict(&log), KLOG_EQUAL);
	assert_true(log.allow.v[0].used);
	assert_false(log.allow.v[1].used);
	add(&log, 1, other);
	assert_int_equal(klog__verdict(&log), KLOG_WORSE);
	assert_int_equal(klog__allow(&log, path, &err), -ENOENT);
	assert_non_null(strstr(err.text, path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_no_part_of_a_line),
		cmocka_unit_test(numbers_are_masked),
		cmocka_unit_test(what_only_b_has_is_worse),
		cmocka_unit_test(what_both_or_only_a_has_is_not),
		cmocka_unit_test(the_order_of_the_sides_does_not_matter),
		cmocka_unit_test(a_missing_log_is_not_clean),
		cmocka_unit_test(known_splats_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
