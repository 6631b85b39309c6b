// SPDX-License-Identifier: GPL-2.0-only
#include "order.h"

#include <math.h>

#include "cleanup.h"

#define TERM_MAX 64

void order__reset(struct order *order)
{
	vec_free(&order->terms);
}

int order__key(enum suite suite, const char *name)
{
	static const char *const veristat[][2] = {
		{ "filename", "progname" },
		{ "file", "prog" },
	};

	for (int i = 0; i < 2; i++) {
		if (streq(name, suite_keys[suite].columns[i]))
			return i;
		for (size_t j = 0; suite == SUITE_VERISTAT && j < ARRAY_SIZE(veristat); j++)
			if (streq(name, veristat[j][i]))
				return i;
	}
	return -1;
}

static int order__find(enum suite suite, const char *name, struct order_term *term)
{
	term->key = order__key(suite, name);
	term->metric = term->key < 0 ? metric__find(suite, name) : NULL;
	return term->key >= 0 || term->metric ? 0 : -ENOENT;
}

/* Whole names go first: peak_b might be one. */
static int order__find_variant(enum suite suite, char *name, struct order_term *term)
{
	static const char *const suffixes[] = { "_a", "_b", "_diff", "_pct" };

	term->variant = ORDER_B;
	if (!order__find(suite, name, term))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (!str_ends(name, suffixes[i]))
			continue;
		name[strlen(name) - strlen(suffixes[i])] = '\0';
		term->variant = i;
		return order__find(suite, name, term);
	}
	return -ENOENT;
}

bool order_term__is_text(const struct order_term *term)
{
	return term->key >= 0 || term->metric->flags & METRIC_TEXT;
}

int order__term(enum suite suite, const char *text, size_t len, struct order_term *ret_term)
{
	struct order_term term = {};
	char name[TERM_MAX];
	int rc;

	if (len > 2 && text[0] == '|' && text[len - 1] == '|') {
		term.absolute = true;
		text++;
		len -= 2;
	}
	if (!len || len >= sizeof(name))
		return -ENOENT;
	memcpy(name, text, len);
	name[len] = '\0';
	rc = order__find_variant(suite, name, &term);
	if (rc == 0)
		*ret_term = term;
	return rc;
}

static int order__add(struct order *order, const char *word, size_t len, struct err *err)
{
	struct order_term term = {};
	char direction = '\0';
	size_t whole = len;

	if (len == 0)
		return err__set(err, -EINVAL, "expected a column to sort by, found ''");
	/* 'v' ends no name that exists; "_" would be cut off ones like |x_|. */
	if (len > 1 && strchr("^vV.!_", word[len - 1]))
		direction = word[--len];
	if (order__term(order->suite, word, len, &term) < 0)
		return err__set(err, -EINVAL, "no column '%.*s' to sort by", (int)whole, word);
	if (order_term__is_text(&term) &&
	    (term.variant == ORDER_PCT || (term.key >= 0 && term.variant == ORDER_DIFF)))
		return err__set(err, -EINVAL, "'%.*s' is no number to sort by", (int)len, word);
	term.ascending = direction ? direction == '^' : order_term__is_text(&term);
	return vec_push(&order->terms, term);
}

int order__parse(enum suite suite, const struct opt_list *words, struct order *ret_order,
		 struct err *err)
{
	_cleanup_(order__reset) struct order order = { .suite = suite };

	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->v[i];

		for (;;) {
			size_t len = strcspn(word, ",");
			int ret = order__add(&order, word, len, err);

			if (ret)
				return ret;
			if (!word[len])
				break;
			word += len + 1;
		}
	}
	*ret_order = order;
	order = (struct order){};
	return 0;
}

/* ---- sorting ---------------------------------------------------------------- */

struct order_context {
	const struct order *order;
	const struct comparison *cmp;
};

const struct compare_cell *order__cell(const struct comparison *cmp, const struct compare_row *row,
				       const struct metric *metric)
{
	for (size_t i = 0; i < cmp->metrics.n; i++)
		if (cmp->metrics.v[i] == metric)
			return &row->cells[i];
	return NULL;
}

/* Not by way of the ratio, which would make 30.000000000000004 of 100 -> 130. */
static double order__percent(double a, double b)
{
	if (a == b)
		return 0;
	return a == 0 ? copysign(INFINITY, b) : (b - a) * 100 / a;
}

double order__number(const struct compare_cell *cell, const struct order_term *term)
{
	const struct sample *a = &cell->side[0], *b = &cell->side[1];
	double value = NAN;

	switch (term->variant) {
	case ORDER_A:
		value = a->n ? a->median : NAN;
		break;
	case ORDER_B:
		value = b->n ? b->median : NAN;
		break;
	case ORDER_DIFF:
		value = a->n && b->n ? b->median - a->median : NAN;
		break;
	case ORDER_PCT:
		value = a->n && b->n ? order__percent(a->median, b->median) : NAN;
		break;
	}
	return term->absolute ? fabs(value) : value;
}

double order__match(const struct compare_cell *cell)
{
	const char *a = cell->side[0].text, *b = cell->side[1].text;

	return a && b ? streq(a, b) : NAN;
}

static int cmp_numbers(double x, double y, bool ascending)
{
	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return ascending ? (x > y) - (x < y) : (x < y) - (x > y);
}

static int cmp_words(const char *x, const char *y, bool ascending)
{
	if (!x || !y)
		return !x - !y;
	return ascending ? strcmp(x, y) : strcmp(y, x);
}

static int cmp_term(const struct order_context *ctx, const struct order_term *term,
		    const struct compare_row *x, const struct compare_row *y)
{
	const struct compare_cell *cx, *cy;
	int side = term->variant == ORDER_A ? 0 : 1;

	if (term->key == 0)
		return cmp_words(x->object, y->object, term->ascending);
	if (term->key == 1)
		return cmp_words(x->program, y->program, term->ascending);
	cx = order__cell(ctx->cmp, x, term->metric);
	cy = order__cell(ctx->cmp, y, term->metric);
	if (!cx || !cy)
		return 0;
	if (term->metric->flags & METRIC_TEXT && term->variant == ORDER_DIFF)
		return cmp_numbers(order__match(cx), order__match(cy), term->ascending);
	if (term->metric->flags & METRIC_TEXT)
		return cmp_words(cx->side[side].text, cy->side[side].text, term->ascending);
	return cmp_numbers(order__number(cx, term), order__number(cy, term), term->ascending);
}

static int cmp_rows(const void *px, const void *py, void *arg)
{
	const struct compare_row *x = *(const struct compare_row *const *)px;
	const struct compare_row *y = *(const struct compare_row *const *)py;
	const struct order_context *ctx = arg;

	for (size_t i = 0; i < ctx->order->terms.n; i++) {
		int ret = cmp_term(ctx, &ctx->order->terms.v[i], x, y);

		if (ret)
			return ret;
	}
	return (x > y) - (x < y);
}

int order__rows(const struct order *order, const struct comparison *cmp,
		const struct compare_row ***ret_rows)
{
	struct order_context ctx = { .order = order, .cmp = cmp };
	const struct compare_row **rows = calloc(cmp->rows.n ?: 1, sizeof(*rows));

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < cmp->rows.n; i++)
		rows[i] = &cmp->rows.v[i];
	qsort_r(rows, cmp->rows.n, sizeof(*rows), cmp_rows, &ctx);
	*ret_rows = rows;
	return 0;
}
