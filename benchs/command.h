/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of ./bench. */
#ifndef BPF_AB_COMMAND_H
#define BPF_AB_COMMAND_H

#include "bench.h"
#include "cleanup.h"

/* All benchmarks that there are. */
extern const struct bench *const benchs[];
extern const size_t n_benchs;

struct options {
	int64_t producers, consumers, warmup, duration, count, repeat, alloc_count, alloc_sites;
	bool affinity, quiet, verbose, list, probe, append, compare, all, no_env, owner_cost;
	const char *producer_cpus, *consumer_cpus;
	const char *floor, *record, *output, *marks;
	struct opt_list emit, sort, wide;
};

/*
 * Our own options and those of every benchmark are one table, because the
 * benchmark's name may come last. One block holds the structs of all of
 * them, and a row's offset counts from its start.
 */
struct command {
	struct options *opts; /* at the start of the block */
	size_t *offsets;      /* of each benchmark's options in the block */
	struct opt *table;
	struct opt_spec spec;
	struct opt_list args; /* what is not an option */
};

/* 0, 1 if --help was asked for, -EINVAL or -ENOMEM with err set. Clear it whatever comes back. */
int command__parse(struct command *command, int argc, char **argv, struct err *err);
void command__clear(struct command *command);
#define _cleanup_command_ _cleanup_(command__clear)

/* The benchmark that was named, or -EINVAL. */
int command__bench(const struct command *command, size_t *ret_nth, struct err *err);
const void *command__bench_opts(const struct command *command, size_t nth);

#endif
