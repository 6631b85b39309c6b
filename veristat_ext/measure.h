/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One program measured: warm-up loads, a traced load for the allocator's
 * counters, then the loads whose time, memory and verdict are samples. Tracing
 * costs time, so what is counted is never timed.
 */
#ifndef VERISTAT_MEASURE_H
#define VERISTAT_MEASURE_H

#include <signal.h>

#include "cleanup.h"
#include "detail.h"
#include "loader.h"
#include "record.h"

struct measure_opts {
	unsigned int needs; /* enum need */
	unsigned int log_level;
	bool log_fixed;
	size_t log_max;		      /* 0: the loader's own limit */
	unsigned int samples, warmup; /* loads; a traced load is one of the warm-up */
	bool settle; /* let the machine finish what earlier loads left before each sample */
	struct detail_opts detail; /* of the first sample */
	size_t alloc_sites;	   /* most important call sites that are told of a program */
	size_t alloc_room;	   /* pointers that the counters can follow; 0: their default */
	const char *dump_dir; /* gets the code of the first sample, see codefile.h; NULL: none */
	const volatile sig_atomic_t *stop; /* set: measure nothing more */
};

struct measure;

/*
 * Opens counters and control group if they are needed. What this machine
 * cannot measure is no error: its reason is in every cell of it. -ENOMEM.
 */
int measure__open(const struct measure_opts *opts, struct measure **ret_measure);
void measure__free(struct measure *measure);
DEFINE_CLEANUP(struct measure, measure__free);
#define _cleanup_measure_ _cleanup_(measure__freep)

/*
 * Appends the rows of a program, one per sample, to a recording that has the
 * wanted columns. Counters are in the first row only. Returns 0; 1 with err if
 * the kernel did not get as far as a verdict (the row has the reasons), or its
 * code could not be kept; -EINTR
 * without a row for the sample that was not finished; -ENOMEM.
 */
int measure__program(struct measure *measure, struct loader *loader, size_t i, const char *object,
		     struct recording *rec, struct err *err);

/* Why the program that was measured last is not loaded, or LOAD_OK. */
enum load_cause measure__cause(const struct measure *measure);

/* What is in no number of a kind on this machine; a sidecar has it by these keys. */
enum caveat { CAVEAT_ALLOCS, CAVEAT_MEMORY, CAVEATS };
extern const char *const caveat_keys[CAVEATS];

/* NULL: nothing, or nobody asked for such numbers. */
const char *measure__caveat(const struct measure *measure, enum caveat caveat);

#endif
