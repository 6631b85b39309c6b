/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was expected of a program's instructions beside what they are:
 *
 *	    expected                       actual
 *	         0 r1 = 7                       0 r1 = 7
 *	-->                            >        1 r2 = r1
 *	         1 if r1 == 0x0        |        2 if r2 == 0x0
 *
 * Lines are paired so that as few as possible differ. Signs: '|' they differ,
 * '<' only expected, '>' only there; the arrow is at the first difference.
 * At most 100 columns; longer lines go on below.
 *
 * The number in front of a line of the text ("7: exit") is its instruction's.
 * An expected line has the number that is written in it, or the one that it
 * would have if all were there that is expected since its listing began.
 */
#ifndef BPF_AB_LISTING_H
#define BPF_AB_LISTING_H

#include "match.h"

/*
 * The lines of the list up to the end of the listing that is not as expected,
 * and some of the text behind it. Returns 1 with ret_text set (the caller
 * frees); 0 with ret_text untouched if there is no difference that lines can
 * show: all is as expected, or the list has MATCH_ABSENT patterns; -ENOMEM.
 */
int listing__compare(const struct match_list *list, const char *text, char **ret_text);

#endif
