// SPDX-License-Identifier: GPL-2.0-only
#include "allocs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum {
	DEFAULT_OPS = 2048,
	TRIES = 5, /* the kernel may skip a counter; then not more often than this */
};

int allocs__check_witness(const struct bench *bench, const struct bench_work *work,
			  const struct bench_work *witness, struct err *err)
{
	/* Each operation is either in the witness's work or in its failures. */
	if (work->done == witness->done + witness->failed)
		return 0;
	return err__set(err, -EBADE,
			"the producers did %" PRIu64 " %ss, the BPF program saw %" PRIu64,
			work->done, bench->op, witness->done + witness->failed);
}

/* What producers need to count themselves. */
struct counter {
	struct kmem_tally *tally;
	int marks_fd;
	unsigned int window;
};

/* Only a reader of traces misses a mark, and would see that. */
static void mark(const struct counter *counter, const char *what)
{
	if (counter->marks_fd >= 0)
		dprintf(counter->marks_fd, "bpf-ab: window %u %s\n", counter->window, what);
}

static void window_begins(void *ctx)
{
	const struct counter *counter = ctx;

	mark(counter, "begins");
	kmem_tally__arm(counter->tally, gettid());
}

static void window_ends(void *ctx)
{
	const struct counter *counter = ctx;

	kmem_tally__disarm(counter->tally, gettid());
	mark(counter, "ends");
}

static int check(const struct bench *bench, const struct crew_result *result, struct err *err)
{
	uint64_t failed = result->work.failed + result->witness.failed;
	int rc = allocs__check_witness(bench, &result->work, &result->witness, err);

	if (rc == 0 && failed)
		rc = err__set(err, -EIO, "%" PRIu64 " %ss failed", failed, bench->op);
	return rc;
}

static int count_once(const struct bench *bench, struct crew *crew, uint64_t ops,
		      struct counter *counter, struct allocs_window *ret_window, struct err *err)
{
	const struct crew_round round = {
		.count = ops,
		.begins = window_begins,
		.ends = window_ends,
		.ctx = counter,
	};
	struct kmem_tally_counts counts;
	struct crew_result result;
	int rc;

	kmem_tally__clear(counter->tally);
	rc = crew__round(crew, &round, &result);
	if (rc < 0)
		return err__set(err, rc, "interrupted");
	rc = check(bench, &result, err);
	if (rc < 0)
		return rc;
	*ret_window = (struct allocs_window){ .ops = result.witness.done, .ns = result.ns };
	rc = kmem_tally__read(counter->tally, &counts);
	if (rc == 0) {
		ret_window->counts = counts;
	} else {
		mark(counter, "is void");
		err__set(err, rc, "the kernel skipped a counter each time");
	}
	return rc;
}

static int count_windows(const struct bench *bench, struct crew *crew, uint64_t ops,
			 struct counter *counter, struct allocs *allocs, struct err *err)
{
	int rc = 0, tries = 0;

	/* The first one is to warm up, and only its sites count. */
	for (int i = -1; i < ALLOCS_WINDOWS && tries < TRIES; i += rc == 0) {
		struct allocs_window window = {};

		rc = count_once(bench, crew, ops, counter, &window, err);
		if (rc < 0 && rc != -EAGAIN)
			return rc;
		allocs->site_ops += window.ops;
		if (rc == 0 && i >= 0)
			allocs->windows[i] = window;
		tries += rc < 0;
		counter->window++;
	}
	return rc;
}

static int find_missing(struct kmem_tally *tally, struct allocs *allocs)
{
	static const enum kmem_kind kinds[] = { KMEM_KIND_NOLOCK, KMEM_KIND_REFILL,
						KMEM_KIND_VMALLOC };
	int rc = 0;

	allocs->caveat = kmem_tally__caveat(tally);
	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(kinds); i++) {
		const char *why = kmem_tally__missing(tally, kinds[i]);

		if (why)
			rc = str__printf(&allocs->missing[kinds[i]], "%s", why);
	}
	return rc;
}

static int find_sites(struct kmem_tally *tally, const struct allocs_opts *opts,
		      struct allocs *allocs)
{
	allocs->sites = calloc(opts->sites, sizeof(*allocs->sites));
	if (!allocs->sites)
		return -ENOMEM;
	return kmem_tally__sites(tally, allocs->sites, opts->sites, &allocs->n_sites);
}

static int count(const struct bench *bench, struct crew *crew, const struct allocs_opts *opts,
		 struct allocs *allocs, struct err *err)
{
	_cleanup_kmem_tally_ struct kmem_tally *tally = NULL;
	struct counter counter = { .marks_fd = opts->marks_fd };
	int rc;

	rc = kmem_tally__open(&(struct kmem_tally_opts){ .sites = opts->sites > 0 }, &tally, err);
	if (rc < 0)
		return rc;
	counter.tally = tally;
	rc = find_missing(tally, allocs);
	if (rc == 0)
		rc = count_windows(bench, crew, opts->ops ?: DEFAULT_OPS * crew__size(crew),
				   &counter, allocs, err);
	if (rc == 0 && opts->sites)
		rc = find_sites(tally, opts, allocs);
	return rc;
}

int allocs__count(const struct bench *bench, struct crew *crew, const struct allocs_opts *opts,
		  struct allocs *ret_allocs)
{
	struct err err = {};
	int rc;

	*ret_allocs = (struct allocs){ .state = CELL_OK };
	rc = count(bench, crew, opts, ret_allocs, &err);
	if (rc == 0)
		return 0;
	ret_allocs->state = rc == -EOPNOTSUPP || rc == -EPERM ? CELL_UNSUPPORTED : CELL_FAILED;
	snprintf(ret_allocs->why, sizeof(ret_allocs->why), "%s",
		 err.text[0] ? err.text : strerror(-rc));
	return rc == -EINTR ? rc : 0;
}

void allocs__clear(struct allocs *allocs)
{
	for (size_t i = 0; i < KMEM_KIND_MAX; i++)
		free(allocs->missing[i]);
	free(allocs->sites);
}
