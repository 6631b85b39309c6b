// SPDX-License-Identifier: GPL-2.0-only
#include "report_view.h"

#include "change.h"
#include "cleanup.h"
#include "envdiff.h"
#include "table.h"

/* So many programs are shown in full even if all is equal. */
#define FEW_PROGRAMS 20

/* ---- what the sides stand on ------------------------------------------------ */

static void print_diff(const struct env_diff *diff, int width, FILE *out)
{
	fprintf(out, "  %-*s  A  %s\n", width, diff->key, diff->a ?: "(not recorded)");
	fprintf(out, "  %-*s  B  %s\n", width, "", diff->b ?: "(not recorded)");
}

/* Long values, such as a command line, say little by being equal. */
static void print_same(const struct report_view *view, FILE *out)
{
	static const char *const keys[] = { "kernel", "clock",	     "cpu",    "vcpus",	  "memory",
					    "cgroup", "mitigations", "config", "compiler" };
	const char *between = "  both: ";

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *a = recording__env(view->rec[0], keys[i]);
		const char *b = recording__env(view->rec[1], keys[i]);

		if (!a || !b || !streq(a, b))
			continue;
		fprintf(out, "%s%s %s", between, keys[i], a);
		between = ", ";
	}
	if (between[0] == ',')
		fputc('\n', out);
}

static bool knows_kernel(const struct recording *rec)
{
	return recording__env(rec, "kernel") || recording__env(rec, "build_id");
}

static void print_summary(const struct report_view *view, const struct env_diff *diffs, size_t n,
			  FILE *out)
{
	const char *between = "environment: not only the kernel differs, but also ";
	bool more = false;

	for (size_t i = 0; i < n; i++) {
		if (diffs[i].kernel)
			continue;
		fprintf(out, "%s%s", between, diffs[i].key);
		between = ", ";
		more = true;
	}
	if (more)
		fputc('\n', out);
	else if (n)
		fputs("environment: only the kernel differs\n", out);
	else if (knows_kernel(view->rec[0]))
		fputs("environment: no difference, the kernel is the same\n", out);
	else
		fputs("environment: no difference in what was recorded\n", out);
}

int report_view__print_env(const struct report_view *view, FILE *out)
{
	_cleanup_free_ struct env_diff *diffs = NULL;
	bool has[2] = { view->rec[0]->env.n > 0, view->rec[1]->env.n > 0 };
	int err, width = 0;
	size_t n;

	if (!has[0] || !has[1]) {
		fprintf(out, "environment: not known, there is no sidecar (FILE.env) beside %s\n",
			has[0]	 ? "B"
			: has[1] ? "A"
				 : "A and B");
		return 0;
	}
	err = env_diff__list(view->rec[0], view->rec[1], &diffs, &n);
	if (err)
		return err;
	for (size_t i = 0; i < n; i++)
		if ((int)strlen(diffs[i].key) > width)
			width = strlen(diffs[i].key);
	print_summary(view, diffs, n, out);
	/* What was not meant to differ comes first. */
	for (int kernel = 0; kernel < 2; kernel++)
		for (size_t i = 0; i < n; i++)
			if (diffs[i].kernel == kernel)
				print_diff(&diffs[i], width, out);
	print_same(view, out);
	return 0;
}

/* ---- the table -------------------------------------------------------------- */

/* Of many programs only what has something to tell is shown; the lists name the rest. */
static bool is_quiet(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_WORSE:
	case VERDICT_GONE:
	case VERDICT_BETTER:
	case VERDICT_UNSTABLE:
	case VERDICT_INCONCLUSIVE:
	case VERDICT_AMBIGUOUS:
	case VERDICT_NEW:
		return false;
	default:
		return true;
	}
}

/* p as statisticians print it: .0022 */
static void format_p(double p, char *buf, size_t size)
{
	char text[32];

	if (p < 0.0001) {
		snprintf(buf, size, "< .0001");
		return;
	}
	snprintf(text, sizeof(text), "%.4f", p);
	snprintf(buf, size, "%s", text[0] == '0' ? text + 1 : text);
}

/* The evidence and what else has to be known; empty for an exact number that is equal. */
static int format_note(const struct compare_cell *cell, const char *why, char **ret_note)
{
	_cleanup_free_ char *text = NULL;
	char p[32], p_holm[32];
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	if (cell->has_interval)
		fprintf(out, "95 %% interval %.3f to %.3f, ", cell->interval.lo, cell->interval.hi);
	if (cell->has_p) {
		format_p(cell->p, p, sizeof(p));
		format_p(cell->p_holm, p_holm, sizeof(p_holm));
		fprintf(out, "p %s", p);
		if (!streq(p, p_holm))
			fprintf(out, " (%s corrected)", p_holm);
		fprintf(out, ", %zu+%zu samples", cell->side[0].n_units, cell->side[1].n_units);
	} else if (cell->resolution > 0 && cell->metric->kind != METRIC_EXACT &&
		   (cell->verdict == VERDICT_EQUAL || cell->verdict == VERDICT_BETTER ||
		    cell->verdict == VERDICT_WORSE) &&
		   cell->side[0].n > 1) {
		fprintf(out, "resolution %.2g %%, %zu+%zu samples", 100 * cell->resolution,
			cell->side[0].n, cell->side[1].n);
	}
	fprintf(out, "%s%s", ftell(out) > 0 && *why ? "; " : "", why);
	if (fclose(out))
		return -ENOMEM;
	*ret_note = TAKE_PTR(text);
	return 0;
}

enum { COL_OBJECT, COL_PROGRAM, COL_METRIC, COL_A, COL_B, COL_DIFF, COL_VERDICT, COL_NOTE, COLS };

static int add_cell(const struct report_view *view, struct table *table,
		    const struct compare_row *row, const struct compare_cell *cell, bool first)
{
	char title[REPORT_CELL_MAX], a[REPORT_CELL_MAX], b[REPORT_CELL_MAX], diff[REPORT_CELL_MAX];
	_cleanup_free_ char *note = NULL;
	const char *verdict = verdict__name(cell->verdict);
	int err = format_note(cell, cell->why ?: first && row->why ? row->why : "", &note);

	if (err)
		return err;
	/* A test is called by what became of it; its outcome is where that is seen. */
	if (cell->metric->better == METRIC_RANKED)
		verdict = change__of(view->cmp, row) ?: verdict;
	report_view__title(view, cell->metric, title, sizeof(title));
	report_view__value(cell, 0, a, sizeof(a));
	report_view__value(cell, 1, b, sizeof(b));
	report_view__difference(cell, diff, sizeof(diff));
	return table__add(table, (const char *[COLS]){
					 [COL_OBJECT] = first ? row->object : "",
					 [COL_PROGRAM] = first ? row->program : "",
					 [COL_METRIC] = title,
					 [COL_A] = row->in[0] ? a : "absent",
					 [COL_B] = row->in[1] ? b : "absent",
					 [COL_DIFF] = diff,
					 [COL_VERDICT] = verdict,
					 [COL_NOTE] = note,
				 });
}

/* A row that no cell stands for: ambiguous, or with nothing measured. */
static int add_bare_row(struct table *table, const struct compare_row *row)
{
	return table__add(table, (const char *[COLS]){
					 [COL_OBJECT] = row->object,
					 [COL_PROGRAM] = row->program,
					 [COL_A] = row->in[0] ? "" : "absent",
					 [COL_B] = row->in[1] ? "" : "absent",
					 [COL_VERDICT] = verdict__name(row->verdict),
					 [COL_NOTE] = row->why,
				 });
}

static int add_row(const struct report_view *view, struct table *table,
		   const struct compare_row *row, bool full)
{
	bool lone = !row->in[0] || !row->in[1], first = true;
	int err = 0;

	for (size_t i = 0; i < view->cmp->metrics.n && !err; i++) {
		const struct compare_cell *cell = &row->cells[i];

		if (row->verdict == VERDICT_AMBIGUOUS)
			break;
		if (cell->nothing)
			continue;
		if (lone ? !cell->side[0].n && !cell->side[1].n : !full && is_quiet(cell->verdict))
			continue;
		err = add_cell(view, table, row, cell, first);
		first = false;
	}
	return !err && first ? add_bare_row(table, row) : err;
}

static void side_title(const struct report_view *view, int side, char *buf, size_t size)
{
	const char *name = view->opts->names[side];

	snprintf(buf, size, name ? "%c: %s" : "%c", 'A' + side, name);
}

int report_view__print_table(const struct report_view *view, FILE *out)
{
	const struct suite_key *key = &suite_keys[view->cmp->suite];
	bool full = view->opts->all || view->opts->shows || view->n_shown <= FEW_PROGRAMS;
	_cleanup_(table__freep) struct table *table = NULL;
	char a[REPORT_CELL_MAX], b[REPORT_CELL_MAX];
	size_t left_out = 0;
	int err;

	side_title(view, 0, a, sizeof(a));
	side_title(view, 1, b, sizeof(b));
	err = table__new(
		(const struct table_column[COLS]){
			[COL_OBJECT] = { .title = key->titles[0], .flexible = true },
			[COL_PROGRAM] = { .title = key->titles[1], .flexible = true },
			[COL_METRIC] = { .title = "Metric", .flexible = true },
			[COL_A] = { .title = a, .right = true },
			[COL_B] = { .title = b, .right = true },
			[COL_DIFF] = { .title = "Difference", .right = true },
			[COL_VERDICT] = { .title = "Verdict", .flexible = true, .verdicts = true },
			[COL_NOTE] = { .title = "Note", .flexible = true },
		},
		COLS, &table);
	for (size_t i = 0; i < view->n_shown && !err; i++) {
		if (full || !is_quiet(view->shown[i]->verdict))
			err = add_row(view, table, view->shown[i], full);
		else
			left_out++;
	}
	if (err)
		return err;
	fputc('\n', out);
	if (table__rows(table))
		err = report_view__print_rows(view, table, out);
	if (left_out)
		fprintf(out, "(%zu more with nothing that is better, worse, new or inconclusive)\n",
			left_out);
	return err;
}
