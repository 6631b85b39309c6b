// SPDX-License-Identifier: GPL-2.0-only
#include "compare.h"

#include <math.h>

#include "cleanup.h"
#include "footing.h"
#include "judge.h"

const char *verdict__name(enum verdict verdict)
{
	static const char *const names[VERDICT_MAX] = {
		[VERDICT_EQUAL] = "equal",
		[VERDICT_NOT_WORSE] = "not worse",
		[VERDICT_BETTER] = "better",
		[VERDICT_WORSE] = "worse",
		[VERDICT_DIFFERS] = "differs",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
		[VERDICT_TOO_FEW] = "too few samples",
		[VERDICT_TOO_SMALL] = "too small to time",
		[VERDICT_UNSTABLE] = "unstable",
		[VERDICT_NOT_MEASURED] = "not measured",
		[VERDICT_NEW] = "new",
		[VERDICT_GONE] = "gone",
		[VERDICT_AMBIGUOUS] = "ambiguous",
	};

	return names[verdict];
}

/* What a row with cells of several verdicts is: the first of these that it has. */
static const enum verdict by_gravity[] = {
	VERDICT_WORSE,	   VERDICT_UNSTABLE,  VERDICT_BETTER,	    VERDICT_INCONCLUSIVE,
	VERDICT_TOO_FEW,   VERDICT_TOO_SMALL, VERDICT_NOT_MEASURED, VERDICT_DIFFERS,
	VERDICT_NOT_WORSE, VERDICT_EQUAL,
};

struct compare {
	const struct recording *rec[2];
	struct groups groups[2];
	const struct compare_opts *opts;
	struct comparison *result;
	struct footing footing;
};

static void compare__reset(struct compare *cmp)
{
	groups__reset(&cmp->groups[0]);
	groups__reset(&cmp->groups[1]);
	footing__reset(&cmp->footing);
}

void comparison__free(struct comparison *comparison)
{
	if (!comparison)
		return;
	for (size_t i = 0; i < comparison->rows.n; i++) {
		struct compare_row *row = &comparison->rows.v[i];

		for (size_t j = 0; j < comparison->metrics.n; j++) {
			sample__reset(&row->cells[j].side[0]);
			sample__reset(&row->cells[j].side[1]);
			free(row->cells[j].why);
		}
		free(row->cells);
		free(row->why);
	}
	vec_free(&comparison->rows);
	vec_free(&comparison->metrics);
	free(comparison);
}

void comparison__freep(struct comparison **comparison)
{
	comparison__free(*comparison);
}

/* ---- what is compared ------------------------------------------------------- */

static int compare__choose_metrics(struct compare *cmp)
{
	const struct compare_opts *opts = cmp->opts;
	size_t n = opts->n_metrics ?: metric__count();
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		const struct metric *metric = opts->n_metrics ? opts->metrics[i] : metric__at(i);

		if (metric->flags & METRIC_LIST)
			continue;
		if (opts->n_metrics || recording__column(cmp->rec[0], metric) >= 0 ||
		    recording__column(cmp->rec[1], metric) >= 0)
			err = vec_push(&cmp->result->metrics, metric);
	}
	return err;
}

/* ---- rows ------------------------------------------------------------------- */

static int compare__say_ambiguous(struct compare_row *row, const struct metric *metric,
				  const struct sample *sample, int side)
{
	if (metric->flags & METRIC_TEXT)
		return str__printf(&row->why,
				   "%c has it with %s of %s and of %s: two programs, "
				   "one name",
				   'A' + side, metric->id, sample->text, sample->other);
	return str__printf(&row->why,
			   "%c has it with %s of %.10g and of %.10g: two programs, "
			   "one name",
			   'A' + side, metric->id, sample->min, sample->max);
}

/* Samples of one boot that differ in what a program is are not samples of one program. */
static int compare__check_identity(const struct compare *cmp, struct compare_row *row, int side,
				   const struct group *group)
{
	const struct recording *rec = cmp->rec[side];
	int err = 0;

	for (size_t i = 0; i < rec->columns.n && !err && !row->why; i++) {
		_cleanup_(sample__reset) struct sample sample = {};
		const struct metric *metric = rec->columns.v[i];

		if (!(metric->flags & METRIC_IDENTITY))
			continue;
		err = sample__take(rec, group, metric, &sample);
		if (!err && sample.varies_in_boot) {
			row->verdict = VERDICT_AMBIGUOUS;
			err = compare__say_ambiguous(row, metric, &sample, side);
		}
	}
	return err;
}

static bool compare__has_values(const struct sample side[2])
{
	return side[0].n && side[1].n;
}

/* Whether the sum that this metric is part of is judged in its place, or can't be known. */
static int compare__is_part(const struct compare *cmp, const struct group *const group[2],
			    const struct metric *metric, bool *ret_part, bool *ret_unknowable)
{
	const struct metric *sum = metric__sum_of(metric);
	struct sample side[2] = {};
	int err = 0;

	*ret_part = false;
	*ret_unknowable = false;
	for (int i = 0; i < 2 && sum && !err; i++)
		err = sample__take(cmp->rec[i], group[i], sum, &side[i]);
	if (!err && sum) {
		*ret_part = compare__has_values(side);
		*ret_unknowable =
			side[0].state == CELL_UNSUPPORTED || side[1].state == CELL_UNSUPPORTED;
	}
	sample__reset(&side[0]);
	sample__reset(&side[1]);
	return err;
}

/* The larger of the two sides: what is long enough on one can be timed. */
static int compare__insns(const struct compare *cmp, const struct group *const group[2],
			  double *ret_insns)
{
	const struct metric *metric = metric__find(cmp->result->suite, "total_insns");
	double insns = -1;

	for (int i = 0; i < 2 && metric; i++) {
		_cleanup_(sample__reset) struct sample sample = {};
		int err = sample__take(cmp->rec[i], group[i], metric, &sample);

		if (err)
			return err;
		if (sample.n)
			insns = fmax(insns, sample.median);
	}
	*ret_insns = insns;
	return 0;
}

static const struct compare_cell *comparison__find(const struct comparison *same,
						   const struct compare_row *row,
						   const struct metric *metric)
{
	for (size_t i = 0; same && i < same->rows.n; i++) {
		const struct compare_row *other = &same->rows.v[i];

		if (!streq(other->program, row->program) || !streq(other->object, row->object))
			continue;
		for (size_t j = 0; j < same->metrics.n; j++)
			if (same->metrics.v[j] == metric &&
			    compare__has_values(other->cells[j].side))
				return &other->cells[j];
	}
	return NULL;
}

static int compare__cells(const struct compare *cmp, struct compare_row *row,
			  const struct group *const group[2])
{
	struct judge_facts facts = {
		.counted = cmp->footing.counted,
		.no_time = cmp->footing.no_time,
		.no_memory = cmp->footing.no_memory,
		.vcpus = cmp->footing.vcpus,
	};
	int err = compare__insns(cmp, group, &facts.insns);

	if (cmp->result->suite == SUITE_TEST_PROGS && strstr(row->program, "@unpriv"))
		facts.excuse = cmp->footing.unpriv;
	for (size_t i = 0; i < cmp->result->metrics.n && !err; i++) {
		struct compare_cell *cell = &row->cells[i];

		err = sample__take(cmp->rec[0], group[0], cell->metric, &cell->side[0]) ?:
		      sample__take(cmp->rec[1], group[1], cell->metric, &cell->side[1]) ?:
		      compare__is_part(cmp, group, cell->metric, &facts.shown_only,
				       &facts.sum_unknowable);
		facts.same = comparison__find(cmp->opts->same, row, cell->metric);
		if (!err)
			err = judge__cell(cell, &facts);
		if (facts.excuse && cell->verdict == VERDICT_INCONCLUSIVE)
			cmp->result->excused = true;
	}
	return err;
}

/* A row of one side only. Its values are there to be shown. */
static int compare__lone(const struct compare *cmp, struct compare_row *row, int side,
			 const struct group *group)
{
	int err = 0;

	row->verdict = side ? VERDICT_NEW : VERDICT_GONE;
	if (!side && !cmp->rec[1]->complete) {
		row->verdict = VERDICT_NOT_MEASURED;
		err = str__printf(&row->why, "B: its run was cut short before this");
	}
	for (size_t i = 0; i < cmp->result->metrics.n && !err; i++) {
		row->cells[i].verdict = row->verdict;
		err = sample__take(cmp->rec[side], group, row->cells[i].metric,
				   &row->cells[i].side[side]);
	}
	return err;
}

static int compare__row(struct compare *cmp, const struct group *a, const struct group *b)
{
	const struct group *const group[2] = { a, b };
	const struct group *any = a ?: b;
	struct compare_row row = {
		.object = any->object,
		.program = any->program,
		.in = { a != NULL, b != NULL },
		.cells = calloc(cmp->result->metrics.n ?: 1, sizeof(*row.cells)),
	};
	struct compare_row *added;
	int err = 0;

	if (!row.cells)
		return -ENOMEM;
	for (size_t i = 0; i < cmp->result->metrics.n; i++)
		row.cells[i].metric = cmp->result->metrics.v[i];
	if (vec_push(&cmp->result->rows, row)) {
		free(row.cells);
		return -ENOMEM;
	}
	added = &cmp->result->rows.v[cmp->result->rows.n - 1];
	for (int i = 0; i < 2 && !err; i++)
		if (group[i] && !added->why)
			err = compare__check_identity(cmp, added, i, group[i]);
	if (err || added->verdict == VERDICT_AMBIGUOUS)
		return err;
	if (!a || !b)
		return compare__lone(cmp, added, a ? 0 : 1, any);
	return compare__cells(cmp, added, group);
}

static int compare__rows(struct compare *cmp)
{
	const struct compare_opts *opts = cmp->opts;
	int err;

	for (int side = 0; side < 2; side++) {
		const struct groups *here = &cmp->groups[side], *there = &cmp->groups[!side];

		for (size_t i = 0; i < here->n; i++) {
			const struct group *group = &here->v[i];
			const struct group *other =
				groups__find(there, group->object, group->program);

			if (side && other)
				continue;
			if (opts->keep && !opts->keep(opts->ctx, group->object, group->program))
				continue;
			err = side ? compare__row(cmp, NULL, group)
				   : compare__row(cmp, group, other);
			if (err)
				return err;
		}
	}
	return 0;
}

/* ---- verdicts that need all rows -------------------------------------------- */

/* Holm's correction over the programs of one metric, then the verdicts that waited for it. */
static int compare__finish_metric(struct comparison *result, size_t metric)
{
	_cleanup_free_ double *p = calloc(result->rows.n ?: 1, sizeof(*p));
	struct judge_facts facts = {};
	size_t n = 0;
	int err;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < result->rows.n; i++)
		if (result->rows.v[i].cells[metric].has_p)
			p[n++] = result->rows.v[i].cells[metric].p;
	err = stats__holm(p, n);
	facts.programs = n;
	n = 0;
	for (size_t i = 0; i < result->rows.n && !err; i++) {
		struct compare_cell *cell = &result->rows.v[i].cells[metric];

		if (!cell->has_p)
			continue;
		cell->p_holm = p[n++];
		err = judge__noisy(cell, &facts);
	}
	return err;
}

static void compare__count(struct comparison *result)
{
	for (size_t i = 0; i < result->rows.n; i++) {
		struct compare_row *row = &result->rows.v[i];
		bool has[VERDICT_MAX] = {};

		if (!compare_row__is_judged(row)) {
			result->counts[row->verdict]++;
			continue;
		}
		for (size_t j = 0; j < result->metrics.n; j++) {
			if (row->cells[j].nothing)
				continue;
			has[row->cells[j].verdict] = true;
			result->counts[row->cells[j].verdict]++;
		}
		for (size_t j = ARRAY_SIZE(by_gravity); j-- > 0;)
			if (has[by_gravity[j]])
				row->verdict = by_gravity[j];
	}
}

static void compare__set_status(struct comparison *result)
{
	bool judged = false;

	for (size_t i = 0; i < result->rows.n; i++)
		judged |= compare_row__is_judged(&result->rows.v[i]);
	if (result->counts[VERDICT_WORSE] || result->counts[VERDICT_GONE])
		result->status = 1;
	else if (!judged || result->counts[VERDICT_AMBIGUOUS] || result->excused ||
		 result->incomplete[0] || result->incomplete[1])
		result->status = 3;
}

int compare__run(const struct recording *a, const struct recording *b,
		 const struct compare_opts *opts, struct comparison **ret_comparison)
{
	_cleanup_(comparison__freep) struct comparison *result = calloc(1, sizeof(*result));
	_cleanup_(compare__reset) struct compare cmp = { .rec = { a, b }, .opts = opts };
	int err;

	if (!result)
		return -ENOMEM;
	cmp.result = result;
	result->suite = a->suite;
	result->incomplete[0] = !a->complete;
	result->incomplete[1] = !b->complete;
	err = compare__choose_metrics(&cmp) ?:
	      footing__find(a, b, &cmp.footing) ?:
	      groups__make(a, &cmp.groups[0]) ?:
	      groups__make(b, &cmp.groups[1]) ?:
	      compare__rows(&cmp);
	for (size_t i = 0; i < result->metrics.n && !err; i++)
		err = compare__finish_metric(result, i);
	if (err)
		return err;
	compare__count(result);
	compare__set_status(result);
	*ret_comparison = TAKE_PTR(result);
	return 0;
}
