// SPDX-License-Identifier: GPL-2.0-only
#include "json_summary.h"

#include "cleanup.h"
#include "json.h"
#include "newfile.h"

static void print_head(struct json *json, const char *name, unsigned int number,
		       enum outcome outcome, const char *reason)
{
	const char *word = outcome__word(outcome);

	json__begin(json, NULL, '{');
	json__string(json, "name", name, strlen(name));
	json__u64(json, "number", number);
	json__bool(json, "failed", outcome == OUTCOME_FAIL);
	json__string(json, "status", word, strlen(word));
	json__string(json, "reason", reason, strlen(reason));
}

/* Part of the test's log as one string; all that was outside of subtests if subtest is NULL. */
static int print_log(struct json *json, const struct test_result *result,
		     const struct subtest_result *subtest)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	if (subtest)
		test_result__print_log(result, subtest->log_start, subtest->log_end, "", out);
	else
		test_result__print_own_log(result, "", out);
	if (fclose(out))
		return -ENOMEM;
	json__string(json, "message", text, len);
	return 0;
}

static int print_subtest(struct json *json, const struct test_result *result,
			 const struct subtest_result *subtest)
{
	int rc = 0;

	print_head(json, subtest->name, subtest->number, subtest->outcome, subtest->message);
	if (subtest->outcome == OUTCOME_FAIL)
		rc = print_log(json, result, subtest);
	else
		json__string(json, "message", "", 0);
	json__end(json, '}');
	return rc;
}

static int print_test(struct json *json, const struct test_result *result)
{
	int rc = 0;

	print_head(json, result->test->name, result->test->number, test_result__outcome(result),
		   result->message ?: "");
	if (test_result__outcome(result) == OUTCOME_FAIL)
		rc = print_log(json, result, NULL);
	else
		json__string(json, "message", "", 0);
	json__begin(json, "subtests", '[');
	for (size_t i = 0; rc == 0 && i < result->subtests.n; i++)
		rc = print_subtest(json, result, &result->subtests.v[i]);
	json__end(json, ']');
	json__end(json, '}');
	return rc;
}

static int print_results(const struct results *results, FILE *out)
{
	struct results_count count = results__count(results);
	struct json json = { .out = out };
	int rc = 0;

	json__begin(&json, NULL, '{');
	json__u64(&json, "success", count.passed);
	json__u64(&json, "success_subtest", count.sub_passed);
	json__u64(&json, "skipped", count.skipped);
	json__u64(&json, "failed", count.failed);
	json__u64(&json, "failed_subtest", count.sub_failed);
	json__begin(&json, "results", '[');
	for (size_t i = 0; rc == 0 && i < results->tests.n; i++) {
		if (test_result__counts(&results->tests.v[i]))
			rc = print_test(&json, &results->tests.v[i]);
	}
	json__end(&json, ']');
	json__end(&json, '}');
	return rc;
}

int json_summary__write(const struct results *results, const char *path, struct err *err)
{
	_cleanup_free_ char *text = NULL;
	FILE *out;
	size_t len;
	int rc;

	out = open_memstream(&text, &len);
	if (!out)
		return err__set(err, -ENOMEM, "out of memory");
	rc = print_results(results, out);
	if (fclose(out) || rc < 0)
		return err__set(err, -ENOMEM, "out of memory");
	rc = newfile__clear(path, err);
	return rc < 0 ? rc : newfile__write(path, text, len, err);
}
