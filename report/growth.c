// SPDX-License-Identifier: GPL-2.0-only
#include "growth.h"

#include <ctype.h>
#include <math.h>

#include "cleanup.h"

#define SUFFIX ".bpf.o"

/* A row with a size in its object's name. */
struct sized {
	const struct compare_row *row;
	double size;
	size_t stem; /* how much of the name is NAME */
};

struct sized_list {
	VEC(struct sized) list;
};

static void sized_list__reset(struct sized_list *rows)
{
	vec_free(&rows->list);
}

/* NAME-256.bpf.o has 256; 0: it is no such name. */
static double size_of(const char *object, size_t *ret_stem)
{
	const char *dash = strrchr(object, '-');
	uint64_t size;
	char *end;

	if (!dash || !isdigit((unsigned char)dash[1]))
		return 0;
	errno = 0;
	size = strtoull(dash + 1, &end, 10);
	*ret_stem = dash - object;
	return errno || !streq(end, SUFFIX) ? 0 : size;
}

static int same_family(const struct sized *a, const struct sized *b)
{
	return a->stem == b->stem && !memcmp(a->row->object, b->row->object, a->stem) &&
	       streq(a->row->program, b->row->program);
}

/* Families stay together, sizes ascend. */
static int by_family(const void *x, const void *y)
{
	const struct sized *a = x, *b = y;
	size_t stem = a->stem < b->stem ? a->stem : b->stem;
	int order = memcmp(a->row->object, b->row->object, stem);

	if (!order && a->stem != b->stem)
		order = a->stem < b->stem ? -1 : 1;
	if (!order)
		order = strcmp(a->row->program, b->row->program);
	return order ?: (a->size > b->size) - (a->size < b->size);
}

static int find_sized(const struct comparison *cmp, struct sized_list *rows)
{
	int err = 0;

	for (size_t i = 0; i < cmp->rows.n && !err; i++) {
		struct sized sized = { .row = &cmp->rows.v[i] };

		if (!compare_row__is_judged(sized.row))
			continue;
		sized.size = size_of(sized.row->object, &sized.stem);
		if (sized.size)
			err = vec_push(&rows->list, sized);
	}
	if (rows->list.n)
		qsort(rows->list.v, rows->list.n, sizeof(*rows->list.v), by_family);
	return err;
}

static void growth_curve__reset(struct growth_curve *curve)
{
	free(curve->size);
	free(curve->value[0]);
	free(curve->value[1]);
}

void growth__reset(struct growth *growth)
{
	for (size_t i = 0; i < growth->families.n; i++)
		free(growth->families.v[i]);
	for (size_t i = 0; i < growth->curves.n; i++)
		growth_curve__reset(&growth->curves.v[i]);
	vec_free(&growth->families);
	vec_free(&growth->curves);
}

/* ---- one curve --------------------------------------------------------------- */

static bool grows(const struct growth_curve *curve)
{
	for (int side = 0; side < 2; side++)
		for (size_t i = 1; i < curve->n; i++)
			if (curve->value[side][i] > curve->value[side][0])
				return true;
	return false;
}

/* The sizes that a side has a value above 0 of. */
static int fit(struct growth_curve *curve, int side)
{
	_cleanup_free_ double *x = calloc(curve->n, sizeof(*x)), *y = calloc(curve->n, sizeof(*y));
	struct stats_power power;
	size_t n = 0;

	if (!x || !y)
		return -ENOMEM;
	for (size_t i = 0; i < curve->n; i++)
		if (curve->value[side][i] > 0) {
			x[n] = curve->size[i];
			y[n++] = curve->value[side][i];
		}
	curve->fits[side] = n > 1 && !stats__power(x, y, n, &power);
	if (curve->fits[side])
		curve->exponent[side] = power.exponent;
	return 0;
}

static int add_curve(struct growth *growth, const struct sized *rows, size_t n, size_t metric)
{
	const struct metric *what = rows[0].row->cells[metric].metric;
	struct growth_curve curve = {
		.program = rows[0].row->program,
		.metric = what,
		.n = n,
		.size = calloc(n, sizeof(double)),
		.value = { calloc(n, sizeof(double)), calloc(n, sizeof(double)) },
	};
	char *family = strndup(rows[0].row->object, rows[0].stem);
	int err = curve.size && curve.value[0] && curve.value[1] && family ? 0 : -ENOMEM;

	for (size_t i = 0; i < n && !err; i++) {
		const struct compare_cell *cell = &rows[i].row->cells[metric];

		curve.size[i] = rows[i].size;
		for (int side = 0; side < 2; side++)
			curve.value[side][i] = cell->side[side].n ? cell->side[side].median : NAN;
	}
	if (!err && grows(&curve)) {
		err = fit(&curve, 0) ?: fit(&curve, 1) ?: vec_push(&growth->families, family);
		family = err ? family : NULL;
		err = err ?: vec_push(&growth->curves, curve);
		if (!err)
			return 0;
	}
	free(family);
	growth_curve__reset(&curve);
	return err;
}

int growth__find(const struct comparison *cmp, struct growth *ret_growth)
{
	_cleanup_(sized_list__reset) struct sized_list rows = {};
	_cleanup_(growth__reset) struct growth growth = {};
	int err = find_sized(cmp, &rows);
	size_t end;

	for (size_t i = 0; i < rows.list.n && !err; i = end) {
		for (end = i + 1; end < rows.list.n; end++)
			if (!same_family(&rows.list.v[i], &rows.list.v[end]))
				break;
		for (size_t j = 0; j < cmp->metrics.n && end - i > 1 && !err; j++)
			if (!(cmp->metrics.v[j]->flags & METRIC_TEXT))
				err = add_curve(&growth, &rows.list.v[i], end - i, j);
	}
	if (err)
		return err;
	*ret_growth = growth;
	growth = (struct growth){};
	return 0;
}
