/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types for the functions of random programs: the kernel wants to know of
 * each whether it is static, what it takes and that it returns a number. One
 * BTF serves all programs.
 */
#ifndef BPF_AB_RANDBTF_H
#define BPF_AB_RANDBTF_H

#include "err.h"
#include "randprog.h"

struct randbtf;

/* Loads it into the kernel. Returns 0 or -errno with err set. */
int randbtf__new(struct randbtf **ret_btf, struct err *err);
void randbtf__free(struct randbtf *btf);
int randbtf__fd(const struct randbtf *btf);
/* Id of the type of a function that is the place-th of its program. */
uint32_t randbtf__func(const struct randbtf *btf, size_t place, const struct rand_func *func);

#endif
