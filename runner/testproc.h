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
	EVENT_PROGRAM,	   /* for the recording only: outcome, name, message (the hash) */
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

/* What a test's process inherits; the other end of each is its parent's. */
struct testproc_fds {
	int sock; /* SOCK_SEQPACKET */
	int log;
	/*
	 * The kernel's log since the test began, or -1. Shared: what the test has
	 * seen its parent doesn't, and the parent sees the rest when the test is dead.
	 */
	int kmsg;
};

/*
 * Returns 1 if there was a splat since the kernel's log was last looked at,
 * with words that say so in buf; 0 if there was none or nobody looks; or
 * -errno: nobody can tell.
 */
int testproc__splat(const struct runner_opts *opts, int kmsg_fd, char *buf, size_t len);

/* Runs the test in this process, which ends with it. */
void testproc__run(const struct test_case *test, const struct runner_opts *opts,
		   const struct testproc_fds *fds) __attribute__((noreturn));

#endif
