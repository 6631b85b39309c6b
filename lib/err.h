/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words that go with an error code. lib/ prints nothing, so a function
 * whose failure needs more than a number takes a struct err from its caller
 * and leaves one line in it: what, where (file:line:column), what was
 * expected. NULL is allowed everywhere and means that nobody will read it.
 */
#ifndef BPF_AB_ERR_H
#define BPF_AB_ERR_H

#include "util.h"

struct err {
	char text[512];
};

void err__say(struct err *err, const char *fmt, ...) __printf_like(2, 3);

/*
 * Sets the text and returns code, so that it can stand in a return. A macro, so
 * that who reads the caller alone, as compilers do, sees that this is a failure.
 */
#define err__set(err, code, ...)            \
	({                                  \
		int err_set_code = (code);  \
		err__say(err, __VA_ARGS__); \
		err_set_code;               \
	})

#endif
