/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sidecar of a recording: "key=value" lines that say what it stood on, with
 * the keys of env.h, and "complete=no" for a run that was cut short. Blank lines
 * say nothing; lines end as those of a CSV do.
 */
#ifndef BPF_AB_SIDECAR_H
#define BPF_AB_SIDECAR_H

#include <stdio.h>

#include "record.h"

/*
 * Adds what text[len] says, which is cut into pieces, to the environment of a
 * recording that has none yet. -EINVAL with err "name:line:column: what was
 * expected", or -ENOMEM.
 */
int sidecar__read(struct recording *rec, const char *name, char *text, size_t len, struct err *err);

/* Line ends within values become blanks. Returns 0 or -EIO. */
int sidecar__print(const struct recording *rec, FILE *out);

#endif
