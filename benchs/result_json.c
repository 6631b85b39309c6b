// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "group.h"
#include "json.h"
#include "result.h"
#include "sample.h"
#include "stats.h"

static void print_text(struct json *json, const char *key, const char *text)
{
	json__string(json, key, text, strlen(text));
}

static void print_cell(struct json *json, const struct cell *cell, const struct metric *metric)
{
	static const char *const states[] = {
		[CELL_UNSUPPORTED] = "unsupported",
		[CELL_FAILED] = "failed",
	};

	switch (cell->state) {
	case CELL_ABSENT:
		return;
	case CELL_OK:
		if (metric->flags & METRIC_TEXT)
			print_text(json, metric->id, cell->text);
		else
			json__double(json, metric->id, cell->num);
		return;
	case CELL_UNSUPPORTED:
	case CELL_FAILED:
		json__begin(json, metric->id, '{');
		print_text(json, "state", states[cell->state]);
		print_text(json, "reason", cell->text ?: "");
		json__end(json, '}');
	}
}

static void print_keys(struct json *json, const struct suite_key *key, const char *object,
		       const char *program)
{
	print_text(json, key->columns[0], object);
	print_text(json, key->columns[1], program);
}

static void print_samples(struct json *json, const struct recording *rec)
{
	json__begin(json, "samples", '[');
	for (size_t i = 0; i < rec->rows.n; i++) {
		const struct record_row *row = &rec->rows.v[i];

		json__begin(json, NULL, '{');
		print_keys(json, &suite_keys[rec->suite], row->object, row->program);
		for (size_t j = 0; j < rec->columns.n; j++)
			print_cell(json, &row->cells[j], rec->columns.v[j]);
		json__end(json, '}');
	}
	json__end(json, ']');
}

static int print_metric(struct json *json, const struct recording *rec, const struct group *group,
			const struct metric *metric)
{
	_cleanup_(sample__reset) struct sample sample = {};
	struct stats_summary s;
	int rc;

	if (metric->flags & METRIC_TEXT)
		return 0;
	rc = sample__take(rec, group, metric, &sample);
	if (rc < 0 || sample.n == 0)
		return rc;
	rc = stats__summary(sample.values, sample.n, &s);
	if (rc < 0)
		return rc;
	json__begin(json, metric->id, '{');
	json__u64(json, "n", s.n);
	json__double(json, "median", s.median);
	json__double(json, "mean", s.mean);
	json__double(json, "deviation", s.deviation);
	json__end(json, '}');
	return 0;
}

static int print_summary(struct json *json, const struct recording *rec)
{
	_cleanup_(groups__reset) struct groups groups = {};
	int rc = groups__make(rec, &groups);

	json__begin(json, "summary", '[');
	for (size_t i = 0; rc == 0 && i < groups.n; i++) {
		json__begin(json, NULL, '{');
		print_keys(json, &suite_keys[rec->suite], groups.v[i].object, groups.v[i].program);
		for (size_t j = 0; rc == 0 && j < rec->columns.n; j++)
			rc = print_metric(json, rec, &groups.v[i], rec->columns.v[j]);
		json__end(json, '}');
	}
	json__end(json, ']');
	return rc;
}

int result__print_json(const struct recording *rec, FILE *out)
{
	struct json json = { .out = out };
	int rc;

	json__begin(&json, NULL, '{');
	print_text(&json, "suite", suite_keys[rec->suite].name);
	json__begin(&json, "environment", '{');
	for (size_t i = 0; i < rec->env.n; i++)
		print_text(&json, rec->env.v[i].key, rec->env.v[i].value);
	json__end(&json, '}');
	print_samples(&json, rec);
	rc = print_summary(&json, rec);
	json__end(&json, '}');
	return rc < 0 ? rc : ferror(out) ? -EIO : 0;
}
