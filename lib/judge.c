// SPDX-License-Identifier: GPL-2.0-only
#include "judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cleanup.h"

#define COUNTED_RESOLUTION 0.001
#define COUNTED_RANGES	   3
/* Where one kernel varies by so much, the number is not nearly exact, whatever its kind. */
#define COUNTED_WORST 0.1

int compare_cell__say(struct compare_cell *cell, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	char *both;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0) {
		text = NULL;
		return -ENOMEM;
	}
	if (str__printf(&both, "%s%s%s", cell->why ?: "", cell->why ? "; " : "", text))
		return -ENOMEM;
	free(cell->why);
	cell->why = both;
	return 0;
}

enum verdict judge__verdict_of(const struct metric *metric, bool rise)
{
	return rise == (metric->better != METRIC_HIGHER) ? VERDICT_WORSE : VERDICT_BETTER;
}

static double relative_range(const struct sample *sample)
{
	if (sample->max == sample->min)
		return 0;
	return sample->median > 0 ? (sample->max - sample->min) / sample->median : INFINITY;
}

/* ---- exact ------------------------------------------------------------------ */

static int judge__unstable(struct compare_cell *cell)
{
	const struct metric *metric = cell->metric;
	int err = 0;

	cell->verdict = VERDICT_UNSTABLE;
	for (int i = 0; i < 2 && !err; i++) {
		const struct sample *side = &cell->side[i];

		if (!side->varies)
			continue;
		if (metric->flags & METRIC_TEXT)
			err = compare_cell__say(cell, "%c: %s and %s", 'A' + i, side->text,
						side->other);
		else
			err = compare_cell__say(cell, "%c: %.10g to %.10g", 'A' + i, side->min,
						side->max);
	}
	/* The worst that was seen counts: a test that fails now and then fails. */
	if (metric->better == METRIC_RANKED &&
	    metric__rank(metric, cell->side[1].text) > metric__rank(metric, cell->side[0].text))
		cell->verdict = VERDICT_WORSE;
	return err;
}

static int judge__words(struct compare_cell *cell)
{
	const struct metric *metric = cell->metric;
	const char *a = cell->side[0].text, *b = cell->side[1].text;
	int from, to;

	if (streq(a, b)) {
		cell->verdict = VERDICT_EQUAL;
		return 0;
	}
	if (metric->better != METRIC_RANKED) {
		cell->verdict = VERDICT_WORSE;
		return 0;
	}
	from = metric__rank(metric, a);
	to = metric__rank(metric, b);
	if (to > from) {
		cell->verdict = VERDICT_WORSE;
		return 0;
	}
	/* Only the best is good news: a failing test that is skipped now is none. */
	cell->verdict = to == 0 ? VERDICT_BETTER : VERDICT_INCONCLUSIVE;
	return to == 0 ? 0 : compare_cell__say(cell, "%s tells less than %s did", b, a);
}

static int judge__exact(struct compare_cell *cell)
{
	double a = cell->side[0].median, b = cell->side[1].median;

	if (cell->side[0].varies || cell->side[1].varies)
		return judge__unstable(cell);
	if (cell->metric->flags & METRIC_TEXT)
		return judge__words(cell);
	if (a == b)
		cell->verdict = VERDICT_EQUAL;
	else
		cell->verdict = judge__verdict_of(cell->metric, b > a);
	return 0;
}

/* ---- counted ---------------------------------------------------------------- */

/* The range of one kernel: of the A/A comparison if there is one, else of the wider side. */
static double counted_range(const struct compare_cell *cell, const struct judge_facts *facts)
{
	const struct compare_cell *same = facts->same;

	if (same && same->side[0].n && same->side[1].n && same->side[0].median > 0)
		return (fmax(same->side[0].max, same->side[1].max) -
			fmin(same->side[0].min, same->side[1].min)) /
		       same->side[0].median;
	return fmax(relative_range(&cell->side[0]), relative_range(&cell->side[1]));
}

static int judge__counted(struct compare_cell *cell, const struct judge_facts *facts)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	bool apart = a->max < b->min || b->max < a->min;
	double effect = cell->has_ratio		 ? fabs(cell->ratio - 1)
			: a->median == b->median ? 0
						 : INFINITY;
	char least[32];

	cell->resolution = fmax(fmax(COUNTED_RESOLUTION, cell->metric->floor),
				COUNTED_RANGES * counted_range(cell, facts));
	if (effect <= cell->resolution && cell->resolution <= COUNTED_WORST) {
		cell->verdict = VERDICT_EQUAL;
		return 0;
	}
	if (!facts->same && (a->n < 2 || b->n < 2)) {
		cell->verdict = VERDICT_TOO_FEW;
		return compare_cell__say(cell,
					 "%zu+%zu samples are too few, the range of a kernel takes "
					 "two",
					 a->n, b->n);
	}
	if (apart && effect > cell->resolution) {
		cell->verdict = judge__verdict_of(cell->metric, b->median > a->median);
		return 0;
	}
	cell->verdict = VERDICT_INCONCLUSIVE;
	if (effect > cell->resolution)
		return compare_cell__say(cell, "the ranges of the two sides overlap");
	if (!isfinite(cell->resolution))
		return compare_cell__say(cell, "samples of one kernel are too far apart");
	snprintf(least, sizeof(least), cell->resolution < 1 ? "%.2g" : "%.0f",
		 100 * cell->resolution);
	return compare_cell__say(
		cell, "samples of one kernel are too far apart to see less than %s %%", least);
}

/* ---- one cell --------------------------------------------------------------- */

static int say_not_measured(struct compare_cell *cell, const char *sides, const struct sample *side)
{
	static const char *const states[] = {
		[CELL_ABSENT] = "not recorded",
		[CELL_UNSUPPORTED] = "unsupported",
		[CELL_FAILED] = "failed",
	};

	return compare_cell__say(cell, "%s: %s%s%s", sides, states[side->state],
				 side->reason ? ": " : "", side->reason ?: "");
}

/* Words that may be there or not, such as a reason or an attach type. */
static bool judge__absent_words(struct compare_cell *cell)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	bool neither = !a->n && !b->n;

	if (!(cell->metric->flags & METRIC_TEXT) || a->missing || b->missing)
		return false;
	if (!neither && (cell->metric->better != METRIC_INFO || a->no_column || b->no_column))
		return false;
	cell->nothing = neither;
	cell->verdict = neither ? VERDICT_EQUAL : VERDICT_DIFFERS;
	return true;
}

/* The best that there is on A, and on B something kept it from being found out. */
static bool judge__is_lost(const struct compare_cell *cell)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];

	return cell->metric->better == METRIC_RANKED && a->n && !b->n && b->state == CELL_FAILED &&
	       metric__rank(cell->metric, a->text) == 0;
}

static int judge__not_measured(struct compare_cell *cell)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	int err = 0;

	if (judge__absent_words(cell))
		return 0;
	cell->verdict = judge__is_lost(cell) ? VERDICT_WORSE : VERDICT_NOT_MEASURED;
	if (!a->n && !b->n && a->state == b->state && streq(a->reason ?: "", b->reason ?: ""))
		return say_not_measured(cell, "A and B", a);
	if (!a->n)
		err = say_not_measured(cell, "A", a);
	if (!b->n && !err)
		err = say_not_measured(cell, "B", b);
	return err;
}

static int say_missing(struct compare_cell *cell)
{
	int err = 0;

	for (int i = 0; i < 2 && !err; i++) {
		const struct sample *side = &cell->side[i];

		if (side->missing)
			err = compare_cell__say(cell, "%zu of %zu samples on %c lack it%s%s",
						side->missing, side->missing + side->n, 'A' + i,
						side->reason ? ": " : "", side->reason ?: "");
	}
	return err;
}

static int judge__refuse(struct compare_cell *cell, const char *reason)
{
	for (int i = 0; i < 2; i++)
		cell->side[i].n = 0;
	cell->verdict = VERDICT_NOT_MEASURED;
	return compare_cell__say(cell, "%s", reason);
}

static bool is_counted(const struct metric *metric, const struct judge_facts *facts)
{
	return metric->kind == METRIC_COUNTED || (metric->flags & METRIC_TIMED && facts->counted);
}

/* What is only shown is the same or it is not; whether that is good is not asked. */
static void judge__show_only(struct compare_cell *cell)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	bool text = cell->metric->flags & METRIC_TEXT;

	if (cell->verdict == VERDICT_EQUAL ||
	    (cell->verdict == VERDICT_UNSTABLE && cell->metric->better != METRIC_INFO))
		return;
	free(cell->why);
	cell->why = NULL;
	cell->verdict = (text ? streq(a->text, b->text) : a->median == b->median) ? VERDICT_EQUAL
										  : VERDICT_DIFFERS;
}

int judge__cell(struct compare_cell *cell, const struct judge_facts *facts)
{
	const struct metric *metric = cell->metric;
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	int err;

	cell->is_part = facts->shown_only;
	if (metric->flags & METRIC_TIMED && facts->no_time && (a->n || b->n))
		return judge__refuse(cell, facts->no_time);
	if (metric->flags & METRIC_CHARGED && facts->no_memory && a->n && b->n)
		return judge__refuse(cell, facts->no_memory);
	if (!a->n || !b->n)
		return judge__not_measured(cell);
	cell->has_ratio = !(metric->flags & METRIC_TEXT) && a->median > 0 && b->median > 0;
	if (cell->has_ratio)
		cell->ratio = b->median / a->median;
	if (is_counted(metric, facts))
		err = judge__counted(cell, facts);
	else if (metric->kind == METRIC_NOISY)
		err = judge__noisy_evidence(cell, facts);
	else
		err = judge__exact(cell);
	if (err)
		return err;
	if (facts->shown_only || metric->better == METRIC_INFO)
		judge__show_only(cell);
	if (metric__sum_of(metric) && cell->verdict != VERDICT_EQUAL)
		err = compare_cell__say(cell,
					facts->shown_only ? "part of %s, which is judged"
							  : "%s is not known: what moved elsewhere "
							    "looks the same",
					metric__sum_of(metric)->id);
	/* What is less here may be more where nobody could count. */
	if (facts->sum_unknowable && cell->verdict == VERDICT_BETTER)
		cell->verdict = VERDICT_INCONCLUSIVE;
	if (!err && facts->excuse &&
	    (cell->verdict == VERDICT_WORSE || cell->verdict == VERDICT_BETTER)) {
		cell->verdict = VERDICT_INCONCLUSIVE;
		err = compare_cell__say(cell, "%s", facts->excuse);
	}
	return err ?: say_missing(cell);
}
