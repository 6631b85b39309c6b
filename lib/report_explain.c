// SPDX-License-Identifier: GPL-2.0-only
/* How the verdicts on a row came about: all samples, and each step from them. */
#include "report_view.h"

#include <math.h>

static void print_values(const char *what, const double *values, size_t n, FILE *out)
{
	fprintf(out, "%s", what);
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %.10g", values[i]);
}

static void print_side(const struct compare_cell *cell, int side, FILE *out)
{
	const struct sample *sample = &cell->side[side];

	fprintf(out, "    %c: ", 'A' + side);
	if (!sample->n) {
		fprintf(out, "no sample%s%s\n", sample->reason ? ": " : "", sample->reason ?: "");
		return;
	}
	fprintf(out, "%zu sample%s", sample->n, sample->n == 1 ? "" : "s");
	if (cell->metric->flags & METRIC_TEXT) {
		fprintf(out, ": %s%s%s\n", sample->text, sample->varies ? " and " : "",
			sample->varies ? sample->other : "");
		return;
	}
	print_values(":", sample->values, sample->n, out);
	if (sample->n_units != sample->n)
		print_values("; medians of boots:", sample->units, sample->n_units, out);
	if (sample->n > 1)
		fprintf(out, "; median %.10g, %.10g to %.10g", sample->median, sample->min,
			sample->max);
	if (sample->outliers)
		fprintf(out, ", %zu far from it", sample->outliers);
	if (sample->missing)
		fprintf(out, "; %zu without a value: %s", sample->missing,
			sample->reason ?: "no reason is known");
	fputc('\n', out);
}

static void print_ratio(const struct compare_cell *cell, FILE *out)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];

	/* Of too few samples a percentage would be taken for a claim. */
	if (!report_view__has_ratio(cell))
		return;
	fprintf(out, "    ratio of medians: %.10g / %.10g = %.6f (%+.3f %%)\n", b->median,
		a->median, cell->ratio, 100 * (cell->ratio - 1));
	if (cell->has_interval)
		fprintf(out,
			"    95 %% interval of the ratio, by resampling %zu and %zu: %.6f to "
			"%.6f\n",
			a->n_units, b->n_units, cell->interval.lo, cell->interval.hi);
}

static void print_test(const struct compare_cell *cell, FILE *out)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];

	if (!cell->has_p)
		return;
	fprintf(out,
		"    Mann-Whitney test of %zu against %zu: p %.4f (the least that these can "
		"reach: %.4f), corrected for the programs tested: %.4f\n",
		a->n_units, b->n_units, cell->p, stats__mann_whitney_min(a->n_units, b->n_units),
		cell->p_holm);
}

static void print_rule(const struct compare_cell *cell, FILE *out)
{
	if (cell->is_part)
		fputs("    a part of a sum, which is judged in its place\n", out);
	else if (cell->metric->better == METRIC_INFO)
		fputs("    shown and never judged\n", out);
	else if (cell->metric->kind == METRIC_EXACT)
		fputs("    rule: exact, so any difference counts\n", out);
	else if (cell->resolution > 0 && isfinite(cell->resolution))
		fprintf(out, "    rule: %s, and no effect below %.3g %% counts\n",
			cell->has_interval ? "by the interval" : "by the ranges of the sides",
			100 * cell->resolution);
}

static void print_cell(const struct report_view *view, const struct compare_cell *cell, FILE *out)
{
	char title[64];

	report_view__title(view, cell->metric, title, sizeof(title));
	fprintf(out, "  %s\n", title);
	print_side(cell, 0, out);
	print_side(cell, 1, out);
	print_ratio(cell, out);
	print_test(cell, out);
	print_rule(cell, out);
	fprintf(out, "    verdict: %s%s%s\n", verdict__name(cell->verdict), cell->why ? "; " : "",
		cell->why ?: "");
}

static void print_row(const struct report_view *view, const struct compare_row *row, FILE *out)
{
	fprintf(out, "\n%s %s: %s%s%s\n", row->object, row->program, verdict__name(row->verdict),
		row->why ? "; " : "", row->why ?: "");
	/* Else no cell is judged. */
	if (!row->in[0] || !row->in[1] || row->verdict == VERDICT_AMBIGUOUS)
		return;
	for (size_t i = 0; i < view->cmp->metrics.n; i++)
		if (!row->cells[i].nothing)
			print_cell(view, &row->cells[i], out);
}

size_t report_view__explain(const struct report_view *view, FILE *out)
{
	const struct report_opts *opts = view->opts;
	size_t n = 0;

	for (size_t i = 0; i < view->cmp->rows.n; i++) {
		const struct compare_row *row = view->rows[i];

		if (!opts->explains(opts->explain_ctx, row->object, row->program))
			continue;
		print_row(view, row, out);
		n++;
	}
	return n;
}
