// SPDX-License-Identifier: GPL-2.0-only
/* The count of a local storage map's elements, while sockets have some. */
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "cleanup.h"
#include "storage_map.h"
#include "test_progs.h"

enum { SOCKETS = 100, VALUE_SIZE = 24 };

static int add_socket(int map_fd)
{
	char value[VALUE_SIZE] = "x";
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	ASSERT_GE(fd, 0, "socket");
	ASSERT_OK(bpf_map_update_elem(map_fd, &fd, value, BPF_NOEXIST), "storage of a socket");
	return fd;
}

static uint64_t elements(int map_fd)
{
	uint64_t n = UINT64_MAX;
	struct err err = {};

	ASSERT_OK(storage_map__elements(map_fd, &n, &err), err.text);
	return n;
}

/* The kernel frees after a while. */
static uint64_t elements_at_last(int map_fd)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000000L };

	for (int i = 0; i < 250 && elements(map_fd); i++)
		nanosleep(&pause, NULL);
	return elements(map_fd);
}

void test_storage_map(void)
{
	_cleanup_close_ int map_fd = -1;
	struct err err = {};
	int fds[SOCKETS];

	if (!ASSERT_OK(storage_map__create(BPF_MAP_TYPE_SK_STORAGE, VALUE_SIZE, &map_fd, &err),
		       err.text))
		return;
	ASSERT_EQ(elements(map_fd), 0, "elements of a new map");
	for (int i = 0; i < SOCKETS; i++)
		fds[i] = add_socket(map_fd);
	ASSERT_EQ(elements(map_fd), SOCKETS, "elements of open sockets");
	for (int i = 0; i < SOCKETS; i++)
		close(fds[i]);
	ASSERT_EQ(elements_at_last(map_fd), 0, "elements of closed sockets");
	ASSERT_EQ(storage_map__create(BPF_MAP_TYPE_SK_STORAGE, 1 << 20, &map_fd, &err), -E2BIG,
		  "a value that is too large");
	ASSERT_STREQ(err.text, "this kernel has no local storage of 1048576 bytes", "why");
}
