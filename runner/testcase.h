/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tests there are: one for each prog_tests/NAME.c, called NAME, and one
 * for each annotated object X.bpf.o, called X.
 */
#ifndef BPF_AB_TESTCASE_H
#define BPF_AB_TESTCASE_H

#include "err.h"
#include "vec.h"

struct test_case {
	unsigned int number; /* from 1, in the order of the names */
	char *name;
	void (*run)(void); /* NULL: an annotated object */
	char *object;	   /* path of the annotated object, or NULL */
};

struct test_cases {
	VEC(struct test_case) cases;
};

/*
 * Adds all tests to *ret_cases, which is empty. Of the objects in objdir those are
 * tests whose name begins with verifier_ and, if any is set, all others with
 * annotations. A folder without them is no error; one that can't be read is
 * -errno with err set.
 */
int test_cases__collect(struct test_cases *ret_cases, const char *objdir, bool any,
			struct err *err);
void test_cases__clear(struct test_cases *cases);

#endif
