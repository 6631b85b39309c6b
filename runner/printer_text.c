// SPDX-License-Identifier: GPL-2.0-only
#include "printer.h"

#define NUMBER_WIDTH 7

static const char *outcome_title(enum outcome outcome)
{
	static const char *const titles[] = {
		[OUTCOME_PASS] = "OK",
		[OUTCOME_SKIP] = "SKIP",
		[OUTCOME_FAIL] = "FAIL",
	};

	return titles[outcome];
}

static void print_why(const char *message, FILE *out)
{
	if (message && *message)
		fprintf(out, " (%s)", message);
	fputc('\n', out);
}

/* With the log in front: always if verbose, else that of failures. */
static void print_subtest(const struct test_result *result, const struct subtest_result *subtest,
			  bool verbose, FILE *out)
{
	char number[32];

	if (verbose || subtest->outcome == OUTCOME_FAIL)
		test_result__print_log(result, subtest->log_start, subtest->log_end, "", out);
	snprintf(number, sizeof(number), "%u/%u", result->test->number, subtest->number);
	fprintf(out, "#%-*s %s/%s:%s", NUMBER_WIDTH, number, result->test->name, subtest->name,
		outcome_title(subtest->outcome));
	print_why(subtest->message, out);
}

static void print_test(const struct test_result *result, bool verbose, FILE *out)
{
	size_t n = result->subtests.n, skipped = test_result__count(result, OUTCOME_SKIP);

	if (verbose || result->own == OUTCOME_FAIL)
		test_result__print_own_log(result, "", out);
	fprintf(out, "#%-*u %s:%s", NUMBER_WIDTH, result->test->number, result->test->name,
		outcome_title(test_result__outcome(result)));
	if (skipped && skipped < n)
		fprintf(out, " (SKIP: %zu/%zu)", skipped, n);
	print_why(result->message, out);
}

static void text_subtest(const struct runner_opts *opts, const struct test_result *result,
			 const struct subtest_result *subtest)
{
	/* Of several tests at a time, each is shown in one piece when it is over. */
	if (opts->workers == 1)
		print_subtest(result, subtest, opts->verbose > 0, opts->out);
}

static void text_test(const struct runner_opts *opts, const struct test_result *result,
		      size_t nth __unused_arg)
{
	bool verbose = opts->verbose > 0;

	if (!test_result__counts(result))
		return;
	for (size_t i = 0; opts->workers > 1 && i < result->subtests.n; i++)
		print_subtest(result, &result->subtests.v[i], verbose, opts->out);
	print_test(result, verbose, opts->out);
}

static void print_failures(const struct results *results, FILE *out)
{
	fprintf(out, "\nAll error logs:\n");
	for (size_t i = 0; i < results->tests.n; i++) {
		const struct test_result *result = &results->tests.v[i];

		if (!test_result__counts(result) || test_result__outcome(result) != OUTCOME_FAIL)
			continue;
		for (size_t j = 0; j < result->subtests.n; j++) {
			if (result->subtests.v[j].outcome == OUTCOME_FAIL)
				print_subtest(result, &result->subtests.v[j], false, out);
		}
		print_test(result, false, out);
	}
}

static void text_end(const struct runner_opts *opts, const struct results *results)
{
	if (results__count(results).failed)
		print_failures(results, opts->out);
	results__print_summary(results, opts->out);
}

const struct printer printer_text = {
	.subtest = text_subtest,
	.test = text_test,
	.end = text_end,
};
