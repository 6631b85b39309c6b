// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the allocator counters say is left of a load, against what /proc has
 * more of than before.
 */
#include <fcntl.h>
#include <unistd.h>

#include "kmem.h"
#include "loader.h"
#include "test_progs.h"
#include "vmalloc.h"

/* Frees in batches wait for five seconds; what was freed before must be gone. */
enum { SETTLE_US = 300 * 1000, QUIET_S = 7 };

#define OBJECT	"loader_verdicts.bpf.o"
#define PROGRAM "taken" /* none of its allocations that stay is too large for a cache */

static struct loader *open_loader(size_t *ret_i)
{
	struct loader *loader = NULL;
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", test__env()->objdir, OBJECT);
	if (!ASSERT_OK(loader__open(path, NULL, &loader, NULL), path))
		return NULL;
	ASSERT_OK(loader__prepare(loader, NULL), "prepare");
	for (*ret_i = 0; *ret_i < loader__count(loader); ++*ret_i)
		if (streq(loader__prog(loader, *ret_i).name, PROGRAM))
			return loader;
	ASSERT_TRUE(false, PROGRAM);
	loader__free(loader);
	return NULL;
}

/* The program's fd, or -1. */
static int load(struct loader *loader, size_t i)
{
	struct load_result result = { .fd = -1 };

	ASSERT_OK(loader__load(loader, i, &(struct load_opts){}, &result), "load");
	ASSERT_OK_FD(result.fd, result.reason);
	return result.fd;
}

/* Of all lines of a file that stays open, so that reading it allocates nothing anew. */
static int64_t sum_lines(FILE *f, int64_t (*count)(const char *line))
{
	_cleanup_free_ char *line = NULL;
	int64_t sum = 0;
	size_t cap = 0;

	if (!ASSERT_OK(fseek(f, 0, SEEK_SET), "the beginning of the file"))
		return 0;
	while (getline(&line, &cap, f) > 0)
		sum += count(line);
	return sum;
}

/* "name ACTIVE total SIZE ..." */
static int64_t slab_bytes(const char *line)
{
	unsigned long active, total, size;

	return sscanf(line, "%*s %lu %lu %lu", &active, &total, &size) == 3 ? active * size : 0;
}

/* "0x..-0x.. size function+0x.. pages=N vmalloc ..."; code is of stocks that programs share. */
static int64_t vmalloc_bytes(const char *line)
{
	const char *pages = strstr(line, " pages=");

	if (!pages || !strstr(pages, " vmalloc") || strstr(line, "bpf_jit_alloc_exec") ||
	    strstr(line, "execmem"))
		return 0;
	return strtoul(pages + strlen(" pages="), NULL, 10) * sysconf(_SC_PAGESIZE);
}

/* Opened and read once, so that its buffers are there. */
static FILE *open_proc(const char *path, int64_t (*count)(const char *line))
{
	FILE *f = fopen(path, "re");

	if (!f)
		test__skip("%s: %s", path, strerror(errno));
	else if (!ASSERT_GT(sum_lines(f, count), 0, path))
		fclose(f), f = NULL;
	return f;
}

static void compare_slabs(struct kmem *kmem, struct loader *loader, size_t i, FILE *f)
{
	struct kmem_counts counts = {};
	int64_t before, more, left;
	int fd;

	if (!ASSERT_OK(kmem__begin(kmem, gettid(), KMEM_WINDOW_PROG_LOAD), "begin"))
		return;
	sleep(QUIET_S);
	before = sum_lines(f, slab_bytes);
	fd = load(loader, i);
	usleep(SETTLE_US);
	left = kmem__left(kmem);
	more = sum_lines(f, slab_bytes) - before;
	if (fd >= 0)
		close(fd);
	ASSERT_OK(kmem__end(kmem, &counts), "end");
	ASSERT_GT(left, 0, "bytes that are left");
	ASSERT_EQ(more, left, "bytes that /proc/slabinfo has more of");
	ASSERT_LE(left, counts.live_end, "what is left against what was when the load ended");
}

static void check_slabinfo(struct loader *loader, size_t i)
{
	static const struct kmem_opts opts = { .kinds = KMEM_WANTS(NOLOCK),
					       .follows = true,
					       .own_too = true };
	_cleanup_free_ char *cmdline = NULL;
	_cleanup_kmem_ struct kmem *kmem = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	struct err err = {};

	if (ASSERT_OK(file__read("/proc/cmdline", &cmdline, NULL), "/proc/cmdline") &&
	    !strstr(cmdline, "slab_debug=F")) {
		test__skip("what caches have in stock is in use for /proc/slabinfo, unless the "
			   "kernel is booted with slab_debug=F");
		return;
	}
	if (kmem__open(&opts, &kmem, &err) < 0) {
		test__skip("%s", err.text);
		return;
	}
	f = open_proc("/proc/slabinfo", slab_bytes);
	if (f)
		compare_slabs(kmem, loader, i, f);
}

static void check_vmallocinfo(struct loader *loader, size_t i)
{
	_cleanup_vmalloc_ struct vmalloc *vmalloc = NULL;
	struct vmalloc_counts counts = {};
	_cleanup_fclose_ FILE *f = NULL;
	int64_t before, more, left;
	struct err err = {};
	int fd;

	if (vmalloc__open(&vmalloc, &err) < 0) {
		test__skip("%s", err.text);
		return;
	}
	f = open_proc("/proc/vmallocinfo", vmalloc_bytes);
	if (!f || !ASSERT_OK(vmalloc__begin(vmalloc, gettid()), "begin"))
		return;
	usleep(SETTLE_US);
	before = sum_lines(f, vmalloc_bytes);
	fd = load(loader, i);
	usleep(SETTLE_US);
	left = vmalloc__left(vmalloc);
	more = sum_lines(f, vmalloc_bytes) - before;
	if (fd >= 0)
		close(fd);
	usleep(SETTLE_US);
	ASSERT_OK(vmalloc__end(vmalloc, &counts), "end");
	ASSERT_GT(left, 0, "bytes that are left");
	ASSERT_EQ(more, left, "bytes that /proc/vmallocinfo has more of");
	ASSERT_EQ(counts.live_peak >= (uint64_t)left, true, "peak of what is left and more");
	ASSERT_EQ(counts.leaked, 0, "bytes that are left of a program that is gone");
	ASSERT_EQ(sum_lines(f, vmalloc_bytes), before, "/proc/vmallocinfo afterwards");
}

static const struct {
	const char *name;
	void (*check)(struct loader *loader, size_t i);
} subtests[] = {
	{ "slabinfo", check_slabinfo },
	{ "vmallocinfo", check_vmallocinfo },
};

void test_kmem_proc(void)
{
	_cleanup_loader_ struct loader *loader = NULL;
	size_t i;
	int fd;

	loader = open_loader(&i);
	if (!loader)
		return;
	/* The first load makes what all later ones use. */
	fd = load(loader, i);
	if (fd < 0)
		return;
	close(fd);
	for (size_t s = 0; s < ARRAY_SIZE(subtests); s++) {
		if (test__start_subtest(subtests[s].name))
			subtests[s].check(loader, i);
	}
}
