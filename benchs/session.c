// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	ALLOC_OPS = 2048, /* operations that the allocators' work is counted for */
	ALLOC_TRIES = 5,  /* the kernel may skip a counter; then once more */
};

/* Each operation is either in the witness's work or in its failures. */
static int check_witness(const struct bench *bench, const struct bench_work *work,
			 const struct bench_work *witness, struct err *err)
{
	if (work->done == witness->done + witness->failed)
		return 0;
	return err__set(err, -EBADE,
			"the producers did %" PRIu64 " %ss, the BPF program saw %" PRIu64,
			work->done, bench->op, witness->done + witness->failed);
}

static int run_round(const struct bench *bench, struct crew *crew, const struct crew_round *round,
		     struct crew_result *ret_result, struct err *err)
{
	int rc = crew__round(crew, round, ret_result);

	if (rc < 0)
		return err__set(err, rc, "interrupted");
	return check_witness(bench, &ret_result->work, &ret_result->witness, err);
}

static int run_rounds(const struct bench *bench, void *state, const struct session_opts *opts,
		      struct session *session, struct err *err)
{
	_cleanup_crew_ struct crew *crew = NULL;
	struct crew_result result;
	int rc;

	rc = crew__start(bench, state, &opts->crew, &crew, err);
	for (unsigned int i = 0; rc == 0 && i < opts->warmup; i++)
		rc = run_round(bench, crew, &opts->round, &result, err);
	for (unsigned int i = 0; rc == 0 && i < opts->rounds; i++) {
		rc = run_round(bench, crew, &opts->round, &result, err);
		if (rc < 0)
			break;
		rc = vec_push(&session->rounds, result);
		if (rc < 0)
			return err__set(err, rc, "out of memory");
		if (opts->progress)
			opts->progress(opts->ctx, i + 1, &result);
	}
	return rc;
}

static int count_once(const struct bench *bench, void *state, struct kmem *kmem,
		      struct session_allocs *ret_allocs, struct err *err)
{
	struct session_allocs allocs = {};
	struct bench_work work = {}, before, after;
	int rc;

	bench->witness(state, &before);
	rc = kmem__begin(kmem, gettid(), KMEM_WINDOW_THREAD);
	if (rc < 0)
		return err__set(err, rc, "allocator counters: %s", strerror(-rc));
	while (work.done + work.failed < ALLOC_OPS)
		bench->batch(state, 0, ALLOC_OPS - work.done - work.failed, &work);
	rc = kmem__end(kmem, &allocs.counts);
	if (rc == -EAGAIN)
		return err__set(err, rc, "the kernel skipped a counter each time");
	if (rc < 0)
		return err__set(err, rc, "allocator counters: %s", strerror(-rc));
	bench->witness(state, &after);
	after.done -= before.done;
	after.failed -= before.failed;
	rc = check_witness(bench, &work, &after, err);
	if (rc < 0)
		return rc;
	if (work.failed || after.failed)
		return err__set(err, -EIO, "%" PRIu64 " of %d %ss failed",
				work.failed + after.failed, ALLOC_OPS, bench->op);
	if (allocs.counts.lost)
		return err__set(err, -ENOSPC,
				"%" PRIu64 " allocations found no room to be followed",
				allocs.counts.lost);
	allocs.ops = after.done;
	*ret_allocs = allocs;
	return 0;
}

/* What can't be counted is the session's state, not an error. */
static void count_allocs(const struct bench *bench, void *state, struct session *session)
{
	_cleanup_kmem_ struct kmem *kmem = NULL;
	struct session_allocs warm_up;
	struct err err = {};
	int rc;

	rc = kmem__open(&(struct kmem_opts){ .vmalloc_is_own = true }, &kmem, &err);
	if (rc == 0) {
		session->caveat = kmem__caveat(kmem);
		rc = count_once(bench, state, kmem, &warm_up, &err);
	}
	for (int i = 0, tries = 0; (rc == 0 || rc == -EAGAIN) && i < SESSION_ALLOCS; i += rc == 0) {
		if (rc == -EAGAIN && ++tries == ALLOC_TRIES)
			break;
		rc = count_once(bench, state, kmem, &session->allocs[i], &err);
	}
	session->allocs_state = CELL_OK;
	if (rc < 0) {
		session->allocs_state =
			rc == -EOPNOTSUPP || rc == -EPERM ? CELL_UNSUPPORTED : CELL_FAILED;
		snprintf(session->why, sizeof(session->why), "%s", err.text);
	}
}

int session__run(const struct bench *bench, void *state, const struct session_opts *opts,
		 struct session *ret_session, struct err *err)
{
	_cleanup_session_ struct session session = {};
	int rc;

	rc = run_rounds(bench, state, opts, &session, err);
	if (rc < 0)
		return rc;
	count_allocs(bench, state, &session);
	*ret_session = session;
	session = (struct session){};
	return 0;
}

void session__clear(struct session *session)
{
	vec_free(&session->rounds);
}
