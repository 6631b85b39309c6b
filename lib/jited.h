/* SPDX-License-Identifier: GPL-2.0-only */
/* The machine code that the JIT has made of a loaded program. */
#ifndef BPF_AB_JITED_H
#define BPF_AB_JITED_H

#include "err.h"

struct jited {
	uint8_t *image;	     /* owned: the functions of the program, one behind the other */
	uint32_t *func_lens; /* owned: their lengths in bytes, which add up to len */
	size_t len, n_funcs;
};

/*
 * Fills *ret_jited, which jited__free() empties. Returns 0; -ENODATA if there
 * is no machine code, or the kernel hides it; -ENOMEM; or -errno of the system
 * call; with err set.
 */
int jited__read(int prog_fd, struct jited *ret_jited, struct err *err);
/* An all-zero one is fine. */
void jited__free(struct jited *jited);

#endif
