/* SPDX-License-Identifier: GPL-2.0-only */
/* All of a report as JSON, for other programs: docs/formats.md has its members. */
#ifndef AB_REPORT_DATA_H
#define AB_REPORT_DATA_H

#include <stdio.h>

#include "whole.h"

/* Returns 0 or -EIO. */
int data__write(const struct whole *whole, FILE *out);

#endif
