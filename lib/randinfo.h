/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Function and line infos of random programs: a record for each function, and
 * for each instruction a line whose number is its index. Where they are after
 * the verifier has rewritten the program follows from the model.
 */
#ifndef BPF_AB_RANDINFO_H
#define BPF_AB_RANDINFO_H

#include "prog_info.h"
#include "randbtf.h"
#include "randemit.h"

struct randinfo {
	struct bpf_func_info *funcs; /* owned, as are lines */
	struct bpf_line_info *lines;
	size_t n_funcs, n_lines;
};

/* Those to load the program with. Returns 0 or -ENOMEM. */
int randinfo__make(const struct randprog *prog, const struct randcode *code,
		   const struct randbtf *btf, struct randinfo *ret_info);
void randinfo__free(struct randinfo *info);

/*
 * Whether the kernel has them where the model says; instructions that were
 * removed have no line any more. Returns 0, or 1 with words in buf.
 */
int randinfo__check(const struct randcode *code, const struct patch_model *model,
		    const struct prog_info *kernel, char *buf, size_t len);

#endif
