// SPDX-License-Identifier: GPL-2.0-only
#include "record.h"

#include "cleanup.h"

int recording__new(enum suite suite, struct recording **ret_rec)
{
	struct recording *rec = calloc(1, sizeof(*rec));

	if (!rec)
		return -ENOMEM;
	rec->suite = suite;
	rec->boots = 1;
	rec->complete = true;
	*ret_rec = rec;
	return 0;
}

static void record_row__reset(struct record_row *row, size_t columns)
{
	for (size_t i = 0; row->cells && i < columns; i++)
		free(row->cells[i].text);
	free(row->cells);
	free(row->object);
	free(row->program);
}

void recording__free(struct recording *rec)
{
	if (!rec)
		return;
	for (size_t i = 0; i < rec->rows.n; i++)
		record_row__reset(&rec->rows.v[i], rec->columns.n);
	for (size_t i = 0; i < rec->env.n; i++) {
		free(rec->env.v[i].key);
		free(rec->env.v[i].value);
	}
	vec_free(&rec->rows);
	vec_free(&rec->columns);
	vec_free(&rec->env);
	free(rec);
}

void recording__freep(struct recording **rec)
{
	recording__free(*rec);
}

int recording__column(const struct recording *rec, const struct metric *metric)
{
	for (size_t i = 0; i < rec->columns.n; i++)
		if (rec->columns.v[i] == metric)
			return i;
	return -1;
}

int recording__add_column(struct recording *rec, const struct metric *metric)
{
	size_t n = rec->columns.n;

	if (recording__column(rec, metric) >= 0)
		return 0;
	/* Rows first: one that has a cell too many does no harm if a later step fails. */
	for (size_t i = 0; i < rec->rows.n; i++) {
		struct record_row *row = &rec->rows.v[i];
		struct cell *cells = reallocarray(row->cells, n + 1, sizeof(*cells));

		if (!cells)
			return -ENOMEM;
		cells[n] = (struct cell){};
		row->cells = cells;
	}
	return vec_push(&rec->columns, metric);
}

int recording__add_row(struct recording *rec, const char *object, const char *program,
		       struct record_row **ret_row)
{
	struct record_row row = {
		.object = strdup(object),
		.program = strdup(program),
		.cells = calloc(rec->columns.n ?: 1, sizeof(*row.cells)),
	};

	if (!row.object || !row.program || !row.cells || vec_push(&rec->rows, row)) {
		record_row__reset(&row, rec->columns.n);
		return -ENOMEM;
	}
	*ret_row = &rec->rows.v[rec->rows.n - 1];
	return 0;
}

void recording__drop_row(struct recording *rec)
{
	record_row__reset(&rec->rows.v[--rec->rows.n], rec->columns.n);
}

/* map[i]: where column i of the old row goes. */
static int record_row__widen(struct record_row *row, const size_t *map, size_t from, size_t to)
{
	struct cell *cells = calloc(to ?: 1, sizeof(*cells));

	if (!cells)
		return -ENOMEM;
	for (size_t i = 0; i < from; i++)
		cells[map[i]] = row->cells[i];
	free(row->cells);
	row->cells = cells;
	return 0;
}

int recording__append(struct recording *dst, struct recording *src)
{
	_cleanup_free_ size_t *map = calloc(src->columns.n ?: 1, sizeof(*map));
	size_t i;
	int err;

	if (!map)
		return -ENOMEM;
	for (i = 0; i < src->columns.n; i++) {
		err = recording__add_column(dst, src->columns.v[i]);
		if (err)
			return err;
		map[i] = recording__column(dst, src->columns.v[i]);
	}
	for (i = 0; i < src->rows.n; i++) {
		struct record_row row = src->rows.v[i];

		err = record_row__widen(&row, map, src->columns.n, dst->columns.n);
		if (err)
			return err;
		/* Handed over: what is left in src is a row of nothing. */
		src->rows.v[i] = (struct record_row){};
		row.boot += dst->boots;
		if (vec_push(&dst->rows, row)) {
			record_row__reset(&row, dst->columns.n);
			return -ENOMEM;
		}
	}
	src->rows.n = 0;
	dst->boots += src->boots;
	dst->complete = dst->complete && src->complete;
	return 0;
}

static void cell__set(struct cell *cell, enum cell_state state, double num, char *text)
{
	free(cell->text);
	*cell = (struct cell){ .state = state, .num = num, .text = text };
}

static struct cell *record_row__cell(const struct recording *rec, struct record_row *row,
				     const char *name)
{
	const struct metric *metric = metric__find(rec->suite, name);
	int col = metric ? recording__column(rec, metric) : -1;

	return col < 0 ? NULL : &row->cells[col];
}

int recording__set_num(struct recording *rec, struct record_row *row, const char *metric,
		       double value)
{
	struct cell *cell = record_row__cell(rec, row, metric);

	if (!cell)
		return -ENOENT;
	cell__set(cell, CELL_OK, value, NULL);
	return 0;
}

int recording__set_text(struct recording *rec, struct record_row *row, const char *metric,
			const char *value)
{
	return recording__set_missing(rec, row, metric, CELL_OK, value);
}

int recording__set_missing(struct recording *rec, struct record_row *row, const char *metric,
			   enum cell_state state, const char *reason)
{
	struct cell *cell = record_row__cell(rec, row, metric);
	char *text = NULL;

	if (!cell)
		return -ENOENT;
	if (reason) {
		text = strdup(reason);
		if (!text)
			return -ENOMEM;
	}
	cell__set(cell, state, 0, text);
	return 0;
}

/* cols[]: the columns of the parts of the sum in column col. */
static int record_row__add_sum(struct record_row *row, int col, const int *cols, size_t n)
{
	const struct cell *missing = NULL;
	double sum = 0;
	char *text = NULL;

	if (row->cells[col].state != CELL_ABSENT)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const struct cell *part = &row->cells[cols[i]];

		/* A part with a reason says more than one that is just not there. */
		if (part->state != CELL_OK && (!missing || missing->state == CELL_ABSENT))
			missing = part;
		sum += part->num;
	}
	if (!missing) {
		cell__set(&row->cells[col], CELL_OK, sum, NULL);
		return 0;
	}
	if (missing->text) {
		text = strdup(missing->text);
		if (!text)
			return -ENOMEM;
	}
	cell__set(&row->cells[col], missing->state, 0, text);
	return 0;
}

static int recording__add_sum(struct recording *rec, const struct metric *sum)
{
	int cols[METRIC_PARTS], col, err;
	size_t n = 0;

	for (size_t i = 0; i < METRIC_PARTS && sum->parts[i]; i++) {
		const struct metric *part = metric__find(sum->suite, sum->parts[i]);

		cols[n] = recording__column(rec, part);
		if (cols[n] >= 0)
			n++;
		else if (!(part->flags & METRIC_SPARE))
			return 0;
	}
	if (n == 0)
		return 0;
	err = recording__add_column(rec, sum);
	if (err)
		return err;
	col = recording__column(rec, sum);
	for (size_t i = 0; i < rec->rows.n; i++) {
		err = record_row__add_sum(&rec->rows.v[i], col, cols, n);
		if (err)
			return err;
	}
	return 0;
}

int recording__add_sums(struct recording *rec)
{
	for (size_t i = 0; i < metric__count(); i++) {
		const struct metric *metric = metric__at(i);
		int err = metric->suite == rec->suite ? recording__add_sum(rec, metric) : 0;

		if (err)
			return err;
	}
	return 0;
}

int recording__set_env(struct recording *rec, const char *key, const char *value)
{
	struct record_env entry = { .key = NULL, .value = strdup(value) };

	if (!entry.value)
		return -ENOMEM;
	for (size_t i = 0; i < rec->env.n; i++) {
		if (!streq(rec->env.v[i].key, key))
			continue;
		free(rec->env.v[i].value);
		rec->env.v[i].value = entry.value;
		return 0;
	}
	entry.key = strdup(key);
	if (!entry.key || vec_push(&rec->env, entry)) {
		free(entry.key);
		free(entry.value);
		return -ENOMEM;
	}
	return 0;
}

const char *recording__env(const struct recording *rec, const char *key)
{
	for (size_t i = 0; i < rec->env.n; i++)
		if (streq(rec->env.v[i].key, key))
			return rec->env.v[i].value;
	return NULL;
}
