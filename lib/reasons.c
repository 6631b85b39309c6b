// SPDX-License-Identifier: GPL-2.0-only
#include "reasons.h"

void reasons__reset(struct reasons *reasons)
{
	for (size_t i = 0; i < reasons->list.n; i++)
		vec_free(&reasons->list.v[i].rows);
	vec_free(&reasons->list);
}

static int reasons__add(struct reasons *reasons, const struct metric *metric, const char *why,
			const struct compare_row *row)
{
	struct reason *reason = NULL;
	int err;

	why = why ?: "";
	for (size_t i = 0; i < reasons->list.n && !reason; i++) {
		struct reason *other = &reasons->list.v[i];

		if (other->metric == metric && streq(other->why, why))
			reason = other;
	}
	if (!reason) {
		err = vec_push(&reasons->list, (struct reason){ metric, why, {} });
		if (err)
			return err;
		reason = &reasons->list.v[reasons->list.n - 1];
	}
	return vec_push(&reason->rows, row);
}

int reasons__collect(struct reasons *reasons, const struct comparison *cmp,
		     const struct compare_row *const *rows, enum verdict verdict)
{
	int err = 0;

	for (size_t i = 0; i < cmp->rows.n && !err; i++) {
		const struct compare_row *row = rows[i];

		if (!compare_row__is_judged(row)) {
			if (row->verdict == verdict)
				err = reasons__add(reasons, NULL, row->why, row);
			continue;
		}
		for (size_t j = 0; j < cmp->metrics.n && !err; j++)
			if (row->cells[j].verdict == verdict && !row->cells[j].nothing)
				err = reasons__add(reasons, row->cells[j].metric, row->cells[j].why,
						   row);
	}
	return err;
}
