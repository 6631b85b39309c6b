// SPDX-License-Identifier: GPL-2.0-only
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

/*
 * The kernel frees after grace periods, and control groups one by one: how long that
 * takes is its own affair. What is not fewer after so many looks stays.
 */
enum { LEFT_TRIES = 100, LEFT_PAUSE_MS = 50 };

static int run_round(const struct bench *bench, struct crew *crew, const struct crew_round *round,
		     struct crew_result *ret_result, struct err *err)
{
	int rc = crew__round(crew, round, ret_result);

	if (rc < 0)
		return err__set(err, rc, "interrupted");
	return allocs__check_witness(bench, &ret_result->work, &ret_result->witness, err);
}

static int run_measured(const struct bench *bench, struct crew *crew,
			const struct session_opts *opts, struct session *session, struct err *err)
{
	struct crew_result result;
	int rc = 0;

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

static int run_bare(const struct bench *bench, void *state, struct crew *crew,
		    const struct session_opts *opts, struct session *session, struct err *err)
{
	struct crew_result result;
	int rc = 0;

	bench->bare(state, true);
	/* The first one is to warm up. */
	for (unsigned int i = 0; rc == 0 && i <= opts->rounds; i++) {
		rc = run_round(bench, crew, &opts->round, &result, err);
		if (rc == 0 && i > 0)
			rc = vec_push(&session->bare, result);
	}
	bench->bare(state, false);
	return rc == -ENOMEM ? err__set(err, rc, "out of memory") : rc;
}

static int run_crew(const struct bench *bench, void *state, const struct session_opts *opts,
		    struct session *session, struct err *err)
{
	_cleanup_crew_ struct crew *crew = NULL;
	int rc = crew__start(bench, state, &opts->crew, &crew, err);

	if (rc == 0)
		rc = run_measured(bench, crew, opts, session, err);
	if (rc == 0 && opts->bare && bench->bare)
		rc = run_bare(bench, state, crew, opts, session, err);
	if (rc == 0 && allocs__count(bench, crew, &opts->allocs, &session->allocs) < 0)
		rc = err__set(err, -EINTR, "interrupted");
	return rc;
}

static void count_left(const struct bench *bench, const void *state, struct session *session)
{
	const struct timespec pause = { .tv_nsec = LEFT_PAUSE_MS * 1000000L };
	struct err err = {};
	uint64_t least = UINT64_MAX;
	int rc = 0;

	for (int i = 0; i < LEFT_TRIES; i++) {
		rc = bench->left(state, &session->left, &err);
		if (rc < 0 || session->left == 0)
			break;
		if (session->left < least) {
			least = session->left;
			i = 0;
		}
		nanosleep(&pause, NULL);
	}
	session->left_state = CELL_OK;
	if (rc < 0) {
		session->left_state =
			rc == -EOPNOTSUPP || rc == -EPERM ? CELL_UNSUPPORTED : CELL_FAILED;
		snprintf(session->left_why, sizeof(session->left_why), "%s", err.text);
	}
}

int session__run(const struct bench *bench, void *state, const struct session_opts *opts,
		 struct session *ret_session, struct err *err)
{
	_cleanup_session_ struct session session = {};
	int rc;

	rc = run_crew(bench, state, opts, &session, err);
	if (rc < 0)
		return rc;
	if (bench->left)
		count_left(bench, state, &session);
	*ret_session = session;
	session = (struct session){};
	return 0;
}

void session__clear(struct session *session)
{
	vec_free(&session->rounds);
	vec_free(&session->bare);
	allocs__clear(&session->allocs);
}
