/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that a report is made of: two sides, and what the comparison of each
 * suite and of the kernel logs says.
 */
#ifndef AB_REPORT_WHOLE_H
#define AB_REPORT_WHOLE_H

#include "klog.h"
#include "report_view.h"
#include "results.h"

enum { STATUS_FINE, STATUS_WORSE, STATUS_USAGE, STATUS_UNABLE };

struct whole_opts {
	const char *paths[2]; /* of two sides; paths[1] NULL: a folder with base and patched */
	const char *allow;    /* file of known splats, or NULL */
	const char *command;  /* what makes these results again; NULL: what the folder says */
};

struct whole_part {
	enum results_part part;
	bool recorded;		/* by a side, at least */
	struct comparison *cmp; /* owned; NULL: not recorded by both */
	struct report_opts opts;
	struct report_view view; /* of cmp: all rows, as they came */
	const struct compare_row **rows;
	int status;
};

struct whole {
	struct results *side[2];
	char *name[2]; /* owned; "base", "state-list-cache" */
	char *command; /* owned; or NULL */
	char *notes;   /* owned; a line each, of the readers and of what was taken */
	struct whole_part part[RESULTS_PARTS];
	struct klog log;
	int status; /* exit status of it all */
};

/* Returns 0, -EINVAL or another -errno with err. */
int whole__read(const struct whole_opts *opts, struct whole **ret_whole, struct err *err);
void whole__free(struct whole *whole);
void whole__freep(struct whole **whole);

/* A recording of this side to tell its environment by; NULL: it has none. */
const struct recording *whole__any(const struct whole *whole, int side);
/* In a word or two: "equal", "worse", "better", "nothing worse", "not measured". */
const char *whole_part__verdict(const struct whole_part *part);
const char *whole__log_verdict(const struct whole *whole);
/* The same of all of it, in a sentence. */
const char *whole__verdict(const struct whole *whole);
/* Boots of a side that were measured, and those that were not. */
size_t whole__boots(const struct whole *whole, int side, bool measured);

#endif
