// SPDX-License-Identifier: GPL-2.0-only
#include "results.h"

#include <stdlib.h>
#include <unistd.h>

#include "cleanup.h"

#define NUMBER_WIDTH 7

struct subtest_result *test_result__begin(struct test_result *result, unsigned int number,
					  const char *name, size_t log_len)
{
	struct subtest_result subtest = {
		.number = number,
		.name = strdup(name),
		.message = strdup(""),
		.log_start = log_len,
		.log_end = log_len,
	};

	if (!subtest.name || !subtest.message || vec_push(&result->subtests, subtest) < 0) {
		free(subtest.name);
		free(subtest.message);
		return NULL;
	}
	return &result->subtests.v[result->subtests.n - 1];
}

static size_t count_outcome(const struct test_result *result, enum outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < result->subtests.n; i++)
		n += result->subtests.v[i].outcome == outcome;
	return n;
}

enum outcome test_result__outcome(const struct test_result *result)
{
	size_t n = result->subtests.n;

	if (result->own == OUTCOME_FAIL || count_outcome(result, OUTCOME_FAIL))
		return OUTCOME_FAIL;
	if (n && count_outcome(result, OUTCOME_SKIP) < n)
		return OUTCOME_PASS;
	return n ? OUTCOME_SKIP : result->own;
}

bool test_result__counts(const struct test_result *result)
{
	return result->done &&
	       (!result->filtered || result->subtests.n || result->own != OUTCOME_PASS);
}

void test_result__clear(struct test_result *result)
{
	for (size_t i = 0; i < result->subtests.n; i++) {
		free(result->subtests.v[i].name);
		free(result->subtests.v[i].message);
	}
	vec_free(&result->subtests);
	free(result->message);
	if (result->log_fd >= 0)
		close(result->log_fd);
}

static const char *outcome_title(enum outcome outcome)
{
	static const char *const titles[] = {
		[OUTCOME_PASS] = "OK",
		[OUTCOME_SKIP] = "SKIP",
		[OUTCOME_FAIL] = "FAIL",
	};

	return titles[outcome];
}

static void print_log(const struct test_result *result, size_t start, size_t end, FILE *out)
{
	char buf[4096], last = '\n';

	while (start < end) {
		size_t want = end - start < sizeof(buf) ? end - start : sizeof(buf);
		ssize_t n = pread(result->log_fd, buf, want, start);

		if (n <= 0)
			break;
		fwrite(buf, 1, n, out);
		last = buf[n - 1];
		start += n;
	}
	if (last != '\n')
		fputc('\n', out);
}

/* What was printed outside of the subtests. */
static void print_own_log(const struct test_result *result, FILE *out)
{
	size_t from = 0;

	for (size_t i = 0; i < result->subtests.n; i++) {
		print_log(result, from, result->subtests.v[i].log_start, out);
		from = result->subtests.v[i].log_end;
	}
	print_log(result, from, result->log_len, out);
}

static void print_why(const char *message, FILE *out)
{
	if (message && *message)
		fprintf(out, " (%s)", message);
	fputc('\n', out);
}

void test_result__print_subtest(const struct test_result *result,
				const struct subtest_result *subtest, bool verbose, FILE *out)
{
	char number[32];

	if (verbose || subtest->outcome == OUTCOME_FAIL)
		print_log(result, subtest->log_start, subtest->log_end, out);
	snprintf(number, sizeof(number), "%u/%u", result->test->number, subtest->number);
	fprintf(out, "#%-*s %s/%s:%s", NUMBER_WIDTH, number, result->test->name, subtest->name,
		outcome_title(subtest->outcome));
	print_why(subtest->message, out);
}

void test_result__print(const struct test_result *result, bool with_subtests, bool verbose,
			bool only_failed, FILE *out)
{
	enum outcome outcome = test_result__outcome(result);
	size_t n = result->subtests.n, skipped = count_outcome(result, OUTCOME_SKIP);

	for (size_t i = 0; with_subtests && i < n; i++) {
		const struct subtest_result *subtest = &result->subtests.v[i];

		if (!only_failed || subtest->outcome == OUTCOME_FAIL)
			test_result__print_subtest(result, subtest, verbose, out);
	}
	if (verbose || result->own == OUTCOME_FAIL)
		print_own_log(result, out);
	fprintf(out, "#%-*u %s:%s", NUMBER_WIDTH, result->test->number, result->test->name,
		outcome_title(outcome));
	if (skipped && skipped < n)
		fprintf(out, " (SKIP: %zu/%zu)", skipped, n);
	print_why(result->message, out);
}

size_t results__count(const struct results *results, size_t *ret_failed)
{
	size_t ran = 0, failed = 0;

	for (size_t i = 0; i < results->tests.n; i++) {
		const struct test_result *result = &results->tests.v[i];

		if (!test_result__counts(result))
			continue;
		ran++;
		failed += test_result__outcome(result) == OUTCOME_FAIL;
	}
	if (ret_failed)
		*ret_failed = failed;
	return ran;
}

/* "Summary: TESTS/SUBTESTS PASSED, N SKIPPED, TESTS FAILED": scripts read this line. */
void results__print_summary(const struct results *results, FILE *out)
{
	size_t passed = 0, sub_passed = 0, skipped = 0, failed = 0;

	for (size_t i = 0; i < results->tests.n; i++) {
		const struct test_result *result = &results->tests.v[i];
		enum outcome outcome = test_result__outcome(result);

		if (!test_result__counts(result))
			continue;
		passed += outcome == OUTCOME_PASS;
		failed += outcome == OUTCOME_FAIL;
		sub_passed += count_outcome(result, OUTCOME_PASS);
		skipped += count_outcome(result, OUTCOME_SKIP);
		skipped += !result->subtests.n && outcome == OUTCOME_SKIP;
	}
	fprintf(out, "Summary: %zu/%zu PASSED, %zu SKIPPED, %zu FAILED\n", passed, sub_passed,
		skipped, failed);
}

static int record_row(struct recording *rec, const char *test, const char *subtest,
		      enum outcome outcome, const char *message)
{
	static const char *const words[] = {
		[OUTCOME_PASS] = "pass",
		[OUTCOME_SKIP] = "skip",
		[OUTCOME_FAIL] = "fail",
	};
	struct record_row *row;
	int rc;

	rc = recording__add_row(rec, test, subtest, &row);
	if (rc == 0)
		rc = recording__set_text(rec, row, "outcome", words[outcome]);
	if (rc == 0 && message && *message)
		rc = recording__set_text(rec, row, "message", message);
	return rc;
}

static int record_test(struct recording *rec, const struct test_result *result)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < result->subtests.n; i++) {
		const struct subtest_result *subtest = &result->subtests.v[i];

		rc = record_row(rec, result->test->name, subtest->name, subtest->outcome,
				subtest->message);
	}
	if (rc == 0 && (!result->subtests.n || result->own == OUTCOME_FAIL))
		rc = record_row(rec, result->test->name, "", result->own, result->message);
	return rc;
}

int results__record(const struct results *results, struct recording **ret_rec)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	int rc;

	rc = recording__new(SUITE_TEST_PROGS, &rec);
	if (rc == 0)
		rc = recording__add_column(rec, metric__find(SUITE_TEST_PROGS, "outcome"));
	if (rc == 0)
		rc = recording__add_column(rec, metric__find(SUITE_TEST_PROGS, "message"));
	for (size_t i = 0; rc == 0 && i < results->tests.n; i++) {
		if (test_result__counts(&results->tests.v[i]))
			rc = record_test(rec, &results->tests.v[i]);
	}
	if (rc == 0)
		*ret_rec = TAKE_PTR(rec);
	return rc;
}

void results__clear(struct results *results)
{
	for (size_t i = 0; i < results->tests.n; i++)
		test_result__clear(&results->tests.v[i]);
	vec_free(&results->tests);
}
