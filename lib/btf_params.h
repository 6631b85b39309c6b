/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of function parameters in BTF. clang leaves them out of naked functions,
 * and a kernel may refuse a function whose parameters have none.
 */
#ifndef BPF_AB_BTF_PARAMS_H
#define BPF_AB_BTF_PARAMS_H

#include "err.h"

struct btf;

/*
 * Functions of btf whose first parameter has no name take the names of a function
 * in names that is called the same and has as many parameters; types stay. What
 * names doesn't have stays as it is.
 * Returns 0, or -errno with err set; pointers into btf are then void either way.
 */
int btf_params__name(struct btf *btf, const struct btf *names, struct err *err);

#endif
