/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Conditions on what was measured: a term as in order.h, an operator (= == !=
 * <> < <= > >=) and a value.
 *
 *	insns>=10000		|states_diff|>5		duration_pct>2.5
 *	verdict=failure		cause!=rejected		verdict_diff=mismatch
 *
 * _pct is in percent; from 0 to something it is more than any number. Words
 * are equal or not; of a verdict success is also 1, true, t, succ, s, and
 * failure 0, false, f, fail. Of a word's _diff match is 1 (m), mismatch 0
 * (mis). What was not measured meets no condition.
 */
#ifndef BPF_AB_EXPR_H
#define BPF_AB_EXPR_H

#include "order.h"

enum expr_op { EXPR_EQ, EXPR_NE, EXPR_LT, EXPR_LE, EXPR_GT, EXPR_GE };

struct expr {
	struct order_term term;
	enum expr_op op;
	double number;
	char *word; /* owned; of a text metric or a name, or NULL */
	char *text; /* owned: the whole of it */
};

/* Has it an operator? If not it is something else, such as a pattern of names. */
bool expr__looks_like(const char *text);

/* -EINVAL with err saying what is wrong with it, or -ENOMEM. */
int expr__parse(enum suite suite, const char *text, struct expr *ret_expr, struct err *err);
void expr__clear(struct expr *expr);

bool expr__holds_number(const struct expr *expr, double number);  /* NAN: not measured */
bool expr__holds_word(const struct expr *expr, const char *word); /* NULL: not measured */
bool expr__holds_row(const struct expr *expr, const struct comparison *cmp,
		     const struct compare_row *row);

#endif
