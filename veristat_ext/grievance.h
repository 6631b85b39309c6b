/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs of one object that were not measured for one reason: said once. */
#ifndef VERISTAT_GRIEVANCE_H
#define VERISTAT_GRIEVANCE_H

#include "err.h"

struct grievance {
	const char *object;
	char program[128]; /* the first */
	struct err why;
	size_t n;
};

/* False: it has another reason than those before, which have to be said first. */
bool grievance__add(struct grievance *grievance, const char *program, const struct err *why);

/* False: there is nothing to say. What was said is forgotten. */
bool grievance__say(struct grievance *grievance, struct err *ret_words);

#endif
