/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one verdict was given for: rows that share a metric and a reason are
 * told together.
 */
#ifndef BPF_AB_REASONS_H
#define BPF_AB_REASONS_H

#include "compare.h"

struct reason {
	const struct metric *metric; /* NULL: of the whole row */
	const char *why;	     /* in the comparison; "": there are no words for it */
	VEC(const struct compare_row *) rows;
};

struct reasons {
	VEC(struct reason) list; /* as they first appear */
};

/* rows: all of cmp, in the order in which they are told. Returns 0 or -ENOMEM. */
int reasons__collect(struct reasons *reasons, const struct comparison *cmp,
		     const struct compare_row *const *rows, enum verdict verdict);
void reasons__reset(struct reasons *reasons);

#endif
