// SPDX-License-Identifier: GPL-2.0-only
#include "show.h"

#include <errno.h>

#include "cleanup.h"
#include "json.h"
#include "places.h"
#include "recfile.h"
#include "table.h"

/* Why numbers are missing, each reason once. */
struct gap {
	const char *reason; /* in the recording */
	uint64_t columns;   /* a bit per column */
	size_t programs;
	const struct group *last; /* counted for this one already */
};

struct gaps {
	VEC(struct gap) v;
};

static int note_gap(struct gaps *gaps, const char *reason, size_t column,
		    const struct group *program)
{
	struct gap *gap = NULL;
	int rc;

	for (size_t i = 0; i < gaps->v.n && !gap; i++)
		if (streq(gaps->v.v[i].reason, reason))
			gap = &gaps->v.v[i];
	if (!gap) {
		rc = vec_push(&gaps->v, (struct gap){ .reason = reason });
		if (rc < 0)
			return rc;
		gap = &gaps->v.v[gaps->v.n - 1];
	}
	if (column < 64)
		gap->columns |= 1ULL << column;
	if (gap->last != program)
		gap->programs++;
	gap->last = program;
	return 0;
}

static int find_gaps(const struct listing *listing, size_t n, struct gaps *gaps)
{
	const struct recording *rec = listing->rec;
	int rc = 0;

	for (size_t p = 0; p < n; p++) {
		const struct group *program = &listing->groups.v[p];

		for (size_t c = 0; rc == 0 && c < rec->columns.n; c++) {
			const struct cell *cell = &program->rows[0]->cells[c];

			if (cell->state == CELL_UNSUPPORTED || cell->state == CELL_FAILED)
				rc = note_gap(gaps, cell->text ? cell->text : "", c, program);
		}
	}
	return rc;
}

static void print_gaps(const struct recording *rec, const struct gaps *gaps, size_t n, FILE *out)
{
	if (gaps->v.n)
		fputs("\nNot measured:\n", out);
	for (size_t i = 0; i < gaps->v.n; i++) {
		const struct gap *gap = &gaps->v.v[i];
		const char *separator = "  ";

		for (size_t c = 0; c < rec->columns.n && c < 64; c++) {
			if (!(gap->columns >> c & 1))
				continue;
			fprintf(out, "%s%s", separator, rec->columns.v[c]->id);
			separator = ", ";
		}
		fprintf(out, " (%zu of %zu programs): %s\n", gap->programs, n, gap->reason);
	}
}

static int title(const struct metric *metric, char **ret_title)
{
	if (!*metric->unit)
		return str__printf(ret_title, "%s", metric->title);
	return str__printf(ret_title, "%s (%s)", metric->title, metric->unit);
}

/* A list of places would not fit: it stands below the table. */
static bool in_table(const struct metric *metric)
{
	return !(metric->flags & METRIC_LIST);
}

static int new_table(const struct recording *rec, struct table **ret_table)
{
	const struct suite_key *key = &suite_keys[rec->suite];
	struct table_column columns[rec->columns.n + 2];
	char *titles[rec->columns.n + 1];
	size_t made = 0;
	int rc = 0;

	columns[0] = (struct table_column){ .title = key->titles[0], .flexible = true };
	columns[1] = (struct table_column){ .title = key->titles[1], .flexible = true };
	for (size_t c = 0; rc == 0 && c < rec->columns.n; c++) {
		const struct metric *metric = rec->columns.v[c];

		if (!in_table(metric))
			continue;
		rc = title(metric, &titles[made]);
		if (rc < 0)
			break;
		columns[made + 2] = (struct table_column){
			.title = titles[made],
			.right = !(metric->flags & METRIC_TEXT),
			.verdicts = metric->better == METRIC_RANKED,
		};
		made++;
	}
	if (rc == 0)
		rc = table__new(columns, made + 2, ret_table);
	while (made--)
		free(titles[made]);
	return rc;
}

static int add_program(struct table *table, const struct listing *listing,
		       const struct group *program)
{
	size_t n = listing->rec->columns.n;
	char numbers[n + 1][32];
	const char *cells[n + 2];
	size_t at = 2;

	cells[0] = program->object;
	cells[1] = program->program;
	for (size_t c = 0; c < n; c++) {
		const char *text = "-";
		double number;

		if (!in_table(listing->rec->columns.v[c]))
			continue;
		if (listing__value(program, listing->rec->columns.v[c], c, &number, &text) ==
		    VALUE_NUMBER) {
			snprintf(numbers[c], sizeof(numbers[c]), "%.12g", number);
			text = numbers[c];
		}
		cells[at++] = text;
	}
	return table__add(table, cells);
}

static int show_table(const struct listing *listing, size_t n, const struct veristat_opts *opts,
		      FILE *out)
{
	_cleanup_(table__freep) struct table *table = NULL;
	struct gaps gaps = {};
	int rc;

	rc = new_table(listing->rec, &table);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = add_program(table, listing, &listing->groups.v[i]);
	if (rc == 0 && opts->format == FORMAT_MARKDOWN)
		rc = table__print_markdown(table, out);
	else if (rc == 0)
		rc = table__print(table, out);
	if (rc == 0)
		rc = places__show(listing, n, opts->format == FORMAT_MARKDOWN, out);
	if (rc == 0 && !opts->quiet && opts->format == FORMAT_TABLE) {
		rc = find_gaps(listing, n, &gaps);
		if (rc == 0)
			print_gaps(listing->rec, &gaps, n, out);
	}
	vec_free(&gaps.v);
	return rc;
}

/* A recording that borrows the rows of another, in the order of its programs. */
static int show_csv(const struct listing *listing, size_t n, FILE *out)
{
	struct recording view = *listing->rec;
	int rc = 0;

	memset(&view.rows, 0, sizeof(view.rows));
	for (size_t p = 0; rc == 0 && p < n; p++) {
		const struct group *program = &listing->groups.v[p];

		for (size_t i = 0; rc == 0 && i < program->n; i++)
			rc = vec_push(&view.rows, *program->rows[i]);
	}
	if (rc == 0)
		rc = recfile__print(&view, out);
	vec_free(&view.rows);
	return rc;
}

static void put_cell(struct json *json, const struct metric *metric, const struct cell *cell)
{
	if (cell->state != CELL_OK)
		json__null(json, metric->id);
	else if (metric->flags & METRIC_LIST)
		places__put(json, metric->id, cell->text);
	else if (metric->flags & METRIC_TEXT)
		json__string(json, metric->id, cell->text, strlen(cell->text));
	else
		json__double(json, metric->id, cell->num);
}

/* An object with a member per column, and one with the reasons why some are null. */
static void put_sample(struct json *json, const struct recording *rec, const struct record_row *row)
{
	const struct suite_key *key = &suite_keys[rec->suite];
	bool gaps = false;

	json__begin(json, NULL, '{');
	json__string(json, key->columns[0], row->object, strlen(row->object));
	json__string(json, key->columns[1], row->program, strlen(row->program));
	for (size_t c = 0; c < rec->columns.n; c++)
		put_cell(json, rec->columns.v[c], &row->cells[c]);
	for (size_t c = 0; c < rec->columns.n; c++) {
		const struct cell *cell = &row->cells[c];

		if (cell->state != CELL_UNSUPPORTED && cell->state != CELL_FAILED)
			continue;
		if (!gaps)
			json__begin(json, "not_measured", '{');
		gaps = true;
		json__string(json, rec->columns.v[c]->id, cell->text ?: "",
			     strlen(cell->text ?: ""));
	}
	if (gaps)
		json__end(json, '}');
	json__end(json, '}');
}

static int show_json(const struct listing *listing, size_t n, FILE *out)
{
	struct json json = { .out = out };

	json__begin(&json, NULL, '[');
	for (size_t p = 0; p < n; p++) {
		const struct group *program = &listing->groups.v[p];

		for (size_t i = 0; i < program->n; i++)
			put_sample(&json, listing->rec, program->rows[i]);
	}
	json__end(&json, ']');
	return ferror(out) ? -EIO : 0;
}

int show__recording(const struct recording *rec, size_t columns, const struct filter *filter,
		    const struct veristat_opts *opts, FILE *out, struct err *err)
{
	_cleanup_listing_ struct listing listing = {};
	struct recording view = *rec;
	size_t n;
	int rc;

	rc = listing__make(rec, &opts->sort, filter, &listing, err);
	if (rc < 0)
		return rc;
	/* What is only there to sort by stands behind the others, in each row too. */
	view.columns.n = columns;
	listing.rec = &view;
	n = listing.groups.n;
	if (opts->top && n > (size_t)opts->top)
		n = opts->top;
	if (opts->format == FORMAT_CSV)
		rc = show_csv(&listing, n, out);
	else if (opts->format == FORMAT_JSON)
		rc = show_json(&listing, n, out);
	else
		rc = show_table(&listing, n, opts, out);
	if (rc == 0 && fflush(out) != 0)
		rc = -errno;
	return rc < 0 ? err__set(err, rc, "cannot print the results: %s", strerror(-rc)) : 0;
}
