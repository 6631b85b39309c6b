/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the formats of a report have in common: the comparison, the order of
 * its rows, and how a cell reads. Private to the report.
 */
#ifndef BPF_AB_REPORT_VIEW_H
#define BPF_AB_REPORT_VIEW_H

#include "json.h"
#include "report.h"
#include "table.h"

#define REPORT_CELL_MAX 256

struct report_view {
	const struct report_opts *opts;
	const char *paths[2];
	const char *notes; /* of the readers, one per line */
	const struct recording *rec[2];
	const struct comparison *cmp;
	const struct compare_row *const *rows;	/* all, sorted; cmp->rows.n */
	const struct compare_row *const *shown; /* those that tables and the CSV show, sorted */
	size_t n_shown;
	size_t failing; /* rows that meet opts->fail_on */
	bool counted;	/* times are instructions */
	bool samples;	/* in JSON, all of them beside their medians */
	/* Those of the wide table, in its order; some may not have been compared. */
	const struct metric *const *columns;
	size_t n_columns;
};

/* "Duration (us)", or what a metric is counted in here. */
void report_view__title(const struct report_view *view, const struct metric *metric, char *buf,
			size_t size);
/* One side: a number, a word, a range if an exact value varies, "-" if it was not measured. */
void report_view__value(const struct compare_cell *cell, int side, char *buf, size_t size);
/*
 * Whether the ratio of a cell may be told. Of too few samples it is not: a
 * percentage would be taken for a claim.
 */
bool report_view__has_ratio(const struct compare_cell *cell);
/* "+12 (+0.38 %)", "+12" without a ratio; empty where there is no difference to be had. */
void report_view__difference(const struct compare_cell *cell, char *buf, size_t size);

/* The blocks of the text, in the order of the report. Return 0 or -errno. */
int report_view__print_env(const struct report_view *view, FILE *out);
int report_view__print_table(const struct report_view *view, FILE *out);
int report_view__print_wide(const struct report_view *view, FILE *out);
int report_view__print_lists(const struct report_view *view, FILE *out);
int report_view__print_means(const struct report_view *view, FILE *out);

/* What the comparison, or the condition to fail on, makes the program exit with. */
int report_view__status(const struct report_view *view);
/* A table in the form that opts ask for. */
int report_view__print_rows(const struct report_view *view, struct table *table, FILE *out);

/* All that is behind the verdicts on the rows that opts->explains takes; how many there are. */
size_t report_view__explain(const struct report_view *view, FILE *out);

/* A comparison as a value of a larger JSON text. */
void report_view__put(struct json *json, const char *key, const struct report_view *view);
int report_view__print_json(const struct report_view *view, FILE *out);
int report_view__print_csv(const struct report_view *view, FILE *out);

#endif
