/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as one page that needs nothing beside itself: the story, and below
 * it what a script makes of the data: tables to sort and filter, samples,
 * growth, phases, code that differs.
 */
#ifndef AB_REPORT_PAGE_H
#define AB_REPORT_PAGE_H

#include <stdio.h>

#include "whole.h"

/* Returns 0, -ENOMEM or -EIO. */
int page__write(const struct whole *whole, FILE *out);

#endif
