/* SPDX-License-Identifier: GPL-2.0-only */
/* Pieces of work, shared out among processes that are forked for them. */
#ifndef VERISTAT_CREW_H
#define VERISTAT_CREW_H

#include <signal.h>
#include <stdio.h>

#include "err.h"

struct crew_job {
	size_t pieces;
	/* In a process of its own, which takes the next piece until there is none. */
	int (*begin)(void *ctx);
	int (*piece)(void *ctx, size_t i);
	/* What has come of its pieces, for collect(). */
	int (*report)(void *ctx, FILE *out);
	/* In the caller, once per process that ended well; path is a file with the report. */
	int (*collect)(void *ctx, const char *path);
	void *ctx;
	const volatile sig_atomic_t *stop; /* set: all processes are told to stop, by SIGTERM */
};

/*
 * Runs the job by n processes, which end with this one. begin() and piece()
 * return 0, or -errno to take no more pieces; there is a report in any case.
 * Returns 0, or -errno with err if a process could not be had or died: what
 * the others have done is collected all the same.
 */
int crew__run(const struct crew_job *job, size_t n, struct err *err);

#endif
