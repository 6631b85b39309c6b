// SPDX-License-Identifier: GPL-2.0-only
/*
 * A load of which every single allocation fails in turn: each time it ends
 * with -ENOMEM, or does without what it did not get, and nothing of it stays.
 * On kernels that can fail allocations (CONFIG_FAULT_INJECTION, FAILSLAB,
 * FAIL_PAGE_ALLOC); a splat fails every test anyway.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "loader.h"
#include "test_progs.h"
#include "vmalloc.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"
/* What a kernel that always compiles says when it could not; not in errno.h. */
#define ENOTSUPP 524
#define KMEMLEAK "/sys/kernel/debug/kmemleak"

/* What is left in peace by default: sleeping allocations, single pages, high memory. */
struct setting {
	const char *path, *value;
};

static const struct setting failing[] = {
	{ "/sys/kernel/debug/failslab/ignore-gfp-wait", "N" },
	{ "/sys/kernel/debug/failslab/verbose", "0" },
	{ "/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", "N" },
	{ "/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem", "N" },
	{ "/sys/kernel/debug/fail_page_alloc/min-order", "0" },
	{ "/sys/kernel/debug/fail_page_alloc/verbose", "0" },
};

/* For the program that nothing but this rewrites. */
static const struct setting blinding = { "/proc/sys/net/core/bpf_jit_harden", "2" };

/* The value that it had goes to *saved, which is NULL before. */
static bool setting__apply(const struct setting *setting, char **saved)
{
	return ASSERT_OK(file__read(setting->path, saved, NULL), setting->path) &&
	       ASSERT_OK(file__write(setting->path, setting->value), setting->path);
}

static void setting__restore(const struct setting *setting, char **saved)
{
	if (*saved)
		file__write(setting->path, *saved);
	free(*saved);
	*saved = NULL;
}

/*
 * How many allocations the thread may still make; 0: one has failed. The file is
 * opened before, since opening it makes allocations.
 */
static int fail_nth__left(int fd)
{
	char text[16] = "";

	return pread(fd, text, sizeof(text) - 1, 0) > 0 ? atoi(text) : -1;
}

static bool fail_nth__arm(int fd, int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", n);

	return pwrite(fd, text, len, 0) == len;
}

struct tally {
	int failed;   /* ended with -ENOMEM */
	int early;    /* with -EINVAL, which is the word for no room for the program itself */
	int unjited;  /* the JIT gave up, and nothing else may run the program */
	int survived; /* loaded without the allocation that failed */
};

/* One load whose nth allocation fails. 1: it has fewer than that; 0; -1: wrong. */
static int fail_at(struct loader *loader, size_t prog, int nth_fd, int n, struct tally *tally)
{
	struct load_result result = { .fd = -1 };
	const char *name = loader__prog(loader, prog).name;
	int left, rc;

	if (!ASSERT_TRUE(fail_nth__arm(nth_fd, n), "arm"))
		return -1;
	rc = loader__load(loader, prog, &(struct load_opts){}, &result);
	left = fail_nth__left(nth_fd);
	fail_nth__arm(nth_fd, 0);
	if (result.fd >= 0)
		close(result.fd);
	if (!ASSERT_OK(rc, "our own memory") || !ASSERT_GE(left, 0, "left"))
		return -1;
	if (left > 0)
		return ASSERT_GE(result.fd, 0, name) ? 1 : -1;
	if (result.fd >= 0)
		tally->survived++;
	else if (result.error == -ENOTSUPP)
		tally->unjited++;
	/* The program's own memory comes before all else. */
	else if (result.error == -EINVAL && !*result.log && !tally->failed)
		tally->early++;
	else if (ASSERT_CHECK(result.error == -ENOMEM && result.cause == LOAD_NO_MEMORY,
			      "%s: allocation %d failed: error %d, %s (%s)", name, n, result.error,
			      load_cause__words(result.cause), result.reason))
		tally->failed++;
	else
		return -1;
	return 0;
}

/* Whatever RCU and workers have still to free. */
static void settle(void)
{
	sleep(2);
}

static void check_leaks(void)
{
	_cleanup_free_ char *text = NULL;

	if (access(KMEMLEAK, W_OK) < 0)
		return;
	/* Younger than five seconds is never suspected, and a scan may miss a pointer on the move.
	 */
	sleep(6);
	ASSERT_OK(file__write(KMEMLEAK, "scan"), "scan");
	ASSERT_OK(file__write(KMEMLEAK, "scan"), "scan again");
	if (ASSERT_OK(file__read(KMEMLEAK, &text, NULL), KMEMLEAK))
		ASSERT_CHECK(!*text, "leaked:\n%.2000s", text);
}

static void fail_each(struct loader *loader, size_t prog, int nth_fd)
{
	_cleanup_vmalloc_ struct vmalloc *vmalloc = NULL;
	struct vmalloc_counts counts = {};
	struct load_result result = { .fd = -1 };
	struct tally tally = {};
	struct err err = {};
	int rc = 0, n;

	/* Everything that only a first load allocates. */
	for (int i = 0; i < 2; i++) {
		ASSERT_OK(loader__load(loader, prog, &(struct load_opts){}, &result), "load");
		if (!ASSERT_OK_FD(result.fd, "load"))
			return;
		close(result.fd);
	}
	settle();
	if (access(KMEMLEAK, W_OK) == 0)
		file__write(KMEMLEAK, "clear");
	if (!ASSERT_OK(vmalloc__open(&vmalloc, &err), err.text) ||
	    !ASSERT_OK(vmalloc__begin(vmalloc, gettid()), "count vmalloc"))
		return;
	for (n = 1; rc == 0; n++)
		rc = fail_at(loader, prog, nth_fd, n, &tally);
	settle();
	if (!ASSERT_OK(vmalloc__end(vmalloc, &counts), "count vmalloc"))
		return;
	printf("%s: %d allocations failed: %d loads ended with -ENOMEM, %d with -EINVAL before "
	       "the verifier, %d without machine code, %d did without\n",
	       loader__prog(loader, prog).name, n - 2, tally.failed, tally.early, tally.unjited,
	       tally.survived);
	ASSERT_GT(tally.failed, 20, "failed loads");
	ASSERT_GT(counts.allocs, 0, "vmalloc was seen");
	ASSERT_EQ(counts.lost, 0, "areas without room");
	ASSERT_EQ(counts.leaked, 0, "bytes of vmalloc that nobody freed");
	check_leaks();
}

static void fail_program(struct loader *loader, size_t prog, int nth_fd)
{
	const char *name = loader__prog(loader, prog).name;
	const bool blinded = streq(name, "constants");
	char *saved = NULL;

	if (!test__start_subtest(name))
		return;
	if (!blinded || setting__apply(&blinding, &saved))
		fail_each(loader, prog, nth_fd);
	setting__restore(&blinding, &saved);
	test__end_subtest();
}

static struct loader *open_growth(void)
{
	_cleanup_free_ char *path = NULL;
	struct loader *loader = NULL;
	struct err err = {};

	if (ASSERT_OK(str__printf(&path, "%s/growth.bpf.o", test__env()->objdir), "path") &&
	    ASSERT_OK(loader__open(path, NULL, &loader, &err), err.text))
		ASSERT_OK(loader__prepare(loader, &err), err.text);
	return loader;
}

void test_fail_nth(void)
{
	_cleanup_loader_ struct loader *loader = NULL;
	_cleanup_close_ int nth_fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	char *saved[ARRAY_SIZE(failing)] = {};
	bool set = true;

	if (nth_fd < 0) {
		test__skip("no %s: this kernel cannot fail allocations "
			   "(CONFIG_FAULT_INJECTION)",
			   FAIL_NTH);
		return;
	}
	loader = open_growth();
	if (!loader)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(failing) && set; i++)
		set = setting__apply(&failing[i], &saved[i]);
	for (size_t i = 0; i < loader__count(loader) && set; i++)
		fail_program(loader, i, nth_fd);
	for (size_t i = 0; i < ARRAY_SIZE(failing); i++)
		setting__restore(&failing[i], &saved[i]);
}
