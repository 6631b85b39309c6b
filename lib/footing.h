/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What two recordings stand on, as far as it decides what can be compared.
 */
#ifndef BPF_AB_FOOTING_H
#define BPF_AB_FOOTING_H

#include "record.h"

struct footing {
	bool counted;	    /* both clocks count instructions */
	char *no_time;	    /* owned; why times cannot be compared, or NULL */
	char *no_memory;    /* owned; why control groups saw different things, or NULL */
	char *unpriv;	    /* owned; why unprivileged tests may differ, or NULL */
	unsigned int vcpus; /* of the larger machine */
};

/* Returns 0 or -ENOMEM. */
int footing__find(const struct recording *a, const struct recording *b,
		  struct footing *ret_footing);
void footing__reset(struct footing *footing);

#endif
