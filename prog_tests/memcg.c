// SPDX-License-Identifier: GPL-2.0-only
/* The peak of a known amount of memory, by whatever cgroups this machine has. */
#include <sys/mman.h>
#include <unistd.h>

#include "memcg.h"
#include "test_progs.h"

enum { WORK_BYTES = 16 << 20, SLACK = 1 << 20 };

static bool touch(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return p != MAP_FAILED && munmap(p, bytes) == 0;
}

static void check_peak(struct memcg *memcg)
{
	uint64_t quantum = memcg__quantum(sysconf(_SC_NPROCESSORS_CONF));
	uint64_t bytes = 0;

	if (!ASSERT_OK(memcg__reset(memcg), "reset") || !ASSERT_TRUE(touch(WORK_BYTES), "memory") ||
	    !ASSERT_OK(memcg__peak(memcg, &bytes), "peak"))
		return;
	ASSERT_GE(bytes, WORK_BYTES - quantum, "peak of the work");
	ASSERT_LE(bytes, WORK_BYTES + quantum + SLACK, "peak of the work");
	if (!ASSERT_OK(memcg__reset(memcg), "reset") || !ASSERT_OK(memcg__peak(memcg, &bytes), "pea"
											       "k"))
		return;
	ASSERT_LE(bytes, quantum + SLACK, "peak of nothing after a reset");
}

/* Our line of /proc/self/cgroup for the controller's hierarchies. */
static char *cgroups(void)
{
	char *text = NULL;

	ASSERT_OK(file__read("/proc/self/cgroup", &text, NULL), "/proc/self/cgroup");
	return text;
}

static void check_leaves(struct janitor *janitor)
{
	_cleanup_free_ char *before = cgroups(), *inside = NULL, *after = NULL;
	_cleanup_memcg_ struct memcg *memcg = NULL;

	if (!before || !ASSERT_OK(memcg__open("", janitor, &memcg, NULL), "open"))
		return;
	inside = cgroups();
	memcg__free(TAKE_PTR(memcg));
	after = cgroups();
	ASSERT_HAS_SUBSTR(inside, "/bpf-ab-", "cgroup while measuring");
	ASSERT_STREQ(after, before, "cgroup afterwards");
}

void test_memcg(void)
{
	_cleanup_janitor_ struct janitor *janitor = NULL;
	_cleanup_memcg_ struct memcg *memcg = NULL;
	struct err err = {};
	int rc;

	if (!ASSERT_OK(janitor__start(&janitor, NULL), "janitor"))
		return;
	rc = memcg__open("", janitor, &memcg, &err);
	if (rc == -EOPNOTSUPP) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text))
		return;
	if (test__start_subtest("peak"))
		check_peak(memcg);
	memcg__free(TAKE_PTR(memcg));
	if (test__start_subtest("leaves"))
		check_leaves(janitor);
	test__end_subtest();
	ASSERT_OK(janitor__done(TAKE_PTR(janitor)), "everything could be removed");
}
