/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that lists one thing a line, as the programs take it after '@'. Blank
 * lines and those that begin with '#' say nothing.
 */
#ifndef BPF_AB_LINES_H
#define BPF_AB_LINES_H

#include <stddef.h>

#include "err.h"

struct lines {
	char *text; /* owned */
	char *rest;
	const char *line; /* the last one that lines__next() gave, with what is before it */
	size_t number;	  /* of that line, from 1 */
};

/* what: words for what the file lists. Returns 0 or -errno with words. */
int lines__read(const char *path, const char *what, struct lines *ret_lines, struct err *err);
/* The next line that says something, without blanks around it; NULL at the end. */
char *lines__next(struct lines *lines);
void lines__clear(struct lines *lines);

#define _cleanup_lines_ _cleanup_(lines__clear)

#endif
