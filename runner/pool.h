/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs tests, each in a process of its own, several at a time if asked to.
 * However a test's process ends, the test gets a result; what it started in
 * its process group is killed with it, and all of it with this process.
 */
#ifndef BPF_AB_POOL_H
#define BPF_AB_POOL_H

#include "results.h"
#include "runner.h"

/*
 * Adds a result for each selected test to *ret_results and tells opts->printer
 * of what begins and ends; its end() is the caller's to call. Returns 0; -EINTR after SIGINT or
 * SIGTERM, with the results so far; or -errno with err.
 */
int pool__run(const struct test_cases *cases, const struct runner_opts *opts,
	      struct results *ret_results, struct err *err);

#endif
