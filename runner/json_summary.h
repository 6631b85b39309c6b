/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run as JSON, for programs that read the summary of upstream's test_progs
 * (Linux 7.3): an object of
 *
 *	success, success_subtest, skipped, failed, failed_subtest   counts
 *	results   a list of tests, each an object:
 *		name, number, message, failed, subtests (a list of the like)
 *
 * message is what a test printed, "" unless it failed; failed is a boolean.
 * Beyond upstream's, all tests and subtests that ran are listed, each also
 * with status (pass, skip or fail) and reason: the line that says why it is
 * no pass, as in recordings, else "".
 */
#ifndef BPF_AB_JSON_SUMMARY_H
#define BPF_AB_JSON_SUMMARY_H

#include "err.h"
#include "results.h"

/* Makes the file at path, in place of one that is there. Returns 0 or -errno with err set. */
int json_summary__write(const struct results *results, const char *path, struct err *err);

#endif
