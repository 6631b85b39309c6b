// SPDX-License-Identifier: GPL-2.0-only
#include "recfile.h"

#include <math.h>

#include "cleanup.h"
#include "csv.h"
#include "ktap.h"
#include "placelist.h"
#include "sidecar.h"

enum column_kind { COLUMN_KEY, COLUMN_METRIC, COLUMN_UNKNOWN };

/* What a column of the file is; index: which key, or which column of the recording. */
struct column {
	enum column_kind kind;
	unsigned int index;
	const char *name;
};

struct recfile {
	struct csv csv;
	struct recording *rec;
	FILE *notes;
	VEC(struct column) columns;
	size_t keys[2]; /* where in a row they are */
};

static void recfile__reset(struct recfile *file)
{
	vec_free(&file->columns);
}

static const struct {
	enum cell_state state;
	const char *prefix;
} cell_prefixes[] = {
	{ CELL_UNSUPPORTED, "unsupported: " },
	{ CELL_FAILED, "failed: " },
	{ CELL_OK, "text: " },
};

/* ---- the header ------------------------------------------------------------- */

static int recfile__error(const struct recfile *file, const struct csv_cell *cell, struct err *err,
			  const char *expected)
{
	/* A cell may be as long as a file that is no CSV at all. */
	return err__set(err, -EINVAL, "%s:%u:%u: expected %s, found '%.60s'", file->csv.name,
			cell->line, cell->column, expected, cell->text);
}

static int recfile__column(struct recfile *file, const struct csv_cell *cell, struct err *err)
{
	const struct suite_key *key = &suite_keys[file->rec->suite];
	const struct metric *metric = metric__find(file->rec->suite, cell->text);
	struct column column = { .kind = COLUMN_UNKNOWN, .name = cell->text };
	int ret;

	if (!*cell->text)
		return recfile__error(file, cell, err, "the name of a column");
	for (size_t i = 0; i < ARRAY_SIZE(key->columns); i++) {
		if (!streq(cell->text, key->columns[i]))
			continue;
		column = (struct column){ COLUMN_KEY, i, key->columns[i] };
		file->keys[i] = file->columns.n;
	}
	if (metric) {
		ret = recording__add_column(file->rec, metric);
		if (ret)
			return ret;
		column = (struct column){ COLUMN_METRIC, recording__column(file->rec, metric),
					  metric->id };
	}
	for (size_t i = 0; i < file->columns.n; i++)
		if (streq(file->columns.v[i].name, column.name))
			return recfile__error(file, cell, err, "each column once");
	if (column.kind == COLUMN_UNKNOWN)
		fprintf(file->notes, "%s:%u:%u: column '%.60s' is passed over: no such metric\n",
			file->csv.name, cell->line, cell->column, cell->text);
	return vec_push(&file->columns, column);
}

static bool csv_row__has(const struct csv_row *row, const char *text)
{
	for (size_t i = 0; i < row->cells.n; i++)
		if (streq(row->cells.v[i].text, text))
			return true;
	return false;
}

static int recfile__header(struct recfile *file, const struct csv_row *row, struct err *err)
{
	const struct suite_key *want = &suite_keys[file->rec->suite];
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(suite_keys); i++) {
		const struct suite_key *key = &suite_keys[i];

		if (key != want && csv_row__has(row, key->columns[0]) &&
		    csv_row__has(row, key->columns[1]))
			return err__set(err, -EINVAL,
					"%s:%u:1: expected a recording of %s, found one of %s",
					file->csv.name, row->line, want->name, key->name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(want->columns); i++)
		if (!csv_row__has(row, want->columns[i]))
			return err__set(err, -EINVAL,
					"%s:%u:1: expected a header with the columns %s and %s",
					file->csv.name, row->line, want->columns[0],
					want->columns[1]);
	for (size_t i = 0; i < row->cells.n; i++) {
		ret = recfile__column(file, &row->cells.v[i], err);
		if (ret)
			return ret;
	}
	return 0;
}

/* ---- cells ------------------------------------------------------------------ */

static int recfile__set(struct recfile *file, struct record_row *row, const struct metric *metric,
			enum cell_state state, const char *text)
{
	return recording__set_missing(file->rec, row, metric->id, state, text);
}

static int recfile__number(struct recfile *file, struct record_row *row,
			   const struct metric *metric, const struct csv_cell *cell,
			   struct err *err)
{
	double value;

	/* strtod takes more than a recording may hold: hex, inf, nan. */
	if (strspn(cell->text, "0123456789.eE+-") != strlen(cell->text) ||
	    str__to_double(cell->text, &value) || !isfinite(value))
		return recfile__error(file, cell, err, "a number");
	if (value == -1 && (metric->flags & METRIC_MINUS_ONE))
		return 0;
	if (value < 0)
		return recfile__error(file, cell, err, "a number of 0 or more");
	return recording__set_num(file->rec, row, metric->id, value);
}

/* text: what the cell says, without a prefix */
static int recfile__word(struct recfile *file, struct record_row *row, const struct metric *metric,
			 const struct csv_cell *cell, const char *text, struct err *err)
{
	char expected[256] = "";

	if (metric->flags & METRIC_LIST && !placelist__is_one(text))
		return recfile__error(file, cell, err, "a list of NAME ALLOCS BYTES, with ';'");
	if (metric->better != METRIC_RANKED || metric__rank(metric, text) >= 0)
		return recfile__set(file, row, metric, CELL_OK, text);
	for (size_t i = 0; i < METRIC_RANKS && metric->ranks[i]; i++) {
		strcat(expected, i ? " or " : "");
		strcat(expected, metric->ranks[i]);
	}
	return recfile__error(file, cell, err, expected);
}

static int recfile__cell(struct recfile *file, struct record_row *row, const struct metric *metric,
			 const struct csv_cell *cell, struct err *err)
{
	if (!*cell->text || streq(cell->text, "N/A"))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(cell_prefixes); i++) {
		const char *prefix = cell_prefixes[i].prefix;
		enum cell_state state = cell_prefixes[i].state;

		if (!str_starts(cell->text, prefix))
			continue;
		if (state != CELL_OK)
			return recfile__set(file, row, metric, state, cell->text + strlen(prefix));
		if (metric->flags & METRIC_TEXT)
			return recfile__word(file, row, metric, cell, cell->text + strlen(prefix),
					     err);
	}
	if (metric->flags & METRIC_TEXT)
		return recfile__word(file, row, metric, cell, cell->text, err);
	return recfile__number(file, row, metric, cell, err);
}

static int recfile__row(struct recfile *file, const struct csv_row *csv, struct err *err)
{
	const struct csv_cell *object = &csv->cells.v[file->keys[0]];
	const struct csv_cell *program = &csv->cells.v[file->keys[1]];
	struct record_row *row;
	int ret;

	if (!*object->text)
		return recfile__error(file, object, err, "a name");
	ret = recording__add_row(file->rec, object->text, program->text, &row);
	if (ret)
		return ret;
	for (size_t i = 0; i < csv->cells.n && !ret; i++) {
		const struct column *column = &file->columns.v[i];

		if (column->kind == COLUMN_METRIC)
			ret = recfile__cell(file, row, file->rec->columns.v[column->index],
					    &csv->cells.v[i], err);
	}
	if (ret)
		recording__drop_row(file->rec);
	return ret;
}

/* ---- reading ---------------------------------------------------------------- */

static void recfile__note_cut(struct recfile *file, const struct csv_row *row, const char *why)
{
	file->rec->complete = false;
	fprintf(file->notes, "%s:%u: the last line is cut off (%s); rows before it: %zu\n",
		file->csv.name, row->line, why, file->rec->rows.n);
}

/* The row that the file ends with may have been cut: then it is left out, and told. */
static int recfile__last_row(struct recfile *file, const struct csv_row *row, struct err *err)
{
	struct err why = {};
	int ret;

	if (row->end == CSV_END_QUOTE) {
		recfile__note_cut(file, row, "its quotes are never closed");
		return 0;
	}
	if (row->cells.n < file->columns.n) {
		recfile__note_cut(file, row, "it has fewer cells than the header");
		return 0;
	}
	if (row->end == CSV_END_LINE)
		return recfile__row(file, row, err);
	ret = recfile__row(file, row, &why);
	if (ret == -EINVAL) {
		recfile__note_cut(file, row, why.text);
		return 0;
	}
	if (!ret)
		fprintf(file->notes,
			"%s:%u: the file ends without a line end: the last cell may be cut off\n",
			file->csv.name, row->line);
	return ret;
}

static int recfile__rows(struct recfile *file, struct err *err)
{
	_cleanup_(csv_row__reset) struct csv_row row = {};
	int ret;

	ret = csv__next(&file->csv, &row, err);
	if (ret == -ENODATA)
		return err__set(err, -EINVAL, "%s:1:1: expected a header, the file is empty",
				file->csv.name);
	if (ret)
		return ret;
	ret = recfile__header(file, &row, err);
	if (ret)
		return ret;
	while (!(ret = csv__next(&file->csv, &row, err))) {
		const struct csv_cell *cells = row.cells.v;
		size_t want = file->columns.n, have = row.cells.n;

		if (have > want)
			return err__set(err, -EINVAL, "%s:%u:%u: expected %zu cells, found %zu",
					file->csv.name, cells[want].line, cells[want].column, want,
					have);
		if (file->csv.pos == file->csv.len)
			return recfile__last_row(file, &row, err);
		if (have < want)
			return err__set(err, -EINVAL, "%s:%u:%u: expected %zu cells, found %zu",
					file->csv.name, cells[have - 1].line,
					cells[have - 1].column, want, have);
		ret = recfile__row(file, &row, err);
		if (ret)
			return ret;
	}
	return ret == -ENODATA ? 0 : ret;
}

static int recfile__sidecar(struct recording *rec, const char *name, char *text, size_t len,
			    struct err *err)
{
	_cleanup_free_ char *full = NULL;

	if (!text)
		return 0;
	return str__printf(&full, "%s.env", name) ?: sidecar__read(rec, full, text, len, err);
}

int recfile__parse(const char *name, char *text, size_t len, char *env, size_t env_len,
		   enum suite suite, FILE *notes, struct recording **ret_rec, struct err *err)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_(recfile__reset) struct recfile file = { .notes = notes };
	int ret;

	/* Another tool's results, which have no columns of ours. */
	if (suite == SUITE_TEST_PROGS && ktap__is(text)) {
		ret = ktap__read(name, text, notes, &rec, err);
	} else {
		ret = recording__new(suite, &rec);
		if (ret)
			return ret;
		file.rec = rec;
		csv__open(&file.csv, name, text, len);
		ret = recfile__rows(&file, err);
	}
	ret = ret ?: recfile__sidecar(rec, name, env, env_len, err);
	if (ret)
		return ret;
	*ret_rec = TAKE_PTR(rec);
	return 0;
}

int recfile__read_one(const char *path, enum suite suite, FILE *notes, struct recording **ret_rec,
		      struct err *err)
{
	_cleanup_free_ char *text = NULL, *sidecar = NULL, *env = NULL;
	size_t len, env_len = 0;
	int ret;

	ret = file__read(path, &text, &len);
	if (ret)
		return err__set(err, ret, "%s: %s", path, strerror(-ret));
	ret = str__printf(&sidecar, "%s.env", path);
	if (ret)
		return ret;
	ret = file__read(sidecar, &env, &env_len);
	if (ret && ret != -ENOENT)
		return err__set(err, ret, "%s: %s", sidecar, strerror(-ret));
	return recfile__parse(path, text, len, env, env_len, suite, notes, ret_rec, err);
}
