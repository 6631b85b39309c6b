/* SPDX-License-Identifier: GPL-2.0-only */
/* What is shown of a program beside its row: log, source lines, code. */
#ifndef VERISTAT_DETAIL_H
#define VERISTAT_DETAIL_H

#include <stdio.h>

#include "loader.h"

enum dump_mode { DUMP_XLATED = 1 << 0, DUMP_JITED = 1 << 1 };

struct detail_opts {
	FILE *out; /* NULL: nothing is shown */
	bool log;
	unsigned int src_lines; /* how many of the most frequent ones */
	unsigned int dump;	/* enum dump_mode, of programs that are loaded */
};

void detail__show(const struct detail_opts *opts, const char *object, const char *program,
		  const struct load_result *result);

#endif
