// SPDX-License-Identifier: GPL-2.0-only
#include "result.h"

#include <errno.h>
#include <inttypes.h>

#include "stats.h"

#define NOT_COUNTED "the clock does not count instructions (a guest with --clock icount does)"
#define NOTHING	    "nothing was done in this round"

struct value {
	enum cell_state state;
	double num;
	const char *why;
};

static struct value number(double num)
{
	return (struct value){ .state = CELL_OK, .num = num };
}

static struct value missing(enum cell_state state, const char *why)
{
	return (struct value){ .state = state, .why = why };
}

/* Where a row's numbers come from. */
struct source_row {
	const struct timing_clock *clock;
	const struct session *session;
	size_t nth;
	const struct crew_result *round;
	const struct allocs_window *window; /* NULL: none was counted for this row */
};

static double per_second(const struct crew_result *r)
{
	return r->ns ? r->witness.done * 1e9 / r->ns : 0;
}

static double ns_per_op(const struct crew_result *r)
{
	return (double)r->ns / r->witness.done;
}

static uint64_t errors(const struct crew_result *r)
{
	return r->work.failed + r->witness.failed;
}

/* A round in which nothing was done has no rate: it is a failure, not 0. */
static bool worked(const struct crew_result *r)
{
	return r->witness.done && r->ns;
}

/* ---- of rounds ------------------------------------------------------------------ */

static struct value ops_per_sec(const struct source_row *s)
{
	return worked(s->round) ? number(per_second(s->round)) : missing(CELL_FAILED, NOTHING);
}

/* Where a nanosecond of the clock is an instruction. */
static struct value insns_per_op(const struct source_row *s)
{
	if (s->clock->kind != TIMING_COUNTED)
		return missing(CELL_UNSUPPORTED, NOT_COUNTED);
	return worked(s->round) ? number(ns_per_op(s->round)) : missing(CELL_FAILED, NOTHING);
}

static struct value errors_of(const struct source_row *s)
{
	return number(errors(s->round));
}

/* Percent of an operation that it would cost without what is measured. */
static struct value owner_share(const struct source_row *s)
{
	const struct crew_result *bare;

	if (s->nth >= s->session->bare.n)
		return missing(CELL_ABSENT, NULL);
	bare = &s->session->bare.v[s->nth];
	if (!worked(s->round) || !worked(bare))
		return missing(CELL_FAILED, NOTHING);
	return number(100 * ns_per_op(bare) / ns_per_op(s->round));
}

/* How many times as long an operation took while allocators were counted. */
static struct value counting_cost(const struct source_row *s)
{
	if (!s->window || !s->window->ops || !worked(s->round))
		return missing(CELL_ABSENT, NULL);
	return number((double)s->window->ns / s->window->ops / ns_per_op(s->round));
}

static struct value left(const struct source_row *s)
{
	/* Of the session, so once. */
	if (s->session->left_state == CELL_ABSENT || s->nth > 0)
		return missing(CELL_ABSENT, NULL);
	if (s->session->left_state != CELL_OK)
		return missing(s->session->left_state, s->session->left_why);
	return number(s->session->left);
}

/* ---- of the allocators -------------------------------------------------------------- */

/* n of the window, per operation; what needs a kind that is missing is missing. */
static struct value per_op(const struct source_row *s, uint64_t n)
{
	return number((double)n / s->window->ops);
}

static struct value kmallocs(const struct source_row *s)
{
	return per_op(s, s->window->counts.kmallocs);
}

static struct value slab_allocs(const struct source_row *s)
{
	return per_op(s, s->window->counts.slab_allocs);
}

/* By the thread itself; when RCU and others get round to the rest is not the operation's. */
static struct value frees(const struct source_row *s)
{
	return per_op(s, s->window->counts.frees);
}

static struct value nolocks(const struct source_row *s)
{
	return per_op(s, s->window->counts.nolocks);
}

static struct value refills(const struct source_row *s)
{
	return per_op(s, s->window->counts.refills);
}

static struct value vmallocs(const struct source_row *s)
{
	return per_op(s, s->window->counts.vmallocs);
}

static struct value own_allocs(const struct source_row *s)
{
	return per_op(s, s->window->counts.own);
}

static struct value machine_kmallocs(const struct source_row *s)
{
	return per_op(s, s->window->counts.machine_kmallocs);
}

static struct value bytes_req(const struct source_row *s)
{
	const struct allocs_window *w = s->window;

	return per_op(s, w->counts.kmalloc_bytes_req + w->counts.slab_bytes_req +
				 w->counts.refill_bytes_req + w->counts.nolock_bytes_req);
}

static struct value bytes(const struct source_row *s)
{
	const struct allocs_window *w = s->window;

	return per_op(s, w->counts.kmalloc_bytes + w->counts.slab_bytes + w->counts.refill_bytes +
				 w->counts.nolock_bytes);
}

#define NEEDS(kind) (1U << KMEM_KIND_##kind)

/* Every number that a benchmark may name; sums of others follow from them. */
static const struct source {
	const char *metric;
	struct value (*value)(const struct source_row *s);
	bool counted;	    /* of the allocators' windows */
	unsigned int needs; /* kinds that must not be missing */
	const char *title;  /* in words, "%.3f title"; NULL: said elsewhere */
} sources[] = {
	{ "ops_per_sec", ops_per_sec, false, 0, NULL },
	{ "insns_per_op", insns_per_op, false, 0, NULL },
	{ "owner_share", owner_share, false, 0, NULL },
	{ "errors", errors_of, false, 0, NULL },
	{ "left", left, false, 0, NULL },
	{ "counting_cost", counting_cost, false, 0, NULL },
	{ "kmallocs_per_op", kmallocs, true, 0, "kmallocs" },
	{ "slab_allocs_per_op", slab_allocs, true, 0, "slab allocations" },
	{ "nolocks_per_op", nolocks, true, NEEDS(NOLOCK), "kmalloc_nolocks" },
	{ "refills_per_op", refills, true, NEEDS(REFILL), "refills of the BPF allocator" },
	{ "vmallocs_per_op", vmallocs, true, NEEDS(VMALLOC), "vmallocs" },
	{ "frees_per_op", frees, true, 0, "frees" },
	{ "alloc_bytes_req_per_op", bytes_req, true, NEEDS(NOLOCK) | NEEDS(REFILL),
	  "bytes wanted" },
	{ "alloc_bytes_per_op", bytes, true, NEEDS(NOLOCK) | NEEDS(REFILL), "bytes given" },
	{ "own_allocs_per_op", own_allocs, true, 0, "allocators' records" },
	{ "machine_kmallocs_per_op", machine_kmallocs, true, 0, "kmallocs of the whole machine" },
};

static struct value take(const struct source *source, const struct source_row *s)
{
	const struct allocs *allocs = &s->session->allocs;

	if (!source->counted)
		return source->value(s);
	if (allocs->state != CELL_OK)
		return missing(allocs->state, allocs->why);
	for (enum kmem_kind kind = 0; kind < KMEM_KIND_MAX; kind++) {
		if (source->needs & (1U << kind) && allocs->missing[kind])
			return missing(CELL_UNSUPPORTED, allocs->missing[kind]);
	}
	return s->window ? source->value(s) : missing(CELL_ABSENT, NULL);
}

static struct source_row row_of(const struct session *session, const struct timing_clock *clock,
				size_t nth)
{
	return (struct source_row){
		.clock = clock,
		.session = session,
		.nth = nth,
		.round = &session->rounds.v[nth],
		.window = nth < ALLOCS_WINDOWS && session->allocs.state == CELL_OK
				  ? &session->allocs.windows[nth]
				  : NULL,
	};
}

static int record_row(struct recording *rec, struct record_row *row, const struct source_row *s)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(sources); i++) {
		struct value v = take(&sources[i], s);

		if (v.state == CELL_OK)
			rc = recording__set_num(rec, row, sources[i].metric, v.num);
		else if (v.state != CELL_ABSENT)
			rc = recording__set_missing(rec, row, sources[i].metric, v.state, v.why);
		/* Not among what this benchmark reports. */
		if (rc == -ENOENT)
			rc = 0;
	}
	return rc;
}

static bool is_emitted(const struct opt_list *emit, const struct metric *metric)
{
	for (size_t i = 0; i < emit->n; i++) {
		const char *word = emit->v[i];

		for (size_t len; *word; word += len + (word[len] == ',')) {
			len = strcspn(word, ",");
			if (strlen(metric->id) == len && !strncmp(metric->id, word, len))
				return true;
		}
	}
	return !emit->n;
}

int result__record(const struct bench *bench, const char *variant, const struct timing_clock *clock,
		   const struct session *session, const struct opt_list *emit,
		   struct recording *rec, struct err *err)
{
	int rc = 0;

	for (const char *const *m = bench->metrics; rc == 0 && *m; m++) {
		const struct metric *metric = metric__find(SUITE_BENCH, *m);

		if (is_emitted(emit, metric))
			rc = recording__add_column(rec, metric);
	}
	for (size_t i = 0; rc == 0 && i < session->rounds.n; i++) {
		const struct source_row s = row_of(session, clock, i);
		struct record_row *row;

		rc = recording__add_row(rec, bench->name, variant, &row);
		if (rc == 0)
			rc = record_row(rec, row, &s);
	}
	if (rc == 0)
		rc = recording__add_sums(rec);
	return rc < 0 ? err__set(err, rc, "recording: %s", strerror(-rc)) : 0;
}

/* ---- as words ------------------------------------------------------------------------ */

void result__print_round(const struct bench *bench, unsigned int nth,
			 const struct crew_result *result, FILE *out)
{
	fprintf(out, "  round %3u: %10.3f k %ss/s, %" PRIu64 " in %.3f s\n", nth,
		per_second(result) / 1000, bench->op, result->witness.done, result->ns / 1e9);
}

/* Median, mean and deviation of one number over the rounds that have it. */
static int print_summary(const struct session *session, const struct timing_clock *clock,
			 struct value (*value)(const struct source_row *), double unit,
			 const char *title, FILE *out)
{
	_cleanup_free_ double *v = NULL;
	struct stats_summary s;
	size_t n = 0;

	v = calloc(session->rounds.n + 1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < session->rounds.n; i++) {
		const struct source_row row = row_of(session, clock, i);
		struct value one = value(&row);

		if (one.state == CELL_OK)
			v[n++] = one.num / unit;
	}
	if (n == 0 || stats__summary(v, n, &s) < 0)
		return n ? -ENOMEM : 0;
	if (n > 1)
		fprintf(out,
			"  %s: median %.3f, mean %.3f, deviation %.3f (%.2f %%) of %zu rounds\n",
			title, s.median, s.mean, s.deviation, 100 * s.deviation / s.mean, n);
	else
		fprintf(out, "  %s: %.3f, one round\n", title, s.mean);
	return 0;
}

static void print_counts(const struct bench *bench, const struct session *session,
			 const struct timing_clock *clock, FILE *out)
{
	const struct allocs *allocs = &session->allocs;
	const char *comma = "";

	if (allocs->state != CELL_OK) {
		fprintf(out, "  allocations per %s: %s: %s\n", bench->op,
			allocs->state == CELL_FAILED ? "failed" : "unsupported", allocs->why);
		return;
	}
	fprintf(out, "  per %s:", bench->op);
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		const struct source_row row = row_of(session, clock, 0);
		struct value v;

		if (!sources[i].title)
			continue;
		v = take(&sources[i], &row);
		if (v.state == CELL_OK)
			fprintf(out, "%s %.3f %s", comma, v.num, sources[i].title);
		else
			fprintf(out, "%s unknown %s", comma, sources[i].title);
		comma = ",";
	}
	fprintf(out, "\n");
	for (enum kmem_kind kind = 0; kind < KMEM_KIND_MAX; kind++)
		if (allocs->missing[kind])
			fprintf(out, "  unknown: %s\n", allocs->missing[kind]);
	if (allocs->caveat)
		fprintf(out, "  note: %s\n", allocs->caveat);
}

static void print_sites(const struct bench *bench, const struct allocs *allocs, FILE *out)
{
	if (!allocs->n_sites)
		return;
	fprintf(out, "  where, per %s:\n", bench->op);
	for (size_t i = 0; i < allocs->n_sites; i++) {
		const struct kmem_site *site = &allocs->sites[i];

		fprintf(out, "    %8.3f allocations, %8.1f bytes  %s\n",
			(double)site->allocs / allocs->site_ops,
			(double)site->bytes / allocs->site_ops, site->name);
	}
}

static void print_left(const struct bench *bench, const struct session *session, FILE *out)
{
	switch (session->left_state) {
	case CELL_ABSENT:
		break;
	case CELL_OK:
		fprintf(out, "  left of the %ss in the kernel: %" PRIu64 "\n", bench->op,
			session->left);
		break;
	case CELL_UNSUPPORTED:
	case CELL_FAILED:
		fprintf(out, "  left of the %ss in the kernel: unknown: %s\n", bench->op,
			session->left_why);
	}
}

int result__print(const struct bench *bench, const char *variant, const struct timing_clock *clock,
		  const struct session *session, FILE *out)
{
	char title[64];
	uint64_t done = 0, failed = 0;
	int rc;

	if (!session->rounds.n)
		return 0;
	for (size_t i = 0; i < session->rounds.n; i++) {
		done += session->rounds.v[i].witness.done;
		failed += errors(&session->rounds.v[i]);
	}
	fprintf(out, "%s %s: %" PRIu64 " %ss, %" PRIu64 " errors\n", bench->name, variant, done,
		bench->op, failed);
	snprintf(title, sizeof(title), "k %ss/s", bench->op);
	rc = print_summary(session, clock, ops_per_sec, 1000, title, out);
	snprintf(title, sizeof(title), "instructions per %s", bench->op);
	if (clock->kind == TIMING_COUNTED && rc == 0)
		rc = print_summary(session, clock, insns_per_op, 1, title, out);
	else if (rc == 0)
		fprintf(out, "  %s: unsupported: " NOT_COUNTED "\n", title);
	if (rc == 0)
		rc = print_summary(session, clock, owner_share, 1,
				   "percent of it without what is measured", out);
	if (rc == 0)
		rc = print_summary(session, clock, counting_cost, 1,
				   "times as long while allocators were counted", out);
	print_counts(bench, session, clock, out);
	print_sites(bench, &session->allocs, out);
	print_left(bench, session, out);
	return rc;
}
