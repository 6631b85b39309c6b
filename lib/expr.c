// SPDX-License-Identifier: GPL-2.0-only
#include "expr.h"

#include <math.h>
#include <strings.h>

#include "cleanup.h"

/* The longer ones first. */
static const struct {
	const char *text;
	enum expr_op op;
} operators[] = {
	{ "==", EXPR_EQ }, { "!=", EXPR_NE }, { "<>", EXPR_NE }, { "<=", EXPR_LE },
	{ ">=", EXPR_GE }, { "<", EXPR_LT },  { ">", EXPR_GT },	 { "=", EXPR_EQ },
};

static const struct {
	const char *word;
	int value;
} truths[] = {
	{ "success", 1 }, { "succ", 1 },     { "s", 1 },       { "true", 1 }, { "t", 1 },
	{ "match", 1 },	  { "m", 1 },	     { "failure", 0 }, { "fail", 0 }, { "false", 0 },
	{ "f", 0 },	  { "mismatch", 0 }, { "mis", 0 },
};

bool expr__looks_like(const char *text)
{
	return strpbrk(text, "<>=");
}

static bool truth_of(const char *word, double *ret_value)
{
	for (size_t i = 0; i < ARRAY_SIZE(truths); i++) {
		if (strcasecmp(truths[i].word, word) == 0) {
			*ret_value = truths[i].value;
			return true;
		}
	}
	return false;
}

static bool compare_numbers(enum expr_op op, double a, double b)
{
	switch (op) {
	case EXPR_EQ:
		return a == b;
	case EXPR_NE:
		return a != b;
	case EXPR_LT:
		return a < b;
	case EXPR_LE:
		return a <= b;
	case EXPR_GT:
		return a > b;
	case EXPR_GE:
		return a >= b;
	}
	return false;
}

/* Its words are two, so they can be numbers as well, as upstream has it. */
static bool is_ranked_pair(const struct expr *expr)
{
	const struct metric *metric = expr->term.metric;

	return expr->term.key < 0 && metric->better == METRIC_RANKED && metric->ranks[1] &&
	       !metric->ranks[2];
}

static int set_value(struct expr *expr, const char *value, struct err *err)
{
	bool numbers = !order_term__is_text(&expr->term) || is_ranked_pair(expr) ||
		       expr->term.variant == ORDER_DIFF;

	if (!*value)
		return err__set(err, -EINVAL, "'%s': a value is expected at its end", expr->text);
	if (numbers &&
	    (str__to_double(value, &expr->number) == 0 || truth_of(value, &expr->number)))
		return 0;
	if (numbers)
		return err__set(err, -EINVAL, "'%s': a number is expected, found '%s'", expr->text,
				value);
	if (expr->op != EXPR_EQ && expr->op != EXPR_NE)
		return err__set(err, -EINVAL, "'%s': of words only = and != can be told",
				expr->text);
	expr->word = strdup(value);
	return expr->word ? 0 : -ENOMEM;
}

static int parse(enum suite suite, struct expr *expr, struct err *err)
{
	size_t at = strcspn(expr->text, "<>=!"), behind;
	const char *value;

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		if (!str_starts(expr->text + at, operators[i].text))
			continue;
		expr->op = operators[i].op;
		behind = at + strlen(operators[i].text);
		value = expr->text + behind + strspn(expr->text + behind, " ");
		while (at && expr->text[at - 1] == ' ')
			at--;
		if (order__term(suite, expr->text, at, &expr->term) < 0)
			return err__set(err, -EINVAL, "'%s': there is no column '%.*s'", expr->text,
					(int)at, expr->text);
		if (order_term__is_text(&expr->term) &&
		    (expr->term.variant == ORDER_PCT ||
		     (expr->term.key >= 0 && expr->term.variant == ORDER_DIFF)))
			return err__set(err, -EINVAL, "'%s': '%.*s' is no number", expr->text,
					(int)at, expr->text);
		return set_value(expr, value, err);
	}
	return err__set(err, -EINVAL, "'%s': an operator is expected: = != < <= > >=", expr->text);
}

int expr__parse(enum suite suite, const char *text, struct expr *ret_expr, struct err *err)
{
	_cleanup_(expr__clear) struct expr expr = {};
	int rc;

	expr.text = strdup(text);
	if (!expr.text)
		return -ENOMEM;
	rc = parse(suite, &expr, err);
	if (rc < 0)
		return rc;
	*ret_expr = expr;
	expr = (struct expr){};
	return 0;
}

void expr__clear(struct expr *expr)
{
	free(expr->word);
	free(expr->text);
	*expr = (struct expr){};
}

bool expr__holds_number(const struct expr *expr, double number)
{
	return !isnan(number) && compare_numbers(expr->op, number, expr->number);
}

bool expr__holds_word(const struct expr *expr, const char *word)
{
	if (!word)
		return false;
	if (expr->word)
		return streq(expr->word, word) == (expr->op == EXPR_EQ);
	/* Best first in the table, and best is 1. */
	return compare_numbers(expr->op, metric__rank(expr->term.metric, word) == 0, expr->number);
}

static bool holds_words(const struct expr *expr, const struct compare_cell *cell)
{
	switch (expr->term.variant) {
	case ORDER_A:
		return expr__holds_word(expr, cell->side[0].text);
	case ORDER_DIFF:
		return expr__holds_number(expr, order__match(cell));
	default:
		return expr__holds_word(expr, cell->side[1].text);
	}
}

bool expr__holds_row(const struct expr *expr, const struct comparison *cmp,
		     const struct compare_row *row)
{
	const struct compare_cell *cell;

	if (expr->term.key >= 0)
		return expr__holds_word(expr, expr->term.key ? row->program : row->object);
	cell = order__cell(cmp, row, expr->term.metric);
	if (!cell)
		return false;
	if (expr->term.metric->flags & METRIC_TEXT)
		return holds_words(expr, cell);
	return expr__holds_number(expr, order__number(cell, &expr->term));
}
