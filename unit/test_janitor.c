// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "janitor.h"

struct paths {
	char root[64], dir[128], sub[192], file[256];
};

static int setup(void **state)
{
	static struct paths p;

	strcpy(p.root, "/tmp/test_janitor.XXXXXX");
	if (!mkdtemp(p.root))
		return -1;
	snprintf(p.dir, sizeof(p.dir), "%s/dir", p.root);
	snprintf(p.sub, sizeof(p.sub), "%s/sub", p.dir);
	snprintf(p.file, sizeof(p.file), "%s/file", p.sub);
	*state = &p;
	return 0;
}

static int teardown(void **state)
{
	struct paths *p = *state;

	unlink(p->file);
	rmdir(p->sub);
	rmdir(p->dir);
	return rmdir(p->root);
}

static void make_file(const char *path)
{
	_cleanup_close_ int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
}

/* Registers dir, dir/sub and dir/sub/file in that order and makes them. */
static void register_and_make(struct janitor *j, const struct paths *p)
{
	assert_int_equal(janitor__add_dir(j, p->dir), 0);
	assert_int_equal(janitor__add_dir(j, p->sub), 0);
	assert_int_equal(janitor__add_file(j, p->file), 0);
	assert_int_equal(mkdir(p->dir, 0700), 0);
	assert_int_equal(mkdir(p->sub, 0700), 0);
	make_file(p->file);
}

static bool gone(const char *path)
{
	return access(path, F_OK) < 0 && errno == ENOENT;
}

/* The janitor of a dead process works on its own time. */
static bool gone_soon(const char *path)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000000L };

	for (int i = 0; i < 1000; i++) {
		if (gone(path))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void test_done_removes_last_first(void **state)
{
	struct paths *p = *state;
	struct janitor *j = NULL;

	assert_int_equal(janitor__start(&j, NULL), 0);
	register_and_make(j, p);
	assert_int_equal(janitor__done(j), 0);
	assert_true(gone(p->dir));
}

static void test_removes_after_sigkill(void **state)
{
	struct paths *p = *state;
	int ready[2], hold[2], status;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(hold), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct janitor *j = NULL;

		if (janitor__start(&j, NULL) < 0)
			_exit(1);
		register_and_make(j, p);
		close(hold[1]);
		/* This one inherits the janitor's pipe and outlives us: no reason to wait. */
		if (fork() == 0)
			_exit(read(hold[0], &byte, 1) != 0);
		if (write(ready[1], "r", 1) != 1)
			_exit(1);
		pause();
		_exit(1);
	}
	close(ready[1]);
	close(hold[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	assert_false(gone(p->file));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_true(gone_soon(p->dir));
	close(hold[1]);
}

static void test_absent_things_are_no_error(void **state)
{
	struct paths *p = *state;
	struct janitor *j = NULL;

	assert_int_equal(janitor__start(&j, NULL), 0);
	assert_int_equal(janitor__add_dir(j, p->dir), 0);
	assert_int_equal(janitor__add_file(j, p->file), 0);
	assert_int_equal(janitor__done(j), 0);
}

static void test_unregistered_things_stay(void **state)
{
	struct paths *p = *state;
	struct janitor *j = NULL;

	assert_int_equal(mkdir(p->dir, 0700), 0);
	assert_int_equal(mkdir(p->sub, 0700), 0);
	make_file(p->file);
	assert_int_equal(janitor__start(&j, NULL), 0);
	assert_int_equal(janitor__add_file(j, p->file), 0);
	assert_int_equal(janitor__done(j), 0);
	assert_true(gone(p->file));
	assert_false(gone(p->sub));
}

static void test_removes_a_tree_of_directories(void **state)
{
	struct paths *p = *state;
	struct janitor *j = NULL;
	char name[256];

	assert_int_equal(mkdir(p->dir, 0700), 0);
	/* More than one reading of the directory gives. */
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "%s/%d", p->dir, i);
		assert_int_equal(mkdir(name, 0700), 0);
	}
	assert_int_equal(janitor__start(&j, NULL), 0);
	assert_int_equal(janitor__add_tree(j, p->dir), 0);
	assert_int_equal(janitor__done(j), 0);
	assert_true(gone(p->dir));
}

static void test_refuses_bad_paths(void **state)
{
	struct janitor *j = NULL;
	char path[PIPE_BUF + 8];

	(void)state;
	for (size_t i = 0; i < sizeof(path) - 1; i++)
		path[i] = i % 100 ? 'a' : '/';
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(janitor__start(&j, NULL), 0);
	assert_int_equal(janitor__add_dir(j, "relative"), -EINVAL);
	assert_int_equal(janitor__add_dir(j, path), -ENOSPC);
	path[PIPE_BUF - 2] = '\0';
	for (size_t room = JANITOR_ROOM; room >= PIPE_BUF; room -= PIPE_BUF)
		assert_int_equal(janitor__add_dir(j, path), 0);
	assert_int_equal(janitor__add_dir(j, "/no/room"), -ENOSPC);
	assert_int_equal(janitor__done(j), 0);
	janitor__free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_done_removes_last_first, setup, teardown),
		cmocka_unit_test_setup_teardown(test_removes_after_sigkill, setup, teardown),
		cmocka_unit_test_setup_teardown(test_absent_things_are_no_error, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unregistered_things_stay, setup, teardown),
		cmocka_unit_test_setup_teardown(test_removes_a_tree_of_directories, setup,
						teardown),
		cmocka_unit_test(test_refuses_bad_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
