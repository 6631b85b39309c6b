/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings that several processes have made, each of some objects, put together to one. */
#ifndef VERISTAT_PARTS_H
#define VERISTAT_PARTS_H

#include "record.h"

struct parts {
	VEC(struct recording *) v; /* owned */
};

/* Reads one more. -errno with err, as recfile__read(). */
int parts__add(struct parts *parts, const char *path, struct err *err);

/*
 * Moves their rows to the end of rec, object by object: the rows of one are all
 * in one part, and parts have their objects in the order of `objects`. 0 or
 * -ENOMEM.
 */
int parts__join(struct parts *parts, const char *const *objects, size_t n, struct recording *rec);
void parts__clear(struct parts *parts);

#endif
