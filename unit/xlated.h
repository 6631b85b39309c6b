/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader of what unit/data/xlated/README describes, for the tests of two files. */
#ifndef BPF_AB_UNIT_XLATED_H
#define BPF_AB_UNIT_XLATED_H

#include <linux/bpf.h>
#include <stdio.h>

#include "cleanup.h"
#include "vec.h"

struct xlated {
	VEC(struct bpf_insn) insns;
	VEC(char *) callees; /* one per instruction, NULL: no symbol; in the text */
	char *text;
};

static inline void xlated__free(struct xlated *x)
{
	vec_free(&x->insns);
	vec_free(&x->callees);
	free(x->text);
}

/* Bytes in hex, up to the first character that is none. Returns how many were read. */
static inline size_t xlated__bytes(const char *hex, uint8_t *bytes, size_t max)
{
	size_t n = 0;
	unsigned int byte;

	while (n < max && sscanf(hex + 2 * n, "%2x", &byte) == 1)
		bytes[n++] = byte;
	return n;
}

/* unit/data/xlated/NAME, one instruction a line; fails the test if it is not readable. */
static inline void xlated__read(const char *name, struct xlated *ret_x)
{
	_cleanup_free_ char *path = NULL;
	char *line, *rest, *callee;

	assert_int_equal(str__printf(&path, "unit/data/xlated/%s", name), 0);
	assert_int_equal(file__read(path, &ret_x->text, NULL), 0);
	for (rest = ret_x->text; (line = strsep(&rest, "\n")) && *line;) {
		struct bpf_insn insn;

		assert_int_equal(xlated__bytes(line, (void *)&insn, sizeof(insn)), sizeof(insn));
		callee = strchr(line, ' ');
		assert_int_equal(vec_push(&ret_x->insns, insn), 0);
		assert_int_equal(vec_push(&ret_x->callees, callee ? callee + 1 : NULL), 0);
	}
	assert_true(ret_x->insns.n > 0);
}

#endif
