/* SPDX-License-Identifier: GPL-2.0-only */
/* How far a run is, on stderr: a line rewritten on a terminal, else one per program. */
#ifndef VERISTAT_PROGRESS_H
#define VERISTAT_PROGRESS_H

#include <time.h>

#include "util.h"

struct progress {
	bool shown, terminal;
	size_t total; /* objects */
	struct timespec start;
};

/* total: of objects. Shown where stderr is a terminal, or if forced; never if quiet. */
void progress__start(struct progress *progress, size_t total, bool forced, bool quiet);
/* This program is next; at: which object it is of, from 1. */
void progress__step(struct progress *progress, size_t at, const char *object, const char *program);
/* Takes the line away, so that something else can be printed; the next step writes it again. */
void progress__clear(struct progress *progress);

#endif
