/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of places that allocate (METRIC_LIST), shown. */
#ifndef VERISTAT_PLACES_H
#define VERISTAT_PLACES_H

#include <stdio.h>

#include "json.h"
#include "listing.h"

/*
 * A table for each list that the recording has, behind an empty line: a row per
 * place of the first n programs, from their first sample that has a list.
 * Returns 0 or -errno.
 */
int places__show(const struct listing *listing, size_t n, bool markdown, FILE *out);

/* An array with an object per place: name, allocs, bytes. */
void places__put(struct json *json, const char *key, const char *text);

#endif
