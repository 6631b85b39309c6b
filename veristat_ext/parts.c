// SPDX-License-Identifier: GPL-2.0-only
#include "parts.h"

#include <errno.h>

#include "cleanup.h"
#include "recfile.h"

int parts__add(struct parts *parts, const char *path, struct err *err)
{
	struct recording *part;
	int rc;

	rc = recfile__read(path, SUITE_VERISTAT, &part, NULL, err);
	if (rc < 0)
		return rc;
	rc = vec_push(&parts->v, part);
	if (rc < 0)
		recording__free(part);
	return rc;
}

/* at: the first row of the part that nobody has taken yet. */
static int take_rows(const char *object, struct recording *part, size_t *at, struct recording *rec)
{
	int rc = 0;

	while (rc == 0 && *at < part->rows.n && streq(part->rows.v[*at].object, object)) {
		rc = vec_push(&rec->rows, part->rows.v[*at]);
		*at += rc == 0;
	}
	return rc;
}

int parts__join(struct parts *parts, const char *const *objects, size_t n, struct recording *rec)
{
	_cleanup_free_ size_t *at = calloc(parts->v.n ?: 1, sizeof(*at));
	int rc = at ? 0 : -ENOMEM;

	for (size_t o = 0; rc == 0 && o < n; o++)
		for (size_t p = 0; rc == 0 && p < parts->v.n; p++)
			rc = take_rows(objects[o], parts->v.v[p], &at[p], rec);
	/* What was taken has another owner now. */
	for (size_t p = 0; at && p < parts->v.n; p++) {
		struct recording *part = parts->v.v[p];

		if (!at[p])
			continue;
		part->rows.n -= at[p];
		memmove(part->rows.v, part->rows.v + at[p], part->rows.n * sizeof(*part->rows.v));
	}
	return rc;
}

void parts__clear(struct parts *parts)
{
	for (size_t i = 0; i < parts->v.n; i++)
		recording__free(parts->v.v[i]);
	vec_free(&parts->v);
}
