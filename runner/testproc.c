// SPDX-License-Identifier: GPL-2.0-only
#include "testproc.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotated.h"
#include "cleanup.h"
#include "kmsg.h"
#include "test_progs.h"

struct state {
	bool failed, skipped;
	char message[EVENT_MESSAGE_LEN];
};

struct testproc {
	const struct test_case *test;
	const struct runner_opts *opts;
	struct test_env env;
	struct testproc_fds fds;
	struct state own, sub;
	bool in_sub;
	unsigned int number, filtered;
};

/*
 * The functions of test_progs.h have no argument to carry this: a test's
 * process has one test, and this is it.
 */
static struct testproc *current;

static struct state *running(void)
{
	return current->in_sub ? &current->sub : &current->own;
}

static uint64_t log_len(void)
{
	struct stat st;

	fflush(stdout);
	fflush(stderr);
	return fstat(current->fds.log, &st) < 0 ? 0 : (uint64_t)st.st_size;
}

static void send_event(struct event *event)
{
	event->log_len = log_len();
	event->filtered = current->filtered;
	event->number = current->number;
	/* Nobody is left to report to, so there is nothing left to do. */
	if (send(current->fds.sock, event, sizeof(*event), MSG_NOSIGNAL) < 0)
		_exit(1);
}

static void send_end(enum event_kind kind, const struct state *state)
{
	struct event event = { .kind = kind };

	event.outcome = state->failed ? OUTCOME_FAIL : state->skipped ? OUTCOME_SKIP : OUTCOME_PASS;
	memcpy(event.message, state->message, sizeof(event.message));
	send_event(&event);
}

int testproc__splat(const struct runner_opts *opts, int kmsg_fd, char *buf, size_t len)
{
	char line[EVENT_MESSAGE_LEN / 2];
	int rc = kmsg_fd < 0 ? 0 : kmsg__splat(kmsg_fd, opts->kmsg.facility, line, sizeof(line));

	if (rc != 1)
		return rc;
	snprintf(buf, len, "kernel splat%s: %s",
		 opts->workers > 1 ? " (of this or a test beside it)" : "", line);
	return 1;
}

/* What the kernel complains of is worse than whatever else went wrong. */
static void check_splat(void)
{
	struct state *state = running();
	char words[EVENT_MESSAGE_LEN];

	int rc = testproc__splat(current->opts, current->fds.kmsg, words, sizeof(words));

	if (rc < 0)
		printf("there may have been a splat of the kernel: " KMSG_PATH ": %s\n",
		       strerror(-rc));
	if (rc != 1)
		return;
	printf("%s\n", words);
	memcpy(state->message, words, sizeof(state->message));
	state->failed = true;
}

const struct test_env *test__env(void)
{
	return &current->env;
}

bool test__start_subtest(const char *name)
{
	return test__start_subtest_with_desc(name, NULL);
}

bool test__start_subtest_with_desc(const char *name, const char *desc)
{
	struct event event = { .kind = EVENT_SUBTEST };
	const struct test_case *test = current->test;

	test__end_subtest();
	current->number++;
	if (!selector__subtest(&current->opts->selector, test->number, test->name, current->number,
			       name, desc)) {
		current->filtered++;
		return false;
	}
	check_splat();
	current->in_sub = true;
	current->sub = (struct state){};
	snprintf(event.name, sizeof(event.name), "%s", desc ?: name);
	send_event(&event);
	return true;
}

void test__end_subtest(void)
{
	if (!current->in_sub)
		return;
	check_splat();
	send_end(EVENT_SUBTEST_END, &current->sub);
	current->in_sub = false;
}

void test__skip(const char *fmt, ...)
{
	char reason[EVENT_MESSAGE_LEN];
	struct state *state = running();
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	if (current->opts->no_skip) {
		PRINT_FAIL("may not be skipped: %s", reason);
		return;
	}
	state->skipped = true;
	if (!*state->message)
		memcpy(state->message, reason, sizeof(state->message));
}

void test__record_program(const char *name, bool passed, uint64_t xlated_hash)
{
	struct event event = { .kind = EVENT_PROGRAM,
			       .outcome = passed ? OUTCOME_PASS : OUTCOME_FAIL };

	snprintf(event.name, sizeof(event.name), "%s", name);
	snprintf(event.message, sizeof(event.message), "%016" PRIx64, xlated_hash);
	send_event(&event);
}

void test__fail(void)
{
	running()->failed = true;
}

void test__fail_at(const char *file, int line, const char *fmt, ...)
{
	struct state *state = running();
	char reason[EVENT_MESSAGE_LEN];
	int saved_errno = errno;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	reason[strcspn(reason, "\n")] = '\0';
	if (line)
		printf("%s:%d: %s\n", file, line, reason);
	else
		printf("%s: %s\n", file, reason);
	/* A failure's words replace those of a skip before it. */
	if (!state->failed)
		memcpy(state->message, reason, sizeof(state->message));
	state->failed = true;
	errno = saved_errno;
}

static int print_libbpf(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_DEBUG && current->opts->verbose < 3)
		return 0;
	return vprintf(fmt, ap);
}

static void run_object(const char *path)
{
	_cleanup_(annotated__freep) struct annotated *annotated = NULL;
	const struct runner_opts *opts = current->opts;
	struct err err = {};

	if (annotated__open(path, &opts->facts, opts->verbose, &annotated, &err) < 0)
		PRINT_FAIL("%s", err.text);
	else
		annotated__run_subtests(annotated);
}

void testproc__run(const struct test_case *test, const struct runner_opts *opts,
		   const struct testproc_fds *fds)
{
	struct testproc proc = {
		.test = test,
		.opts = opts,
		.env = { .objdir = opts->objdir,
			 .verbose = opts->verbose,
			 .facts = &opts->facts,
			 .seed = opts->seed,
			 .count = opts->count },
		.fds = *fds,
	};

	current = &proc;
	if (dup2(fds->log, STDOUT_FILENO) < 0 || dup2(fds->log, STDERR_FILENO) < 0)
		_exit(1);
	/* Nothing may be lost in a crash; by line is too late to ask for if it was used before. */
	setvbuf(stdout, NULL, _IONBF, 0);
	libbpf_set_print(print_libbpf);
	if (test->run)
		test->run();
	else
		run_object(test->object);
	test__end_subtest();
	check_splat();
	send_end(EVENT_TEST_END, &proc.own);
	exit(0);
}
