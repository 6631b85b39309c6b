// SPDX-License-Identifier: GPL-2.0-only
#include "judge.h"

#include <math.h>

#define SIGNIFICANT	   0.05
#define NOISY_MARGIN	   0.01
#define SMALLEST_TO_TIME   10000
#define CHARGE_KIB_PER_CPU 256
#define MANY_MORE_RUNS	   100

static double effect_of(const struct compare_cell *cell)
{
	return fabs(cell->ratio - 1);
}

/* Batches of charges in the unit of the metric; 0: not that kind. */
static double charge_quantum(const struct metric *metric, unsigned int vcpus)
{
	double kib = (double)CHARGE_KIB_PER_CPU * vcpus;

	if (!(metric->flags & METRIC_CHARGED))
		return 0;
	/* Whole MiB, as upstream cuts them, hide one more. */
	return streq(metric->unit, "MiB") ? kib / 1024 + 1 : kib;
}

/*
 * A load begins with what is left of an earlier batch, so the same load takes one
 * batch more or less, and medians one batch apart say nothing. Two samples may lie
 * two apart; and a large program's lie apart by the margin on top.
 */
static bool below_quantum(const struct compare_cell *cell, double quantum)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	double spread = fmax(a->max, b->max) - fmin(a->min, b->min);

	return quantum > 0 && fabs(b->median - a->median) <= quantum &&
	       spread <= 2 * quantum + NOISY_MARGIN * a->median;
}

/* The spread of one kernel against itself. */
static double noisy_floor(const struct compare_cell *same)
{
	if (!same)
		return 0;
	if (same->has_interval)
		return fmax(fabs(same->interval.lo - 1), fabs(same->interval.hi - 1));
	return same->has_ratio ? effect_of(same) : 0;
}

static double noisy_margin(const struct compare_cell *cell, const struct judge_facts *facts)
{
	return fmax(fmax(NOISY_MARGIN, cell->metric->floor), noisy_floor(facts->same));
}

static bool same_throughout(const struct compare_cell *cell)
{
	return !cell->side[0].varies && !cell->side[1].varies &&
	       cell->side[0].min == cell->side[1].min;
}

static int say_outliers(struct compare_cell *cell)
{
	int err = 0;

	for (int i = 0; i < 2 && !err; i++)
		if (cell->side[i].outliers)
			err = compare_cell__say(cell, "outliers: %zu of %zu on %c",
						cell->side[i].outliers, cell->side[i].n_units,
						'A' + i);
	return err;
}

static int say_too_few(struct compare_cell *cell)
{
	return compare_cell__say(cell, "%zu+%zu samples are too few, %d a side is the least",
				 cell->side[0].n_units, cell->side[1].n_units, JUDGE_MIN_SAMPLES);
}

int judge__noisy_evidence(struct compare_cell *cell, const struct judge_facts *facts)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	bool timed = cell->metric->flags & METRIC_TIMED;
	bool few = a->n_units < JUDGE_MIN_SAMPLES || b->n_units < JUDGE_MIN_SAMPLES;
	int err;

	if (timed && facts->insns >= 0 && facts->insns < SMALLEST_TO_TIME) {
		cell->verdict = VERDICT_TOO_SMALL;
		err = compare_cell__say(cell, "fewer than %d insns", SMALLEST_TO_TIME);
		return err ?: few ? say_too_few(cell) : 0;
	}
	if (below_quantum(cell, charge_quantum(cell->metric, facts->vcpus))) {
		cell->verdict = VERDICT_EQUAL;
		return a->median == b->median ? 0
					      : compare_cell__say(cell, "no more than one batch "
									"of charges");
	}
	if (timed && cell->metric->suite == SUITE_VERISTAT && facts->insns < 0) {
		err = compare_cell__say(cell, "insns not recorded, it may be too small");
		if (err)
			return err;
	}
	if (few) {
		cell->verdict = VERDICT_TOO_FEW;
		return say_too_few(cell);
	}
	cell->resolution = noisy_margin(cell, facts);
	err = stats__mann_whitney(a->units, a->n_units, b->units, b->n_units, &cell->p);
	if (err)
		return err;
	cell->has_p = true;
	if (a->min > 0 && b->min > 0) {
		err = stats__ratio_interval(a->units, a->n_units, b->units, b->n_units,
					    &cell->interval);
		cell->has_interval = !err;
	}
	return err ?: say_outliers(cell);
}

/*
 * Samples a side at which an interval that narrows with the root of their
 * number would leave 1 or fit into the margin, and at which p can be reached.
 */
static double runs_needed(const struct compare_cell *cell, const struct judge_facts *facts)
{
	double half = (cell->interval.hi - cell->interval.lo) / 2, effect = effect_of(cell);
	double room = effect > cell->resolution ? effect : cell->resolution - effect;
	double n = fmin(cell->side[0].n_units, cell->side[1].n_units);
	double wanted = room > 0 ? ceil(n * half * half / (room * room)) : INFINITY;

	while (n < wanted && n < MANY_MORE_RUNS)
		n++;
	while (stats__mann_whitney_min(n, n) * facts->programs > SIGNIFICANT)
		n++;
	return n;
}

static int say_more_runs(struct compare_cell *cell, const struct judge_facts *facts)
{
	double have = fmin(cell->side[0].n_units, cell->side[1].n_units);
	double more = fmax(1, runs_needed(cell, facts) - have);

	if (more + have >= MANY_MORE_RUNS)
		return compare_cell__say(cell, "more than %d runs a side would be needed",
					 MANY_MORE_RUNS);
	return compare_cell__say(cell, "about %.0f more run%s a side would settle it", more,
				 more == 1 ? "" : "s");
}

/* No ratio can be told of zeros: what is left is the test. */
static int judge__noisy_zeros(struct compare_cell *cell)
{
	double a = cell->side[0].median, b = cell->side[1].median;

	if (same_throughout(cell))
		cell->verdict = VERDICT_EQUAL;
	else if (cell->p_holm <= SIGNIFICANT && a != b)
		cell->verdict = judge__verdict_of(cell->metric, b > a);
	else
		cell->verdict = VERDICT_INCONCLUSIVE;
	return 0;
}

int judge__noisy(struct compare_cell *cell, const struct judge_facts *facts)
{
	double lo = cell->interval.lo, hi = cell->interval.hi, d = cell->resolution;
	bool rises_are_bad = cell->metric->better != METRIC_HIGHER;
	int err = 0;

	if (!cell->has_interval)
		return judge__noisy_zeros(cell);
	if (lo >= 1 - d && hi <= 1 + d) {
		cell->verdict = VERDICT_EQUAL;
		return 0;
	}
	if ((lo > 1 || hi < 1) && effect_of(cell) > d) {
		if (cell->p_holm <= SIGNIFICANT) {
			cell->verdict = judge__verdict_of(cell->metric, lo > 1);
			return 0;
		}
		err = compare_cell__say(cell, "not significant among %zu programs",
					facts->programs);
	}
	if (rises_are_bad ? hi < 1 + d : lo > 1 - d) {
		cell->verdict = VERDICT_NOT_WORSE;
		return err;
	}
	cell->verdict = VERDICT_INCONCLUSIVE;
	return err ?: say_more_runs(cell, facts);
}
