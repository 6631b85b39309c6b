/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The producers: threads that wait, work for one round, and wait again. A
 * round lasts for a time or for a number of operations; between rounds all
 * threads are at rest.
 */
#ifndef BPF_AB_CREW_H
#define BPF_AB_CREW_H

#include "bench.h"
#include "cleanup.h"
#include "cpuset.h"

struct crew;

struct crew_opts {
	unsigned int producers;
	bool affinity;	       /* producer i on the i-th of these CPUs, round again */
	const cpu_set_t *cpus; /* NULL: those that we may use */
};

struct crew_round {
	uint64_t count; /* operations of all producers together; 0: for ns */
	uint64_t ns;
	/* Called by each producer right before and after its work; NULL: not. */
	void (*begins)(void *ctx);
	void (*ends)(void *ctx);
	void *ctx;
};

/* What a round was. */
struct crew_result {
	uint64_t ns;		   /* from the first producer's start to the last one's end */
	struct bench_work work;	   /* as the producers counted it */
	struct bench_work witness; /* as the BPF side did */
};

/* Blocks SIGINT and SIGTERM in this thread from here on; rounds look for them. */
int crew__start(const struct bench *bench, void *state, const struct crew_opts *opts,
		struct crew **ret_crew, struct err *err);

unsigned int crew__size(const struct crew *crew);

/* -EINTR: SIGINT or SIGTERM came; the producers have stopped. */
int crew__round(struct crew *crew, const struct crew_round *round, struct crew_result *ret_result);

/* Ends the threads. */
void crew__free(struct crew *crew);
DEFINE_CLEANUP(struct crew, crew__free);
#define _cleanup_crew_ _cleanup_(crew__freep)

#endif
