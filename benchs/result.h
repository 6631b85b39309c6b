/* SPDX-License-Identifier: GPL-2.0-only */
/* What sessions gave, as rows of a recording and as words. */
#ifndef BPF_AB_RESULT_H
#define BPF_AB_RESULT_H

#include <stdio.h>

#include "opts.h"
#include "record.h"
#include "session.h"
#include "timing.h"

/*
 * One row per round; the counts of the allocators are in the first ones. Of the
 * benchmark's metrics those that emit names, in lists with commas; all if it is empty.
 */
int result__record(const struct bench *bench, const char *variant, const struct timing_clock *clock,
		   const struct session *session, const struct opt_list *emit,
		   struct recording *rec, struct err *err);

void result__print_round(const struct bench *bench, unsigned int nth,
			 const struct crew_result *result, FILE *out);
int result__print(const struct bench *bench, const char *variant, const struct timing_clock *clock,
		  const struct session *session, FILE *out);

/*
 * The recording as JSON: "environment", "samples" (an object per row; a value
 * that is missing is an object with "state" and "reason") and "summary" (n,
 * median, mean and deviation of each number of each variant).
 */
int result__print_json(const struct recording *rec, FILE *out);

#endif
