// SPDX-License-Identifier: GPL-2.0-only
/* Absolute figures beside ratios, of the programs in which there is most to see. */
#include "story.h"

#include <math.h>

#include "cleanup.h"
#include "growth.h"

#define ROWS_SHOWN   8
#define SLOPES_SHOWN 12

/* What a reader of a cover letter asks for, by its suite. */
static const struct {
	enum results_part part;
	const char *metric;
} figures[] = {
	{ RESULTS_VERISTAT, "duration" },     { RESULTS_VERISTAT, "mem_peak_kib" },
	{ RESULTS_VERISTAT, "allocs" },	      { RESULTS_VERISTAT, "live_peak" },
	{ RESULTS_VERISTAT, "vmalloc_peak" }, { RESULTS_BENCH, "ops_per_sec" },
	{ RESULTS_BENCH, "insns_per_op" },    { RESULTS_BENCH, "allocs_per_op" },
	{ RESULTS_GROWTH, "duration" },	      { RESULTS_GROWTH, "vmalloc_bytes" },
};

struct figure {
	const struct compare_row *row;
	const struct compare_cell *cell;
};

static double size_of(const struct compare_cell *cell)
{
	return cell->side[0].n ? cell->side[0].median : cell->side[1].median;
}

/* The largest first; equal ones stay as they came. */
static int by_size(const void *x, const void *y)
{
	const struct figure *a = x, *b = y;
	double left = size_of(a->cell), right = size_of(b->cell);

	if (left != right)
		return left < right ? 1 : -1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static size_t find_figures(const struct comparison *cmp, size_t metric, struct figure *figures)
{
	size_t n = 0;

	for (size_t i = 0; i < cmp->rows.n; i++) {
		const struct compare_row *row = &cmp->rows.v[i];
		const struct compare_cell *cell = &row->cells[metric];

		if (compare_row__is_judged(row) && (cell->side[0].n || cell->side[1].n))
			figures[n++] = (struct figure){ row, cell };
	}
	qsort(figures, n, sizeof(*figures), by_size);
	return n;
}

static int add_figure(struct doc_table *table, const struct figure *figure)
{
	const struct compare_cell *cell = figure->cell;
	char a[REPORT_CELL_MAX], b[REPORT_CELL_MAX], percent[32] = "";
	_cleanup_free_ char *name = NULL;
	int err = str__printf(&name, "%s %s", figure->row->object, figure->row->program);

	if (err)
		return err;
	report_view__value(cell, 0, a, sizeof(a));
	report_view__value(cell, 1, b, sizeof(b));
	if (report_view__has_ratio(cell))
		snprintf(percent, sizeof(percent),
			 fabs(cell->ratio - 1) < 0.00005 ? "0.00 %%" : "%+.2f %%",
			 100 * (cell->ratio - 1));
	return doc_table__add(table, (const char *const[]){ name, a, b, percent,
							    verdict__name(cell->verdict) });
}

/* The head, once there is a figure below it. */
static void begin(struct doc *doc, bool *told)
{
	if (!*told)
		doc__head(doc, "Figures");
	*told = true;
}

static int tell_metric(const struct whole_part *part, size_t metric, struct doc *doc, bool *told)
{
	static const struct doc_column columns[] = { { "", DOC_LABEL },
						     { "A", DOC_NUMBER },
						     { "B", DOC_NUMBER },
						     { "B/A", DOC_NUMBER },
						     { "", DOC_VERDICT } };
	_cleanup_(doc_table__reset) struct doc_table table = { .columns = columns,
							       .n = ARRAY_SIZE(columns) };
	_cleanup_free_ struct figure *figures = calloc(part->cmp->rows.n ?: 1, sizeof(*figures));
	char title[REPORT_CELL_MAX];
	size_t n;
	int err = 0;

	if (!figures)
		return -ENOMEM;
	n = find_figures(part->cmp, metric, figures);
	for (size_t i = 0; i < n && i < ROWS_SHOWN && !err; i++)
		err = add_figure(&table, &figures[i]);
	if (err || !n)
		return err;
	begin(doc, told);
	report_view__title(&part->view, part->cmp->metrics.v[metric], title, sizeof(title));
	if (n > ROWS_SHOWN)
		doc__para(doc, "%s: %s, the largest %d of %zu", results_part__name(part->part),
			  title, ROWS_SHOWN, n);
	else
		doc__para(doc, "%s: %s", results_part__name(part->part), title);
	doc__table(doc, &table);
	return 0;
}

/* ---- means ------------------------------------------------------------------- */

/* As the programs' own -C tells them, a line each. */
static int tell_means(const struct whole_part *part, struct doc *doc, bool *told)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	char *rest, *line;
	int err;

	if (!out)
		return -ENOMEM;
	err = report_view__print_means(&part->view, out);
	if (fclose(out) && !err)
		err = -ENOMEM;
	rest = text;
	while (!err && (line = strsep(&rest, "\n"))) {
		if (*line)
			begin(doc, told);
		if (*line == ' ')
			doc__item(doc, "%s", line + strspn(line, " "));
		else if (*line)
			doc__para(doc, "%s, %s", results_part__name(part->part), line);
	}
	return err;
}

/* ---- growth ------------------------------------------------------------------ */

static double steepness(const struct growth_curve *curve)
{
	return fmax(curve->fits[0] ? curve->exponent[0] : -INFINITY,
		    curve->fits[1] ? curve->exponent[1] : -INFINITY);
}

struct slope {
	const char *family;
	const struct growth_curve *curve;
};

static int by_steepness(const void *x, const void *y)
{
	const struct slope *a = x, *b = y;
	double left = steepness(a->curve), right = steepness(b->curve);

	if (left != right)
		return left < right ? 1 : -1;
	return a->curve < b->curve ? -1 : a->curve > b->curve;
}

static int add_slope(struct doc_table *table, const struct slope *slope)
{
	char text[2][32] = { "-", "-" };
	_cleanup_free_ char *name = NULL;
	int err = str__printf(&name, "%s %s", slope->family, slope->curve->program);

	for (int i = 0; i < 2; i++)
		if (slope->curve->fits[i])
			snprintf(text[i], sizeof(text[i]), "%.3f", slope->curve->exponent[i]);
	return err
		       ?: doc_table__add(table,
					 (const char *const[]){ name, slope->curve->metric->id,
								text[0], text[1] });
}

static int tell_growth(const struct whole_part *part, struct doc *doc, bool *told)
{
	static const struct doc_column columns[] = {
		{ "", DOC_LABEL }, { "number", DOC_WORD }, { "A", DOC_NUMBER }, { "B", DOC_NUMBER }
	};
	_cleanup_(doc_table__reset) struct doc_table table = { .columns = columns,
							       .n = ARRAY_SIZE(columns) };
	_cleanup_(growth__reset) struct growth growth = {};
	_cleanup_free_ struct slope *slopes = NULL;
	int err = growth__find(part->cmp, &growth);

	if (err || !growth.curves.n)
		return err;
	slopes = calloc(growth.curves.n, sizeof(*slopes));
	if (!slopes)
		return -ENOMEM;
	for (size_t i = 0; i < growth.curves.n; i++)
		slopes[i] = (struct slope){ growth.families.v[i], &growth.curves.v[i] };
	qsort(slopes, growth.curves.n, sizeof(*slopes), by_steepness);
	for (size_t i = 0; i < growth.curves.n && i < SLOPES_SHOWN && !err; i++)
		err = add_slope(&table, &slopes[i]);
	begin(doc, told);
	doc__para(doc, "%s: the power of a program's size that numbers grow with, the steepest %zu",
		  results_part__name(part->part), doc_table__rows(&table));
	doc__table(doc, &table);
	return err;
}

int story__tell_figures(const struct whole *whole, struct doc *doc)
{
	bool counted = false, told = false;
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(figures) && !err; i++) {
		const struct whole_part *part = &whole->part[figures[i].part];

		if (!part->cmp)
			continue;
		counted |= part->view.counted;
		for (size_t j = 0; j < part->cmp->metrics.n && !err; j++)
			if (streq(part->cmp->metrics.v[j]->id, figures[i].metric))
				err = tell_metric(part, j, doc, &told);
	}
	for (size_t i = 0; i < RESULTS_PARTS && !err; i++)
		if (whole->part[i].cmp)
			err = tell_growth(&whole->part[i], doc, &told)
				      ?: tell_means(&whole->part[i], doc, &told);
	if (counted && told)
		doc__para(doc, "Times are counted instructions, which do not see cache misses.");
	return err;
}
