// SPDX-License-Identifier: GPL-2.0-only
/* Phases and vmalloc counters of a program of which it is known where its time goes. */
#include <unistd.h>

#include "loader.h"
#include "phases.h"
#include "test_progs.h"
#include "vmalloc.h"

static struct loader *open_lookups(void)
{
	_cleanup_free_ char *path = NULL;
	struct loader *loader = NULL;
	struct err err = {};

	if (!ASSERT_OK(str__printf(&path, "%s/growth.bpf.o", test__env()->objdir), "path"))
		return NULL;
	if (!ASSERT_OK(loader__open(path, NULL, &loader, &err), err.text))
		return NULL;
	ASSERT_OK(loader__prepare(loader, &err), err.text);
	return loader;
}

static bool load(struct loader *loader)
{
	struct load_result result = { .fd = -1 };
	bool loaded;

	loaded = ASSERT_OK(loader__load(loader, 0, &(struct load_opts){}, &result), "load") &&
		 ASSERT_OK_FD(result.fd, "load");
	if (result.fd >= 0)
		close(result.fd);
	return loaded;
}

static size_t phase(const char *name)
{
	size_t i = 0;

	while (i < phases__count() && !streq(phases__name(i), name))
		i++;
	ASSERT_LT(i, phases__count(), name);
	return i;
}

static void check_phases(struct loader *loader)
{
	_cleanup_phases_ struct phases *phases = NULL;
	struct phase_time times[phases__count()], *check = &times[phase("check")];
	uint64_t sum = 0;
	struct err err = {};
	int rc = phases__open(&phases, &err);

	if (rc == -EPERM || rc == -EOPNOTSUPP) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text) || !load(loader))
		return;
	phases__begin(phases, gettid());
	load(loader);
	if (!ASSERT_OK(phases__end(phases, times), "times"))
		return;
	for (size_t i = 0; i < phases__count(); i++)
		sum += times[i].self_ns;
	ASSERT_EQ(times[phase("rest")].calls, 1, "one verification");
	ASSERT_EQ(check->calls, 1, "one program to check");
	ASSERT_GT(check->self_ns, 0, "time of the check");
	ASSERT_GT(times[phase("fixups")].self_ns, times[phase("ctx")].self_ns,
		  "lookups are inlined, contexts are hardly read");
	ASSERT_GT(sum, check->self_ns, "there is more than the check");
	phases__begin(phases, gettid());
	ASSERT_OK(phases__end(phases, times), "times of nothing");
	ASSERT_EQ(check->calls, 0, "calls of nothing");
}

static void check_vmalloc(struct loader *loader)
{
	_cleanup_vmalloc_ struct vmalloc *vmalloc = NULL;
	struct vmalloc_counts counts = {}, again = {};
	struct err err = {};
	int rc = vmalloc__open(&vmalloc, &err);

	if (rc == -EPERM || rc == -EOPNOTSUPP) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text) || !load(loader))
		return;
	for (int i = 0; i < 2; i++) {
		if (!ASSERT_OK(vmalloc__begin(vmalloc, gettid()), "begin"))
			return;
		load(loader);
		ASSERT_OK(vmalloc__end(vmalloc, i ? &again : &counts), "end");
	}
	/* 323 instructions of 8 bytes, and more than that for what is known of each. */
	ASSERT_GT(counts.live_peak, 323 * 8, "peak");
	ASSERT_GE(counts.bytes, counts.live_peak, "bytes");
	ASSERT_LE(counts.live_end, counts.live_peak, "at the end");
	ASSERT_EQ(counts.lost, 0, "lost");
	ASSERT_EQ(again.allocs, counts.allocs, "allocations of an equal load");
	ASSERT_EQ(again.bytes, counts.bytes, "bytes of an equal load");
	ASSERT_EQ(again.live_peak, counts.live_peak, "peak of an equal load");
}

void test_phases(void)
{
	_cleanup_loader_ struct loader *loader = open_lookups();

	if (!loader)
		return;
	if (test__start_subtest("times"))
		check_phases(loader);
	if (test__start_subtest("vmalloc"))
		check_vmalloc(loader);
}
