// SPDX-License-Identifier: GPL-2.0-only
#include "report_view.h"

#include <math.h>

/* Units that follow the clock, and what they are where it counts instructions. */
static const struct {
	const char *wall, *counted;
} clock_units[] = {
	{ "us", "k instructions" },
	{ "1/s", "per G instructions" },
};

void report_view__title(const struct report_view *view, const struct metric *metric, char *buf,
			size_t size)
{
	const char *unit = metric->unit;

	for (size_t i = 0; i < ARRAY_SIZE(clock_units); i++)
		if (view->counted && metric->flags & METRIC_TIMED &&
		    streq(unit, clock_units[i].wall))
			unit = clock_units[i].counted;
	snprintf(buf, size, *unit ? "%s (%s)" : "%s", metric->title, unit);
}

/* Whole numbers whole, others in four digits at least, never with an exponent. */
static void format_number(double value, const char *sign, char *buf, size_t size)
{
	bool whole = value == floor(value) || fabs(value) >= 1000;
	char format[16];

	snprintf(format, sizeof(format), "%%%s%s", sign,
		 whole			? ".0f"
		 : fabs(value) < 0.0001 ? ".7f"
					: ".4g");
	snprintf(buf, size, format, value);
}

void report_view__value(const struct compare_cell *cell, int side, char *buf, size_t size)
{
	const struct sample *sample = &cell->side[side];
	char low[64], high[64];

	if (!sample->n) {
		snprintf(buf, size, "-");
	} else if (cell->metric->flags & METRIC_TEXT) {
		snprintf(buf, size, sample->varies ? "%s, %s" : "%s", sample->text, sample->other);
	} else if (sample->varies && cell->metric->kind == METRIC_EXACT) {
		format_number(sample->min, "", low, sizeof(low));
		format_number(sample->max, "", high, sizeof(high));
		snprintf(buf, size, "%s..%s", low, high);
	} else {
		format_number(sample->median, "", buf, size);
	}
}

bool report_view__has_ratio(const struct compare_cell *cell)
{
	return cell->has_ratio && cell->verdict != VERDICT_TOO_FEW &&
	       cell->verdict != VERDICT_TOO_SMALL && cell->verdict != VERDICT_UNSTABLE;
}

void report_view__difference(const struct compare_cell *cell, char *buf, size_t size)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	double percent = 100 * (cell->ratio - 1);
	char number[64];

	*buf = '\0';
	if (!a->n || !b->n || cell->metric->flags & METRIC_TEXT ||
	    cell->verdict == VERDICT_UNSTABLE || a->median == b->median)
		return;
	format_number(b->median - a->median, "+", number, sizeof(number));
	if (report_view__has_ratio(cell))
		snprintf(buf, size, fabs(percent) < 0.005 ? "%s (0.00 %%)" : "%s (%+.2f %%)",
			 number, percent);
	else
		snprintf(buf, size, "%s", number);
}
