// SPDX-License-Identifier: GPL-2.0-only
/* memcg on recorded trees: what /proc and /sys said on machines of each kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#include "memcg.h"

struct tree_file {
	const char *path, *text;
};

#define MOUNT_V2      "29 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define MOUNT_UNIFIED "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
#define MOUNT_V1                                                               \
	"31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"  \
	"32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n" \
	"35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"

/* The cgroup that memcg will make, so that the files the kernel would put there can be. */
static char made[64];

static char root[64];

static void write_file(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (char *slash = full + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void assert_file(const char *path, const char *text)
{
	_cleanup_free_ char *full = NULL, *is = NULL;

	assert_int_equal(str__printf(&full, "%s%s", root, path), 0);
	assert_int_equal(file__read(full, &is, NULL), 0);
	assert_string_equal(is, text);
}

static void write_tree(const struct tree_file *files, size_t n)
{
	for (size_t i = 0; i < n; i++)
		write_file(files[i].path, files[i].text);
}

/* A file of the cgroup that memcg makes below dir. */
static const char *made_file(const char *dir, const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s/%s", dir, made, name);
	return path;
}

static int setup(void **state)
{
	(void)state;
	strcpy(root, "/tmp/test_memcg.XXXXXX");
	snprintf(made, sizeof(made), "bpf-ab-%d.0", getpid());
	return mkdtemp(root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int teardown(void **state)
{
	(void)state;
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Opens, resets at 4096 bytes, lets the counter grow by 1 MiB, and reads the peak. */
static void assert_measures(const char *parent, const char *home, const char *counter)
{
	_cleanup_memcg_ struct memcg *memcg = NULL;
	struct err err = {};
	uint64_t bytes = 0;

	write_file(made_file(parent, "cgroup.procs"), "");
	write_file(made_file(parent, counter), "");
	assert_int_equal(memcg__open(root, NULL, &memcg, &err), 0);
	assert_file(made_file(parent, "cgroup.procs"), "0");
	write_file(made_file(parent, counter), "4096\n");
	/* A plain file keeps its old end where the kernel would put a new number. */
	assert_int_equal(memcg__reset(memcg), 0);
	assert_file(made_file(parent, counter), "0096\n");
	write_file(made_file(parent, counter), "1048672\n");
	assert_int_equal(memcg__peak(memcg, &bytes), 0);
	assert_true(bytes == 1048576);
	write_file(made_file(parent, counter), "max\n");
	assert_int_equal(memcg__peak(memcg, &bytes), -EINVAL);
	assert_true(bytes == 1048576);
	memcg__free(TAKE_PTR(memcg));
	assert_file(home, "0");
}

static void assert_unsupported(const char *why)
{
	struct memcg *memcg = NULL;
	struct err err = {};

	assert_int_equal(memcg__open(root, NULL, &memcg, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, why));
	assert_null(memcg);
}

static void test_v2(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", MOUNT_V2 },
		{ "/proc/self/cgroup", "0::/user.slice/session-1.scope\n" },
		{ "/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n" },
		{ "/sys/fs/cgroup/cgroup.subtree_control", "cpu memory pids\n" },
		{ "/sys/fs/cgroup/user.slice/cgroup.subtree_control", "memory pids\n" },
		{ "/sys/fs/cgroup/user.slice/session-1.scope/cgroup.subtree_control", "" },
		{ "/sys/fs/cgroup/user.slice/session-1.scope/cgroup.procs", "" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_measures("/sys/fs/cgroup/user.slice",
			"/sys/fs/cgroup/user.slice/session-1.scope/cgroup.procs", "memory.peak");
}

static void test_v2_in_the_root_cgroup(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", MOUNT_V2 },
		{ "/proc/self/cgroup", "0::/\n" },
		{ "/sys/fs/cgroup/cgroup.controllers", "memory\n" },
		{ "/sys/fs/cgroup/cgroup.subtree_control", "memory\n" },
		{ "/sys/fs/cgroup/cgroup.procs", "" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_measures("/sys/fs/cgroup", "/sys/fs/cgroup/cgroup.procs", "memory.peak");
}

static void test_v2_without_subtree_control(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", MOUNT_V2 },
		{ "/proc/self/cgroup", "0::/\n" },
		{ "/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n" },
		{ "/sys/fs/cgroup/cgroup.subtree_control", "cpu\n" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_unsupported("echo +memory > ");
}

static void test_v2_without_memory_peak(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", MOUNT_V2 },
		{ "/proc/self/cgroup", "0::/\n" },
		{ "/sys/fs/cgroup/cgroup.controllers", "memory\n" },
		{ "/sys/fs/cgroup/cgroup.subtree_control", "memory\n" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_unsupported("no memory.peak");
}

static void test_v1(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", MOUNT_V1 },
		{ "/proc/self/cgroup", "4:memory:/box/one\n3:cpuset:/\n1:cpu:/\n" },
		{ "/sys/fs/cgroup/memory/box/one/cgroup.procs", "" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_measures("/sys/fs/cgroup/memory/box/one",
			"/sys/fs/cgroup/memory/box/one/cgroup.procs", "memory.max_usage_in_bytes");
}

/* As a container sees it: a part of the hierarchy is mounted, the path is whole. */
static void test_v1_mounted_in_part(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", "35 31 0:32 /box /sys/fs/cgroup/memory rw - cgroup "
					  "cgroup rw,memory\n" },
		{ "/proc/self/cgroup", "4:cpu,memory:/box/one\n" },
		{ "/sys/fs/cgroup/memory/one/cgroup.procs", "" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_measures("/sys/fs/cgroup/memory/one", "/sys/fs/cgroup/memory/one/cgroup.procs",
			"memory.max_usage_in_bytes");
}

static void test_hybrid_has_memory_on_v1(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", MOUNT_UNIFIED MOUNT_V1 },
		{ "/proc/self/cgroup", "4:memory:/\n1:cpu:/\n0::/elsewhere\n" },
		{ "/sys/fs/cgroup/unified/cgroup.controllers", "" },
		{ "/sys/fs/cgroup/memory/cgroup.procs", "" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_measures("/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory/cgroup.procs",
			"memory.max_usage_in_bytes");
}

static void test_v2_whose_memory_is_elsewhere(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", MOUNT_UNIFIED },
		{ "/proc/self/cgroup", "4:memory:/\n0::/\n" },
		{ "/sys/fs/cgroup/unified/cgroup.controllers", "cpu\n" },
		{ "/sys/fs/cgroup/unified/cgroup.subtree_control", "" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_unsupported("no memory controller");
}

static void test_nothing_mounted(void **state)
{
	static const struct tree_file files[] = {
		{ "/proc/self/mountinfo", "22 1 0:20 / / rw - ext4 /dev/vda rw\n" },
		{ "/proc/self/cgroup", "0::/\n" },
	};

	(void)state;
	write_tree(files, ARRAY_SIZE(files));
	assert_unsupported("is mounted");
	write_file("/proc/self/mountinfo", "");
	assert_unsupported("is mounted");
}

static void test_no_cgroups_at_all(void **state)
{
	(void)state;
	write_file("/proc/self/mountinfo", "22 1 0:20 / / rw - ext4 /dev/vda rw\n");
	assert_unsupported("is mounted");
}

static void test_releases(void **state)
{
	(void)state;
	assert_int_equal(memcg__charges_verifier("6.16.12"), 0);
	assert_int_equal(memcg__charges_verifier("6.9.0-amd64"), 0);
	assert_int_equal(memcg__charges_verifier("5.19.1"), 0);
	assert_int_equal(memcg__charges_verifier("6.17.0-rc1+"), 1);
	assert_int_equal(memcg__charges_verifier("7.3.4"), 1);
	assert_int_equal(memcg__charges_verifier("next"), -EINVAL);
}

static void test_quantum(void **state)
{
	(void)state;
	assert_true(memcg__quantum(1) == 64 * (uint64_t)sysconf(_SC_PAGESIZE));
	assert_true(memcg__quantum(8) == 8 * memcg__quantum(1));
}

#define TREE_TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_v2),
		TREE_TEST(test_v2_in_the_root_cgroup),
		TREE_TEST(test_v2_without_subtree_control),
		TREE_TEST(test_v2_without_memory_peak),
		TREE_TEST(test_v1),
		TREE_TEST(test_v1_mounted_in_part),
		TREE_TEST(test_hybrid_has_memory_on_v1),
		TREE_TEST(test_v2_whose_memory_is_elsewhere),
		TREE_TEST(test_nothing_mounted),
		TREE_TEST(test_no_cgroups_at_all),
		cmocka_unit_test(test_releases),
		cmocka_unit_test(test_quantum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
