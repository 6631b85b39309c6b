/* SPDX-License-Identifier: GPL-2.0-only */
/* How tests are told on a stream while they run: one set of functions per format. */
#ifndef BPF_AB_PRINTER_H
#define BPF_AB_PRINTER_H

#include "results.h"
#include "runner.h"

/* All print to opts->out. A function that is NULL has nothing to say. */
struct printer {
	/* So many tests are going to run. */
	void (*begin)(const struct runner_opts *opts, size_t tests);
	/* A subtest has ended, its test goes on. */
	void (*subtest)(const struct runner_opts *opts, const struct test_result *result,
			const struct subtest_result *subtest);
	/* A test has ended, the nth that did, from 1; its log can be read from now on. */
	void (*test)(const struct runner_opts *opts, const struct test_result *result, size_t nth);
	/* All have, or the run was interrupted. Logs are left of failed tests only. */
	void (*end)(const struct runner_opts *opts, const struct results *results);
};

/* For people, as upstream's lines: "#1/2 test/subtest:OK". */
extern const struct printer printer_text;
/*
 * KTAP version 1 (Documentation/dev-tools/ktap.rst of Linux 7.3): tests are
 * numbered as they end, subtests are nested in them. '#' in a name becomes '_'.
 */
extern const struct printer printer_ktap;

#endif
