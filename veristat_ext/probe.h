/* SPDX-License-Identifier: GPL-2.0-only */
/* What can be measured on this machine, found out by trying. */
#ifndef VERISTAT_PROBE_H
#define VERISTAT_PROBE_H

#include <stdio.h>

#include "veristat.h"

/* A line per kind of number. EXIT_UNABLE if programs can't be loaded at all. */
enum veristat_exit probe__print(FILE *out);

#endif
