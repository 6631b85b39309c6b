// SPDX-License-Identifier: GPL-2.0-only
#include "group.h"

#include "cleanup.h"

static int cmp_keys(const char *object_a, const char *program_a, const char *object_b,
		    const char *program_b)
{
	return strcmp(object_a, object_b) ?: strcmp(program_a, program_b);
}

/* Rows of one array: the address is their place in the recording. */
static int cmp_rows(const void *x, const void *y)
{
	const struct record_row *a = *(const struct record_row *const *)x;
	const struct record_row *b = *(const struct record_row *const *)y;

	return cmp_keys(a->object, a->program, b->object, b->program) ?: (a > b) - (a < b);
}

static int cmp_groups_by_key(const void *x, const void *y)
{
	const struct group *a = *(struct group *const *)x, *b = *(struct group *const *)y;

	return cmp_keys(a->object, a->program, b->object, b->program);
}

static int cmp_groups_by_place(const void *x, const void *y)
{
	const struct group *a = x, *b = y;

	return (a->rows[0] > b->rows[0]) - (a->rows[0] < b->rows[0]);
}

static void groups__split(struct groups *groups, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		const struct record_row *row = groups->rows[i];
		struct group *last = groups->n ? &groups->v[groups->n - 1] : NULL;

		if (last && !cmp_keys(last->object, last->program, row->object, row->program)) {
			last->n++;
			continue;
		}
		groups->v[groups->n++] = (struct group){
			.object = row->object,
			.program = row->program,
			.rows = &groups->rows[i],
			.n = 1,
		};
	}
}

int groups__make(const struct recording *rec, struct groups *ret_groups)
{
	_cleanup_(groups__reset) struct groups groups = {};
	size_t n = rec->rows.n;

	groups.rows = calloc(n ?: 1, sizeof(*groups.rows));
	groups.v = calloc(n ?: 1, sizeof(*groups.v));
	groups.by_key = calloc(n ?: 1, sizeof(*groups.by_key));
	if (!groups.rows || !groups.v || !groups.by_key)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		groups.rows[i] = &rec->rows.v[i];
	qsort(groups.rows, n, sizeof(*groups.rows), cmp_rows);
	groups__split(&groups, n);
	qsort(groups.v, groups.n, sizeof(*groups.v), cmp_groups_by_place);
	for (size_t i = 0; i < groups.n; i++)
		groups.by_key[i] = &groups.v[i];
	qsort(groups.by_key, groups.n, sizeof(*groups.by_key), cmp_groups_by_key);
	*ret_groups = groups;
	groups = (struct groups){};
	return 0;
}

void groups__reset(struct groups *groups)
{
	free(groups->rows);
	free(groups->v);
	free(groups->by_key);
}

const struct group *groups__find(const struct groups *groups, const char *object,
				 const char *program)
{
	const struct group key = { .object = object, .program = program }, *want = &key;
	struct group **found = bsearch(&want, groups->by_key, groups->n, sizeof(*groups->by_key),
				       cmp_groups_by_key);

	return found ? *found : NULL;
}
