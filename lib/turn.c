// SPDX-License-Identifier: GPL-2.0-only
#include "turn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "cleanup.h"

/* Every process that traces functions can open it, and nobody has to remove it. */
#define LOCKED "/sys/kernel/btf/vmlinux"

int turn__take(void)
{
	_cleanup_close_ int fd = open(LOCKED, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0)
		return -errno;
	do
		rc = flock(fd, LOCK_EX);
	while (rc < 0 && errno == EINTR);
	return rc < 0 ? -errno : TAKE_FD(fd);
}
