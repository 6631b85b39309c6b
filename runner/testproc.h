/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process of one test, and what it tells the process that started it: one
 * message for each thing that happens, in order. What it prints goes to a
 * file that both hold open; a message says how much of it there is.
 */
#ifndef BPF_AB_TESTPROC_H
#define BPF_AB_TESTPROC_H

#include "outcome.h"
#include "runner.h"
#include "testcase.h"

#define EVENT_NAME_LEN	  512
#define EVENT_MESSAGE_LEN 512

enum event_kind {
	EVENT_SUBTEST,	   /* one begins: number, name, log_len */
	EVENT_SUBTEST_END, /* it ended: outcome, message, log_len */
	EVENT_TEST_END,	   /* the test returned: its own outcome, message, log_len, filtered */
};

struct event {
	enum event_kind kind;
	enum outcome outcome;
	unsigned int number;   /* of the subtest, from 1; those not asked for count */
	unsigned int filtered; /* subtests that were not asked for */
	uint64_t log_len;      /* bytes printed so far */
	char name[EVENT_NAME_LEN];
	char message[EVENT_MESSAGE_LEN]; /* the first failure, else the reason of the skip */
};

/* Runs the test in this process, which ends with it. sock: SOCK_SEQPACKET. */
void testproc__run(const struct test_case *test, const struct runner_opts *opts, int sock,
		   int log_fd) __attribute__((noreturn));

#endif
