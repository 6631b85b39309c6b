/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The programs of a recording in the order that -s asks for, each with the
 * number that stands for all its samples.
 */
#ifndef VERISTAT_LISTING_H
#define VERISTAT_LISTING_H

#include "filter.h"
#include "group.h"
#include "order.h"

struct listing {
	const struct recording *rec;
	struct order order;
	struct groups groups; /* sorted, without what the conditions of a filter hide */
};

/*
 * sort as order__parse() takes it, with one recording instead of two; without
 * words by object and program. What is missing comes last. -EINVAL with err
 * for an order or a condition by what is no column of the recording. rec
 * outlives the listing.
 */
int listing__make(const struct recording *rec, const struct opt_list *sort,
		  const struct filter *filter, struct listing *ret_listing, struct err *err);
void listing__clear(struct listing *listing);
#define _cleanup_listing_ _cleanup_(listing__clear)

enum listing_value { VALUE_MISSING, VALUE_NUMBER, VALUE_TEXT };

/* The median, or the first word. */
enum listing_value listing__value(const struct group *program, const struct metric *metric,
				  size_t column, double *ret_number, const char **ret_text);

#endif
