// SPDX-License-Identifier: GPL-2.0-only
#include "recorded.h"

#include <errno.h>

#include "cleanup.h"
#include "columns.h"
#include "filter.h"
#include "growth.h"
#include "log.h"
#include "recfile.h"
#include "report.h"
#include "show.h"

static enum veristat_exit refuse(const struct err *err, int rc)
{
	log_err("%s", err->text[0] ? err->text : strerror(-rc));
	return rc == -EINVAL ? EXIT_USAGE : EXIT_UNABLE;
}

/* The file's name is what -f means, whatever of its path the recording has. */
static bool keep(const void *ctx, const char *object, const char *program)
{
	return filter__takes(ctx, path_base(object), program);
}

static int copy_cell(struct recording *to, struct record_row *row, const struct metric *metric,
		     const struct cell *cell)
{
	switch (cell->state) {
	case CELL_ABSENT:
		return 0;
	case CELL_OK:
		if (metric->flags & METRIC_TEXT)
			return recording__set_text(to, row, metric->id, cell->text);
		return recording__set_num(to, row, metric->id, cell->num);
	default:
		return recording__set_missing(to, row, metric->id, cell->state, cell->text);
	}
}

/* The rows that the filter takes, with the columns that were asked for. */
static int narrow(const struct recording *rec, const struct columns *columns,
		  const struct filter *filter, struct recording **ret_rec)
{
	_cleanup_(recording__freep) struct recording *to = NULL;
	int rc;

	rc = recording__new(rec->suite, &to);
	for (size_t c = 0; rc == 0 && c < columns->metrics.n; c++)
		rc = recording__add_column(to, columns->metrics.v[c]);
	for (size_t i = 0; rc == 0 && i < rec->rows.n; i++) {
		const struct record_row *from = &rec->rows.v[i];
		struct record_row *row;

		if (!keep(filter, from->object, from->program))
			continue;
		rc = recording__add_row(to, from->object, from->program, &row);
		for (size_t c = 0; rc == 0 && c < columns->metrics.n; c++) {
			const struct metric *metric = columns->metrics.v[c];
			int at = recording__column(rec, metric);

			if (at >= 0)
				rc = copy_cell(to, row, metric, &from->cells[at]);
		}
	}
	if (rc == 0)
		*ret_rec = TAKE_PTR(to);
	return rc;
}

/* Those of -e, else all that the recording has; the rest of it can be sorted by. */
static int choose_columns(const struct veristat_opts *opts, const struct recording *rec,
			  struct columns *ret_columns, struct err *err)
{
	int rc = 0;

	if (opts->emit.n)
		rc = columns__choose(opts, false, ret_columns, err);
	for (size_t c = 0; rc == 0 && c < rec->columns.n; c++)
		rc = vec_push(&ret_columns->metrics, rec->columns.v[c]);
	if (!opts->emit.n)
		ret_columns->shown = ret_columns->metrics.n;
	return rc;
}

enum veristat_exit recorded__show(const struct veristat_opts *opts, const char *path)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_(recording__freep) struct recording *shown = NULL;
	_cleanup_columns_ struct columns columns = {};
	_cleanup_filter_ struct filter *filter = NULL;
	_cleanup_free_ char *notes = NULL;
	struct err err = {};
	int rc;

	rc = filter__new(&opts->filter, &filter, &err);
	if (rc < 0)
		return refuse(&err, rc);
	rc = recfile__read(path, SUITE_VERISTAT, &rec, &notes, &err);
	if (rc < 0) {
		refuse(&err, rc);
		return EXIT_UNABLE;
	}
	if (notes && !opts->quiet)
		fputs(notes, stderr);
	rc = choose_columns(opts, rec, &columns, &err);
	if (rc == 0)
		rc = narrow(rec, &columns, filter, &shown);
	if (!shown)
		return refuse(&err, rc);
	if (!shown->rows.n) {
		log_err("%s: no row of it matches", path);
		return EXIT_USAGE;
	}
	if (opts->growth)
		rc = growth__show(shown, columns.shown, opts->format, stdout, &err);
	else
		rc = show__recording(shown, columns.shown, filter, opts, stdout, &err);
	return rc < 0 ? refuse(&err, rc) : EXIT_FINE;
}

struct compared {
	const struct comparison *cmp;
	const struct compare_row *row;
};

static bool holds(void *ctx, const struct expr *expr)
{
	const struct compared *compared = ctx;

	return expr__holds_row(expr, compared->cmp, compared->row);
}

static bool shows(const void *ctx, const struct comparison *cmp, const struct compare_row *row)
{
	return filter__shows(ctx, holds, &(struct compared){ cmp, row });
}

enum veristat_exit recorded__compare(const struct veristat_opts *opts, const char *base,
				     const char *patched)
{
	static const enum report_format formats[] = {
		[FORMAT_TABLE] = REPORT_TABLE,
		[FORMAT_CSV] = REPORT_CSV,
		[FORMAT_JSON] = REPORT_JSON,
		[FORMAT_MARKDOWN] = REPORT_MARKDOWN,
	};
	_cleanup_filter_ struct filter *filter = NULL, *explain = NULL;
	struct report_opts report = {
		.format = formats[opts->format],
		.all = opts->verbose,
		.no_env = opts->no_env,
		.emit = opts->emit,
		.sort = opts->sort,
		.wide = opts->wide,
		.floor = opts->floor,
		.top = opts->top,
	};
	_cleanup_(expr__clear) struct expr fail_on = {};
	struct err err = {};
	int rc;

	rc = filter__new(&opts->filter, &filter, &err);
	if (rc == 0)
		rc = filter__new(&opts->explain, &explain, &err);
	if (rc == 0 && opts->fail_on)
		rc = expr__parse(SUITE_VERISTAT, opts->fail_on, &fail_on, &err);
	if (rc < 0)
		return refuse(&err, rc);
	report.fail_on = opts->fail_on ? &fail_on : NULL;
	report.ctx = filter;
	if (opts->filter.n)
		report.keep = keep;
	if (filter__condition(filter, 0))
		report.shows = shows;
	if (opts->explain.n) {
		report.explains = keep;
		report.explain_ctx = explain;
	}
	rc = report__compare_files(SUITE_VERISTAT, base, patched, &report, stdout, &err);
	if (err.text[0])
		log_err("%s", err.text);
	return rc < 0 ? EXIT_UNABLE : (enum veristat_exit)rc;
}
