// SPDX-License-Identifier: GPL-2.0-only
/*
 * The runner itself, run inside of a test on made-up ones: whatever a test
 * does to its process, it gets the right result and the others theirs.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cleanup.h"
#include "kmsg.h"
#include "pool.h"
#include "printer.h"
#include "test_progs.h"

static void passes(void)
{
	printf("all is well\n");
}

static void fails(void)
{
	ASSERT_EQ(1 + 1, 3, "sum");
	ASSERT_TRUE(false, "second failure");
}

static void skips(void)
{
	test__skip("no %s here", "hardware");
}

static void fails_and_skips(void)
{
	test__skip("too late");
	ASSERT_TRUE(false, "before");
}

/* Past the handlers that sanitizers put in. */
static void die_of(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static void crashes(void)
{
	printf("last words\n");
	die_of(SIGSEGV);
}

static void crashes_in_subtest(void)
{
	test__start_subtest("first");
	test__start_subtest("second");
	die_of(SIGBUS);
}

static void exits(void)
{
	exit(0);
}

static void hangs(void)
{
	for (;;)
		pause();
}

static void leaves_child(void)
{
	if (fork() == 0)
		hangs();
}

static void has_subtests(void)
{
	if (test__start_subtest("good"))
		ASSERT_TRUE(true, "holds");
	if (test__start_subtest("bad"))
		ASSERT_TRUE(false, "does not hold");
	if (test__start_subtest("skipped"))
		test__skip("not today");
}

static void has_bad_names(void)
{
	if (test__start_subtest("the #1 of\ntwo"))
		ASSERT_TRUE(true, "holds");
	if (test__start_subtest("two"))
		PRINT_FAIL("SKIP is a word\n# and this a line");
}

static void skips_all_subtests(void)
{
	if (test__start_subtest("one"))
		test__skip("not today");
	if (test__start_subtest("two"))
		test__skip("nor tomorrow");
}

/*
 * Splats that are made up: at a level that no console shows, and from a
 * facility that only the runs of this process listen to. There are 127; those
 * up to 23 have names.
 */
#define FAKE_SPLAT  "WARNING: CPU: 0 PID: 1 at made_up.c:7 made_up+0x0/0x1"
#define LEVEL_DEBUG 7

static unsigned int fake_facility(pid_t pid)
{
	return 24 + pid % 100;
}

/* From inside of a run, whose parent is the process that listens. */
static void log_to_kernel(const char *line)
{
	_cleanup_close_ int fd = open(KMSG_PATH, O_WRONLY | O_CLOEXEC);
	char record[256];

	snprintf(record, sizeof(record), "<%u>%s\n", fake_facility(getppid()) << 3 | LEVEL_DEBUG,
		 line);
	ASSERT_EQ(write(fd, record, strlen(record)), strlen(record), "write to the kernel's log");
}

static void splats(void)
{
	printf("all is well\n");
	log_to_kernel(FAKE_SPLAT);
	log_to_kernel("BUG: the second line of note");
}

static void splats_in_subtest(void)
{
	for (const char *name = "abc"; *name; name++) {
		if (test__start_subtest((char[]){ *name, 0 }) && *name == 'b')
			log_to_kernel(FAKE_SPLAT);
	}
}

static void splats_and_crashes(void)
{
	log_to_kernel(FAKE_SPLAT);
	die_of(SIGSEGV);
}

static void splats_when_over(void)
{
	atexit(splats);
}

static void logs_no_splat(void)
{
	log_to_kernel("made_up: no WARNING: at all");
}

/* What a run of one test is set up with, and what is expected of it. */
static const struct run {
	const char *name;
	void (*run)(void);
	const char *select; /* "test/subtest", or NULL */
	bool no_skip, needs_kmsg;
	int watchdog;
	enum outcome outcome;
	const char *message;
	const char *log; /* printed along, or NULL */
	const char *summary;
} runs[] = {
	{ "passes", passes, .outcome = OUTCOME_PASS, .message = "",
	  .summary = "Summary: 1/0 PASSED, 0 SKIPPED, 0 FAILED" },
	{ "fails", fails, .outcome = OUTCOME_FAIL, .message = "sum: is 2, expected == 3",
	  .log = "second failure", .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "skips", skips, .outcome = OUTCOME_SKIP, .message = "no hardware here",
	  .summary = "Summary: 0/0 PASSED, 1 SKIPPED, 0 FAILED" },
	{ "skips with --no-skip", skips, .no_skip = true, .outcome = OUTCOME_FAIL,
	  .message = "may not be skipped: no hardware here",
	  .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "fails and skips", fails_and_skips, .outcome = OUTCOME_FAIL,
	  .message = "before: is false", .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "crashes", crashes, .outcome = OUTCOME_FAIL, .message = "killed by signal 11",
	  .log = "last words", .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "crashes in a subtest", crashes_in_subtest, .outcome = OUTCOME_FAIL, .message = "",
	  .log = "second:FAIL (killed by signal 7",
	  .summary = "Summary: 0/1 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "exits", exits, .outcome = OUTCOME_FAIL, .message = "exited with status 0",
	  .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "hangs", hangs, .watchdog = 1, .outcome = OUTCOME_FAIL,
	  .message = "killed: no progress for 1 s",
	  .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "leaves a child", leaves_child, .outcome = OUTCOME_PASS, .message = "",
	  .summary = "Summary: 1/0 PASSED, 0 SKIPPED, 0 FAILED" },
	{ "has subtests", has_subtests, .outcome = OUTCOME_FAIL, .message = "",
	  .log = "bad:FAIL (does not hold: is false",
	  .summary = "Summary: 0/1 PASSED, 1 SKIPPED, 1 FAILED" },
	{ "has subtests, one asked for", has_subtests, .select = "made_up/good",
	  .outcome = OUTCOME_PASS, .message = "",
	  .summary = "Summary: 1/1 PASSED, 0 SKIPPED, 0 FAILED" },
	{ "has subtests, none asked for", has_subtests, .select = "made_up/other",
	  .outcome = OUTCOME_PASS, .message = "",
	  .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 0 FAILED" },
	{ "skips all subtests", skips_all_subtests, .outcome = OUTCOME_SKIP, .message = "",
	  .log = "SKIP (nor tomorrow)", .summary = "Summary: 0/0 PASSED, 2 SKIPPED, 0 FAILED" },
	{ "splats", splats, .needs_kmsg = true, .outcome = OUTCOME_FAIL,
	  .message = "kernel splat: " FAKE_SPLAT, .log = "all is well",
	  .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "splats in a subtest", splats_in_subtest, .needs_kmsg = true, .outcome = OUTCOME_FAIL,
	  .message = "", .log = "b:FAIL (kernel splat: " FAKE_SPLAT ")",
	  .summary = "Summary: 0/2 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "splats and crashes", splats_and_crashes, .needs_kmsg = true, .outcome = OUTCOME_FAIL,
	  .message = "); kernel splat: " FAKE_SPLAT,
	  .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "splats when it is over", splats_when_over, .needs_kmsg = true, .outcome = OUTCOME_FAIL,
	  .message = "kernel splat: " FAKE_SPLAT,
	  .summary = "Summary: 0/0 PASSED, 0 SKIPPED, 1 FAILED" },
	{ "logs what is no splat", logs_no_splat, .needs_kmsg = true, .outcome = OUTCOME_PASS,
	  .message = "", .summary = "Summary: 1/0 PASSED, 0 SKIPPED, 0 FAILED" },
};

/* Reading and writing are two permissions. */
static bool skip_without_kmsg(void)
{
	_cleanup_close_ int out = open(KMSG_PATH, O_WRONLY | O_CLOEXEC), in = -1;
	struct err err = {};

	if (out < 0)
		test__skip(KMSG_PATH ": cannot be written to: %s", strerror(errno));
	else if (kmsg__open(KMSG_PATH, &in, &err) < 0)
		test__skip("%s", err.text);
	return in < 0;
}

static void check_printed(const struct run *run, const struct results *results, FILE *out,
			  char **text)
{
	results__print_summary(results, out);
	fflush(out);
	ASSERT_HAS_SUBSTR(*text, run->summary, "summary");
	if (run->log)
		ASSERT_HAS_SUBSTR(*text, run->log, "output");
}

static void check_run(const struct run *run)
{
	struct test_case test = { .number = 1, .name = "made_up", .run = run->run };
	struct runner_opts opts = { .workers = 1,
				    .printer = &printer_text,
				    .watchdog = run->watchdog,
				    .kmsg = { KMSG_PATH, fake_facility(getpid()) },
				    .no_skip = run->no_skip };
	struct test_cases cases = {};
	struct results results = {};
	_cleanup_free_ char *text = NULL;
	struct err err = {};
	size_t len;

	if (run->needs_kmsg && skip_without_kmsg())
		return;
	opts.out = open_memstream(&text, &len);
	if (!ASSERT_OK_PTR(opts.out, "memory stream") ||
	    !ASSERT_OK(vec_push(&cases.cases, test), "case"))
		return;
	if (run->select)
		ASSERT_OK(selector__add(&opts.selector, SELECTOR_ALLOW, SELECTOR_GLOB, run->select,
					&err),
			  "selector");
	if (ASSERT_OK(pool__run(&cases, &opts, &results, &err), err.text) &&
	    ASSERT_EQ(results.tests.n, 1, "results")) {
		const struct test_result *result = &results.tests.v[0];

		ASSERT_EQ(test_result__outcome(result), run->outcome, "outcome");
		ASSERT_HAS_SUBSTR(result->message ?: "", run->message, "message");
		check_printed(run, &results, opts.out, &text);
	}
	results__clear(&results);
	selector__clear(&opts.selector);
	vec_free(&cases.cases);
	fclose(opts.out);
}

/* Several at a time, of which some end badly: each result belongs to its test. */
static void check_parallel(void)
{
	struct runner_opts opts = { .workers = 4, .printer = &printer_text };
	struct test_cases cases = {};
	struct results results = {};
	struct err err = {};

	opts.out = fopen("/dev/null", "w");
	if (!ASSERT_OK_PTR(opts.out, "/dev/null"))
		return;
	for (unsigned int i = 0; i < 12; i++) {
		struct test_case test = { .number = i + 1, .name = "made_up" };

		test.run = i % 3 == 0 ? passes : i % 3 == 1 ? crashes : fails;
		ASSERT_OK(vec_push(&cases.cases, test), "case");
	}
	ASSERT_OK(pool__run(&cases, &opts, &results, &err), err.text);
	ASSERT_EQ(results.tests.n, 12, "results");
	for (size_t i = 0; i < results.tests.n; i++)
		ASSERT_EQ(test_result__outcome(&results.tests.v[i]),
			  i % 3 ? OUTCOME_FAIL : OUTCOME_PASS, "outcome");
	results__clear(&results);
	vec_free(&cases.cases);
	fclose(opts.out);
}

/* Names and messages cannot be mistaken for parts of the format. */
static void check_ktap(void)
{
	struct test_case test = { .number = 7, .name = "made_up", .run = has_bad_names };
	struct runner_opts opts = { .workers = 1, .printer = &printer_ktap };
	struct test_cases cases = {};
	struct results results = {};
	_cleanup_free_ char *text = NULL;
	struct err err = {};
	size_t len;

	opts.out = open_memstream(&text, &len);
	if (!ASSERT_OK_PTR(opts.out, "memory stream") ||
	    !ASSERT_OK(vec_push(&cases.cases, test), "case"))
		return;
	ASSERT_OK(pool__run(&cases, &opts, &results, &err), err.text);
	fclose(opts.out);
	ASSERT_HAS_SUBSTR(text, "KTAP version 1\n1..1\n  KTAP version 1\n  1..2\n", "begin");
	ASSERT_HAS_SUBSTR(text, "\n  ok 1 the _1 of two\n", "name");
	ASSERT_HAS_SUBSTR(text, "\n  # SKIP is a word\n  not ok 2 two\nnot ok 1 made_up\n",
			  "message");
	results__clear(&results);
	vec_free(&cases.cases);
}

/* What a run of two tests says on stderr where the kernel's log can't be read. */
static void run_without_kmsg(int stderr_fd)
{
	struct test_case test = { .number = 1, .name = "made_up", .run = passes };
	struct runner_opts opts = { .workers = 1,
				    .printer = &printer_text,
				    .kmsg = { "/no/such/kmsg", KMSG_FROM_KERNEL } };
	_cleanup_close_ int saved = dup(STDERR_FILENO);
	struct test_cases cases = {};
	struct results results = {};
	struct err err = {};

	if (!ASSERT_OK_FD(saved, "stderr"))
		return;
	opts.out = fopen("/dev/null", "w");
	if (!ASSERT_OK_PTR(opts.out, "/dev/null"))
		return;
	ASSERT_OK(vec_push(&cases.cases, test), "case");
	ASSERT_OK(vec_push(&cases.cases, test), "case");
	dup2(stderr_fd, STDERR_FILENO);
	ASSERT_OK(pool__run(&cases, &opts, &results, &err), err.text);
	dup2(saved, STDERR_FILENO);
	ASSERT_EQ(results__count(&results).passed, 2, "passed");
	results__clear(&results);
	vec_free(&cases.cases);
	fclose(opts.out);
}

static void check_no_kmsg(void)
{
	static const char note[] = "splats of the kernel go unnoticed: /no/such/kmsg";
	_cleanup_close_ int fd = memfd_create("stderr", MFD_CLOEXEC);
	char text[512] = "";
	const char *first;

	if (!ASSERT_OK_FD(fd, "memfd"))
		return;
	run_without_kmsg(fd);
	ASSERT_GE(pread(fd, text, sizeof(text) - 1, 0), 0, "stderr");
	first = strstr(text, note);
	if (ASSERT_HAS_SUBSTR(text, note, "note"))
		ASSERT_NULL(strstr(first + 1, note), "second note");
}

/* The child that a test left behind closes its end when it is killed, and only then. */
static void check_nothing_left(void)
{
	struct pollfd fd;
	int pair[2];

	if (!ASSERT_OK(pipe2(pair, O_CLOEXEC), "pipe"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		if (runs[i].run == leaves_child)
			check_run(&runs[i]);
	}
	close(pair[1]);
	fd = (struct pollfd){ .fd = pair[0], .events = POLLIN };
	ASSERT_EQ(poll(&fd, 1, 10000), 1, "end of what was left running");
	ASSERT_TRUE(fd.revents & POLLHUP, "hangup");
	close(pair[0]);
}

void test_isolation(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		if (test__start_subtest(runs[i].name))
			check_run(&runs[i]);
	}
	if (test__start_subtest("in parallel"))
		check_parallel();
	if (test__start_subtest("no kernel log"))
		check_no_kmsg();
	if (test__start_subtest("ktap"))
		check_ktap();
	if (test__start_subtest("nothing is left running"))
		check_nothing_left();
}
