/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of a program on both sides, line beside line where it differs, from
 * the texts that veristat --dump-dir left in the boots: BOOT/code/OBJECT.PROGRAM.txt.
 */
#ifndef AB_REPORT_CODES_H
#define AB_REPORT_CODES_H

#include "results.h"

enum codes_kind {
	CODES_SAME, /* a line of both, near to one that differs */
	CODES_A,    /* only in A */
	CODES_B,
	CODES_LEFT_OUT, /* n lines of both */
};

struct codes_line {
	enum codes_kind kind;
	const char *text; /* in the texts below; NULL: left out */
	size_t n;
};

struct codes {
	char *text[2]; /* owned */
	VEC(struct codes_line) lines;
	bool cut; /* there is more that differs */
};

/*
 * Lines of A come before those of B that stand in their place. -ENOENT: a side
 * has no code of it. -ENODATA: both are the same. -EFBIG: it is too long to be
 * compared here.
 */
int codes__find(const struct results *a, const struct results *b, const char *object,
		const char *program, struct codes *ret_codes);
void codes__reset(struct codes *codes);

#endif
