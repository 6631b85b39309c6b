// SPDX-License-Identifier: GPL-2.0-only
#include "printer.h"

#include <ctype.h>

#define VERSION_LINE "KTAP version 1\n"
#define INDENT	     "  "

/* '#' ends a name, and a line ends all. */
static void print_name(const char *name, FILE *out)
{
	for (; *name; name++)
		fputc(*name == '#' ? '_' : iscntrl((unsigned char)*name) ? ' ' : *name, out);
}

static void print_reason(const char *reason, FILE *out)
{
	for (; *reason; reason++)
		fputc(iscntrl((unsigned char)*reason) ? ' ' : *reason, out);
}

static void print_result(const char *indent, size_t number, const char *name, enum outcome outcome,
			 const char *message, FILE *out)
{
	/* What went wrong may begin like a directive, so it stands on a line of its own. */
	if (outcome == OUTCOME_FAIL && *message) {
		fprintf(out, "%s# ", indent);
		print_reason(message, out);
		fputc('\n', out);
	}
	fprintf(out, "%s%s %zu ", indent, outcome == OUTCOME_FAIL ? "not ok" : "ok", number);
	print_name(name, out);
	if (outcome == OUTCOME_SKIP) {
		fputs(" # SKIP ", out);
		print_reason(message, out);
	}
	fputc('\n', out);
}

static void print_subtests(const struct test_result *result, bool verbose, FILE *out)
{
	fprintf(out, INDENT VERSION_LINE INDENT "1..%zu\n", result->subtests.n);
	for (size_t i = 0; i < result->subtests.n; i++) {
		const struct subtest_result *subtest = &result->subtests.v[i];

		if (verbose || subtest->outcome == OUTCOME_FAIL)
			test_result__print_log(result, subtest->log_start, subtest->log_end,
					       INDENT "# ", out);
		print_result(INDENT, i + 1, subtest->name, subtest->outcome, subtest->message, out);
	}
}

static void ktap_begin(const struct runner_opts *opts, size_t tests)
{
	/* A plan of nothing is no test run: the exit status tells. */
	if (!tests)
		return;
	fprintf(opts->out, VERSION_LINE "1..%zu\n", tests);
	fflush(opts->out);
}

static void ktap_test(const struct runner_opts *opts, const struct test_result *result, size_t nth)
{
	enum outcome outcome = test_result__outcome(result);
	const char *message = result->message ?: "";
	FILE *out = opts->out;

	if (result->subtests.n)
		print_subtests(result, opts->verbose > 0, out);
	if (opts->verbose > 0 || result->own == OUTCOME_FAIL)
		test_result__print_own_log(result, "# ", out);
	if (!test_result__counts(result)) {
		/* The plan was made before anybody knew. */
		outcome = OUTCOME_SKIP;
		message = "none of its subtests was asked for";
	} else if (outcome == OUTCOME_SKIP && result->subtests.n) {
		message = "all of its subtests were skipped";
	}
	print_result("", nth, result->test->name, outcome, message, out);
}

static void ktap_end(const struct runner_opts *opts, const struct results *results)
{
	if (!results->tests.n)
		return;
	fputs("# ", opts->out);
	results__print_summary(results, opts->out);
}

const struct printer printer_ktap = {
	.begin = ktap_begin,
	.test = ktap_test,
	.end = ktap_end,
};
