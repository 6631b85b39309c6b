// SPDX-License-Identifier: GPL-2.0-only
#include "report_view.h"

#include "cleanup.h"
#include "reasons.h"

/* Of rows that share a metric and a reason, so many are named. */
#define NAMES_SHOWN 4
#define LINES_SHOWN 10

static size_t lines_shown(const struct report_view *view)
{
	return view->opts->all ? SIZE_MAX : LINES_SHOWN;
}

static void print_name(const struct compare_row *row, FILE *out)
{
	fprintf(out, "%s%s%s", row->object, *row->program ? " " : "", row->program);
}

static void print_change(const struct report_view *view, const struct compare_row *row,
			 const struct compare_cell *cell, FILE *out)
{
	bool lost = !cell->side[1].n;
	char title[REPORT_CELL_MAX], a[REPORT_CELL_MAX], b[REPORT_CELL_MAX], diff[REPORT_CELL_MAX];

	report_view__title(view, cell->metric, title, sizeof(title));
	report_view__value(cell, 0, a, sizeof(a));
	report_view__value(cell, 1, b, sizeof(b));
	report_view__difference(cell, diff, sizeof(diff));
	fputs("  ", out);
	print_name(row, out);
	if (lost)
		fprintf(out, ": %s %s -> not measured, %s\n", title, a, cell->why);
	else
		fprintf(out, ": %s %s -> %s%s%s\n", title, a, b, *diff ? ", " : "", diff);
}

/* Rows that are worse as a whole, then cells. */
static void print_changes(const struct report_view *view, enum verdict verdict, FILE *out)
{
	size_t total = view->cmp->counts[verdict], shown = 0;
	bool worse = verdict == VERDICT_WORSE;

	if (worse)
		total += view->cmp->counts[VERDICT_GONE];
	if (!total)
		return;
	fprintf(out, "\n%s:\n", verdict__name(verdict));
	for (size_t i = 0; i < view->cmp->rows.n; i++) {
		const struct compare_row *row = view->rows[i];

		if (worse && row->verdict == VERDICT_GONE && shown < lines_shown(view)) {
			fputs("  ", out);
			print_name(row, out);
			fputs(": gone\n", out);
			shown++;
			continue;
		}
		for (size_t j = 0; row->in[0] && row->in[1] && j < view->cmp->metrics.n; j++)
			if (row->cells[j].verdict == verdict && row->verdict != VERDICT_AMBIGUOUS &&
			    shown < lines_shown(view)) {
				print_change(view, row, &row->cells[j], out);
				shown++;
			}
	}
	if (total > shown)
		fprintf(out, "  and %zu more\n", total - shown);
}

/* ---- what could not be told, by metric and reason ---------------------------- */

static void print_reason(const struct reason *reason, FILE *out)
{
	fputs("  ", out);
	if (reason->metric)
		fprintf(out, "%s of ", reason->metric->id);
	for (size_t i = 0; i < reason->rows.n && i < NAMES_SHOWN; i++) {
		fputs(i ? ", " : "", out);
		print_name(reason->rows.v[i], out);
	}
	if (reason->rows.n > NAMES_SHOWN)
		fprintf(out, " and %zu more", reason->rows.n - NAMES_SHOWN);
	fprintf(out, "%s%s\n", *reason->why ? ": " : "", reason->why);
}

static int print_reasons(const struct report_view *view, enum verdict verdict, FILE *out)
{
	_cleanup_(reasons__reset) struct reasons reasons = {};
	int err = reasons__collect(&reasons, view->cmp, view->rows, verdict);

	if (err || !reasons.list.n)
		return err;
	fprintf(out, "\n%s:\n", verdict__name(verdict));
	for (size_t i = 0; i < reasons.list.n && i < lines_shown(view); i++)
		print_reason(&reasons.list.v[i], out);
	if (reasons.list.n > lines_shown(view))
		fprintf(out, "  and %zu more reasons\n", reasons.list.n - lines_shown(view));
	return 0;
}

int report_view__print_lists(const struct report_view *view, FILE *out)
{
	static const enum verdict reasons[] = {
		VERDICT_AMBIGUOUS, VERDICT_UNSTABLE,	 VERDICT_INCONCLUSIVE, VERDICT_TOO_FEW,
		VERDICT_TOO_SMALL, VERDICT_NOT_MEASURED, VERDICT_NEW,
	};
	int err = 0;

	print_changes(view, VERDICT_WORSE, out);
	print_changes(view, VERDICT_BETTER, out);
	for (size_t i = 0; i < ARRAY_SIZE(reasons) && !err; i++)
		err = print_reasons(view, reasons[i], out);
	return err;
}

/* ---- geometric means -------------------------------------------------------- */

/* Why a cell is not in the mean of its metric, or NULL. */
static const char *left_out_for(const struct compare_row *row, const struct compare_cell *cell)
{
	if (!row->in[0] || !row->in[1] || row->verdict == VERDICT_AMBIGUOUS)
		return verdict__name(row->verdict);
	switch (cell->verdict) {
	case VERDICT_NOT_MEASURED:
	case VERDICT_TOO_SMALL:
	case VERDICT_UNSTABLE:
		return verdict__name(cell->verdict);
	default:
		return cell->has_ratio ? NULL : "0 on a side";
	}
}

static bool has_mean(const struct metric *metric)
{
	return !(metric->flags & METRIC_TEXT) && metric->better != METRIC_INFO &&
	       metric->better != METRIC_ANY;
}

/* A mean of ones says nothing that the verdicts do not. */
static bool is_worth_a_mean(const struct report_view *view, size_t metric)
{
	if (!has_mean(view->cmp->metrics.v[metric]) || view->cmp->rows.n < 2)
		return false;
	for (size_t i = 0; i < view->cmp->rows.n; i++) {
		const struct compare_row *row = view->rows[i];
		const struct compare_cell *cell = &row->cells[metric];

		if (row->in[0] && row->in[1] && cell->side[0].n && cell->side[1].n &&
		    !cell->is_part && cell->side[0].median != cell->side[1].median)
			return true;
	}
	return false;
}

static void print_left_out(const struct report_view *view, size_t metric, FILE *out)
{
	const char *between = "; left out: ";
	size_t named = 0, more = 0;

	for (size_t i = 0; i < view->cmp->rows.n; i++) {
		const struct compare_row *row = view->rows[i];
		const char *why = left_out_for(row, &row->cells[metric]);

		if (!why)
			continue;
		if (named >= 2 * NAMES_SHOWN) {
			more++;
			continue;
		}
		fputs(between, out);
		print_name(row, out);
		fprintf(out, " (%s)", why);
		between = ", ";
		named++;
	}
	if (more)
		fprintf(out, " and %zu more", more);
}

int report_view__print_means(const struct report_view *view, FILE *out)
{
	_cleanup_free_ double *ratios = calloc(view->cmp->rows.n ?: 1, sizeof(*ratios));
	bool any = false;

	if (!ratios)
		return -ENOMEM;
	for (size_t i = 0; i < view->cmp->metrics.n; i++) {
		size_t n = 0;

		if (!is_worth_a_mean(view, i))
			continue;
		for (size_t j = 0; j < view->cmp->rows.n; j++) {
			const struct compare_cell *cell = &view->rows[j]->cells[i];

			if (!left_out_for(view->rows[j], cell))
				ratios[n++] = cell->ratio;
		}
		/* A mean of one is its ratio; of none, it has to be said why. */
		if (n == 1)
			continue;
		fputs(any ? "" : "\ngeometric mean of B/A:\n", out);
		any = true;
		fprintf(out, "  %s ", view->cmp->metrics.v[i]->id);
		if (n)
			fprintf(out, "%.4f of %zu", stats__geomean(ratios, n), n);
		else
			fputs("none", out);
		print_left_out(view, i, out);
		fputc('\n', out);
	}
	return 0;
}
