/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of text. A terminal shows all of it in its width, if that can be had
 * by giving some cells several lines, and verdicts in colours; a file gets no
 * colours, and a row is a line.
 */
#ifndef BPF_AB_TABLE_H
#define BPF_AB_TABLE_H

#include <stdio.h>

#include "util.h"

struct table;

struct table_column {
	const char *title;
	bool right;    /* numbers */
	bool wrap;     /* a title longer than the cells takes several lines */
	bool flexible; /* names and notes: on a narrow terminal they take several lines */
	bool verdicts; /* coloured on a terminal */
};

/* Columns are copied. Returns 0 or -ENOMEM. */
int table__new(const struct table_column *columns, size_t n, struct table **ret_table);
void table__free(struct table *table);
void table__freep(struct table **table);

/* One row with a cell per column; cells are copied, NULL is an empty one. */
int table__add(struct table *table, const char *const *cells);
size_t table__rows(const struct table *table);

/* Header and rows. Returns 0 or -errno. */
int table__print(struct table *table, FILE *out);
/* The same as a table of GitHub's Markdown. Of the two only one can be had. */
int table__print_markdown(const struct table *table, FILE *out);

#endif
