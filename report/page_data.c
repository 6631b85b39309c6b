// SPDX-License-Identifier: GPL-2.0-only
#include "page_data.h"

#include "cleanup.h"
#include "codes.h"
#include "growth.h"

/* Of more programs than that the code is not in the page, and it says so. */
#define MOST_CODES 200

/* ---- rows -------------------------------------------------------------------- */

static void put_value(struct json *json, const struct compare_cell *cell, int side)
{
	const struct sample *sample = &cell->side[side];
	char text[REPORT_CELL_MAX];

	if (!sample->n) {
		json__null(json, NULL);
	} else if (cell->metric->flags & METRIC_TEXT) {
		report_view__value(cell, side, text, sizeof(text));
		json__text(json, NULL, text);
	} else {
		json__double(json, NULL, sample->median);
	}
}

static bool says_more(const struct sample *sample, const struct metric *metric)
{
	return sample->n && !(metric->flags & METRIC_TEXT) && sample->min != sample->max;
}

static void put_more(struct json *json, const struct compare_cell *cell)
{
	static const char *const keys[] = { "va", "vb" };

	json__begin(json, NULL, '{');
	if (report_view__has_ratio(cell))
		json__double(json, "r", cell->ratio);
	if (cell->has_interval) {
		json__double(json, "lo", cell->interval.lo);
		json__double(json, "hi", cell->interval.hi);
	}
	if (cell->has_p)
		json__double(json, "p", cell->p_holm);
	if (cell->why)
		json__text(json, "why", cell->why);
	for (int i = 0; i < 2; i++)
		if (says_more(&cell->side[i], cell->metric))
			json__doubles(json, keys[i], cell->side[i].values, cell->side[i].n);
	json__end(json, '}');
}

static void put_cell(struct json *json, const struct compare_row *row,
		     const struct compare_cell *cell)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];

	if (cell->nothing || row->verdict == VERDICT_AMBIGUOUS) {
		json__null(json, NULL);
		return;
	}
	json__begin(json, NULL, '[');
	json__u64(json, NULL, cell->verdict);
	put_value(json, cell, 0);
	put_value(json, cell, 1);
	if (cell->why || cell->has_interval || says_more(a, cell->metric) ||
	    says_more(b, cell->metric) || (report_view__has_ratio(cell) && a->median != b->median))
		put_more(json, cell);
	json__end(json, ']');
}

/* Where allocations were made is recorded and not compared. */
static const char *const list_ids[] = { "alloc_sites", "alloc_caches" };

static const char *list_of(const struct recording *rec, const struct group *group, const char *id)
{
	const struct metric *metric = metric__find(rec->suite, id);
	int column = metric ? recording__column(rec, metric) : -1;

	for (size_t i = 0; group && column >= 0 && i < group->n; i++)
		if (group->rows[i]->cells[column].state == CELL_OK)
			return group->rows[i]->cells[column].text;
	return NULL;
}

static void put_lists(struct json *json, const struct whole_part *part,
		      const struct groups groups[2], const struct compare_row *row)
{
	const struct group *group[2];

	for (int i = 0; i < 2; i++)
		group[i] = groups__find(&groups[i], row->object, row->program);
	json__begin(json, NULL, '{');
	for (size_t i = 0; i < ARRAY_SIZE(list_ids); i++) {
		const char *a = list_of(part->view.rec[0], group[0], list_ids[i]);
		const char *b = list_of(part->view.rec[1], group[1], list_ids[i]);

		if (!a && !b)
			continue;
		json__begin(json, list_ids[i], '[');
		json__text(json, NULL, a);
		json__text(json, NULL, b);
		json__end(json, ']');
	}
	json__end(json, '}');
}

static void put_row(struct json *json, const struct whole_part *part, const struct groups groups[2],
		    const struct compare_row *row)
{
	json__begin(json, NULL, '[');
	json__text(json, NULL, row->object);
	json__text(json, NULL, row->program);
	json__u64(json, NULL, row->verdict);
	json__text(json, NULL, row->why);
	json__begin(json, NULL, '[');
	for (size_t i = 0; i < part->cmp->metrics.n; i++)
		put_cell(json, row, &row->cells[i]);
	json__end(json, ']');
	put_lists(json, part, groups, row);
	json__end(json, ']');
}

static int put_rows(struct json *json, const struct whole_part *part)
{
	struct groups groups[2] = {};
	int err = groups__make(part->view.rec[0], &groups[0])
			  ?: groups__make(part->view.rec[1], &groups[1]);

	json__begin(json, "rows", '[');
	for (size_t i = 0; i < part->cmp->rows.n && !err; i++)
		put_row(json, part, groups, &part->cmp->rows.v[i]);
	json__end(json, ']');
	groups__reset(&groups[0]);
	groups__reset(&groups[1]);
	return err;
}

/* ---- the rest of a part ------------------------------------------------------ */

static void put_metrics(struct json *json, const struct whole_part *part)
{
	static const char *const better[] = {
		[METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher", [METRIC_RANKED] = "ranked",
		[METRIC_ANY] = "same",	  [METRIC_INFO] = "shown",
	};
	char title[REPORT_CELL_MAX];

	json__begin(json, "metrics", '[');
	for (size_t i = 0; i < part->cmp->metrics.n; i++) {
		const struct metric *metric = part->cmp->metrics.v[i];

		report_view__title(&part->view, metric, title, sizeof(title));
		json__begin(json, NULL, '{');
		json__text(json, "id", metric->id);
		json__text(json, "title", title);
		json__bool(json, "text", metric->flags & METRIC_TEXT);
		json__text(json, "better", better[metric->better]);
		json__end(json, '}');
	}
	json__end(json, ']');
}

static void put_curve(struct json *json, const char *family, const struct growth_curve *curve)
{
	json__begin(json, NULL, '{');
	json__text(json, "family", family);
	json__text(json, "program", curve->program);
	json__text(json, "metric", curve->metric->id);
	json__doubles(json, "sizes", curve->size, curve->n);
	json__doubles(json, "a", curve->value[0], curve->n);
	json__doubles(json, "b", curve->value[1], curve->n);
	json__begin(json, "exponents", '[');
	for (int i = 0; i < 2; i++) {
		if (curve->fits[i])
			json__double(json, NULL, curve->exponent[i]);
		else
			json__null(json, NULL);
	}
	json__end(json, ']');
	json__end(json, '}');
}

static int put_growth(struct json *json, const struct comparison *cmp)
{
	_cleanup_(growth__reset) struct growth growth = {};
	int err = growth__find(cmp, &growth);

	json__begin(json, "growth", '[');
	for (size_t i = 0; i < growth.curves.n; i++)
		put_curve(json, growth.families.v[i], &growth.curves.v[i]);
	json__end(json, ']');
	return err;
}

static int put_part(struct json *json, const struct whole_part *part)
{
	const struct suite_key *key = &suite_keys[part->cmp->suite];
	int err;

	json__begin(json, NULL, '{');
	json__text(json, "name", results_part__name(part->part));
	json__begin(json, "keys", '[');
	json__text(json, NULL, key->titles[0]);
	json__text(json, NULL, key->titles[1]);
	json__end(json, ']');
	put_metrics(json, part);
	err = put_rows(json, part) ?: put_growth(json, part->cmp);
	json__end(json, '}');
	return err;
}

/* ---- code -------------------------------------------------------------------- */

static void put_codes(struct json *json, const struct compare_row *row, const struct codes *codes)
{
	json__begin(json, NULL, '{');
	json__text(json, "object", row->object);
	json__text(json, "program", row->program);
	json__bool(json, "cut", codes->cut);
	json__begin(json, "lines", '[');
	for (size_t i = 0; i < codes->lines.n; i++) {
		const struct codes_line *line = &codes->lines.v[i];

		json__begin(json, NULL, '[');
		json__u64(json, NULL, line->kind);
		if (line->text)
			json__text(json, NULL, line->text);
		else
			json__u64(json, NULL, line->n);
		json__end(json, ']');
	}
	json__end(json, ']');
	json__end(json, '}');
}

static bool has_other_code(const struct comparison *cmp, const struct compare_row *row)
{
	for (size_t i = 0; compare_row__is_judged(row) && i < cmp->metrics.n; i++)
		if (streq(cmp->metrics.v[i]->id, "xlated_hash"))
			return row->cells[i].verdict == VERDICT_WORSE;
	return false;
}

static int put_all_codes(struct json *json, const struct whole *whole)
{
	const struct comparison *cmp = whole->part[RESULTS_VERISTAT].cmp;
	size_t n = 0, left_out = 0;
	int err = 0;

	json__begin(json, "codes", '[');
	for (size_t i = 0; cmp && i < cmp->rows.n && err != -ENOMEM; i++) {
		_cleanup_(codes__reset) struct codes codes = {};
		const struct compare_row *row = &cmp->rows.v[i];

		if (!has_other_code(cmp, row))
			continue;
		if (n == MOST_CODES) {
			left_out++;
			continue;
		}
		err = codes__find(whole->side[0], whole->side[1], row->object, row->program,
				  &codes);
		if (err)
			continue;
		put_codes(json, row, &codes);
		n++;
	}
	json__end(json, ']');
	json__u64(json, "codes_left_out", left_out);
	return err == -ENOMEM ? err : 0;
}

int page_data__put(struct json *json, const struct whole *whole)
{
	int err = 0;

	json__begin(json, NULL, '{');
	json__begin(json, "names", '[');
	json__text(json, NULL, whole->name[0]);
	json__text(json, NULL, whole->name[1]);
	json__end(json, ']');
	json__begin(json, "verdicts", '[');
	for (int i = 0; i < VERDICT_MAX; i++)
		json__text(json, NULL, verdict__name(i));
	json__end(json, ']');
	json__begin(json, "parts", '[');
	for (size_t i = 0; i < RESULTS_PARTS && !err; i++)
		if (whole->part[i].cmp)
			err = put_part(json, &whole->part[i]);
	json__end(json, ']');
	err = err ?: put_all_codes(json, whole);
	json__end(json, '}');
	return err;
}
