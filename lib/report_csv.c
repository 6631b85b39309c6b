// SPDX-License-Identifier: GPL-2.0-only
#include "report_view.h"

#include "csv.h"

/* One line per metric of a program: what varies in number makes no good columns. */
static const char *const columns[] = {
	"metric", "unit",     "a",	  "b", "samples_a",   "samples_b", "difference",
	"ratio",  "ratio_lo", "ratio_hi", "p", "p_corrected", "verdict",   "why",
};

static void print_text(FILE *out, const char *text)
{
	fputc(',', out);
	csv__print_cell(out, text ?: "");
}

static void print_number(FILE *out, bool known, double value)
{
	fputc(',', out);
	if (known)
		fprintf(out, "%.12g", value);
}

static void print_side(FILE *out, const struct compare_cell *cell, int side)
{
	char text[REPORT_CELL_MAX];

	/* What is a number here is no figure rounded for a reader. */
	if (!(cell->metric->flags & METRIC_TEXT) && cell->verdict != VERDICT_UNSTABLE) {
		print_number(out, cell->side[side].n, cell->side[side].median);
		return;
	}
	report_view__value(cell, side, text, sizeof(text));
	print_text(out, cell->side[side].n ? text : "");
}

static void print_cell(const struct compare_row *row, const struct compare_cell *cell, FILE *out)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	bool numbers = !(cell->metric->flags & METRIC_TEXT) && cell->verdict != VERDICT_UNSTABLE;

	csv__print_cell(out, row->object);
	print_text(out, row->program);
	print_text(out, cell->metric->id);
	print_text(out, cell->metric->unit);
	print_side(out, cell, 0);
	print_side(out, cell, 1);
	print_number(out, true, a->n);
	print_number(out, true, b->n);
	print_number(out, numbers && a->n && b->n, b->median - a->median);
	print_number(out, report_view__has_ratio(cell), cell->ratio);
	print_number(out, cell->has_interval, cell->interval.lo);
	print_number(out, cell->has_interval, cell->interval.hi);
	print_number(out, cell->has_p, cell->p);
	print_number(out, cell->has_p, cell->p_holm);
	print_text(out, verdict__name(cell->verdict));
	print_text(out, cell->why ?: row->why);
	fputc('\n', out);
}

/* A row without cells of its own still has a line. */
static void print_bare_row(const struct compare_row *row, FILE *out)
{
	csv__print_cell(out, row->object);
	print_text(out, row->program);
	for (size_t i = 0; i < ARRAY_SIZE(columns) - 2; i++)
		fputc(',', out);
	print_text(out, verdict__name(row->verdict));
	print_text(out, row->why);
	fputc('\n', out);
}

int report_view__print_csv(const struct report_view *view, FILE *out)
{
	const struct suite_key *key = &suite_keys[view->cmp->suite];

	fprintf(out, "%s,%s", key->columns[0], key->columns[1]);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		print_text(out, columns[i]);
	fputc('\n', out);
	for (size_t i = 0; i < view->n_shown; i++) {
		const struct compare_row *row = view->shown[i];
		size_t printed = 0;

		for (size_t j = 0; j < view->cmp->metrics.n; j++) {
			const struct compare_cell *cell = &row->cells[j];
			bool lone = !row->in[0] || !row->in[1];

			if (row->verdict == VERDICT_AMBIGUOUS || cell->nothing ||
			    (lone && !cell->side[0].n && !cell->side[1].n))
				continue;
			print_cell(row, cell, out);
			printed++;
		}
		if (!printed)
			print_bare_row(row, out);
	}
	return 0;
}
