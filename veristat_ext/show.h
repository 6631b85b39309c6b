/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording for a reader: a table with what is missing below it; or for programs. */
#ifndef VERISTAT_SHOW_H
#define VERISTAT_SHOW_H

#include "listing.h"
#include "veristat.h"

/*
 * Programs in their order, those that the filter's conditions show, at most
 * opts->top of them, with the first `columns` of the recording's columns. A
 * table has one row per program, with the median of its samples; CSV and JSON
 * have them all. Returns 0 or -errno with err.
 */
int show__recording(const struct recording *rec, size_t columns, const struct filter *filter,
		    const struct veristat_opts *opts, FILE *out, struct err *err);

#endif
