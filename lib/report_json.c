// SPDX-License-Identifier: GPL-2.0-only
#include "change.h"
#include "report_view.h"

#include "json.h"

static void put_side(struct json *json, const char *key, const struct compare_cell *cell, int side,
		     bool with_samples)
{
	const struct sample *sample = &cell->side[side];

	json__begin(json, key, '{');
	json__u64(json, "samples", sample->n);
	if (sample->n && cell->metric->flags & METRIC_TEXT) {
		json__text(json, "value", sample->text);
	} else if (sample->n) {
		json__double(json, "value", sample->median);
		json__double(json, "least", sample->min);
		json__double(json, "most", sample->max);
	} else {
		json__null(json, "value");
	}
	if (with_samples && !(cell->metric->flags & METRIC_TEXT)) {
		json__doubles(json, "values", sample->values, sample->n);
		json__doubles(json, "medians_of_boots", sample->units, sample->n_units);
	}
	if (sample->missing)
		json__text(json, "missing", sample->reason ?: "");
	json__end(json, '}');
}

static void put_cell(struct json *json, const struct compare_cell *cell, bool with_samples)
{
	json__begin(json, cell->metric->id, '{');
	put_side(json, "a", cell, 0, with_samples);
	put_side(json, "b", cell, 1, with_samples);
	if (report_view__has_ratio(cell))
		json__double(json, "ratio", cell->ratio);
	if (cell->has_interval) {
		json__double(json, "ratio_lo", cell->interval.lo);
		json__double(json, "ratio_hi", cell->interval.hi);
	}
	if (cell->has_p) {
		json__double(json, "p", cell->p);
		json__double(json, "p_corrected", cell->p_holm);
	}
	json__text(json, "verdict", verdict__name(cell->verdict));
	if (cell->why)
		json__text(json, "why", cell->why);
	json__end(json, '}');
}

static void put_row(struct json *json, const struct report_view *view,
		    const struct compare_row *row)
{
	const struct comparison *cmp = view->cmp;
	bool judged = compare_row__is_judged(row);

	json__begin(json, NULL, '{');
	json__text(json, suite_keys[cmp->suite].columns[0], row->object);
	json__text(json, suite_keys[cmp->suite].columns[1], row->program);
	json__text(json, "verdict", verdict__name(row->verdict));
	if (change__of(cmp, row))
		json__text(json, "change", change__of(cmp, row));
	if (row->why)
		json__text(json, "why", row->why);
	json__begin(json, "metrics", '{');
	for (size_t i = 0; judged && i < cmp->metrics.n; i++)
		if (!row->cells[i].nothing)
			put_cell(json, &row->cells[i], view->samples);
	json__end(json, '}');
	json__end(json, '}');
}

static void put_side_facts(struct json *json, const struct report_view *view, int side)
{
	const struct recording *rec = view->rec[side];

	json__begin(json, side ? "b" : "a", '{');
	json__text(json, "path", view->paths[side]);
	json__u64(json, "rows", rec->rows.n);
	json__u64(json, "boots", rec->boots);
	json__bool(json, "complete", rec->complete);
	json__begin(json, "environment", '{');
	for (size_t i = 0; i < rec->env.n; i++)
		json__text(json, rec->env.v[i].key, rec->env.v[i].value);
	json__end(json, '}');
	json__end(json, '}');
}

void report_view__put(struct json *json, const char *key, const struct report_view *view)
{
	json__begin(json, key, '{');
	json__text(json, "suite", suite_keys[view->cmp->suite].name);
	put_side_facts(json, view, 0);
	put_side_facts(json, view, 1);
	json__begin(json, "counts", '{');
	for (int i = 0; i < VERDICT_MAX; i++)
		if (view->cmp->counts[i])
			json__u64(json, verdict__name(i), view->cmp->counts[i]);
	json__end(json, '}');
	json__u64(json, "status", report_view__status(view));
	json__begin(json, "rows", '[');
	for (size_t i = 0; i < view->n_shown; i++)
		put_row(json, view, view->shown[i]);
	json__end(json, ']');
	json__end(json, '}');
}

int report_view__print_json(const struct report_view *view, FILE *out)
{
	struct json json = { .out = out };

	report_view__put(&json, NULL, view);
	return ferror(out) ? -EIO : 0;
}
