// SPDX-License-Identifier: GPL-2.0-only
/* What got worse or better, what could not be told, and what was not measured. */
#include "story.h"

#include "change.h"
#include "cleanup.h"
#include "reasons.h"

/* What is longer is whole in report.json and report.html. */
#define CHANGES_SHOWN 24
#define REASONS_SHOWN 10
#define NAMES_SHOWN   3
#define WORD_MOST     12

static const struct doc_column change_columns[] = {
	{ "", DOC_LABEL },   { "metric", DOC_WORD },   { "A", DOC_NUMBER },
	{ "B", DOC_NUMBER }, { "change", DOC_NUMBER }, { "", DOC_NOTE },
};

static int row_name(const struct compare_row *row, char **ret_name)
{
	return str__printf(ret_name, "%s%s%s", row->object, *row->program ? " " : "", row->program);
}

/* A hash as long as it takes to see that there are two. */
static void shorten(char *word)
{
	if (strlen(word) > WORD_MOST)
		strcpy(word + WORD_MOST - 3, "...");
}

/* What a test that fails on B says of it. */
static const char *message_of(const struct whole_part *part, const struct compare_row *row)
{
	for (size_t i = 0; i < part->cmp->metrics.n; i++)
		if (streq(part->cmp->metrics.v[i]->id, "message") && row->cells[i].side[1].n)
			return row->cells[i].side[1].text;
	return NULL;
}

static void format_change(const struct whole_part *part, const struct compare_row *row,
			  const struct compare_cell *cell, char *buf, size_t size)
{
	if (report_view__has_ratio(cell))
		snprintf(buf, size, "%+.2f %%", 100 * (cell->ratio - 1));
	else if (cell->metric->flags & METRIC_TEXT)
		snprintf(buf, size, "%s", change__of(part->cmp, row) ?: "");
	else
		report_view__difference(cell, buf, size);
}

static int add_cell(struct doc_table *table, const struct whole_part *part,
		    const struct compare_row *row, const struct compare_cell *cell)
{
	char title[REPORT_CELL_MAX], change[REPORT_CELL_MAX];
	char value[2][REPORT_CELL_MAX];
	_cleanup_free_ char *name = NULL;

	report_view__title(&part->view, cell->metric, title, sizeof(title));
	format_change(part, row, cell, change, sizeof(change));
	for (int side = 0; side < 2; side++) {
		report_view__value(cell, side, value[side], sizeof(value[side]));
		if (cell->metric->flags & METRIC_TEXT)
			shorten(value[side]);
	}
	return row_name(row, &name)
		       ?: doc_table__add(table, (const char *const[]){
							name, title, value[0], value[1], change,
							cell->why ?: message_of(part, row) });
}

static int add_gone(struct doc_table *table, const struct compare_row *row)
{
	_cleanup_free_ char *name = NULL;

	return row_name(row, &name)
		       ?: doc_table__add(table, (const char *const[]){ name, "", "there", "-",
								       "gone", row->why });
}

/* Counts all and adds the first ones. */
static int add_changes(struct doc_table *table, const struct whole_part *part, enum verdict verdict,
		       size_t *total)
{
	int err = 0;

	for (size_t i = 0; i < part->cmp->rows.n && !err; i++) {
		const struct compare_row *row = &part->cmp->rows.v[i];

		if (verdict == VERDICT_WORSE && row->verdict == VERDICT_GONE &&
		    ++*total <= CHANGES_SHOWN)
			err = add_gone(table, row);
		if (!compare_row__is_judged(row))
			continue;
		for (size_t j = 0; j < part->cmp->metrics.n && !err; j++)
			if (row->cells[j].verdict == verdict && !row->cells[j].nothing &&
			    ++*total <= CHANGES_SHOWN)
				err = add_cell(table, part, row, &row->cells[j]);
	}
	return err;
}

static int tell_part_changes(const struct whole_part *part, enum verdict verdict, struct doc *doc)
{
	_cleanup_(doc_table__reset) struct doc_table table = { .columns = change_columns,
							       .n = ARRAY_SIZE(change_columns) };
	size_t total = 0;
	int err = add_changes(&table, part, verdict, &total);

	if (err || !total)
		return err;
	doc__para(doc, "%s:", results_part__name(part->part));
	doc__table(doc, &table);
	if (total > CHANGES_SHOWN)
		doc__para(doc, "and %zu more, see report.html or report.json",
			  total - CHANGES_SHOWN);
	return 0;
}

static void tell_splats(const struct klog *log, struct doc *doc)
{
	bool any = false;

	for (size_t i = 0; i < log->splats.n; i++) {
		const struct klog_splat *splat = &log->splats.v[i];

		if (!klog_splat__counts(splat))
			continue;
		if (!any)
			doc__para(doc, "kernel log, only in B:");
		any = true;
		doc__item(doc, "%s (%s, %zu time%s)", splat->text, splat->boot, splat->n[1],
			  splat->n[1] == 1 ? "" : "s");
	}
}

static bool has(const struct whole *whole, enum verdict verdict)
{
	for (size_t i = 0; i < RESULTS_PARTS; i++)
		if (whole->part[i].cmp &&
		    (whole->part[i].cmp->counts[verdict] ||
		     (verdict == VERDICT_WORSE && whole->part[i].cmp->counts[VERDICT_GONE])))
			return true;
	return false;
}

int story__tell_changes(const struct whole *whole, struct doc *doc)
{
	static const struct {
		enum verdict verdict;
		const char *title, *none;
	} chapters[] = {
		{ VERDICT_WORSE, "Worse", "Nothing that was measured." },
		{ VERDICT_BETTER, "Better", "Nothing that was measured." },
	};
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(chapters) && !err; i++) {
		bool worse = chapters[i].verdict == VERDICT_WORSE;

		doc__head(doc, chapters[i].title);
		if (!has(whole, chapters[i].verdict) &&
		    !(worse && klog__verdict(&whole->log) == KLOG_WORSE))
			doc__para(doc, "%s", chapters[i].none);
		for (size_t j = 0; j < RESULTS_PARTS && !err; j++)
			if (whole->part[j].cmp)
				err = tell_part_changes(&whole->part[j], chapters[i].verdict, doc);
		if (worse)
			tell_splats(&whole->log, doc);
	}
	return err;
}

/* ---- what could not be told -------------------------------------------------- */

static int tell_reason(const struct whole_part *part, const struct reason *reason,
		       enum verdict verdict, struct doc *doc)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	fprintf(out, "%s, %s", results_part__name(part->part), verdict__name(verdict));
	if (reason->metric)
		fprintf(out, ", %s", reason->metric->id);
	for (size_t i = 0; i < reason->rows.n && i < NAMES_SHOWN; i++)
		fprintf(out, "%s%s%s%s", i ? ", " : ": ", reason->rows.v[i]->object,
			*reason->rows.v[i]->program ? " " : "", reason->rows.v[i]->program);
	if (reason->rows.n > NAMES_SHOWN)
		fprintf(out, " and %zu more", reason->rows.n - NAMES_SHOWN);
	if (*reason->why)
		fprintf(out, "; %s", reason->why);
	if (fclose(out))
		return -ENOMEM;
	doc__item(doc, "%s", text);
	return 0;
}

static int tell_reasons(const struct whole_part *part, enum verdict verdict, struct doc *doc)
{
	_cleanup_(reasons__reset) struct reasons reasons = {};
	int err = reasons__collect(&reasons, part->cmp, part->rows, verdict);

	for (size_t i = 0; i < reasons.list.n && i < REASONS_SHOWN && !err; i++)
		err = tell_reason(part, &reasons.list.v[i], verdict, doc);
	if (!err && reasons.list.n > REASONS_SHOWN)
		doc__item(doc, "and %zu more reasons of %s", reasons.list.n - REASONS_SHOWN,
			  results_part__name(part->part));
	return err;
}

/* The parts and logs that are missing altogether. */
static size_t tell_missing(const struct whole *whole, struct doc *doc)
{
	size_t n = 0;

	for (size_t i = 0; i < RESULTS_PARTS; i++) {
		const struct whole_part *part = &whole->part[i];

		if (!part->recorded || part->cmp)
			continue;
		doc__item(doc, "%s: only %c has a recording of it", results_part__name(i),
			  whole->side[0]->rec[i] ? 'A' : 'B');
		n++;
	}
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < whole->side[side]->boots.n; i++) {
			const struct results_boot *boot = &whole->side[side]->boots.v[i];

			if (!boot->class)
				continue;
			doc__item(doc, "%c, %s: %s", 'A' + side, boot->name, boot->class);
			n++;
		}
	for (size_t i = 0; i < whole->log.unread.n; i++, n++)
		doc__item(doc, "kernel log of %s", whole->log.unread.v[i]);
	for (size_t i = 0; i < whole->log.allow.n; i++)
		if (!whole->log.allow.v[i].used)
			doc__item(doc, "known splat that was not seen: %s",
				  whole->log.allow.v[i].pattern);
	return n;
}

int story__tell_unknown(const struct whole *whole, struct doc *doc)
{
	static const enum verdict untold[] = { VERDICT_AMBIGUOUS,    VERDICT_UNSTABLE,
					       VERDICT_INCONCLUSIVE, VERDICT_TOO_FEW,
					       VERDICT_TOO_SMALL,    VERDICT_NEW };
	bool any = false;
	int err = 0;

	for (size_t v = 0; v < ARRAY_SIZE(untold); v++)
		any |= has(whole, untold[v]);
	if (any)
		doc__head(doc, "Not told");
	for (size_t v = 0; v < ARRAY_SIZE(untold); v++)
		for (size_t i = 0; i < RESULTS_PARTS && !err; i++)
			if (whole->part[i].cmp)
				err = tell_reasons(&whole->part[i], untold[v], doc);
	doc__head(doc, "Not measured");
	if (!tell_missing(whole, doc) && !has(whole, VERDICT_NOT_MEASURED))
		doc__para(doc, "Nothing: all that one side has the other has too.");
	for (size_t i = 0; i < RESULTS_PARTS && !err; i++)
		if (whole->part[i].cmp)
			err = tell_reasons(&whole->part[i], VERDICT_NOT_MEASURED, doc);
	return err;
}
