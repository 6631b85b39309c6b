// SPDX-License-Identifier: GPL-2.0-only
#include "growth.h"

#include <ctype.h>
#include <errno.h>

#include "cleanup.h"
#include "csv.h"
#include "stats.h"
#include "table.h"
#include "vec.h"

#define CELL_LEN 32

struct sizes {
	VEC(double) v; /* ascending */
};

static void sizes_clear(struct sizes *sizes)
{
	vec_free(&sizes->v);
}

/* 256 of "some/where/growth-256.bpf.o"; 0: none. */
static double size_of(const char *object)
{
	const char *dash = strrchr(path_base(object), '-');
	uint64_t size;
	char *end;

	if (!dash || !isdigit((unsigned char)dash[1]))
		return 0;
	size = strtoull(dash + 1, &end, 10);
	return streq(end, ".bpf.o") ? size : 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int find_sizes(const struct recording *rec, struct sizes *sizes, struct err *err)
{
	for (size_t i = 0; i < rec->rows.n; i++) {
		double size = size_of(rec->rows.v[i].object);
		bool known = false;

		if (!size)
			return err__set(err, -EINVAL,
					"--growth: %s has no size in its name: expected "
					"NAME-N.bpf.o",
					rec->rows.v[i].object);
		for (size_t k = 0; k < sizes->v.n; k++)
			known |= sizes->v.v[k] == size;
		if (!known && vec_push(&sizes->v, size) < 0)
			return -ENOMEM;
	}
	if (sizes->v.n)
		qsort(sizes->v.v, sizes->v.n, sizeof(*sizes->v.v), by_value);
	return 0;
}

/* The median of a program's samples at a size, or 0. */
static int value_at(const struct recording *rec, const char *program, size_t column, double size,
		    double *ret_value)
{
	VEC(double) samples = {};
	int rc = 0;

	*ret_value = 0;
	for (size_t i = 0; rc == 0 && i < rec->rows.n; i++) {
		const struct record_row *row = &rec->rows.v[i];

		if (streq(row->program, program) && size_of(row->object) == size &&
		    row->cells[column].state == CELL_OK)
			rc = vec_push(&samples, row->cells[column].num);
	}
	if (rc == 0 && samples.n)
		*ret_value = stats__median(samples.v, samples.n);
	vec_free(&samples);
	return rc;
}

/* Cells: program, column, exponent, and the number at each size. */
static int fill_line(const struct recording *rec, const char *program, size_t column,
		     const struct sizes *sizes, char (*texts)[CELL_LEN], const char **cells)
{
	double values[sizes->v.n + 1];
	struct stats_power power;
	int rc = 0;

	cells[0] = program;
	cells[1] = rec->columns.v[column]->id;
	cells[2] = NULL;
	for (size_t k = 0; rc == 0 && k < sizes->v.n; k++) {
		rc = value_at(rec, program, column, sizes->v.v[k], &values[k]);
		snprintf(texts[k + 1], CELL_LEN, "%.12g", values[k]);
		cells[k + 3] = values[k] ? texts[k + 1] : NULL;
	}
	if (rc == 0 && stats__power(sizes->v.v, values, sizes->v.n, &power) == 0) {
		snprintf(texts[0], CELL_LEN, "%.3f", power.exponent);
		cells[2] = texts[0];
	}
	return rc;
}

static void print_csv(const char *const *cells, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			fputc(',', out);
		csv__print_cell(out, cells[i] ?: "");
	}
	fputc('\n', out);
}

static int add_line(struct table *table, const char *const *cells, size_t n, FILE *out)
{
	if (table)
		return table__add(table, cells);
	print_csv(cells, n, out);
	return 0;
}

static bool is_first_of(const struct recording *rec, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (streq(rec->rows.v[j].program, rec->rows.v[i].program))
			return false;
	return true;
}

static int show_lines(const struct recording *rec, size_t shown, const struct sizes *sizes,
		      struct table *table, FILE *out)
{
	size_t n = sizes->v.n + 3;
	char texts[n][CELL_LEN];
	const char *cells[n];
	int rc = 0;

	for (size_t i = 0; i < rec->rows.n; i++) {
		if (!is_first_of(rec, i))
			continue;
		for (size_t c = 0; rc == 0 && c < shown; c++) {
			if (rec->columns.v[c]->flags & METRIC_TEXT)
				continue;
			rc = fill_line(rec, rec->rows.v[i].program, c, sizes, texts, cells);
			if (rc == 0)
				rc = add_line(table, cells, n, out);
		}
	}
	return rc;
}

int growth__show(const struct recording *rec, size_t shown, enum veristat_format format, FILE *out,
		 struct err *err)
{
	_cleanup_(table__freep) struct table *table = NULL;
	_cleanup_(sizes_clear) struct sizes sizes = {};
	int rc = find_sizes(rec, &sizes, err);
	struct table_column columns[sizes.v.n + 3];
	char titles[sizes.v.n + 1][CELL_LEN];
	const char *cells[sizes.v.n + 3];

	if (rc < 0)
		return rc;
	columns[0] = (struct table_column){ .title = cells[0] = "Program" };
	columns[1] = (struct table_column){ .title = cells[1] = "Column" };
	columns[2] = (struct table_column){ .title = cells[2] = "Exponent", .right = true };
	for (size_t k = 0; k < sizes.v.n; k++) {
		snprintf(titles[k], CELL_LEN, "%.12g", sizes.v.v[k]);
		columns[k + 3] = (struct table_column){ .title = titles[k], .right = true };
		cells[k + 3] = titles[k];
	}
	if (format == FORMAT_TABLE)
		rc = table__new(columns, sizes.v.n + 3, &table);
	else
		print_csv(cells, sizes.v.n + 3, out);
	if (rc == 0)
		rc = show_lines(rec, shown, &sizes, table, out);
	if (rc == 0 && table)
		rc = table__print(table, out);
	if (rc == 0 && fflush(out) != 0)
		rc = -errno;
	return rc;
}
