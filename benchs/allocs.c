// SPDX-License-Identifier: GPL-2.0-only
#include "allocs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum {
	DEFAULT_OPS = 2048,
	TRIES = 5, /* the kernel may skip a counter; then once more */
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

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Only a reader of traces misses a mark, and would see that. */
static void mark(const struct allocs_opts *opts, const char *text)
{
	if (opts->marks_fd >= 0 && write(opts->marks_fd, text, strlen(text)) < 0)
		return;
}

static int check(const struct bench *bench, const struct bench_work *work,
		 const struct bench_work *witness, struct err *err)
{
	int rc = allocs__check_witness(bench, work, witness, err);

	if (rc < 0)
		return rc;
	if (work->failed || witness->failed)
		return err__set(err, -EIO, "%" PRIu64 " %ss failed", work->failed + witness->failed,
				bench->op);
	return 0;
}

static int count_once(const struct bench *bench, void *state, const struct allocs_opts *opts,
		      struct kmem_tally *tally, uint64_t *site_ops,
		      struct allocs_window *ret_window, struct err *err)
{
	struct allocs_window window = {};
	struct bench_work work = {}, before, after;
	uint64_t ops = opts->ops ?: DEFAULT_OPS;
	int rc;

	bench->witness(state, &before);
	mark(opts, "bpf-ab: window begins\n");
	window.ns = now_ns();
	kmem_tally__start(tally, gettid());
	while (work.done + work.failed < ops)
		bench->batch(state, 0, ops - work.done - work.failed, &work);
	rc = kmem_tally__stop(tally, &window.counts);
	window.ns = now_ns() - window.ns;
	mark(opts, "bpf-ab: window ends\n");
	/* Sites are counted even where the window is not good enough for the rest. */
	*site_ops += work.done;
	if (rc < 0)
		return err__set(err, rc, "the kernel skipped a counter each time");
	bench->witness(state, &after);
	after.done -= before.done;
	after.failed -= before.failed;
	rc = check(bench, &work, &after, err);
	if (rc < 0)
		return rc;
	window.ops = after.done;
	*ret_window = window;
	return 0;
}

static int count_windows(const struct bench *bench, void *state, const struct allocs_opts *opts,
			 struct kmem_tally *tally, struct allocs *allocs, struct err *err)
{
	struct allocs_window warm_up;
	int rc, tries = 0;

	rc = count_once(bench, state, opts, tally, &allocs->site_ops, &warm_up, err);
	for (int i = 0; (rc == 0 || rc == -EAGAIN) && i < ALLOCS_WINDOWS; i += rc == 0) {
		if (rc == -EAGAIN && ++tries == TRIES)
			break;
		rc = count_once(bench, state, opts, tally, &allocs->site_ops, &allocs->windows[i],
				err);
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

void allocs__count(const struct bench *bench, void *state, const struct allocs_opts *opts,
		   struct allocs *ret_allocs)
{
	_cleanup_kmem_tally_ struct kmem_tally *tally = NULL;
	struct allocs *allocs = ret_allocs;
	struct err err = {};
	int rc;

	*allocs = (struct allocs){ .state = CELL_OK };
	rc = kmem_tally__open(&(struct kmem_tally_opts){ .sites = opts->sites > 0 }, &tally, &err);
	if (rc == 0)
		rc = find_missing(tally, allocs);
	if (rc == 0)
		rc = count_windows(bench, state, opts, tally, allocs, &err);
	if (rc == 0 && opts->sites)
		rc = find_sites(tally, opts, allocs);
	if (rc == 0)
		return;
	allocs->state = rc == -EOPNOTSUPP || rc == -EPERM ? CELL_UNSUPPORTED : CELL_FAILED;
	snprintf(allocs->why, sizeof(allocs->why), "%s", err.text[0] ? err.text : strerror(-rc));
}

void allocs__clear(struct allocs *allocs)
{
	for (size_t i = 0; i < KMEM_KIND_MAX; i++)
		free(allocs->missing[i]);
	free(allocs->sites);
}
