/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPF_AB_UTIL_H
#define BPF_AB_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ARRAY_SIZE(a)		 (sizeof(a) / sizeof((a)[0]))
#define __printf_like(fmt, args) __attribute__((format(printf, fmt, args)))
#define __unused_arg		 __attribute__((unused))

static inline bool streq(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

static inline bool str_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

static inline bool str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && streq(s + n - m, suffix);
}

/* The part of a path behind its last slash. */
static inline const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Whole-string number readers. base as for strtoull (0: 0x.. and 0.. are
 * understood). Return 0, -EINVAL (not a number, or something behind it) or
 * -ERANGE.
 */
int str__to_u64(const char *s, int base, uint64_t *ret_value);
int str__to_i64(const char *s, int base, int64_t *ret_value);
int str__to_double(const char *s, double *ret_value);

/* A formatted string that the caller frees. Returns 0 or -ENOMEM. */
int str__printf(char **ret_str, const char *fmt, ...) __printf_like(2, 3);

/*
 * The whole of a file, NUL-terminated (the NUL is not counted), for files in
 * /proc and /sys too. The caller frees. ret_len may be NULL.
 */
int file__read(const char *path, char **ret_text, size_t *ret_len);
/* The same of what is open, from where it stands; -EFBIG: more than most bytes. */
int fd__read(int fd, size_t most, char **ret_text, size_t *ret_len);

/* One write(2) of a string to an existing file, as control files want it. */
int file__write(const char *path, const char *text);

#endif
