/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Comma-separated values as in RFC 4180. Positions are "line:column", both
 * from 1, columns in bytes.
 *
 * Taken beyond the RFC: LF line ends as well as CRLF, a byte order mark, and
 * rows of unequal length, which are the caller's to judge.
 */
#ifndef BPF_AB_CSV_H
#define BPF_AB_CSV_H

#include <stdio.h>

#include "err.h"
#include "vec.h"

/* Longer cells are refused: no recording has one, a file that is no CSV does. */
#define CSV_CELL_MAX (1u << 20)

struct csv_cell {
	char *text; /* into the reader's text */
	unsigned int line, column;
};

enum csv_end {
	CSV_END_LINE,  /* the row ended with a line end */
	CSV_END_FILE,  /* the file ended first: RFC 4180 allows it, a cut file looks so too */
	CSV_END_QUOTE, /* the file ended inside quotes: the last cell is cut for sure */
};

struct csv_row {
	VEC(struct csv_cell) cells;
	unsigned int line; /* where it begins */
	enum csv_end end;
};

struct csv {
	const char *name; /* for messages */
	char *text;
	size_t len, pos, line_start;
	unsigned int line;
};

/* Reads from text, which it changes and which has to outlive the cells; text[len] is NUL. */
void csv__open(struct csv *csv, const char *name, char *text, size_t len);

/*
 * The next row; blank lines are passed over. The row's array is used again
 * from call to call and freed with csv_row__reset(). -ENODATA at the end,
 * -EINVAL with err "name:line:column: what was expected", -ENOMEM.
 */
int csv__next(struct csv *csv, struct csv_row *row, struct err *err);
void csv_row__reset(struct csv_row *row);

/* One cell, in quotes where it has to be; the caller writes commas and line ends. */
void csv__print_cell(FILE *out, const char *text);

#endif
