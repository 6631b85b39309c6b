// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "cleanup.h"
#include "env.h"
#include "json_summary.h"
#include "kbtf.h"
#include "kmsg.h"
#include "log.h"
#include "opts.h"
#include "pool.h"
#include "printer.h"
#include "recfile.h"
#include "report.h"
#include "timing.h"

enum exit_status { EXIT_PASSED = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SETUP = 3 };

#define MAX_WORKERS 512

struct cli {
	struct runner_opts run;
	bool list, compare, ktap;
	const char *record;
	const char *json;
	const char *output;
};

static int set_names(void *opts, enum selector_list list, enum selector_syntax syntax,
		     const char *arg, struct err *err)
{
	return selector__add(&((struct cli *)opts)->run.selector, list, syntax, arg, err);
}

static int set_name(void *opts, const char *arg, struct err *err)
{
	return set_names(opts, SELECTOR_ALLOW, SELECTOR_SUBSTRING, arg, err);
}

static int set_not_name(void *opts, const char *arg, struct err *err)
{
	return set_names(opts, SELECTOR_DENY, SELECTOR_SUBSTRING, arg, err);
}

static int set_allow(void *opts, const char *arg, struct err *err)
{
	return set_names(opts, SELECTOR_ALLOW, SELECTOR_GLOB, arg, err);
}

static int set_deny(void *opts, const char *arg, struct err *err)
{
	return set_names(opts, SELECTOR_DENY, SELECTOR_GLOB, arg, err);
}

static int set_numbers(void *opts, const char *arg, struct err *err)
{
	return selector__add_numbers(&((struct cli *)opts)->run.selector, arg, err);
}

static int set_workers(void *opts, const char *arg, struct err *err)
{
	int64_t *workers = &((struct cli *)opts)->run.workers;
	cpu_set_t cpus;

	if (!arg) {
		*workers = sched_getaffinity(0, sizeof(cpus), &cpus) < 0 ? 1 : CPU_COUNT(&cpus);
		return 0;
	}
	if (str__to_i64(arg, 10, workers) < 0 || *workers < 1 || *workers > MAX_WORKERS)
		return err__set(err, -EINVAL, "--workers wants 1 to %d, not '%s'", MAX_WORKERS,
				arg);
	return 0;
}

static const struct opt table[] = {
	OPT_CALL(set_name, 't', "name", "NAMES", "run tests with any of NAMES in their name"),
	OPT_CALL(set_not_name, 'b', "name-blacklist", "NAMES", "but none of these"),
	OPT_CALL(set_allow, 'a', "allow", "NAMES",
		 "run tests whose name is any of NAMES (* works)"),
	OPT_CALL(set_deny, 'd', "deny", "NAMES", "but none of these"),
	OPT_CALL(set_numbers, 'n', "num", "NUMS", "run tests by number: 4, 2-5, 7/1-3"),
	OPT_FLAG(struct cli, list, 'l', "list", "list the tests that would run"),
	OPT_COUNT(struct cli, run.verbose, 'v', "verbose",
		  "show all output; -vv, -vvv: more from the verifier"),
	OPT_CALL(set_workers, 'j', "workers", "[=N]", "run N tests at a time (one per CPU)"),
	OPT_INT(struct cli, run.watchdog, 'w', "watchdog-timeout", "SECONDS", 0, 86400,
		"kill a test that makes no progress (120; 0: never, as by counted clocks)"),
	OPT_INT(struct cli, run.seed, 0, "seed", "N", 0, INT64_MAX,
		"random programs: the first one's seed (1)"),
	OPT_INT(struct cli, run.count, 0, "count", "N", 1, INT64_MAX,
		"random programs: how many, one seed after the other (300)"),
	OPT_STR(struct cli, run.objdir, 0, "objdir", "DIR",
		"where the BPF objects are; those with annotations are tests (.output/progs)"),
	OPT_FLAG(struct cli, run.no_skip, 0, "no-skip", "a test that is skipped fails"),
	OPT_FLAG(struct cli, ktap, 0, "ktap", "print KTAP, for programs, in place of lines"),
	OPT_STR(struct cli, json, 'J', "json-summary", "FILE", "write results to FILE as JSON"),
	OPT_STR(struct cli, record, 0, "record", "FILE", "write a recording: FILE and FILE.env"),
	OPT_FLAG(struct cli, compare, 'C', "compare",
		 "compare two recordings, BASE PATCHED: files, folders, lists with commas between"),
	OPT_STR(struct cli, output, 'o', "output-format", "FORMAT",
		"of results or a comparison: table (the default) or csv"),
};

static const struct opt_spec spec = {
	.program = "test_progs",
	.usage = "[options] | -C BASE PATCHED",
	.about = "Runs the functional tests on the kernel that runs now, or compares two "
		 "recordings.\n"
		 "NAMES have commas between them; TEST/SUBTEST selects subtests; @FILE reads "
		 "names\n"
		 "from a file, one a line.",
	.status = "0 no test failed or got worse, 1 one did, 2 usage, or no test matched,\n"
		  "3 something could not be opened, run or compared.",
	.table = table,
	.n = ARRAY_SIZE(table),
};

/*
 * progs/ is built into .output/ beside the program, wherever it is called from;
 * installed or unpacked it is beside the program itself.
 */
static int default_objdir(char **ret_dir)
{
	_cleanup_free_ char *built = NULL;
	char exe[PATH_MAX];
	const char *dir;
	ssize_t n;
	int rc;

	n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (n < 0)
		return -errno;
	exe[n] = '\0';
	dir = dirname(exe);
	rc = str__printf(&built, "%s/.output/progs", dir);
	if (rc < 0)
		return rc;
	if (access(built, F_OK) < 0)
		return str__printf(ret_dir, "%s/progs", dir);
	*ret_dir = TAKE_PTR(built);
	return 0;
}

static enum exit_status list_tests(const struct cli *cli, const struct test_cases *cases)
{
	size_t n = 0;

	for (size_t i = 0; i < cases->cases.n; i++) {
		const struct test_case *test = &cases->cases.v[i];

		if (!selector__test(&cli->run.selector, test->number, test->name))
			continue;
		puts(test->name);
		n++;
	}
	return n ? EXIT_PASSED : EXIT_USAGE;
}

static bool format_is_csv(const struct cli *cli)
{
	return cli->output && streq(cli->output, "csv");
}

static int write_results(const struct cli *cli, const struct results *results, int argc,
			 char **argv, struct err *err)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	int rc;

	rc = results__record(results, &rec);
	if (rc == 0)
		rc = env__collect(rec, "", argc, argv);
	if (rc < 0)
		return err__set(err, rc, "cannot record: %s", strerror(-rc));
	if (cli->json)
		rc = json_summary__write(results, cli->json, err);
	if (rc == 0 && cli->record)
		rc = recfile__write(rec, cli->record, err);
	if (rc == 0 && format_is_csv(cli))
		rc = recfile__print(rec, stdout);
	return rc;
}

static enum exit_status report_results(const struct cli *cli, const struct results *results,
				       int argc, char **argv)
{
	struct err err = {};
	struct results_count count = results__count(results);

	if (!count.ran) {
		log_err("no test matched");
		return EXIT_USAGE;
	}
	cli->run.printer->end(&cli->run, results);
	if (write_results(cli, results, argc, argv, &err) < 0) {
		log_err("%s", err.text);
		return EXIT_SETUP;
	}
	return count.failed ? EXIT_FAILED : EXIT_PASSED;
}

static enum exit_status run_tests(struct cli *cli, const struct test_cases *cases, int argc,
				  char **argv)
{
	struct results results = {};
	enum exit_status status;
	struct err err = {};
	int rc;

	rc = facts__probe(&cli->run.facts, &err);
	kbtf__read();
	if (rc == 0)
		rc = pool__run(cases, &cli->run, &results, &err);
	if (rc == 0) {
		status = report_results(cli, &results, argc, argv);
	} else {
		log_err("%s", err.text);
		if (rc == -EINTR)
			cli->run.printer->end(&cli->run, &results);
		status = EXIT_SETUP;
	}
	results__clear(&results);
	return status;
}

/* Names select rows of a comparison as they select tests; numbers are not recorded. */
static bool keep_row(const void *ctx, const char *object, const char *program)
{
	return selector__test(ctx, 0, object) &&
	       (!*program || selector__subtest(ctx, 0, object, 0, program, NULL));
}

static enum exit_status compare_files(const struct cli *cli, const struct opt_list *args)
{
	struct report_opts opts = {
		.format = format_is_csv(cli) ? REPORT_CSV : REPORT_TABLE,
		.keep = keep_row,
		.ctx = &cli->run.selector,
	};
	struct err err = {};
	int status;

	if (args->n != 2) {
		log_err("-C wants two recordings, BASE and PATCHED, not %zu", args->n);
		return EXIT_USAGE;
	}
	status = report__compare_files(SUITE_TEST_PROGS, args->v[0], args->v[1], &opts, stdout,
				       &err);
	if (*err.text)
		log_err("%s", err.text);
	return status;
}

static enum exit_status test_progs(struct cli *cli, const struct opt_list *args, int argc,
				   char **argv)
{
	_cleanup_(test_cases__clear) struct test_cases cases = {};
	/* Ours has objects whose annotations are wrong on purpose, for tests. */
	bool any = cli->run.objdir;
	_cleanup_free_ char *objdir = NULL;
	struct err err = {};

	if (cli->output && !streq(cli->output, "table") && !streq(cli->output, "csv")) {
		log_err("--output-format wants table or csv, not '%s'", cli->output);
		return EXIT_USAGE;
	}
	if (cli->ktap && (cli->compare || format_is_csv(cli))) {
		log_err("--ktap is of tests that run, and alone on stdout: leave out %s",
			cli->compare ? "-C" : "-o csv");
		return EXIT_USAGE;
	}
	if (cli->compare)
		return compare_files(cli, args);
	if (args->n) {
		log_err("unexpected argument '%s' (see --help)", args->v[0]);
		return EXIT_USAGE;
	}
	if (!cli->run.objdir) {
		if (default_objdir(&objdir) < 0) {
			log_err("cannot tell where the program is: give --objdir");
			return EXIT_SETUP;
		}
		cli->run.objdir = objdir;
	}
	if (test_cases__collect(&cases, cli->run.objdir, any, &err) < 0) {
		log_err("%s", err.text);
		return EXIT_SETUP;
	}
	if (cli->list)
		return list_tests(cli, &cases);
	cli->run.printer = cli->ktap ? &printer_ktap : &printer_text;
	cli->run.out = format_is_csv(cli) ? stderr : stdout;
	return run_tests(cli, &cases, argc, argv);
}

/*
 * A clock that counts instructions leaps while the guest waits for its files,
 * so it can't tell a test that hangs. Whoever started the guest has a limit.
 */
static int64_t default_watchdog(void)
{
	const struct timing_clock *clock;

	if (timing__clock(getenv("BPF_AB_CLOCK"), &clock, NULL) == 0 &&
	    clock->kind == TIMING_COUNTED)
		return 0;
	return 120;
}

int main(int argc, char **argv)
{
	struct cli cli = { .run = { .workers = 1,
				    .watchdog = default_watchdog(),
				    .seed = 1,
				    .count = 300,
				    .kmsg = { KMSG_PATH, KMSG_FROM_KERNEL } } };
	struct opt_list args = {};
	enum exit_status status;
	struct err err = {};
	int rc;

	log__set_name("test_progs");
	rc = opts__parse(&spec, argc, argv, &cli, &args, &err);
	if (rc < 0) {
		log_err("%s", err.text);
		status = EXIT_USAGE;
	} else if (rc > 0) {
		opts__help(&spec, stdout);
		opts__help_status(&spec, stdout);
		status = EXIT_PASSED;
	} else {
		status = test_progs(&cli, &args, argc, argv);
	}
	selector__clear(&cli.run.selector);
	vec_free(&args);
	return status;
}
