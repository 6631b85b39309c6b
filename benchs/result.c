// SPDX-License-Identifier: GPL-2.0-only
#include "result.h"

#include <errno.h>
#include <inttypes.h>

#include "stats.h"

#define NOT_COUNTED "the clock does not count instructions (a guest with --clock icount does)"

static double per_second(const struct crew_result *r)
{
	return r->ns ? r->witness.done * 1e9 / r->ns : 0;
}

/* Where a nanosecond of the clock is an instruction. */
static double insns_per_op(const struct crew_result *r)
{
	return (double)r->ns / r->witness.done;
}

static uint64_t errors(const struct crew_result *r)
{
	return r->work.failed + r->witness.failed;
}

static double kmallocs(const struct session_allocs *a)
{
	return (double)a->counts.kmallocs / a->ops;
}

static double slab_allocs(const struct session_allocs *a)
{
	return (double)a->counts.slab_allocs / a->ops;
}

/* By the thread itself; when RCU and others get round to the rest is not the operation's. */
static double frees(const struct session_allocs *a)
{
	return (double)a->counts.frees / a->ops;
}

/* The metrics that come from the allocator counters. */
static const struct {
	const char *metric, *title;
	double (*value)(const struct session_allocs *allocs);
} alloc_metrics[] = {
	{ "kmallocs_per_op", "kmallocs", kmallocs },
	{ "slab_allocs_per_op", "slab allocations", slab_allocs },
	{ "frees_per_op", "frees", frees },
};

static int record_allocs(struct recording *rec, struct record_row *row,
			 const struct session *session, size_t nth)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(alloc_metrics); i++) {
		const char *metric = alloc_metrics[i].metric;

		if (session->allocs_state != CELL_OK)
			rc = recording__set_missing(rec, row, metric, session->allocs_state,
						    session->why);
		else if (nth < SESSION_ALLOCS)
			rc = recording__set_num(rec, row, metric,
						alloc_metrics[i].value(&session->allocs[nth]));
	}
	return rc;
}

/* A round in which nothing was done has no rate: it is a failure, not 0. */
static int record_round(struct recording *rec, struct record_row *row,
			const struct timing_clock *clock, const struct crew_result *r)
{
	static const char nothing[] = "nothing was done in this round";
	bool worked = r->witness.done && r->ns;
	int rc;

	rc = recording__set_num(rec, row, "errors", errors(r));
	if (rc == 0 && worked)
		rc = recording__set_num(rec, row, "ops_per_sec", per_second(r));
	else if (rc == 0)
		rc = recording__set_missing(rec, row, "ops_per_sec", CELL_FAILED, nothing);
	if (rc < 0)
		return rc;
	if (clock->kind != TIMING_COUNTED)
		return recording__set_missing(rec, row, "insns_per_op", CELL_UNSUPPORTED,
					      NOT_COUNTED);
	if (!worked)
		return recording__set_missing(rec, row, "insns_per_op", CELL_FAILED, nothing);
	return recording__set_num(rec, row, "insns_per_op", insns_per_op(r));
}

int result__record(const struct bench *bench, const char *variant, const struct timing_clock *clock,
		   const struct session *session, struct recording *rec, struct err *err)
{
	static const char *const columns[] = { "ops_per_sec",	  "insns_per_op",
					       "kmallocs_per_op", "slab_allocs_per_op",
					       "frees_per_op",	  "errors" };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(columns); i++)
		rc = recording__add_column(rec, metric__find(SUITE_BENCH, columns[i]));
	for (size_t i = 0; rc == 0 && i < session->rounds.n; i++) {
		struct record_row *row;

		rc = recording__add_row(rec, bench->name, variant, &row);
		if (rc == 0)
			rc = record_round(rec, row, clock, &session->rounds.v[i]);
		if (rc == 0)
			rc = record_allocs(rec, row, session, i);
	}
	if (rc == 0)
		rc = recording__add_sums(rec);
	return rc < 0 ? err__set(err, rc, "recording: %s", strerror(-rc)) : 0;
}

void result__print_round(const struct bench *bench, unsigned int nth,
			 const struct crew_result *result, FILE *out)
{
	fprintf(out, "  round %3u: %10.3f k %ss/s, %" PRIu64 " in %.3f s\n", nth,
		per_second(result) / 1000, bench->op, result->witness.done, result->ns / 1e9);
}

static void print_allocs(const struct bench *bench, const struct session *session, FILE *out)
{
	if (session->allocs_state != CELL_OK) {
		fprintf(out, "  allocations per %s: %s: %s\n", bench->op,
			session->allocs_state == CELL_FAILED ? "failed" : "unsupported",
			session->why);
		return;
	}
	fprintf(out, "  per %s:", bench->op);
	for (size_t i = 0; i < ARRAY_SIZE(alloc_metrics); i++)
		fprintf(out, "%s %.3f %s", i ? "," : "",
			alloc_metrics[i].value(&session->allocs[0]), alloc_metrics[i].title);
	fprintf(out, "\n");
	if (session->caveat)
		fprintf(out, "  note: %s\n", session->caveat);
}

/* Mean and deviation of one number over the rounds that did anything. */
static int print_summary(const struct session *session, double (*value)(const struct crew_result *),
			 double unit, const char *title, FILE *out)
{
	_cleanup_free_ double *v = NULL;
	struct stats_summary s;
	size_t n = 0;

	v = calloc(session->rounds.n + 1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < session->rounds.n; i++) {
		if (session->rounds.v[i].witness.done)
			v[n++] = value(&session->rounds.v[i]) / unit;
	}
	if (n == 0 || stats__summary(v, n, &s) < 0)
		return n ? -ENOMEM : 0;
	if (n > 1)
		fprintf(out, "  %s: %.3f, deviation %.3f (%.2f %%) of %zu rounds\n", title, s.mean,
			s.deviation, 100 * s.deviation / s.mean, n);
	else
		fprintf(out, "  %s: %.3f, one round\n", title, s.mean);
	return 0;
}

int result__print(const struct bench *bench, const char *variant, const struct timing_clock *clock,
		  const struct session *session, FILE *out)
{
	char title[64];
	uint64_t done = 0, failed = 0;
	int rc;

	for (size_t i = 0; i < session->rounds.n; i++) {
		done += session->rounds.v[i].witness.done;
		failed += errors(&session->rounds.v[i]);
	}
	fprintf(out, "%s %s: %" PRIu64 " %ss, %" PRIu64 " errors\n", bench->name, variant, done,
		bench->op, failed);
	snprintf(title, sizeof(title), "k %ss/s", bench->op);
	rc = print_summary(session, per_second, 1000, title, out);
	snprintf(title, sizeof(title), "instructions per %s", bench->op);
	if (clock->kind == TIMING_COUNTED && rc == 0)
		rc = print_summary(session, insns_per_op, 1, title, out);
	else if (rc == 0)
		fprintf(out, "  %s: unsupported: " NOT_COUNTED "\n", title);
	print_allocs(bench, session, out);
	return rc;
}
