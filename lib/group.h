/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of a recording by key: one group per (object, program), which
 * holds the samples of that program.
 */
#ifndef BPF_AB_GROUP_H
#define BPF_AB_GROUP_H

#include "record.h"

struct group {
	const char *object, *program;	/* in the recording */
	const struct record_row **rows; /* in the order of the recording */
	size_t n;
};

struct groups {
	struct group *v; /* in the order in which keys first appear */
	size_t n;
	const struct record_row **rows; /* what the groups share */
	struct group **by_key;
};

/* rec has to outlive the groups. Returns 0 or -ENOMEM. */
int groups__make(const struct recording *rec, struct groups *ret_groups);
void groups__reset(struct groups *groups);
/* NULL if there is none. */
const struct group *groups__find(const struct groups *groups, const char *object,
				 const char *program);

#endif
