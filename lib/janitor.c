// SPDX-License-Identifier: GPL-2.0-only
#include "janitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SWEEP_ROUNDS = 500, SWEEP_PAUSE_MS = 10 };

/* An entry is one of these, the path, a NUL. */
enum { ENTRY_DIR = 'd', ENTRY_FILE = 'f', ENTRY_TREE = 't', ENTRY_GONE = 'x' };

struct janitor {
	pid_t pid;
	int fd; /* write end of the pipe */
	size_t used;
};

/* The child's half. It allocates nothing: its parent may have had threads. */
struct watch {
	int pipe_fd;
	int parent_fd; /* a pidfd, or -1: then a forked sibling that keeps the pipe delays us */
	size_t len;
	char entries[JANITOR_ROOM];
};

static void keep_only(int a, int b)
{
	int lo = a < b ? a : b, hi = a < b ? b : a;

	if (lo > 0)
		close_range(0, lo - 1, 0);
	if (hi - lo > 1)
		close_range(lo < 0 ? 0 : lo + 1, hi - 1, 0);
	close_range(hi + 1, ~0U, 0);
}

/* True while there may be more to come. */
static bool watch_read(struct watch *w)
{
	ssize_t n = read(w->pipe_fd, w->entries + w->len, sizeof(w->entries) - w->len);

	if (n < 0)
		return errno == EINTR;
	w->len += n;
	return n > 0;
}

static void watch_wait(struct watch *w)
{
	struct pollfd fds[] = {
		{ .fd = w->pipe_fd, .events = POLLIN },
		{ .fd = w->parent_fd, .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		if (fds[0].revents && !watch_read(w))
			return;
		if (fds[1].revents)
			break;
	}
	/* The parent is gone; what it wrote last is still in the pipe. */
	fcntl(w->pipe_fd, F_SETFL, O_NONBLOCK);
	while (watch_read(w))
		;
}

/* As the kernel hands out the entries of a directory: getdents64(2). */
struct dirent_head {
	uint64_t ino, off;
	unsigned short len;
	unsigned char type;
	char name[];
};

/* opendir() would allocate. */
static void remove_children(const char *path)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct dirent_head))));
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	long n;

	if (fd < 0)
		return;
	while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < n;) {
			const struct dirent_head *d = (void *)(buf + at);

			if (d->type == DT_DIR && !streq(d->name, ".") && !streq(d->name, ".."))
				unlinkat(fd, d->name, AT_REMOVEDIR);
			at += d->len;
		}
	}
	close(fd);
}

static bool entry_remove(const char *entry)
{
	const char *path = entry + 1;
	int rc;

	if (entry[0] == ENTRY_TREE)
		remove_children(path);
	rc = entry[0] == ENTRY_FILE ? unlink(path) : rmdir(path);
	return rc == 0 || errno == ENOENT;
}

/* One pass from the last entry to the first; true if nothing is left. */
static bool sweep(struct watch *w)
{
	bool clean = true;
	size_t end = w->len;

	while (end > 0) {
		size_t start = end - 1;

		while (start > 0 && w->entries[start - 1])
			start--;
		if (w->entries[start] != ENTRY_GONE && entry_remove(w->entries + start))
			w->entries[start] = ENTRY_GONE;
		clean = clean && w->entries[start] == ENTRY_GONE;
		end = start;
	}
	return clean;
}

static void __attribute__((noreturn)) watch_run(struct watch *w)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM };
	const struct timespec pause = { .tv_nsec = SWEEP_PAUSE_MS * 1000000L };

	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		signal(ignored[i], SIG_IGN);
	setsid();
	prctl(PR_SET_NAME, "bpf-ab-janitor");
	keep_only(w->pipe_fd, w->parent_fd);
	if (chdir("/") < 0)
		_exit(1);
	watch_wait(w);
	for (int i = 0; i < SWEEP_ROUNDS; i++) {
		if (sweep(w))
			_exit(0);
		nanosleep(&pause, NULL);
	}
	_exit(1);
}

int janitor__start(struct janitor **ret_janitor, struct err *err)
{
	_cleanup_free_ struct janitor *janitor = NULL;
	_cleanup_free_ struct watch *watch = NULL;
	_cleanup_close_ int read_fd = -1, write_fd = -1, self_fd = -1;
	int fds[2];

	janitor = calloc(1, sizeof(*janitor));
	watch = calloc(1, sizeof(*watch));
	if (!janitor || !watch)
		return err__set(err, -ENOMEM, "out of memory");
	if (pipe2(fds, O_CLOEXEC) < 0)
		return err__set(err, -errno, "janitor: pipe: %s", strerror(errno));
	read_fd = fds[0];
	write_fd = fds[1];
	self_fd = syscall(SYS_pidfd_open, getpid(), 0);

	janitor->pid = fork();
	if (janitor->pid < 0)
		return err__set(err, -errno, "janitor: fork: %s", strerror(errno));
	if (janitor->pid == 0) {
		watch->pipe_fd = read_fd;
		watch->parent_fd = self_fd;
		watch_run(watch);
	}
	janitor->fd = TAKE_FD(write_fd);
	*ret_janitor = TAKE_PTR(janitor);
	return 0;
}

/* The janitor may be dead; a signal is not how we want to hear of it. */
static ssize_t write_no_sigpipe(int fd, const void *buf, size_t len)
{
	const struct timespec now = {};
	sigset_t pipe_set, old, pending;
	ssize_t n;

	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe_set, &old);
	n = write(fd, buf, len);
	if (n < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE)) {
		sigtimedwait(&pipe_set, NULL, &now);
		errno = EPIPE;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return n;
}

static int janitor_add(struct janitor *janitor, char kind, const char *path)
{
	char entry[PIPE_BUF];
	size_t len = strlen(path) + 2;
	ssize_t n;

	if (path[0] != '/')
		return -EINVAL;
	/* At most PIPE_BUF, so that an entry is written whole or not at all. */
	if (len > sizeof(entry) || janitor->used + len > JANITOR_ROOM)
		return -ENOSPC;
	entry[0] = kind;
	memcpy(entry + 1, path, len - 1);
	do {
		n = write_no_sigpipe(janitor->fd, entry, len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	janitor->used += len;
	return 0;
}

int janitor__add_dir(struct janitor *janitor, const char *path)
{
	return janitor_add(janitor, ENTRY_DIR, path);
}

int janitor__add_file(struct janitor *janitor, const char *path)
{
	return janitor_add(janitor, ENTRY_FILE, path);
}

int janitor__add_tree(struct janitor *janitor, const char *path)
{
	return janitor_add(janitor, ENTRY_TREE, path);
}

int janitor__done(struct janitor *janitor)
{
	int status = 0, rc = 0;

	close(janitor->fd);
	while (waitpid(janitor->pid, &status, 0) < 0) {
		if (errno != EINTR) {
			rc = -errno;
			break;
		}
	}
	free(janitor);
	if (rc < 0)
		return rc;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EBUSY;
}

void janitor__free(struct janitor *janitor)
{
	if (janitor)
		janitor__done(janitor);
}
