// SPDX-License-Identifier: GPL-2.0-only
/* What BPF costs while it runs: benchmarks, measured, recorded, compared. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <bpf/libbpf.h>

#include "bench.h"
#include "cleanup.h"
#include "command.h"
#include "env.h"
#include "kfeat.h"
#include "log.h"
#include "recfile.h"
#include "report.h"
#include "result.h"
#include "session.h"
#include "timing.h"
#include "variant.h"

enum bench_exit { EXIT_FINE, EXIT_WORSE, EXIT_USAGE, EXIT_UNABLE };

#define BENCH(name) extern const struct bench name;
#include "benchs.h"
#undef BENCH

#define BENCH(name) &name,
const struct bench *const benchs[] = {
#include "benchs.h"
};
#undef BENCH

const size_t n_benchs = ARRAY_SIZE(benchs);

/* The recording that rows go to: a new one, or the one that --append names. */
static int open_recording(const struct options *opts, struct recording **ret_rec, struct err *err)
{
	_cleanup_free_ char *notes = NULL;
	int rc;

	if (opts->append) {
		rc = recfile__read(opts->record, SUITE_BENCH, ret_rec, &notes, err);
		if (rc == 0 && notes && *notes)
			log_warn("%s", notes);
		if (rc != -ENOENT)
			return rc;
	}
	rc = recording__new(SUITE_BENCH, ret_rec);
	return rc < 0 ? err__set(err, rc, "out of memory") : 0;
}

struct run {
	const struct bench *bench;
	const struct options *opts;
	struct bench_env env;
	const struct timing_clock *clock;
	FILE *words; /* where what is not data goes */
	int marks_fd;
	cpu_set_t cpus;
	struct recording *rec;
	uint64_t errors;
};

static void print_progress(const void *ctx, unsigned int nth, const struct crew_result *result)
{
	const struct run *run = ctx;

	result__print_round(run->bench, nth, result, run->words);
	fflush(run->words);
}

static int run_session(const struct run *run, void *state, struct session *ret_session,
		       struct err *err)
{
	const struct options *opts = run->opts;
	const struct session_opts session_opts = {
		.crew = { .producers = opts->producers,
			  .affinity = opts->affinity || opts->producer_cpus || opts->consumer_cpus,
			  .cpus = opts->producer_cpus ? &run->cpus : NULL },
		.warmup = opts->warmup,
		.rounds = opts->duration,
		.round = { .count = opts->count, .ns = 1000000000 },
		.bare = opts->owner_cost,
		.allocs = { .ops = opts->alloc_count,
			    .sites = opts->alloc_sites,
			    .marks_fd = run->marks_fd },
		.progress = opts->quiet ? NULL : print_progress,
		.ctx = run,
	};

	return session__run(run->bench, state, &session_opts, ret_session, err);
}

static int make_variant(const struct run *run, const void *state, char **ret_variant)
{
	const struct options *opts = run->opts;
	const char *variant = run->bench->variant(state);

	if (opts->count)
		return str__printf(ret_variant, "%s,producers=%ld,count=%ld", variant,
				   opts->producers, opts->count);
	return str__printf(ret_variant, "%s,producers=%ld", variant, opts->producers);
}

static int measure(struct run *run, void *state, struct err *err)
{
	_cleanup_session_ struct session session = {};
	_cleanup_free_ char *variant = NULL;
	const char *note = run->bench->note(state);
	int rc;

	if (note)
		fprintf(run->words, "note: %s\n", note);
	if (make_variant(run, state, &variant) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	rc = run_session(run, state, &session, err);
	if (rc == 0)
		rc = result__record(run->bench, variant, run->clock, &session, &run->opts->emit,
				    run->rec, err);
	if (rc == 0)
		rc = result__print(run->bench, variant, run->clock, &session, run->words);
	for (size_t i = 0; rc == 0 && i < session.rounds.n; i++)
		run->errors += session.rounds.v[i].work.failed + session.rounds.v[i].witness.failed;
	return rc;
}

/* Sets the benchmark up, measures and takes it down again. */
static int run_set_up(struct run *run, struct err *err)
{
	void *state = NULL;
	int rc;

	rc = run->bench->setup(&run->env, &state, err);
	if (rc < 0)
		return rc;
	rc = measure(run, state, err);
	run->bench->teardown(state);
	/* The command line was fine: what is invalid by now is not its fault. */
	return rc == -EINVAL ? -EIO : rc;
}

/* Everything that was measured, to where it was asked for. */
static int hand_over(struct run *run, int argc, char **argv, struct err *err)
{
	const struct options *opts = run->opts;
	int rc;

	run->rec->complete = true;
	rc = env__collect(run->rec, "", argc, argv);
	if (rc < 0)
		return err__set(err, rc, "what this run stands on: %s", strerror(-rc));
	if (opts->record)
		rc = recfile__write(run->rec, opts->record, err);
	if (rc == 0 && streq(opts->output, "csv"))
		rc = recfile__print(run->rec, stdout);
	if (rc == 0 && streq(opts->output, "json"))
		rc = result__print_json(run->rec, stdout);
	return rc;
}

static int run_all(struct run *run, int argc, char **argv, struct err *err)
{
	const struct options *opts = run->opts;
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_close_ int marks_fd = -1;
	int rc;

	if (opts->producer_cpus)
		cpuset__parse(opts->producer_cpus, &run->cpus, err);
	if (opts->marks) {
		marks_fd = open(opts->marks, O_WRONLY | O_APPEND | O_CLOEXEC);
		if (marks_fd < 0)
			return err__set(err, -EIO, "%s: %s", opts->marks, strerror(errno));
	}
	rc = open_recording(opts, &rec, err);
	run->marks_fd = marks_fd;
	run->rec = rec;
	for (int64_t i = 0; rc == 0 && i < opts->repeat; i++)
		rc = run_set_up(run, err);
	return rc ?: hand_over(run, argc, argv, err);
}

static enum bench_exit run_bench(const struct command *command, int argc, char **argv)
{
	const struct options *opts = command->opts;
	struct run run = { .opts = opts };
	struct err err = {};
	size_t nth = 0;
	int rc;

	rc = command__bench(command, &nth, &err);
	if (rc == 0)
		rc = timing__clock(getenv("BPF_AB_CLOCK"), &run.clock, &err);
	if (rc == 0) {
		run.bench = benchs[nth];
		run.env.producers = opts->producers;
		run.env.opts = command__bench_opts(command, nth);
		run.words = streq(opts->output, "table") ? stdout : stderr;
		rc = run_all(&run, argc, argv, &err);
	}
	if (rc < 0) {
		log_err("%s", err.text[0] ? err.text : strerror(-rc));
		return rc == -EINVAL ? EXIT_USAGE : EXIT_UNABLE;
	}
	if (run.errors)
		log_err("%lu operations failed; they are in no rate", run.errors);
	return run.errors ? EXIT_WORSE : EXIT_FINE;
}

/* What can't be read is left to the report to say. */
static bool may_be_compared(const struct command *command)
{
	_cleanup_(recording__freep) struct recording *a = NULL, *b = NULL;
	struct err err = {};

	if (recfile__read(command->args.v[0], SUITE_BENCH, &a, NULL, NULL) < 0 ||
	    recfile__read(command->args.v[1], SUITE_BENCH, &b, NULL, NULL) < 0)
		return true;
	if (variant__check(a, b, &err) == 0)
		return true;
	log_err("%s", err.text);
	return false;
}

static enum report_format report_format(const char *name)
{
	static const char *const names[] = {
		[REPORT_CSV] = "csv",
		[REPORT_JSON] = "json",
		[REPORT_MARKDOWN] = "markdown",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i] && streq(names[i], name))
			return i;
	}
	return REPORT_TABLE;
}

static enum bench_exit compare(const struct command *command)
{
	const struct options *opts = command->opts;
	const struct report_opts report_opts = {
		.format = report_format(opts->output),
		.all = opts->all,
		.no_env = opts->no_env,
		.emit = opts->emit,
		.sort = opts->sort,
		.wide = opts->wide,
		.floor = opts->floor,
	};
	struct err err = {};
	int status;

	if (!may_be_compared(command))
		return EXIT_UNABLE;
	status = report__compare_files(SUITE_BENCH, command->args.v[0], command->args.v[1],
				       &report_opts, stdout, &err);
	if (err.text[0])
		log_err("%s", err.text);
	return status;
}

static enum bench_exit list(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(benchs); i++)
		printf("%-24s %s\n", benchs[i]->name, benchs[i]->about);
	return EXIT_FINE;
}

static enum bench_exit probe(void)
{
	bool can_load = false;

	for (enum kfeat feat = 0; feat < KFEAT_MAX; feat++) {
		struct err err = {};
		bool has = kfeat__probe(feat, &err);

		printf("%-20s %s%s\n", kfeat__name(feat), has ? "yes" : "no: ", err.text);
		can_load |= feat == KFEAT_LOAD && has;
	}
	return can_load ? EXIT_FINE : EXIT_UNABLE;
}

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list args)
{
	if (level == LIBBPF_DEBUG && log__level() < LOG_DEBUG)
		return 0;
	return vfprintf(stderr, fmt, args);
}

static enum bench_exit run_command(const struct command *command, int argc, char **argv)
{
	const struct options *opts = command->opts;

	if (opts->verbose)
		log__set_level(LOG_DEBUG);
	libbpf_set_print(opts->verbose ? print_libbpf : NULL);
	if (opts->list)
		return list();
	if (opts->probe)
		return probe();
	if (opts->compare)
		return compare(command);
	return run_bench(command, argc, argv);
}

int main(int argc, char **argv)
{
	_cleanup_command_ struct command command = {};
	struct err err = {};
	int rc;

	log__set_name("bench");
	rc = command__parse(&command, argc, argv, &err);
	if (rc == 1) {
		opts__help(&command.spec, stdout);
		printf("\nMetrics:\n");
		metric__help(SUITE_BENCH, stdout);
		opts__help_status(&command.spec, stdout);
		return EXIT_FINE;
	}
	if (rc < 0) {
		log_err("%s", err.text);
		return rc == -EINVAL ? EXIT_USAGE : EXIT_UNABLE;
	}
	return run_command(&command, argc, argv);
}
