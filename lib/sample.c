// SPDX-License-Identifier: GPL-2.0-only
#include "sample.h"

#include <math.h>

#include "cleanup.h"
#include "stats.h"

/* Distance from the median in normal deviations, by the median deviation. */
#define OUTLIER_LIMIT 3.5
#define MAD_TO_SIGMA  1.4826
#define OUTLIER_UNITS 5

void sample__reset(struct sample *sample)
{
	free(sample->values);
	free(sample->units);
}

static void sample__add_word(struct sample *sample, const struct metric *metric, const char *word)
{
	if (!sample->text) {
		sample->text = word;
		return;
	}
	if (streq(sample->text, word))
		return;
	sample->varies = true;
	sample->other = word;
	if (metric->better == METRIC_RANKED &&
	    metric__rank(metric, word) > metric__rank(metric, sample->text)) {
		sample->other = sample->text;
		sample->text = word;
	}
}

static void sample__add_missing(struct sample *sample, const struct cell *cell)
{
	if (cell->state == CELL_ABSENT)
		return;
	if (!sample->missing++) {
		sample->state = cell->state;
		sample->reason = cell->text;
	}
}

static bool cell__same(const struct cell *a, const struct cell *b, const struct metric *metric)
{
	if (metric->flags & METRIC_TEXT)
		return streq(a->text ?: "", b->text ?: "");
	return a->num == b->num;
}

/* Whether two samples of one boot differ; rows of a boot stand together. */
static bool group__varies_in_boot(const struct group *group, int col, const struct metric *metric)
{
	const struct record_row *first = NULL;

	for (size_t i = 0; i < group->n; i++) {
		const struct record_row *row = group->rows[i];

		if (row->cells[col].state != CELL_OK)
			continue;
		if (!first || first->boot != row->boot)
			first = row;
		else if (!cell__same(&first->cells[col], &row->cells[col], metric))
			return true;
	}
	return false;
}

/* values[] to units[]: as they are, or one median per boot. boots[i] goes with values[i]. */
static int sample__make_units(struct sample *sample, const unsigned int *boots, bool by_boot)
{
	_cleanup_free_ double *scratch = malloc((sample->n ?: 1) * sizeof(*scratch));
	size_t end;

	sample->units = malloc((sample->n ?: 1) * sizeof(*sample->units));
	if (!scratch || !sample->units)
		return -ENOMEM;
	for (size_t i = 0; i < sample->n; i = end) {
		for (end = i + 1; by_boot && end < sample->n && boots[end] == boots[i]; end++)
			;
		memcpy(scratch, sample->values + i, (end - i) * sizeof(*scratch));
		sample->units[sample->n_units++] = stats__median(scratch, end - i);
	}
	return 0;
}

static int sample__count_outliers(struct sample *sample)
{
	size_t n = sample->n_units;
	_cleanup_free_ double *distances = malloc((n ?: 1) * sizeof(*distances));
	double limit;

	if (!distances)
		return -ENOMEM;
	if (n < OUTLIER_UNITS)
		return 0;
	for (size_t i = 0; i < n; i++)
		distances[i] = fabs(sample->units[i] - sample->median);
	limit = OUTLIER_LIMIT * MAD_TO_SIGMA * stats__median(distances, n);
	for (size_t i = 0; i < n; i++)
		sample->outliers += limit > 0 && distances[i] > limit;
	return 0;
}

static int sample__sum_up(struct sample *sample)
{
	struct stats_summary values, units;
	int err;

	if (!sample->n)
		return 0;
	err = stats__summary(sample->values, sample->n, &values)
		      ?: stats__summary(sample->units, sample->n_units, &units);
	if (err)
		return err;
	sample->min = values.min;
	sample->max = values.max;
	sample->varies = values.min != values.max;
	sample->median = units.median;
	return sample__count_outliers(sample);
}

int sample__take(const struct recording *rec, const struct group *group,
		 const struct metric *metric, struct sample *ret_sample)
{
	_cleanup_(sample__reset) struct sample sample = {};
	_cleanup_free_ unsigned int *boots = NULL;
	int col = recording__column(rec, metric), err = 0;

	if (col < 0) {
		sample.no_column = true;
		*ret_sample = sample;
		return 0;
	}
	boots = calloc(group->n, sizeof(*boots));
	sample.values = calloc(group->n, sizeof(*sample.values));
	if (!boots || !sample.values)
		return -ENOMEM;
	for (size_t i = 0; i < group->n; i++) {
		const struct cell *cell = &group->rows[i]->cells[col];

		if (cell->state != CELL_OK) {
			sample__add_missing(&sample, cell);
			continue;
		}
		if (metric->flags & METRIC_TEXT)
			sample__add_word(&sample, metric, cell->text ?: "");
		boots[sample.n] = group->rows[i]->boot;
		sample.values[sample.n++] = cell->num;
	}
	sample.varies_in_boot = group__varies_in_boot(group, col, metric);
	if (!(metric->flags & METRIC_TEXT))
		err = sample__make_units(&sample, boots, rec->boots > 1) ?: sample__sum_up(&sample);
	if (err)
		return err;
	*ret_sample = sample;
	sample = (struct sample){};
	return 0;
}
