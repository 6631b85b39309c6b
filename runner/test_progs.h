/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a test is written against. prog_tests/foo.c defines
 *
 *	void test_foo(void)
 *
 * and nothing else has to name it. A test runs in a process of its own: a
 * crash is a failure of that test, and what it leaks dies with it. What it
 * prints on stdout and stderr is kept and shown if it fails, or with -v.
 *
 * A test may consist of subtests; each lasts until the next one starts or the
 * test returns:
 *
 *	if (test__start_subtest("hash"))
 *		check_hash();
 *
 * The assertions evaluate their arguments once, print what was found and what
 * was expected, mark the running subtest (or test) failed and return whether
 * they held. They never leave the function.
 */
#ifndef BPF_AB_TEST_PROGS_H
#define BPF_AB_TEST_PROGS_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util.h"

struct facts;

struct test_env {
	const char *objdir;	   /* folder with the objects built from progs/NAME.c: NAME.bpf.o */
	int verbose;		   /* how often -v was given */
	const struct facts *facts; /* what this kernel can do, see facts.h */
	uint64_t seed;		   /* of the first random program, if there are any */
	uint64_t count;		   /* of random programs, one seed after the other */
};

const struct test_env *test__env(void);

/* False: the command line did not ask for this subtest; do nothing. */
bool test__start_subtest(const char *name);
/* desc (may be NULL) is shown instead of the name; filters take either. */
bool test__start_subtest_with_desc(const char *name, const char *desc);
void test__end_subtest(void);

/*
 * What runs now cannot be done here, and why; try first. The caller returns
 * after it. An earlier failure stays a failure, and --no-skip makes it one.
 */
void test__skip(const char *fmt, ...) __printf_like(1, 2);

/*
 * Records, without a line in the output, a program that was loaded: its name
 * within the test, whether it was as it should, and the hash of its code
 * (prog_info.h), so that the code can be compared from kernel to kernel.
 */
void test__record_program(const char *name, bool passed, uint64_t xlated_hash);

/* Marks what runs now failed; test__fail_at() prints the reason first. line 0: not known. */
void test__fail(void);
void test__fail_at(const char *file, int line, const char *fmt, ...) __printf_like(3, 4);

#define PRINT_FAIL(fmt, ...) test__fail_at(__FILE__, __LINE__, fmt, ##__VA_ARGS__)

#define ASSERT_CHECK(held, fmt, ...)                                           \
	({                                                                     \
		bool check_held = (held);                                      \
		if (!check_held)                                               \
			test__fail_at(__FILE__, __LINE__, fmt, ##__VA_ARGS__); \
		check_held;                                                    \
	})

#define ASSERT_FAIL(fmt, ...)                                          \
	({                                                             \
		test__fail_at(__FILE__, __LINE__, fmt, ##__VA_ARGS__); \
		false;                                                 \
	})

#define ASSERT_TRUE(actual, name)  ASSERT_CHECK(!!(actual), "%s: is false, expected true", (name))
#define ASSERT_FALSE(actual, name) ASSERT_CHECK(!(actual), "%s: is true, expected false", (name))

/* As upstream, ASSERT_EQ(vec.n, 3, ...) is fine: a count against a plain constant. */
#pragma GCC diagnostic ignored "-Wsign-compare"

#define ASSERT_COMPARE(actual, op, expected, name)                                                \
	({                                                                                        \
		__typeof__(actual) cmp_actual = (actual);                                         \
		__typeof__(expected) cmp_expected = (expected);                                   \
		ASSERT_CHECK(cmp_actual op cmp_expected, "%s: is %lld, expected %s %lld", (name), \
			     (long long)cmp_actual, #op, (long long)cmp_expected);                \
	})

#define ASSERT_EQ(actual, expected, name)  ASSERT_COMPARE(actual, ==, expected, name)
#define ASSERT_NEQ(actual, expected, name) ASSERT_COMPARE(actual, !=, expected, name)
#define ASSERT_LT(actual, expected, name)  ASSERT_COMPARE(actual, <, expected, name)
#define ASSERT_LE(actual, expected, name)  ASSERT_COMPARE(actual, <=, expected, name)
#define ASSERT_GT(actual, expected, name)  ASSERT_COMPARE(actual, >, expected, name)
#define ASSERT_GE(actual, expected, name)  ASSERT_COMPARE(actual, >=, expected, name)

#define ASSERT_STREQ(actual, expected, name)                                               \
	({                                                                                 \
		const char *str_actual = (actual), *str_expected = (expected);             \
		ASSERT_CHECK(str_actual &&str_expected &&streq(str_actual, str_expected),  \
			     "%s: is '%s', expected '%s'", (name), str_actual ?: "(null)", \
			     str_expected ?: "(null)");                                    \
	})

#define ASSERT_STRNEQ(actual, expected, len, name)                                         \
	({                                                                                 \
		const char *str_actual = (actual), *str_expected = (expected);             \
		int str_len = (len);                                                       \
		ASSERT_CHECK(str_actual &&str_expected &&strncmp(str_actual, str_expected, \
								 str_len) == 0,            \
			     "%s: is '%.*s', expected '%.*s'", (name), str_len,            \
			     str_actual ?: "(null)", str_len, str_expected ?: "(null)");   \
	})

#define ASSERT_HAS_SUBSTR(str, substr, name)                                      \
	({                                                                        \
		const char *sub_str = (str), *sub_part = (substr);                \
		ASSERT_CHECK(sub_str &&sub_part &&strstr(sub_str, sub_part),      \
			     "%s: no '%s' in '%s'", (name), sub_part ?: "(null)", \
			     sub_str ?: "(null)");                                \
	})

#define ASSERT_MEMEQ(actual, expected, len, name)                                                  \
	({                                                                                         \
		const unsigned char *mem_actual = (const void *)(actual);                          \
		const unsigned char *mem_expected = (const void *)(expected);                      \
		size_t mem_len = (len), mem_at = 0;                                                \
		while (mem_at < mem_len && mem_actual[mem_at] == mem_expected[mem_at])             \
			mem_at++;                                                                  \
		ASSERT_CHECK(mem_at == mem_len, "%s: byte %zu is 0x%02x, expected 0x%02x", (name), \
			     mem_at, mem_actual[mem_at], mem_expected[mem_at]);                    \
	})

#define ASSERT_OK(res, name)                                                                    \
	({                                                                                      \
		long long ok_res = (res);                                                       \
		ASSERT_CHECK(ok_res == 0, "%s: is %lld, expected 0 (errno %d)", (name), ok_res, \
			     errno);                                                            \
	})

#define ASSERT_ERR(res, name)                                                                 \
	({                                                                                    \
		long long err_res = (res);                                                    \
		ASSERT_CHECK(err_res < 0, "%s: is %lld, expected an error", (name), err_res); \
	})

#define ASSERT_OK_FD(fd, name)                                                                   \
	({                                                                                       \
		int fd_res = (fd);                                                               \
		ASSERT_CHECK(fd_res >= 0, "%s: is %d, expected a descriptor (errno %d)", (name), \
			     fd_res, errno);                                                     \
	})

#define ASSERT_ERR_FD(fd, name)                                                             \
	({                                                                                  \
		int fd_res = (fd);                                                          \
		ASSERT_CHECK(fd_res < 0, "%s: is descriptor %d, expected an error", (name), \
			     fd_res);                                                       \
	})

/* NULL and the kernel's error pointers are both errors. */
static inline bool test__ptr_is_err(const void *ptr)
{
	return !ptr || (uintptr_t)ptr >= (uintptr_t)-4095;
}

#define ASSERT_NULL(ptr, name)                                                       \
	({                                                                           \
		const void *ptr_res = (ptr);                                         \
		ASSERT_CHECK(!ptr_res, "%s: is %p, expected NULL", (name), ptr_res); \
	})

#define ASSERT_OK_PTR(ptr, name)                                                                  \
	({                                                                                        \
		const void *ptr_res = (ptr);                                                      \
		ASSERT_CHECK(!test__ptr_is_err(ptr_res),                                          \
			     "%s: is %p, expected a pointer (errno %d)", (name), ptr_res, errno); \
	})

#define ASSERT_ERR_PTR(ptr, name)                                                               \
	({                                                                                      \
		const void *ptr_res = (ptr);                                                    \
		ASSERT_CHECK(test__ptr_is_err(ptr_res), "%s: is pointer %p, expected an error", \
			     (name), ptr_res);                                                  \
	})

#endif
