// SPDX-License-Identifier: GPL-2.0-only
#include "util.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cleanup.h"

int str__to_u64(const char *s, int base, uint64_t *ret_value)
{
	unsigned long long v;
	char *end;

	/* strtoull takes "-1" and leading blanks, which no caller means. */
	if (!(*s >= '0' && *s <= '9') && !(base == 16 && *s))
		return -EINVAL;
	errno = 0;
	v = strtoull(s, &end, base);
	if (errno)
		return -errno;
	if (end == s || *end)
		return -EINVAL;
	*ret_value = v;
	return 0;
}

int str__to_i64(const char *s, int base, int64_t *ret_value)
{
	long long v;
	char *end;

	if (*s == ' ' || *s == '\t' || *s == '\n')
		return -EINVAL;
	errno = 0;
	v = strtoll(s, &end, base);
	if (errno)
		return -errno;
	if (end == s || *end)
		return -EINVAL;
	*ret_value = v;
	return 0;
}

int str__to_double(const char *s, double *ret_value)
{
	char *end;
	double v;

	if (*s == ' ' || *s == '\t' || *s == '\n')
		return -EINVAL;
	errno = 0;
	v = strtod(s, &end);
	if (errno)
		return -errno;
	if (end == s || *end)
		return -EINVAL;
	*ret_value = v;
	return 0;
}

int str__printf(char **ret_str, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	*ret_str = s;
	return 0;
}

int fd__read(int fd, size_t most, char **ret_text, size_t *ret_len)
{
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, cap = 0;

	for (;;) {
		ssize_t n;

		if (cap - len < 2) {
			char *bigger;

			cap = cap ? cap * 2 : 4096;
			bigger = realloc(buf, cap);
			if (!bigger)
				return -ENOMEM;
			buf = bigger;
		}
		n = read(fd, buf + len, cap - len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += n;
		if (len > most)
			return -EFBIG;
	}
	buf[len] = '\0';
	*ret_text = TAKE_PTR(buf);
	if (ret_len)
		*ret_len = len;
	return 0;
}

int file__read(const char *path, char **ret_text, size_t *ret_len)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd__read(fd, SIZE_MAX, ret_text, ret_len);
}

int file__write(const char *path, const char *text)
{
	_cleanup_close_ int fd = -1;
	size_t len = strlen(text);
	ssize_t n;

	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = write(fd, text, len);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}
