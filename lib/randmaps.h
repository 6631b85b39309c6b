/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps of randworld.h in the kernel. */
#ifndef BPF_AB_RANDMAPS_H
#define BPF_AB_RANDMAPS_H

#include "err.h"
#include "randworld.h"

struct randmaps {
	int fds[RAND_MAPS];
	uint8_t *data; /* the value of RAND_MAP_DATA, shared with the kernel */
};

/* Creates and fills them. Returns 0 or -errno with err set, and then has left nothing. */
int randmaps__create(struct randmaps *ret_maps, struct err *err);
void randmaps__free(struct randmaps *maps);

#endif
