/* SPDX-License-Identifier: GPL-2.0-only */
/* What became of the tests, and how it is told. */
#ifndef BPF_AB_RESULTS_H
#define BPF_AB_RESULTS_H

#include <stdio.h>

#include "outcome.h"
#include "record.h"
#include "testcase.h"
#include "vec.h"

struct subtest_result {
	unsigned int number;
	char *name; /* owned */
	enum outcome outcome;
	char *message;		   /* owned; why it is not a pass, else "" */
	size_t log_start, log_end; /* its part of the test's log */
};

/* A program that a test has loaded and recorded. */
struct program_result {
	char *name; /* owned */
	enum outcome outcome;
	char *hash; /* owned; of its code */
};

struct test_result {
	const struct test_case *test;
	VEC(struct subtest_result) subtests; /* those that began */
	VEC(struct program_result) programs; /* those recorded, in their order */
	unsigned int filtered;		     /* subtests that nobody asked for */
	enum outcome own;		     /* of what was outside of the subtests */
	char *message;			     /* owned; why own is not a pass, else "" */
	int log_fd;			     /* all it printed */
	size_t log_len;
	bool done;
};

struct results {
	VEC(struct test_result) tests; /* in the order of their numbers */
};

/* Of tests that ran. Subtests are counted apart; skipped: subtests, and tests that had none. */
struct results_count {
	size_t ran, passed, failed;
	size_t sub_passed, sub_failed, skipped;
};

/* Room for one more subtest that has begun; NULL: out of memory. */
struct subtest_result *test_result__begin(struct test_result *result, unsigned int number,
					  const char *name, size_t log_len);
/* One more program of the recording. Returns 0 or -ENOMEM. */
int test_result__add_program(struct test_result *result, const char *name, enum outcome outcome,
			     const char *hash);
/* The largest outcome of its parts; a test of which all was skipped is skipped. */
enum outcome test_result__outcome(const struct test_result *result);
/* "pass", "skip" or "fail": the word for programs. */
const char *outcome__word(enum outcome outcome);
/* False: it had subtests, and none of them was asked for. */
bool test_result__counts(const struct test_result *result);
/* Subtests of this outcome. */
size_t test_result__count(const struct test_result *result, enum outcome outcome);
void test_result__clear(struct test_result *result);

/* Part of the log, each line behind prefix; it ends with a line end if there is any. */
void test_result__print_log(const struct test_result *result, size_t start, size_t end,
			    const char *prefix, FILE *out);
/* What was printed outside of the subtests. */
void test_result__print_own_log(const struct test_result *result, const char *prefix, FILE *out);

struct results_count results__count(const struct results *results);
/* "Summary: TESTS/SUBTESTS PASSED, N SKIPPED, TESTS FAILED": scripts read this line. */
void results__print_summary(const struct results *results, FILE *out);

/*
 * A row for each subtest, one for each test that had none or failed by itself,
 * and one for each program that a test has recorded.
 */
int results__record(const struct results *results, struct recording **ret_rec);
void results__clear(struct results *results);

#endif
