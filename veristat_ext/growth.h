/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How numbers grow with the size of a program: objects that are called
 * NAME-N.bpf.o hold the same programs at the sizes N. A line for each program
 * and column has the number at each size and the power of N that fits them
 * (stats__power()); there is none where a number is missing or not above 0.
 */
#ifndef VERISTAT_GROWTH_H
#define VERISTAT_GROWTH_H

#include <stdio.h>

#include "record.h"
#include "veristat.h"

/* The first shown columns. -EINVAL with err naming an object that has no size; -ENOMEM; -errno of
 * writing. */
int growth__show(const struct recording *rec, size_t shown, enum veristat_format format, FILE *out,
		 struct err *err);

#endif
