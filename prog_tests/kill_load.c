// SPDX-License-Identifier: GPL-2.0-only
/*
 * SIGKILL ends a load wherever it is. Told by CPU time, which waits for nobody:
 * a load that is killed half way has used much less of it than a whole one.
 */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader.h"
#include "test_progs.h"

enum { CHILD_LOADED = 0, CHILD_FAILED = 1, ATTEMPTS = 5 };

static int load_long(const char *path)
{
	_cleanup_loader_ struct loader *loader = NULL;
	struct load_result result = { .fd = -1 };

	if (loader__open(path, NULL, &loader, NULL) < 0 ||
	    loader__load(loader, 0, &(struct load_opts){}, &result) < 0 || result.fd < 0)
		return CHILD_FAILED;
	return CHILD_LOADED;
}

static pid_t start_load(const char *path)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(load_long(path));
	ASSERT_GE(pid, 0, "fork");
	return pid;
}

/* System time of a child that has ended, in nanoseconds. */
static uint64_t reap(pid_t pid, int *ret_status)
{
	struct rusage usage = {};

	ASSERT_EQ(wait4(pid, ret_status, 0, &usage), pid, "wait");
	return usage.ru_stime.tv_sec * 1000000000ULL + usage.ru_stime.tv_usec * 1000ULL +
	       usage.ru_utime.tv_sec * 1000000000ULL + usage.ru_utime.tv_usec * 1000ULL;
}

/* Waits until the child has used that much; false: it has ended before. */
static bool wait_for_cpu(pid_t pid, uint64_t ns)
{
	struct timespec used = {}, pause = { .tv_nsec = 1000 * 1000 };
	clockid_t clock;

	if (!ASSERT_OK(clock_getcpuclockid(pid, &clock), "clock of the child"))
		return false;
	while (used.tv_sec * 1000000000ULL + used.tv_nsec < ns) {
		siginfo_t info = {};

		if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid)
			return false;
		nanosleep(&pause, NULL);
		if (!ASSERT_OK(clock_gettime(clock, &used), "clock of the child"))
			return false;
	}
	return true;
}

/* Its CPU time, killed after it had used that much; the whole if it was too fast for us. */
static uint64_t load_and_kill(const char *path, uint64_t ns, uint64_t whole)
{
	pid_t pid = start_load(path);
	uint64_t used;
	bool in_time;
	int status;

	if (pid < 0)
		return whole;
	in_time = wait_for_cpu(pid, ns);
	kill(pid, SIGKILL);
	used = reap(pid, &status);
	if (!in_time || WIFEXITED(status))
		return whole;
	ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "killed");
	return used;
}

/*
 * At num/den of its CPU time. We may be late, if this machine has better things
 * to do; but a kernel that doesn't listen to the signal is late each time.
 */
static void kill_at(const char *path, uint64_t whole, int num, int den)
{
	uint64_t at = whole * num / den, limit = at + whole / 5, used = whole;

	for (int i = 0; i < ATTEMPTS && used >= limit; i++) {
		used = load_and_kill(path, at, whole);
		printf("killed at %llu of %llu us: ended at %llu us\n",
		       (unsigned long long)at / 1000, (unsigned long long)whole / 1000,
		       (unsigned long long)used / 1000);
	}
	ASSERT_LT(used, limit, "CPU time of a killed load");
}

void test_kill_load(void)
{
	_cleanup_free_ char *path = NULL;
	uint64_t whole;
	pid_t pid;
	int status;

	if (!ASSERT_OK(str__printf(&path, "%s/growth_long.bpf.o", test__env()->objdir), "path"))
		return;
	pid = start_load(path);
	if (pid < 0)
		return;
	whole = reap(pid, &status);
	if (!ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == CHILD_LOADED, "whole load"))
		return;
	if (test__start_subtest("early"))
		kill_at(path, whole, 1, 4);
	if (test__start_subtest("late"))
		kill_at(path, whole, 3, 5);
}
