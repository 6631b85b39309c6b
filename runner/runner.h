/* SPDX-License-Identifier: GPL-2.0-only */
/* What the command line asked for, passed down to all who run tests. */
#ifndef BPF_AB_RUNNER_H
#define BPF_AB_RUNNER_H

#include <stdio.h>

#include "facts.h"
#include "selector.h"

struct printer;

/* The log that tells of splats, and from whom: see kmsg.h. path NULL: nobody looks. */
struct kmsg_source {
	const char *path;
	unsigned int facility;
};

struct runner_opts {
	struct selector selector;
	const char *objdir;
	int verbose;
	bool no_skip;
	int64_t workers;
	int64_t watchdog;    /* seconds without progress; 0: for ever */
	int64_t seed, count; /* of random programs: the first one's, and how many */
	struct facts facts;
	struct kmsg_source kmsg;
	const struct printer *printer; /* in this format */
	FILE *out;		       /* to this stream */
};

#endif
