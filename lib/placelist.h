/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of places with what was allocated there, as the text of one cell
 * (METRIC_LIST): "NAME ALLOCS BYTES; NAME ALLOCS BYTES". Names have no ';'.
 */
#ifndef BPF_AB_PLACELIST_H
#define BPF_AB_PLACELIST_H

#include "kmem_places.h"

/*
 * The text, for the caller to free: of n places, most bytes first, those that
 * are among the top by bytes or by allocations; top 0: all of them. "" if there
 * is none. -ENOMEM.
 */
int placelist__print(const struct kmem_listed *places, size_t n, size_t top, char **ret_text);

/*
 * Takes the next place off a text and moves *at behind it. 1; 0 at the end;
 * -EINVAL: what follows is no such list.
 */
int placelist__next(const char **at, struct kmem_listed *ret_place);

/* Whether all of a text is such a list. */
bool placelist__is_one(const char *text);

#endif
