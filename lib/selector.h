/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tests and subtests a command line asks for. A rule names tests and,
 * behind the first slash, subtests of theirs:
 *
 *	names	"map", "verifier_and/bounds": part of the name, or with
 *		globs a whole name in which * stands for anything
 *	numbers	"4", "2-5,9", "7/1-3": as they are listed, from 1
 *
 * Without a rule everything runs. What any rule allows runs, unless one
 * denies it.
 */
#ifndef BPF_AB_SELECTOR_H
#define BPF_AB_SELECTOR_H

#include "err.h"
#include "vec.h"

struct selector_rule {
	char *test, *subtest; /* owned globs; subtest NULL: the whole test */
};

struct selector_range {
	unsigned int first, last;
};

struct selector_ranges {
	VEC(struct selector_range) tests;
	VEC(struct selector_range) subtests; /* empty: all of these tests */
};

/* Zero-initialised: selects everything. */
struct selector {
	VEC(struct selector_rule) allow;
	VEC(struct selector_rule) deny;
	VEC(struct selector_ranges) numbers;
};

enum selector_list { SELECTOR_ALLOW, SELECTOR_DENY };
enum selector_syntax { SELECTOR_SUBSTRING, SELECTOR_GLOB };

/*
 * Adds rules: names with commas between them, or @FILE with one on each line
 * (commas are part of it; empty lines and those that begin with # are passed
 * over). Returns 0, -ENOMEM, -EINVAL with err, or what reading FILE returned.
 */
int selector__add(struct selector *sel, enum selector_list list, enum selector_syntax syntax,
		  const char *names, struct err *err);
int selector__add_numbers(struct selector *sel, const char *numbers, struct err *err);

bool selector__test(const struct selector *sel, unsigned int number, const char *name);
/* desc (NULL: none) is another name of the subtest. */
bool selector__subtest(const struct selector *sel, unsigned int test_number, const char *test,
		       unsigned int number, const char *name, const char *desc);

void selector__clear(struct selector *sel);

#endif
