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

struct test_result {
	const struct test_case *test;
	VEC(struct subtest_result) subtests; /* those that began */
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

/* Room for one more subtest that has begun; NULL: out of memory. */
struct subtest_result *test_result__begin(struct test_result *result, unsigned int number,
					  const char *name, size_t log_len);
/* The largest outcome of its parts; a test of which all was skipped is skipped. */
enum outcome test_result__outcome(const struct test_result *result);
/* False: it had subtests, and none of them was asked for. */
bool test_result__counts(const struct test_result *result);
void test_result__clear(struct test_result *result);

/*
 * Lines for people. With the log in front: always if verbose, else that of
 * failures. only_failed leaves out the lines of what did not fail.
 */
void test_result__print_subtest(const struct test_result *result,
				const struct subtest_result *subtest, bool verbose, FILE *out);
void test_result__print(const struct test_result *result, bool with_subtests, bool verbose,
			bool only_failed, FILE *out);
void results__print_summary(const struct results *results, FILE *out);

/* How many tests ran; ret_failed (may be NULL): how many of them failed. */
size_t results__count(const struct results *results, size_t *ret_failed);

/* A row for each subtest, and one for each test that had none or failed by itself. */
int results__record(const struct results *results, struct recording **ret_rec);
void results__clear(struct results *results);

#endif
