/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which order the rows of a comparison are shown. A term is the name of a
 * metric or key column; behind it _a, _b (the default), _diff or _pct says
 * which number of a comparison and ^ (ascending) or one of v V . ! _
 * (descending) the direction. Without one, names ascend and numbers descend.
 * Bars around a term, |insns_pct|, sort by size without sign. Words have no
 * _pct, and their _diff is 1 if they match, else 0.
 */
#ifndef BPF_AB_ORDER_H
#define BPF_AB_ORDER_H

#include "compare.h"
#include "opts.h"

enum order_variant { ORDER_A, ORDER_B, ORDER_DIFF, ORDER_PCT };

struct order_term {
	int key; /* which key column, or -1: */
	const struct metric *metric;
	enum order_variant variant;
	bool ascending, absolute;
};

struct order {
	enum suite suite;
	VEC(struct order_term) terms;
};

/* words: each may hold several terms with commas between. -EINVAL with err, or -ENOMEM. */
int order__parse(enum suite suite, const struct opt_list *words, struct order *ret_order,
		 struct err *err);
void order__reset(struct order *order);

/*
 * Pointers to all rows of cmp, sorted; what is equal stays in the order of
 * the comparison, and what has no value comes last. The caller frees.
 */
int order__rows(const struct order *order, const struct comparison *cmp,
		const struct compare_row ***ret_rows);

/*
 * A term without a direction: "insns_pct", "|insns_diff|". -ENOENT: there is no
 * such column.
 */
int order__term(enum suite suite, const char *text, size_t len, struct order_term *ret_term);

/* The cell of a row, or NULL if the metric was not compared. */
const struct compare_cell *order__cell(const struct comparison *cmp, const struct compare_row *row,
				       const struct metric *metric);
/*
 * The number that a term means; NAN: there is none. _pct is in percent, and infinite from 0 to
 * something.
 */
double order__number(const struct compare_cell *cell, const struct order_term *term);
/* What _diff means of words; NAN: a side has none. */
double order__match(const struct compare_cell *cell);
bool order_term__is_text(const struct order_term *term);

/* A key column by its name or one of upstream's for it: 0, 1, or -1. */
int order__key(enum suite suite, const char *name);

#endif
