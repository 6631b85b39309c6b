/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Test results of other programs, read into a recording of test_progs: KTAP version 1
 * and the TAP 13 that kselftest prints, as in Documentation/dev-tools/ktap.rst.
 *
 * A result at the outermost level is a test; those nested in it, by deeper
 * indentation or behind "# ", are its subtests, with "/" between the names of what
 * is nested deeper. A test that has subtests has a row of its own only if it failed
 * and none of them did. Time stamps of the kernel's log before a line are passed over,
 * as are lines that are none of KTAP's.
 */
#ifndef BPF_AB_KTAP_H
#define BPF_AB_KTAP_H

#include <stdio.h>

#include "record.h"

/* Whether the text is KTAP: its first line that says something is a version line. */
bool ktap__is(const char *text);

/*
 * text is changed. Outcomes are pass, skip and fail: an expected failure (TODO, XFAIL)
 * is a skip with its reason. What was cut short (a plan that was not kept, "Bail out!",
 * an end inside a test) makes the recording incomplete and is noted, a line each.
 *
 * -EINVAL with err "name:line:column: what was expected" for a plan or a result that
 * cannot be read, and where there is no result at all.
 */
int ktap__read(const char *name, char *text, FILE *notes, struct recording **ret_rec,
	       struct err *err);

#endif
