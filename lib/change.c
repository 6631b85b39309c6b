// SPDX-License-Identifier: GPL-2.0-only
#include "change.h"

/*
 * The first that fits; NULL is any word. Of several runs that disagree the text of
 * a side is the worst.
 */
static const struct {
	enum verdict verdict;
	const char *from, *to;
	const char *name;
} changes[] = {
	{ VERDICT_EQUAL, "pass", "pass", "unchanged pass" },
	{ VERDICT_EQUAL, "fail", "fail", "unchanged failure" },
	{ VERDICT_EQUAL, "skip", "skip", "unchanged skip" },
	{ VERDICT_BETTER, "fail", "pass", "fixed" },
	{ VERDICT_WORSE, NULL, "fail", "broken" },
	{ VERDICT_WORSE, NULL, "skip", "no longer run" },
	{ VERDICT_INCONCLUSIVE, "fail", "skip", "no longer run" },
	{ VERDICT_BETTER, "skip", "pass", "now run" },
	{ VERDICT_NEW, NULL, NULL, "new" },
	{ VERDICT_GONE, NULL, NULL, "gone" },
	{ VERDICT_UNSTABLE, NULL, NULL, "unstable" },
};

/* The cell of the outcome, or NULL. */
static const struct compare_cell *outcome_of(const struct comparison *cmp,
					     const struct compare_row *row)
{
	for (size_t i = 0; i < cmp->metrics.n; i++)
		if (cmp->metrics.v[i]->better == METRIC_RANKED)
			return &row->cells[i];
	return NULL;
}

static bool fits(const char *pattern, const char *word)
{
	return !pattern || (word && streq(pattern, word));
}

const char *change__of(const struct comparison *cmp, const struct compare_row *row)
{
	const struct compare_cell *cell = outcome_of(cmp, row);
	enum verdict verdict;

	if (cmp->suite != SUITE_TEST_PROGS || !cell)
		return NULL;
	/* A row that no cell is judged of. */
	verdict = row->in[0] && row->in[1] && row->verdict != VERDICT_AMBIGUOUS ? cell->verdict
										: row->verdict;
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		if (changes[i].verdict == verdict && fits(changes[i].from, cell->side[0].text) &&
		    fits(changes[i].to, cell->side[1].text))
			return changes[i].name;
	return verdict__name(verdict);
}

size_t change__count(const struct comparison *cmp, struct change_count counts[CHANGE_KINDS])
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		counts[n++] = (struct change_count){ .name = changes[i].name };
	for (size_t i = 0; i < cmp->rows.n; i++) {
		const char *name = change__of(cmp, &cmp->rows.v[i]);
		size_t k = 0;

		if (!name)
			continue;
		while (k < n && !streq(counts[k].name, name))
			k++;
		if (k == n)
			counts[n++] = (struct change_count){ .name = name };
		counts[k].n++;
	}
	for (size_t k = 0; k < n; k++)
		if (counts[k].n)
			counts[kept++] = counts[k];
	return kept;
}
