/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text that is told once and written in three ways: plain in 72 columns for
 * mails and terminals, Markdown, and HTML (a fragment, between other parts of a
 * page). Any words may be given: what means something to the form or to a
 * terminal is escaped or replaced here and nowhere else.
 */
#ifndef AB_REPORT_DOC_H
#define AB_REPORT_DOC_H

#include <stdio.h>

#include "util.h"
#include "vec.h"

enum doc_form { DOC_PLAIN, DOC_MARKDOWN, DOC_HTML };

struct doc {
	enum doc_form form;
	FILE *out;
	bool in_list; /* private: an item was the last thing written */
	bool any;     /* private: something was written */
};

void doc__title(struct doc *doc, const char *fmt, ...) __printf_like(2, 3);
void doc__head(struct doc *doc, const char *text);
void doc__para(struct doc *doc, const char *fmt, ...) __printf_like(2, 3);
/* What all of it comes down to. */
void doc__verdict(struct doc *doc, const char *text);
void doc__item(struct doc *doc, const char *fmt, ...) __printf_like(2, 3);
/* A command: a line, but for plain text one of several if it is long. */
void doc__code(struct doc *doc, const char *text);
/* After the last part: closes what is open. 0 or -EIO. */
int doc__end(struct doc *doc);

/* ---- tables ------------------------------------------------------------------ */

enum doc_column_kind {
	DOC_LABEL, /* what the row is of: the first column */
	DOC_NUMBER,
	DOC_WORD,
	DOC_VERDICT,
	DOC_NOTE, /* as long as it likes: the last column */
};

struct doc_column {
	const char *title;
	enum doc_column_kind kind;
};

struct doc_table {
	const struct doc_column *columns;
	size_t n;
	VEC(char *) cells; /* owned, row by row */
};

/* One cell per column, copied; NULL is an empty one. 0 or -ENOMEM. */
int doc_table__add(struct doc_table *table, const char *const *cells);
size_t doc_table__rows(const struct doc_table *table);
void doc_table__reset(struct doc_table *table);
void doc__table(struct doc *doc, const struct doc_table *table);

#endif
