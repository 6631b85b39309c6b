// SPDX-License-Identifier: GPL-2.0-only
#include "listing.h"

#include <errno.h>
#include <math.h>

#include "cleanup.h"
#include "stats.h"

static int check_terms(const struct recording *rec, const struct order *order,
		       const struct filter *filter, struct err *err)
{
	const struct expr *condition;

	for (size_t i = 0; i < order->terms.n; i++) {
		const struct order_term *term = &order->terms.v[i];

		if (term->key < 0 && recording__column(rec, term->metric) < 0)
			return err__set(err, -EINVAL,
					"cannot sort by %s, which is not a column here",
					term->metric->id);
	}
	for (size_t i = 0; (condition = filter__condition(filter, i)); i++) {
		const struct order_term *term = &condition->term;

		if (term->key < 0 && recording__column(rec, term->metric) < 0)
			return err__set(err, -EINVAL, "'%s': %s is not a column here",
					condition->text, term->metric->id);
	}
	return 0;
}

enum listing_value listing__value(const struct group *program, const struct metric *metric,
				  size_t column, double *ret_number, const char **ret_text)
{
	double values[program->n];
	size_t n = 0;

	for (size_t i = 0; i < program->n; i++) {
		const struct cell *cell = &program->rows[i]->cells[column];

		if (cell->state != CELL_OK)
			continue;
		if (metric->flags & METRIC_TEXT) {
			*ret_text = cell->text;
			return VALUE_TEXT;
		}
		values[n++] = cell->num;
	}
	if (!n)
		return VALUE_MISSING;
	*ret_number = stats__median(values, n);
	return VALUE_NUMBER;
}

static int compare_values(const struct recording *rec, const struct group *a, const struct group *b,
			  const struct order_term *term)
{
	size_t column = recording__column(rec, term->metric);
	const char *text[2] = { "", "" };
	double number[2] = {};
	bool has[2];
	int cmp;

	has[0] = listing__value(a, term->metric, column, &number[0], &text[0]) != VALUE_MISSING;
	has[1] = listing__value(b, term->metric, column, &number[1], &text[1]) != VALUE_MISSING;
	if (!has[0] || !has[1])
		return has[1] - has[0];
	if (term->absolute) {
		number[0] = fabs(number[0]);
		number[1] = fabs(number[1]);
	}
	cmp = term->metric->flags & METRIC_TEXT ? strcmp(text[0], text[1])
						: (number[0] > number[1]) - (number[0] < number[1]);
	return term->ascending ? cmp : -cmp;
}

static int compare_groups(const void *pa, const void *pb, void *ctx)
{
	const struct group *a = pa, *b = pb;
	const struct listing *listing = ctx;
	int cmp = 0;

	for (size_t i = 0; i < listing->order.terms.n && !cmp; i++) {
		const struct order_term *term = &listing->order.terms.v[i];

		if (term->metric) {
			cmp = compare_values(listing->rec, a, b, term);
			continue;
		}
		cmp = term->key ? strcmp(a->program, b->program) : strcmp(a->object, b->object);
		if (!term->ascending)
			cmp = -cmp;
	}
	cmp = cmp ?: strcmp(a->object, b->object);
	return cmp ?: strcmp(a->program, b->program);
}

struct candidate {
	const struct recording *rec;
	const struct group *program;
};

/* There is one recording, so all of a term's variants mean the same. */
static bool holds(void *ctx, const struct expr *expr)
{
	const struct candidate *candidate = ctx;
	const struct order_term *term = &expr->term;
	const char *text = NULL;
	double number = NAN;

	if (term->key >= 0)
		return expr__holds_word(expr, term->key ? candidate->program->program
							: candidate->program->object);
	listing__value(candidate->program, term->metric,
		       recording__column(candidate->rec, term->metric), &number, &text);
	if (term->metric->flags & METRIC_TEXT)
		return expr__holds_word(expr, text);
	return expr__holds_number(expr, term->absolute ? fabs(number) : number);
}

static void hide(struct listing *listing, const struct filter *filter)
{
	size_t kept = 0;

	for (size_t i = 0; i < listing->groups.n; i++) {
		struct candidate candidate = { listing->rec, &listing->groups.v[i] };

		if (filter__shows(filter, holds, &candidate))
			listing->groups.v[kept++] = listing->groups.v[i];
	}
	listing->groups.n = kept;
}

int listing__make(const struct recording *rec, const struct opt_list *sort,
		  const struct filter *filter, struct listing *ret_listing, struct err *err)
{
	_cleanup_listing_ struct listing listing = { .rec = rec };
	int rc;

	rc = order__parse(SUITE_VERISTAT, sort, &listing.order, err);
	if (rc == 0)
		rc = check_terms(rec, &listing.order, filter, err);
	if (rc == 0)
		rc = groups__make(rec, &listing.groups);
	if (rc < 0)
		return rc;
	qsort_r(listing.groups.v, listing.groups.n, sizeof(*listing.groups.v), compare_groups,
		&listing);
	hide(&listing, filter);
	*ret_listing = listing;
	listing = (struct listing){};
	return 0;
}

void listing__clear(struct listing *listing)
{
	order__reset(&listing->order);
	groups__reset(&listing->groups);
}
