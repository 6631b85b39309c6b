/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types and source lines for programs that are given as instructions and come
 * from no object: static functions that return a number, lines of one file.
 */
#ifndef BPF_AB_RAW_BTF_H
#define BPF_AB_RAW_BTF_H

#include <bpf/bpf.h>

#include "err.h"

struct raw_btf {
	int fd;		   /* owned, -1: none */
	uint32_t func;	   /* type id of the first function; that of the i-th is func + i */
	uint32_t file_off; /* for struct bpf_line_info */
	uint32_t line_off;
};

/*
 * Loads into the kernel a BTF with n functions, f0 and on. ret_btf is emptied by
 * raw_btf__free(). Returns 0 or -errno with err set.
 */
int raw_btf__load(size_t n_funcs, struct raw_btf *ret_btf, struct err *err);
/* One with an fd of -1 is fine. */
void raw_btf__free(struct raw_btf *btf);

#endif
