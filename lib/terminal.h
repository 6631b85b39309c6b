/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a table goes, if somebody looks at it there. */
#ifndef BPF_AB_TERMINAL_H
#define BPF_AB_TERMINAL_H

#include <stdio.h>

#include "util.h"

struct terminal {
	size_t width; /* columns of text */
	bool colours; /* it has them, and the environment's NO_COLOR does not forbid them */
};

/* False: out is no terminal. */
bool terminal__of(FILE *out, struct terminal *ret_terminal);

/*
 * The name of the colour, as libsmartcols takes it, of a verdict or an outcome:
 * of its first words, up to a colon. NULL: it is nothing to look out for.
 */
const char *terminal__colour_of(const char *words);

#endif
