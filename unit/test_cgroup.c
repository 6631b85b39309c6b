// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cgroup.h"

static char root[64];
static char path[128];

static const char *in_root(const char *name)
{
	snprintf(path, sizeof(path), "%s%s", root, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(in_root(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int setup(void **state)
{
	(void)state;
	strcpy(root, "/tmp/test_cgroup.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	return mkdir(in_root("/proc"), 0755) || mkdir(in_root("/proc/self"), 0755);
}

static int teardown(void **state)
{
	(void)state;
	unlink(in_root("/proc/self/mountinfo"));
	unlink(in_root("/proc/self/cgroup"));
	rmdir(in_root("/proc/self"));
	rmdir(in_root("/proc"));
	return rmdir(root);
}

static void assert_place(const char *controller, enum cgroup_version version, const char *mount,
			 const char *own)
{
	_cleanup_place_ struct cgroup_place place = {};

	assert_int_equal(cgroup_place__find(root, controller, &place, NULL), 0);
	assert_int_equal(place.version, version);
	if (!version)
		return;
	assert_string_equal(place.mount, in_root(mount));
	assert_string_equal(place.own, own);
}

static void test_hybrid(void **state)
{
	(void)state;
	write_file("/proc/self/mountinfo", "31 23 0:28 / /cg rw - tmpfs tmpfs rw\n"
					   "36 31 0:33 / /cg/devices rw shared:9 - cgroup cgroup "
					   "rw,devices\n"
					   "35 31 0:32 / /cg/mem rw shared:7 master:2 - cgroup "
					   "cgroup rw,cpu,memory\n"
					   "41 31 0:38 / /cg/unified rw - cgroup2 cgroup2 rw\n");
	write_file("/proc/self/cgroup", "9:name=systemd:/s\n4:cpu,memory:/a/b c\n0::/u\n");
	assert_place("memory", CGROUP_V1, "/cg/mem", "/a/b c");
	assert_place(NULL, CGROUP_V2, "/cg/unified", "/u");
	assert_place("pids", CGROUP_NONE, NULL, NULL);
}

static void test_top_of_what_is_mounted(void **state)
{
	(void)state;
	write_file("/proc/self/mountinfo", "41 31 0:38 /box /cg rw - cgroup2 cgroup2 rw\n");
	write_file("/proc/self/cgroup", "0::/box\n");
	assert_place(NULL, CGROUP_V2, "/cg", "");
	write_file("/proc/self/cgroup", "0::/box/in\n");
	assert_place(NULL, CGROUP_V2, "/cg", "/in");
	write_file("/proc/self/mountinfo", "41 31 0:38 / /cg rw - cgroup2 cgroup2 rw\n");
	write_file("/proc/self/cgroup", "0::/\n");
	assert_place(NULL, CGROUP_V2, "/cg", "");
}

/* A controller's line of v1 must not be taken for v2's, nor one mount for another. */
static void test_none(void **state)
{
	(void)state;
	write_file("/proc/self/mountinfo", "35 31 0:32 / /cg/mem rw - cgroup cgroup rw,memory\n");
	write_file("/proc/self/cgroup", "4:memory:/\n");
	assert_place(NULL, CGROUP_NONE, NULL, NULL);
	write_file("/proc/self/mountinfo", "35 31 0:32 / /x rw - ext4 /dev/vda rw,memory\n");
	assert_place("memory", CGROUP_NONE, NULL, NULL);
	unlink(in_root("/proc/self/cgroup"));
	assert_place("memory", CGROUP_NONE, NULL, NULL);
}

static void test_words(void **state)
{
	(void)state;
	write_file("/proc/self/cgroup", "cpu memory.x io\n");
	in_root("/proc/self");
	assert_int_equal(cgroup__file_has(path, "cgroup", "io"), 1);
	assert_int_equal(cgroup__file_has(path, "cgroup", "memory"), 0);
	assert_int_equal(cgroup__file_has(path, "none", "memory"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_hybrid, setup, teardown),
		cmocka_unit_test_setup_teardown(test_top_of_what_is_mounted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_none, setup, teardown),
		cmocka_unit_test_setup_teardown(test_words, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
