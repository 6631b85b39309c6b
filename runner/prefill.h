/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values that must be in a map before a program runs. The kernel's tests do
 * this from C, for two of their objects; here it is a table.
 */
#ifndef BPF_AB_PREFILL_H
#define BPF_AB_PREFILL_H

#include "err.h"

struct bpf_object;

/* Fills the maps of a loaded object that the table names. Returns 0 or -errno with err. */
int prefill__object(const struct bpf_object *obj, const char *name, struct err *err);

#endif
