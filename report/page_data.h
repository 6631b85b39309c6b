/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of a page: what page.js reads. Numbers in place of names, since
 * there are thousands of rows:
 *
 *	{ names: [A, B], verdicts: [...],
 *	  parts: [{ name, keys: [2], metrics: [{ id, title, text, better }],
 *	            rows: [[object, program, verdict, why, cells, lists], ...],
 *	            growth: [{ family, program, metric, sizes, a, b, exponents: [2] }] }],
 *	  codes: [{ object, program, cut, lines: [[kind, text or count], ...] }],
 *	  codes_left_out: n }
 *
 * A cell is null, or [verdict, A, B] with null for a side that was not measured,
 * and behind these, if there is more to say, an object: r (ratio), lo, hi, p,
 * why, and va, vb (all samples of a side, if they are not all its median).
 * verdict is an index of verdicts; kinds of lines are those of codes.h. lists
 * are the lists of places that a row has by metric: { id: [A, B] }.
 */
#ifndef AB_REPORT_PAGE_DATA_H
#define AB_REPORT_PAGE_DATA_H

#include "json.h"
#include "whole.h"

/* Returns 0 or -ENOMEM. */
int page_data__put(struct json *json, const struct whole *whole);

#endif
