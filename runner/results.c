// SPDX-License-Identifier: GPL-2.0-only
#include "results.h"

#include <stdlib.h>
#include <unistd.h>

#include "cleanup.h"

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

int test_result__add_program(struct test_result *result, const char *name, enum outcome outcome,
			     const char *hash)
{
	struct program_result program = {
		.name = strdup(name),
		.hash = strdup(hash),
		.outcome = outcome,
	};

	if (program.name && program.hash && vec_push(&result->programs, program) == 0)
		return 0;
	free(program.name);
	free(program.hash);
	return -ENOMEM;
}

size_t test_result__count(const struct test_result *result, enum outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < result->subtests.n; i++)
		n += result->subtests.v[i].outcome == outcome;
	return n;
}

enum outcome test_result__outcome(const struct test_result *result)
{
	size_t n = result->subtests.n;

	if (result->own == OUTCOME_FAIL || test_result__count(result, OUTCOME_FAIL))
		return OUTCOME_FAIL;
	if (n && test_result__count(result, OUTCOME_SKIP) < n)
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
	for (size_t i = 0; i < result->programs.n; i++) {
		free(result->programs.v[i].name);
		free(result->programs.v[i].hash);
	}
	vec_free(&result->programs);
	free(result->message);
	if (result->log_fd >= 0)
		close(result->log_fd);
}

/* One more piece of a log; *at_start: the next byte begins a line. */
static void print_piece(const char *text, size_t len, const char *prefix, bool *at_start, FILE *out)
{
	while (len > 0) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) + 1 : len;

		if (*at_start)
			fputs(prefix, out);
		fwrite(text, 1, n, out);
		*at_start = end;
		text += n;
		len -= n;
	}
}

void test_result__print_log(const struct test_result *result, size_t start, size_t end,
			    const char *prefix, FILE *out)
{
	bool at_start = true;
	char buf[4096];

	while (start < end) {
		size_t want = end - start < sizeof(buf) ? end - start : sizeof(buf);
		ssize_t n = pread(result->log_fd, buf, want, start);

		if (n <= 0)
			break;
		print_piece(buf, n, prefix, &at_start, out);
		start += n;
	}
	if (!at_start)
		fputc('\n', out);
}

void test_result__print_own_log(const struct test_result *result, const char *prefix, FILE *out)
{
	size_t from = 0;

	for (size_t i = 0; i < result->subtests.n; i++) {
		test_result__print_log(result, from, result->subtests.v[i].log_start, prefix, out);
		from = result->subtests.v[i].log_end;
	}
	test_result__print_log(result, from, result->log_len, prefix, out);
}

struct results_count results__count(const struct results *results)
{
	struct results_count count = {};

	for (size_t i = 0; i < results->tests.n; i++) {
		const struct test_result *result = &results->tests.v[i];
		enum outcome outcome = test_result__outcome(result);

		if (!test_result__counts(result))
			continue;
		count.ran++;
		count.passed += outcome == OUTCOME_PASS;
		count.failed += outcome == OUTCOME_FAIL;
		count.sub_passed += test_result__count(result, OUTCOME_PASS);
		count.sub_failed += test_result__count(result, OUTCOME_FAIL);
		count.skipped += test_result__count(result, OUTCOME_SKIP);
		count.skipped += !result->subtests.n && outcome == OUTCOME_SKIP;
	}
	return count;
}

void results__print_summary(const struct results *results, FILE *out)
{
	struct results_count count = results__count(results);

	fprintf(out, "Summary: %zu/%zu PASSED, %zu SKIPPED, %zu FAILED\n", count.passed,
		count.sub_passed, count.skipped, count.failed);
}

const char *outcome__word(enum outcome outcome)
{
	static const char *const words[] = {
		[OUTCOME_PASS] = "pass",
		[OUTCOME_SKIP] = "skip",
		[OUTCOME_FAIL] = "fail",
	};

	return words[outcome];
}

static int record_row(struct recording *rec, const char *test, const char *subtest,
		      enum outcome outcome, const char *message, const char *hash)
{
	struct record_row *row;
	int rc;

	rc = recording__add_row(rec, test, subtest, &row);
	if (rc == 0)
		rc = recording__set_text(rec, row, "outcome", outcome__word(outcome));
	if (rc == 0 && message && *message)
		rc = recording__set_text(rec, row, "message", message);
	if (rc == 0 && hash)
		rc = recording__set_text(rec, row, "xlated_hash", hash);
	return rc;
}

static int record_test(struct recording *rec, const struct test_result *result)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < result->subtests.n; i++) {
		const struct subtest_result *subtest = &result->subtests.v[i];

		rc = record_row(rec, result->test->name, subtest->name, subtest->outcome,
				subtest->message, NULL);
	}
	if (rc == 0 && (!result->subtests.n || result->own == OUTCOME_FAIL))
		rc = record_row(rec, result->test->name, "", result->own, result->message, NULL);
	for (size_t i = 0; rc == 0 && i < result->programs.n; i++) {
		const struct program_result *program = &result->programs.v[i];

		rc = record_row(rec, result->test->name, program->name, program->outcome, NULL,
				program->hash);
	}
	return rc;
}

static bool has_programs(const struct results *results)
{
	for (size_t i = 0; i < results->tests.n; i++) {
		if (results->tests.v[i].programs.n)
			return true;
	}
	return false;
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
	if (rc == 0 && has_programs(results))
		rc = recording__add_column(rec, metric__find(SUITE_TEST_PROGS, "xlated_hash"));
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
