// SPDX-License-Identifier: GPL-2.0-only
#include "kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "cleanup.h"

#define RECORD_LEN 8192 /* longer records are refused by the kernel's read */

/*
 * How they begin. Of what a splat prints only its first line is here, so that
 * the rest does not count as another; a WARN's own words may come before it.
 */
static const char *const beginnings[] = {
	"WARNING: ", /* WARN and lockdep */
	"BUG: ",     /* page faults, KASAN, KCSAN, KFENCE, locks held, sleeping in atomic context */
	"kernel BUG at ",
	"UBSAN: ",
	"Oops: ",
	"general protection fault",
	"Kernel panic - ",
	"Unable to handle kernel ",
	"Internal error: ",
	"INFO: rcu", /* stalls; newer kernels put "rcu: " in front */
	"rcu: INFO: ",
	"INFO: task ", /* hung */
	"INFO: trying to register non-static key",
	"watchdog: BUG: ",
	"DEBUG_LOCKS_WARN_ON(",
	"unregister_netdevice: waiting for ",
};

bool kmsg__is_splat(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++) {
		if (str_starts(text, beginnings[i]))
			return true;
	}
	return str_starts(text, "kmemleak: ") && strstr(text, "new suspected memory leaks");
}

const char *kmsg__text(char *record, unsigned int *ret_facility)
{
	char *end, *text = strchr(record, ';');
	unsigned long priority;

	priority = strtoul(record, &end, 10);
	if (end == record || *end != ',' || !text)
		return NULL;
	text++;
	text[strcspn(text, "\n")] = '\0';
	*ret_facility = priority >> 3;
	return text;
}

int kmsg__open(const char *path, int *ret_fd, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char record[RECORD_LEN];

	if (fd < 0 || lseek(fd, 0, SEEK_END) < 0)
		return err__set(err, -errno, "%s: %s", path, strerror(errno));
	/* Some containers have a null device there, whose end is never temporary. */
	if (read(fd, record, sizeof(record)) == 0)
		return err__set(err, -ENODATA, "%s: not a kernel log", path);
	/* A record that was there now is of before. */
	if (lseek(fd, 0, SEEK_END) < 0)
		return err__set(err, -errno, "%s: %s", path, strerror(errno));
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int kmsg__splat(int fd, unsigned int facility, char *buf, size_t len)
{
	bool found = false, lost = false;
	char record[RECORD_LEN + 1];

	for (;;) {
		ssize_t n = read(fd, record, RECORD_LEN);
		unsigned int from;
		const char *text;

		if (n < 0 && errno == EPIPE)
			lost = true;
		else if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n == 0 || (n < 0 && errno == EAGAIN))
			break;
		if (n < 0 || found)
			continue;
		record[n] = '\0';
		text = kmsg__text(record, &from);
		if (text && from == facility && kmsg__is_splat(text)) {
			snprintf(buf, len, "%s", text);
			found = true;
		}
	}
	return found ? 1 : lost ? -EPIPE : 0;
}
