// SPDX-License-Identifier: GPL-2.0-only
/* Records of the kernel's log, one a line, as the device hands them out and as text. */
#include <fcntl.h>
#include <unistd.h>

#include "cleanup.h"
#include "fuzz.h"
#include "kmsg.h"

#define RECORD_MAX 4096 /* what a pipe keeps in one piece */

/* The first splat of the kernel's that the text has, by looking at each line; NULL: none. */
static char *find_splat(const char *text)
{
	_cleanup_free_ char *copy = strdup(text);
	char *rest = copy, *record;

	fuzz_require(copy);
	while ((record = strsep(&rest, "\n"))) {
		size_t len = strlen(record);
		unsigned int facility = 0;
		const char *words;

		if (!len || len > RECORD_MAX)
			continue;
		words = kmsg__text(record, &facility);
		fuzz_require(!words || (words > record && words <= record + len));
		if (words && facility == KMSG_FROM_KERNEL && kmsg__is_splat(words))
			return strdup(words);
	}
	return NULL;
}

/* A pipe of packets gives a record per read. False: they don't all fit into it. */
static bool write_records(char *text, int fd)
{
	char *rest = text, *record;

	while ((record = strsep(&rest, "\n"))) {
		size_t len = strlen(record);

		if (len && len <= RECORD_MAX && write(fd, record, len) != (ssize_t)len)
			return false;
	}
	return true;
}

void fuzz_kmsg(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = fuzz_text(data, len), *wanted = find_splat(text);
	_cleanup_close_ int from = -1, to = -1;
	char found[RECORD_MAX + 1];
	int pair[2];

	fuzz_require(pipe2(pair, O_DIRECT | O_NONBLOCK) == 0);
	from = pair[0];
	to = pair[1];
	if (!write_records(text, to))
		return;
	close(TAKE_FD(to));
	fuzz_require(kmsg__splat(from, KMSG_FROM_KERNEL, found, sizeof(found)) == !!wanted);
	fuzz_require(!wanted || streq(found, wanted));
}
