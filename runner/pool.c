// SPDX-License-Identifier: GPL-2.0-only
#include "pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "kmsg.h"
#include "log.h"
#include "printer.h"
#include "testproc.h"

#define NOTE_AFTER 10 /* seconds without progress, as upstream */

/* A test that is running. */
struct slot {
	struct test_result *result;
	struct subtest_result *subtest; /* the one that is running, or NULL */
	pid_t pid;
	int pidfd, sock, kmsg;
	int64_t progress; /* when something was last heard of it */
	bool noted, killed;
	bool returned; /* the test function did, and said what came of it */
};

struct pool {
	const struct runner_opts *opts;
	struct results *results;
	size_t ended; /* tests */
	VEC(struct slot) slots;
	int signals;
	bool kmsg_noted; /* that it can't be read */
	sigset_t old_mask;
};

static int64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static int set_message(char **message, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*message);
	*message = copy;
	return 0;
}

/* The child's side of starting a test. Does not return. */
static void child_run(const struct pool *pool, const struct test_result *result, pid_t parent,
		      int sock, int kmsg)
{
	/* A group of its own, so that what it leaves running can be found. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	sigprocmask(SIG_SETMASK, &pool->old_mask, NULL);
	testproc__run(result->test, pool->opts,
		      &(struct testproc_fds){ .sock = sock, .log = result->log_fd, .kmsg = kmsg });
}

/* -1: splats go unnoticed, and that has been said. */
static int open_kmsg(struct pool *pool)
{
	struct err err = {};
	int fd = -1;

	if (!pool->opts->kmsg.path || pool->kmsg_noted)
		return -1;
	if (kmsg__open(pool->opts->kmsg.path, &fd, &err) < 0) {
		log_warn("splats of the kernel go unnoticed: %s", err.text);
		pool->kmsg_noted = true;
	}
	return fd;
}

static int slot_start(struct pool *pool, struct test_result *result, struct err *err)
{
	_cleanup_close_ int sock = -1, child_sock = -1, pidfd = -1, kmsg = open_kmsg(pool);
	pid_t parent = getpid(), pid;
	int pair[2];

	result->log_fd = memfd_create(result->test->name, MFD_CLOEXEC);
	if (result->log_fd < 0)
		return err__set(err, -errno, "no memory for a test's output: %s", strerror(errno));
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return err__set(err, -errno, "socketpair: %s", strerror(errno));
	sock = pair[0];
	child_sock = pair[1];
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return err__set(err, -errno, "fork: %s", strerror(errno));
	if (pid == 0) {
		close(sock);
		child_run(pool, result, parent, child_sock, kmsg);
	}
	/* Both sides do it, so that it is done before either relies on it. */
	setpgid(pid, pid);
	pidfd = syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0) {
		int rc = -errno;

		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return err__set(err, rc, "pidfd_open: %s", strerror(-rc));
	}
	struct slot slot = { .result = result, .pid = pid, .progress = now() };

	slot.sock = sock;
	slot.pidfd = pidfd;
	slot.kmsg = kmsg;
	if (vec_push(&pool->slots, slot) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	(void)TAKE_FD(sock);
	(void)TAKE_FD(pidfd);
	(void)TAKE_FD(kmsg);
	return 0;
}

static void end_subtest(struct slot *slot, enum outcome outcome, const char *message,
			size_t log_len, const struct pool *pool)
{
	const struct runner_opts *opts = pool->opts;
	struct subtest_result *subtest = slot->subtest;

	slot->subtest = NULL;
	subtest->outcome = outcome;
	subtest->log_end = log_len;
	set_message(&subtest->message, message);
	if (opts->printer->subtest) {
		opts->printer->subtest(opts, slot->result, subtest);
		fflush(opts->out);
	}
}

static int slot_event(const struct pool *pool, struct slot *slot, const struct event *event)
{
	struct test_result *result = slot->result;

	slot->progress = now();
	slot->noted = false;
	result->filtered = event->filtered;
	switch (event->kind) {
	case EVENT_SUBTEST:
		slot->subtest =
			test_result__begin(result, event->number, event->name, event->log_len);
		return slot->subtest ? 0 : -ENOMEM;
	case EVENT_SUBTEST_END:
		if (slot->subtest)
			end_subtest(slot, event->outcome, event->message, event->log_len, pool);
		return 0;
	case EVENT_PROGRAM:
		return test_result__add_program(result, event->name, event->outcome,
						event->message);
	case EVENT_TEST_END:
		result->own = event->outcome;
		slot->returned = true;
		return set_message(&result->message, event->message);
	}
	return -EINVAL;
}

/* All messages that are there. */
static int slot_receive(const struct pool *pool, struct slot *slot)
{
	struct event event;
	int rc = 0;

	while (rc == 0 && recv(slot->sock, &event, sizeof(event), MSG_DONTWAIT) == sizeof(event))
		rc = slot_event(pool, slot, &event);
	return rc;
}

/* How a process ended, as a sentence; "": as it should. */
static void death_words(const struct pool *pool, const struct slot *slot, const siginfo_t *info,
			char *buf, size_t len)
{
	*buf = '\0';
	if (slot->killed)
		snprintf(buf, len, "killed: no progress for %ld s", (long)pool->opts->watchdog);
	else if (info->si_code != CLD_EXITED)
		snprintf(buf, len, "killed by signal %d (%s)", info->si_status,
			 strsignal(info->si_status));
	else if (info->si_status || !slot->returned)
		snprintf(buf, len, "exited with status %d before the test was over",
			 info->si_status);
}

/* What the test's process could not tell itself: its end, and what the kernel said to that. */
static void slot_end(const struct pool *pool, struct slot *slot, const siginfo_t *info)
{
	struct test_result *result = slot->result;
	char words[128], splat[EVENT_MESSAGE_LEN] = "", message[sizeof(words) + sizeof(splat) + 2];

	int rc = testproc__splat(pool->opts, slot->kmsg, splat, sizeof(splat));

	if (rc < 0)
		log_warn("%s: there may have been a splat of the kernel: %s", result->test->name,
			 strerror(-rc));
	death_words(pool, slot, info, words, sizeof(words));
	if (!*words && !*splat)
		return;
	snprintf(message, sizeof(message), "%s%s%s", words, *words && *splat ? "; " : "", splat);
	if (slot->subtest) {
		end_subtest(slot, OUTCOME_FAIL, message, result->log_len, pool);
	} else {
		result->own = OUTCOME_FAIL;
		set_message(&result->message, message);
	}
}

static void slot_close(const struct slot *slot)
{
	close(slot->sock);
	close(slot->pidfd);
	if (slot->kmsg >= 0)
		close(slot->kmsg);
}

static int slot_finish(struct pool *pool, struct slot *slot)
{
	const struct runner_opts *opts = pool->opts;
	struct test_result *result = slot->result;
	siginfo_t info = {};
	struct stat st;
	int rc;

	rc = slot_receive(pool, slot);
	/* Before it is reaped, while its group cannot be anybody else's. */
	kill(-slot->pid, SIGKILL);
	if (waitid(P_PID, slot->pid, &info, WEXITED) < 0)
		rc = -errno;
	result->log_len = fstat(result->log_fd, &st) < 0 ? 0 : st.st_size;
	slot_end(pool, slot, &info);
	slot_close(slot);
	result->done = true;
	pool->ended++;
	if (opts->printer->test) {
		opts->printer->test(opts, result, pool->ended);
		fflush(opts->out);
	}
	/* Only failures are shown once more. */
	if (test_result__outcome(result) != OUTCOME_FAIL) {
		close(result->log_fd);
		result->log_fd = -1;
	}
	return rc;
}

static void slot_watch(const struct pool *pool, struct slot *slot)
{
	int64_t idle = now() - slot->progress, limit = pool->opts->watchdog;
	const struct test_case *test = slot->result->test;

	if (!limit || slot->killed)
		return;
	if (idle >= limit) {
		slot->killed = true;
		kill(-slot->pid, SIGKILL);
	} else if (idle >= NOTE_AFTER && !slot->noted) {
		slot->noted = true;
		log_warn("%s%s%s: no progress for %d s, is killed after %ld", test->name,
			 slot->subtest ? "/" : "", slot->subtest ? slot->subtest->name : "",
			 NOTE_AFTER, (long)limit);
	}
}

/* Waits for something to happen; -EINTR: a signal told us to stop. */
static int pool_wait(struct pool *pool)
{
	size_t n = pool->slots.n;
	struct pollfd fds[2 * n + 1];
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		fds[2 * i] = (struct pollfd){ .fd = pool->slots.v[i].sock, .events = POLLIN };
		fds[2 * i + 1] = (struct pollfd){ .fd = pool->slots.v[i].pidfd, .events = POLLIN };
	}
	fds[2 * n] = (struct pollfd){ .fd = pool->signals, .events = POLLIN };
	if (poll(fds, 2 * n + 1, 1000) < 0 && errno != EINTR)
		return -errno;
	if (fds[2 * n].revents)
		return -EINTR;
	/* Backwards: a slot that is free is filled with the last one. */
	for (size_t i = n; rc == 0 && i-- > 0;) {
		if (fds[2 * i].revents & POLLIN)
			rc = slot_receive(pool, &pool->slots.v[i]);
		if (fds[2 * i + 1].revents) {
			rc = slot_finish(pool, &pool->slots.v[i]);
			pool->slots.v[i] = pool->slots.v[--pool->slots.n];
		} else if (rc == 0) {
			slot_watch(pool, &pool->slots.v[i]);
		}
	}
	return rc;
}

static void pool_kill(struct pool *pool)
{
	for (size_t i = 0; i < pool->slots.n; i++) {
		kill(-pool->slots.v[i].pid, SIGKILL);
		waitpid(pool->slots.v[i].pid, NULL, 0);
		slot_close(&pool->slots.v[i]);
	}
	pool->slots.n = 0;
}

static int pool_loop(struct pool *pool, struct err *err)
{
	struct results *results = pool->results;
	size_t next = 0;
	int rc = 0;

	while (rc == 0 && (next < results->tests.n || pool->slots.n)) {
		if (next < results->tests.n && (int64_t)pool->slots.n < pool->opts->workers)
			rc = slot_start(pool, &results->tests.v[next++], err);
		else
			rc = pool_wait(pool);
	}
	return rc;
}

static int select_tests(const struct test_cases *cases, const struct selector *selector,
			struct results *results)
{
	for (size_t i = 0; i < cases->cases.n; i++) {
		const struct test_case *test = &cases->cases.v[i];
		struct test_result result = { .test = test, .log_fd = -1 };

		if (!selector__test(selector, test->number, test->name))
			continue;
		if (vec_push(&results->tests, result) < 0)
			return -ENOMEM;
	}
	return 0;
}

int pool__run(const struct test_cases *cases, const struct runner_opts *opts,
	      struct results *ret_results, struct err *err)
{
	struct pool pool = { .opts = opts, .results = ret_results };
	_cleanup_close_ int signals = -1;
	sigset_t stop;
	int rc;

	rc = select_tests(cases, &opts->selector, ret_results);
	if (rc < 0)
		return err__set(err, rc, "out of memory");
	if (opts->printer->begin)
		opts->printer->begin(opts, ret_results->tests.n);
	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGTERM);
	sigprocmask(SIG_BLOCK, &stop, &pool.old_mask);
	signals = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);
	pool.signals = signals;
	if (signals < 0)
		rc = err__set(err, -errno, "signalfd: %s", strerror(errno));
	else
		rc = pool_loop(&pool, err);
	pool_kill(&pool);
	if (rc == -EINTR)
		err__set(err, rc, "interrupted");
	else if (rc < 0 && err && !*err->text)
		err__set(err, rc, "cannot run tests: %s", strerror(-rc));
	vec_free(&pool.slots);
	return rc;
}
