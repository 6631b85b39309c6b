// SPDX-License-Identifier: GPL-2.0-only
#include "command.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>

#include "cpuset.h"
#include "metric.h"

#define O struct options
/* clang-format off */
static const struct opt common[] = {
	OPT_INT(O, producers, 'p', "producers", "N", 1, 512, "threads that do the work (1)"),
	OPT_INT(O, consumers, 'c', "consumers", "N", 0, 512, "threads that take it; no benchmark here has any (0)"),
	OPT_INT(O, warmup, 'w', "warmup", "N", 0, 100000, "seconds, or rounds of --count, before measuring (1)"),
	OPT_INT(O, duration, 'd', "duration", "N", 1, 100000, "seconds, or rounds of --count, to measure (5)"),
	OPT_INT(O, count, 0, "count", "N", 1, INT64_MAX, "operations in each round, instead of a second"),
	OPT_INT(O, repeat, 0, "repeat", "N", 1, 10000, "set up, measure and take down so many times (1)"),
	OPT_INT(O, alloc_count, 0, "alloc-count", "N", 1, 1 << 20, "operations that allocations are counted for (2048 of each producer)"),
	OPT_INT(O, alloc_sites, 0, "alloc-sites", "N", 1, 1000, "list the N places that allocate most"),
	OPT_FLAG(O, owner_cost, 0, "owner-cost", "measure also what operations cost without what is measured"),
	OPT_STR(O, marks, 0, "marks", "FILE", "note there where counting of allocations begins and ends: tracefs' trace_marker"),
	OPT_FLAG(O, affinity, 'a', "affinity", "give each producer a CPU"),
	OPT_STR(O, producer_cpus, 0, "prod-affinity", "CPUS", "which ones, as in 0,2-4; implies -a"),
	OPT_STR(O, consumer_cpus, 0, "cons-affinity", "CPUS", "those of consumers; implies -a"),
	OPT_FLAG(O, quiet, 'q', "quiet", "no line per round"),
	OPT_FLAG(O, verbose, 'v', "verbose", "what libbpf has to say"),
	OPT_FLAG(O, list, 'l', "list", "the benchmarks there are"),
	OPT_FLAG(O, probe, 0, "probe", "what this kernel can do; exit status 3 if it can't load programs"),
	OPT_STR(O, output, 'o', "output-format", "FORMAT", "table (the default), csv, json, or of -C markdown"),
	OPT_STR(O, record, 0, "record", "FILE", "write a recording: FILE and FILE.env"),
	OPT_FLAG(O, append, 0, "append", "add to the recording if it is there"),
	OPT_FLAG(O, compare, 'C', "compare", "compare two recordings, BASE PATCHED: files, folders, lists with commas between"),
	OPT_FLAG(O, all, 0, "all", "-C: also what is equal"),
	OPT_FLAG(O, no_env, 0, "no-env", "-C: without the block on the two environments"),
	OPT_LIST(O, wide, 0, "wide", "[=COLUMN,...]",
		 "-C: one row per variant, with these columns or all of -e"),
	OPT_STR(O, floor, 0, "floor", "DIR",
		"-C: base and patched in DIR are one kernel: what they differ by is noise"),
	OPT_LIST(O, emit, 'e', "emit", "METRIC,...", "metrics to record, or to show with -C"),
	OPT_LIST(O, sort, 's', "sort", "ORDER,...", "-C: order of rows"),
};
/* clang-format on */
#undef O

void command__clear(struct command *command)
{
	if (command->opts) {
		vec_free(&command->opts->emit);
		vec_free(&command->opts->sort);
		vec_free(&command->opts->wide);
	}
	vec_free(&command->args);
	free(command->opts);
	free(command->offsets);
	free(command->table);
	*command = (struct command){};
}

static size_t aligned(size_t size)
{
	size_t to = _Alignof(max_align_t);

	return (size + to - 1) / to * to;
}

static int make_table(struct command *command)
{
	static const struct options defaults = {
		.producers = 1, .warmup = 1, .duration = 5, .repeat = 1, .output = "table"
	};
	size_t size = aligned(sizeof(struct options)), n = ARRAY_SIZE(common);
	char *block;

	command->offsets = calloc(n_benchs, sizeof(*command->offsets));
	if (!command->offsets)
		return -ENOMEM;
	for (size_t i = 0; i < n_benchs; i++) {
		command->offsets[i] = size;
		size += aligned(benchs[i]->opts_size);
		n += benchs[i]->n_opts;
	}
	block = calloc(1, size);
	command->opts = (void *)block;
	command->table = calloc(n, sizeof(*command->table));
	if (!command->opts || !command->table)
		return -ENOMEM;
	*command->opts = defaults;
	memcpy(command->table, common, sizeof(common));
	n = ARRAY_SIZE(common);
	for (size_t i = 0; i < n_benchs; i++) {
		memcpy(block + command->offsets[i], benchs[i]->opts_default, benchs[i]->opts_size);
		for (size_t j = 0; j < benchs[i]->n_opts; j++) {
			command->table[n] = benchs[i]->opts[j];
			command->table[n++].offset += command->offsets[i];
		}
	}
	command->spec = (struct opt_spec){
		.program = "bench",
		.usage = "[options] BENCHMARK | -C BASE PATCHED | -l | --probe",
		.about = "Runs a benchmark of BPF on this kernel, or compares two recordings.",
		.status = "0 nothing failed or got worse, 1 something did, 2 usage, 3 something\n"
			  "could not be opened, measured or compared.",
		.table = command->table,
		.n = n,
	};
	return 0;
}

static int check_emit(const struct opt_list *emit, struct err *err)
{
	for (size_t i = 0; i < emit->n; i++) {
		_cleanup_free_ char *copy = strdup(emit->v[i]);
		char *rest = copy, *word;

		if (!copy)
			return err__set(err, -ENOMEM, "out of memory");
		while ((word = strsep(&rest, ","))) {
			const struct metric *metric = metric__find(SUITE_BENCH, word);

			if (!metric || !streq(metric->id, word))
				return err__set(err, -EINVAL,
						"-e wants metrics of a benchmark, not '%s'", word);
		}
	}
	return 0;
}

static int check_run(const struct options *opts, struct err *err)
{
	const char *const cpus[] = { opts->producer_cpus, opts->consumer_cpus };

	if (check_emit(&opts->emit, err) < 0)
		return -EINVAL;
	if (opts->consumers)
		return err__set(err, -EINVAL, "no benchmark here has consumers: -c 0");
	if (opts->count && opts->count < opts->producers)
		return err__set(err, -EINVAL,
				"--count %ld is less than one operation for each of "
				"%ld producers",
				opts->count, opts->producers);
	if (opts->append && !opts->record)
		return err__set(err, -EINVAL, "--append wants --record");
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		cpu_set_t set;

		if (cpus[i] && cpuset__parse(cpus[i], &set, err) < 0)
			return -EINVAL;
	}
	return 0;
}

static int check_compare(const struct command *command, struct err *err)
{
	const struct options *opts = command->opts;

	if ((opts->wide.n || opts->floor) && !opts->compare)
		return err__set(err, -EINVAL, "%s goes with -C",
				opts->floor ? "--floor" : "--wide");
	if (opts->wide.n && !streq(opts->output, "table"))
		return err__set(err, -EINVAL, "--wide is a table, which -o %s is not",
				opts->output);
	if (!opts->compare && streq(opts->output, "markdown"))
		return err__set(err, -EINVAL, "-o markdown goes with -C");
	if (opts->compare && command->args.n != 2)
		return err__set(err, -EINVAL, "-C wants two recordings, BASE and PATCHED, not %zu",
				command->args.n);
	return 0;
}

static int check(const struct command *command, struct err *err)
{
	const char *output = command->opts->output;

	if (!streq(output, "table") && !streq(output, "csv") && !streq(output, "json") &&
	    !streq(output, "markdown"))
		return err__set(err, -EINVAL,
				"--output-format wants table, csv, json or markdown, not '%s'",
				output);
	return check_run(command->opts, err) ?: check_compare(command, err);
}

int command__parse(struct command *command, int argc, char **argv, struct err *err)
{
	int rc;

	if (make_table(command) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	rc = opts__parse(&command->spec, argc, argv, command->opts, &command->args, err);
	return rc ? rc : check(command, err);
}

int command__bench(const struct command *command, size_t *ret_nth, struct err *err)
{
	if (command->args.n != 1)
		return err__set(err, -EINVAL, "one benchmark is wanted, %zu are named (see -l)",
				command->args.n);
	for (size_t i = 0; i < n_benchs; i++) {
		if (streq(benchs[i]->name, command->args.v[0])) {
			*ret_nth = i;
			return 0;
		}
	}
	return err__set(err, -EINVAL, "there is no benchmark '%s' (see -l)", command->args.v[0]);
}

const void *command__bench_opts(const struct command *command, size_t nth)
{
	return (const char *)command->opts + command->offsets[nth];
}
