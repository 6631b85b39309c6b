/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which lines of a program's source the verifier has seen most often. A log of
 * level 1 or 2 has each before the instructions that are made of it:
 *
 *	; text @ file.c:12		up to 6.8 without the place
 */
#ifndef BPF_AB_SRC_LINES_H
#define BPF_AB_SRC_LINES_H

#include "util.h"

struct src_line {
	const char *text; /* into the log; not terminated */
	size_t len;
	const char *place; /* "file.c:12", likewise; NULL: not told */
	size_t place_len;
	size_t n;
};

struct src_lines {
	struct src_line *v; /* owned; by number, then by text */
	size_t n;
};

/* Any text is taken. The log has to outlive the lines. Returns 0 or -ENOMEM. */
int src_lines__count(const char *log, struct src_lines *ret_lines);
void src_lines__clear(struct src_lines *lines);

#endif
