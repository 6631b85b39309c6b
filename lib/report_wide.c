// SPDX-License-Identifier: GPL-2.0-only
#include "report_view.h"

#include <ctype.h>

#include "cleanup.h"
#include "table.h"

/*
 * What stands behind a cell, short because it may stand in each, and what it
 * stands for where that is not plain. No mark: equal, or there is nothing to judge.
 */
static const struct {
	const char *mark, *legend;
} marks[VERDICT_MAX] = {
	[VERDICT_NOT_WORSE] = { "not worse", "not worse: no rise beyond the margin" },
	[VERDICT_BETTER] = { "better", NULL },
	[VERDICT_WORSE] = { "worse", NULL },
	[VERDICT_DIFFERS] = { "*", "* shown, not judged" },
	[VERDICT_INCONCLUSIVE] = { "?", "? inconclusive" },
	[VERDICT_TOO_FEW] = { "few", "few: too few samples" },
	[VERDICT_TOO_SMALL] = { "small", "small: too small to time" },
	[VERDICT_UNSTABLE] = { NULL, "a..b or two words: varies on one kernel" },
	[VERDICT_NOT_MEASURED] = { NULL, "n/a not measured" },
};

/* Of a row's own verdict and of its cells', in the order in which a result tells them. */
static const enum verdict told[] = {
	VERDICT_WORSE,	 VERDICT_UNSTABLE,  VERDICT_BETTER,	  VERDICT_INCONCLUSIVE,
	VERDICT_TOO_FEW, VERDICT_TOO_SMALL, VERDICT_NOT_MEASURED, VERDICT_NOT_WORSE,
};

/* ---- one cell --------------------------------------------------------------- */

/* "3309558 -> 3309591  +0.00 % worse"; the parts of a column stand below each other. */
struct parts {
	char a[REPORT_CELL_MAX], b[REPORT_CELL_MAX]; /* b empty: there is only one value */
	char percent[32];
	const char *mark;
};

/* mark: of those beside a percentage; a lone one takes the place of both. */
struct widths {
	int a, b, percent, mark, lone;
};

static int widths__tail(const struct widths *widths)
{
	int both = widths->percent + (widths->mark ? 1 + widths->mark : 0);

	return both > widths->lone ? both : widths->lone;
}

static bool is_absent_word(const struct compare_cell *cell)
{
	return cell->verdict == VERDICT_DIFFERS && (!cell->side[0].n || !cell->side[1].n);
}

static void format_side(const struct compare_cell *cell, int side, char *buf, size_t size)
{
	if (!cell->side[side].n && !is_absent_word(cell))
		snprintf(buf, size, "n/a");
	else
		report_view__value(cell, side, buf, size);
}

/* Values that round to the same digits are still two values. */
static bool is_one_value(const struct compare_cell *cell, const struct parts *parts)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];

	if (!streq(parts->a, parts->b))
		return false;
	return cell->metric->flags & METRIC_TEXT || !a->n || !b->n || a->median == b->median;
}

/* cell: NULL if the metric was compared nowhere. */
static void parts__find(const struct compare_row *row, const struct compare_cell *cell,
			struct parts *parts)
{
	*parts = (struct parts){ .mark = "" };
	if (row->verdict == VERDICT_AMBIGUOUS || (cell && cell->nothing))
		return;
	if (!cell) {
		snprintf(parts->a, sizeof(parts->a), "n/a");
		return;
	}
	format_side(cell, 0, parts->a, sizeof(parts->a));
	format_side(cell, 1, parts->b, sizeof(parts->b));
	parts->mark = marks[cell->verdict].mark ?: "";
	if (is_one_value(cell, parts))
		parts->b[0] = '\0';
	/* That a part of a sum grew by half says nothing about the sum. */
	else if (report_view__has_ratio(cell) && cell->verdict != VERDICT_DIFFERS)
		snprintf(parts->percent, sizeof(parts->percent), "%+.2f %%",
			 100 * (cell->ratio - 1));
}

static void widths__fit(struct widths *widths, const struct parts *parts)
{
	const struct {
		int *width;
		const char *text;
	} of[] = {
		{ &widths->a, parts->a },
		{ &widths->b, parts->b },
		{ &widths->percent, parts->percent },
		{ parts->percent[0] ? &widths->mark : &widths->lone, parts->mark },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		int len = strlen(of[i].text);

		if (len > *of[i].width)
			*of[i].width = len;
	}
}

static int parts__print(const struct parts *parts, const struct widths *widths, bool text,
			char **ret_text)
{
	_cleanup_free_ char *line = NULL;
	int align = text ? -1 : 1;
	char tail[64];
	size_t len;
	FILE *out = open_memstream(&line, &len);

	if (!out)
		return -ENOMEM;
	fprintf(out, "%*s", align * widths->a, parts->a);
	if (widths->b)
		fprintf(out, "%s%*s", parts->b[0] ? " -> " : "    ", align * widths->b, parts->b);
	if (parts->percent[0])
		snprintf(tail, sizeof(tail), parts->mark[0] ? "%*s %s" : "%*s", widths->percent,
			 parts->percent, parts->mark);
	else
		snprintf(tail, sizeof(tail), "%s", parts->mark);
	if (widths__tail(widths))
		fprintf(out, " %-*s", widths__tail(widths), tail);
	if (fclose(out))
		return -ENOMEM;
	*ret_text = TAKE_PTR(line);
	return 0;
}

/* ---- the result of a row ---------------------------------------------------- */

/* As the column is headed; an id where two metrics share a title. */
static void print_name(const struct comparison *cmp, const struct metric *metric, FILE *out)
{
	for (size_t i = 0; i < cmp->metrics.n; i++) {
		const struct metric *other = cmp->metrics.v[i];

		if (other != metric && streq(other->title, metric->title)) {
			fputs(metric->id, out);
			return;
		}
	}
	fprintf(out, "%c%s", tolower((unsigned char)metric->title[0]), metric->title + 1);
}

static bool print_told(const struct comparison *cmp, const struct compare_row *row,
		       enum verdict verdict, bool first, FILE *out)
{
	const char *between = ": ";
	bool any = false;

	for (size_t i = 0; i < cmp->metrics.n; i++) {
		const struct compare_cell *cell = &row->cells[i];

		if (cell->verdict != verdict || cell->nothing)
			continue;
		if (!any)
			fprintf(out, "%s%s", first ? "" : "; ", verdict__name(verdict));
		fputs(between, out);
		print_name(cmp, cell->metric, out);
		between = ", ";
		any = true;
	}
	return any;
}

/* "equal", "gone", "worse: duration, states; unstable: jited" */
static int row__result(const struct comparison *cmp, const struct compare_row *row,
		       char **ret_result)
{
	_cleanup_free_ char *text = NULL;
	bool any = false;
	size_t len;
	FILE *out;

	if (!compare_row__is_judged(row))
		return str__printf(ret_result, "%s", verdict__name(row->verdict));
	out = open_memstream(&text, &len);
	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(told); i++)
		any |= print_told(cmp, row, told[i], !any, out);
	if (!any)
		fputs(verdict__name(VERDICT_EQUAL), out);
	if (fclose(out))
		return -ENOMEM;
	*ret_result = TAKE_PTR(text);
	return 0;
}

/* ---- the table -------------------------------------------------------------- */

struct wide_column {
	int at; /* in the comparison, or -1 */
	struct widths widths;
	bool text;
	char title[REPORT_CELL_MAX];
};

struct wide {
	const struct report_view *view;
	struct wide_column *columns; /* one per metric of the view */
	bool uses[VERDICT_MAX];	     /* whose marks have to be explained */
	bool within;		     /* some equal cell has two values */
};

static void wide__reset(struct wide *wide)
{
	free(wide->columns);
}

static const struct compare_cell *cell_of(const struct compare_row *row,
					  const struct wide_column *column)
{
	return column->at < 0 ? NULL : &row->cells[column->at];
}

static void wide__use(struct wide *wide, const struct compare_cell *cell, const struct parts *parts)
{
	enum verdict verdict = cell ? cell->verdict : VERDICT_NOT_MEASURED;

	if (streq(parts->a, "n/a") || streq(parts->b, "n/a"))
		wide->uses[VERDICT_NOT_MEASURED] = true;
	if (verdict == VERDICT_EQUAL && parts->b[0])
		wide->within = true;
	if (parts->mark[0] || verdict == VERDICT_UNSTABLE)
		wide->uses[verdict] = true;
}

static int wide__lay_out(struct wide *wide)
{
	const struct report_view *view = wide->view;

	wide->columns = calloc(view->n_columns ?: 1, sizeof(*wide->columns));
	if (!wide->columns)
		return -ENOMEM;
	for (size_t i = 0; i < view->n_columns; i++) {
		struct wide_column *column = &wide->columns[i];
		const struct metric *metric = view->columns[i];

		report_view__title(view, metric, column->title, sizeof(column->title));
		column->text = metric->flags & METRIC_TEXT;
		column->at = -1;
		for (size_t j = 0; j < view->cmp->metrics.n; j++)
			if (view->cmp->metrics.v[j] == metric)
				column->at = j;
		for (size_t j = 0; j < view->cmp->rows.n; j++) {
			const struct compare_cell *cell = cell_of(view->rows[j], column);
			struct parts parts;

			parts__find(view->rows[j], cell, &parts);
			widths__fit(&column->widths, &parts);
			wide__use(wide, cell, &parts);
		}
	}
	return 0;
}

static int wide__new_table(const struct wide *wide, struct table **ret_table)
{
	const struct suite_key *key = &suite_keys[wide->view->cmp->suite];
	size_t n = wide->view->n_columns;
	_cleanup_free_ struct table_column *columns = calloc(n + 2, sizeof(*columns));
	_cleanup_free_ char *title = NULL;

	if (!columns)
		return -ENOMEM;
	if (str__printf(&title, "%s, %s", key->titles[0], key->titles[1]))
		return -ENOMEM;
	columns[0] = (struct table_column){ .title = title, .flexible = true };
	for (size_t i = 0; i < n; i++)
		columns[i + 1] = (struct table_column){
			.title = wide->columns[i].title,
			.right = !wide->columns[i].text,
			.wrap = true,
		};
	columns[n + 1] =
		(struct table_column){ .title = "Result", .flexible = true, .verdicts = true };
	return table__new(columns, n + 2, ret_table);
}

/* Objects have lines of their own: beside each program they would take a quarter of the width. */
static int wide__add_object(const struct wide *wide, const char *object, struct table *table)
{
	_cleanup_free_ const char **cells = calloc(wide->view->n_columns + 2, sizeof(*cells));

	if (!cells)
		return -ENOMEM;
	cells[0] = object;
	return table__add(table, cells);
}

static int wide__add_row(const struct wide *wide, const struct compare_row *row,
			 struct table *table)
{
	size_t n = wide->view->n_columns;
	_cleanup_free_ char **cells = calloc(n + 2, sizeof(*cells));
	int err;

	if (!cells)
		return -ENOMEM;
	err = str__printf(&cells[0], *row->program ? "  %s" : "%s",
			  *row->program ? row->program : row->object);
	for (size_t i = 0; i < n && !err; i++) {
		const struct wide_column *column = &wide->columns[i];
		struct parts parts;

		parts__find(row, cell_of(row, column), &parts);
		err = parts__print(&parts, &column->widths, column->text, &cells[i + 1]);
	}
	if (!err)
		err = row__result(wide->view->cmp, row, &cells[n + 1]);
	if (!err)
		err = table__add(table, (const char *const *)cells);
	for (size_t i = 0; i < n + 2; i++)
		free(cells[i]);
	return err;
}

static int wide__add_rows(const struct wide *wide, struct table *table)
{
	const char *object = "";
	int err = 0;

	for (size_t i = 0; i < wide->view->n_shown && !err; i++) {
		const struct compare_row *row = wide->view->shown[i];

		if (*row->program && !streq(row->object, object))
			err = wide__add_object(wide, row->object, table);
		object = row->object;
		if (!err)
			err = wide__add_row(wide, row, table);
	}
	return err;
}

static void wide__print_legend(const struct wide *wide, FILE *out)
{
	const char *between = "(";

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		if (!wide->uses[i] || !marks[i].legend)
			continue;
		fprintf(out, "%s%s", between, marks[i].legend);
		between = "; ";
	}
	if (wide->within) {
		fprintf(out, "%stwo values without a mark: equal within the resolution", between);
		between = "; ";
	}
	if (between[0] == ';')
		fputs(")\n", out);
}

int report_view__print_wide(const struct report_view *view, FILE *out)
{
	_cleanup_(wide__reset) struct wide wide = { .view = view };
	_cleanup_(table__freep) struct table *table = NULL;
	int err = wide__lay_out(&wide) ?:
		  wide__new_table(&wide, &table) ?:
		  wide__add_rows(&wide, table);

	if (err)
		return err;
	fputc('\n', out);
	if (table__rows(table))
		err = report_view__print_rows(view, table, out);
	wide__print_legend(&wide, out);
	return err;
}
