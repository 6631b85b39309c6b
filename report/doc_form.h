/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of a text have in common. Private to doc. */
#ifndef AB_REPORT_DOC_FORM_H
#define AB_REPORT_DOC_FORM_H

#include "doc.h"

/* Columns of a mail that is quoted twice. */
#define DOC_WIDTH 72

/* Words as the form wants them. */
void doc_form__put(const struct doc *doc, const char *text, size_t len);
/* Plain words from column at on, further lines from indent on, and a line end. */
void doc_form__wrap(const struct doc *doc, const char *text, size_t at, size_t indent);
/* What is between two parts. */
void doc_form__begin(struct doc *doc);

#endif
