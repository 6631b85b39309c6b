// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded by scripts/test/ab-faults.sh into what runs on the host:
 *
 *	FAULT_EIO=WORD		reads of files with WORD in their name fail
 *	FAULT_JUMP=SECONDS	the clock on the wall is an hour ahead once the machine
 *				has been up for so long
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int fails(int fd)
{
	const char *word = getenv("FAULT_EIO");
	char link[64], path[4096];
	ssize_t len;

	if (!word)
		return 0;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	if (len < 0)
		return 0;
	path[len] = 0;
	return !!strstr(path, word);
}

#define READER(name, declare, pass)                               \
	ssize_t name declare                                      \
	{                                                         \
		ssize_t(*real) declare = dlsym(RTLD_NEXT, #name); \
                                                                  \
		if (fails(fd)) {                                  \
			errno = EIO;                              \
			return -1;                                \
		}                                                 \
		return real pass;                                 \
	}

READER(pread64, (int fd, void *buf, size_t len, off64_t off), (fd, buf, len, off))
READER(preadv, (int fd, const struct iovec *iov, int n, off_t off), (fd, iov, n, off))
READER(preadv64, (int fd, const struct iovec *iov, int n, off64_t off), (fd, iov, n, off))

static time_t ahead(void)
{
	const char *jump = getenv("FAULT_JUMP");
	int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
	struct timespec up;

	if (!jump || real(CLOCK_BOOTTIME, &up))
		return 0;
	return up.tv_sec >= atol(jump) ? 3600 : 0;
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
	int err = real(clock, ts);

	if (!err && clock == CLOCK_REALTIME)
		ts->tv_sec += ahead();
	return err;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	int (*real)(struct timeval *restrict, void *restrict) = dlsym(RTLD_NEXT, "gettimeofday");
	int err = real(tv, tz);

	if (!err)
		tv->tv_sec += ahead();
	return err;
}

time_t time(time_t *ret_now)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (ret_now)
		*ret_now = ts.tv_sec;
	return ts.tv_sec;
}
