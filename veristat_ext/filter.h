/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which programs of which objects, and which of them are shown. An expression
 * is a pattern (* and ?) for the object's or the program's name, or
 * OBJECT/PROGRAM with a pattern each, either of which may be left out; or a
 * condition on what was measured (expr.h). '!' in front denies, and @FILE holds
 * one expression a line. Denials go first; where anything is allowed by name,
 * nothing else is, and where anything is shown by a condition, nothing else is.
 */
#ifndef VERISTAT_FILTER_H
#define VERISTAT_FILTER_H

#include "cleanup.h"
#include "expr.h"

struct filter;

/* -EINVAL with err for an empty expression, -errno with err for a file. */
int filter__new(const struct opt_list *expressions, struct filter **ret_filter, struct err *err);
void filter__free(struct filter *filter);
DEFINE_CLEANUP(struct filter, filter__free);
#define _cleanup_filter_ _cleanup_(filter__freep)

/* object: the file's name without folders. */
bool filter__takes(const struct filter *filter, const char *object, const char *program);

/* Its conditions, however many; NULL behind the last. */
const struct expr *filter__condition(const struct filter *filter, size_t i);

/* Whether to show a row: holds tells which conditions it meets. */
bool filter__shows(const struct filter *filter, bool (*holds)(void *ctx, const struct expr *expr),
		   void *ctx);

/* False if no program of this object can be taken, so that it need not be opened. */
bool filter__may_take(const struct filter *filter, const char *object);

#endif
