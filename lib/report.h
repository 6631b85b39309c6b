/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a comparison found, for a reader: what the two sides stood on, one
 * line of summary, a table, what got worse or better, what could not be told
 * and why, geometric means. The three programs share it for -C.
 */
#ifndef BPF_AB_REPORT_H
#define BPF_AB_REPORT_H

#include <stdio.h>

#include "compare.h"
#include "expr.h"
#include "opts.h"

enum report_format { REPORT_TABLE, REPORT_CSV, REPORT_JSON, REPORT_MARKDOWN };

struct report_opts {
	enum report_format format;
	bool all;    /* every metric of every program, however many are equal */
	bool no_env; /* without the block on the two environments */
	/*
	 * Metrics to show, by name, and orders of rows: a metric or key column
	 * with _a, _b, _diff or _pct (default _b) and ^ (ascending) or
	 * v (descending) behind it. Elements may hold several with commas
	 * between. Empty: all metrics; by object and program as they come in A.
	 */
	struct opt_list emit, sort;
	/*
	 * Not empty: one row per program, with a column for each of these metrics
	 * (out of those of emit) and a result of all that are compared. NULL is an
	 * element that names none; if none does, all have a column.
	 */
	struct opt_list wide;
	/* Which rows count; NULL: all. ctx is handed through. */
	bool (*keep)(const void *ctx, const char *object, const char *program);
	const void *ctx;
	/* Which rows of those the tables and the CSV show; NULL: all. No verdict depends on it. */
	bool (*shows)(const void *ctx, const struct comparison *cmp, const struct compare_row *row);
	/*
	 * Not NULL: instead of the tables, the samples and each step of the
	 * arithmetic of these rows. None of them is a usage error.
	 */
	bool (*explains)(const void *ctx, const char *object, const char *program);
	const void *explain_ctx;
	size_t top; /* no more rows than that; 0: all */
	/* Not NULL: the status is 1 if a row meets this, and not for what got worse. */
	const struct expr *fail_on;
	const char *names[2]; /* what the sides are called; NULL: A and B */
	/*
	 * A folder that holds two recordings of one kernel, base and patched, as
	 * a comparison of a kernel with itself leaves them. What they differ by is
	 * noise, and no verdict rests on less. NULL: none.
	 */
	const char *floor;
};

/*
 * Reads two recordings of a suite (files or folders), compares and reports.
 * Returns an exit status: 0 nothing got worse; 1 something did; 2 a metric or
 * order that does not exist, or no row is left; 3 something could not be read
 * or compared. For 2, and 3 if there is no report, err has the words.
 */
int report__compare_files(enum suite suite, const char *path_a, const char *path_b,
			  const struct report_opts *opts, FILE *out, struct err *err);

#endif
