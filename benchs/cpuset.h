/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs as one types them: "0,2-4". */
#ifndef BPF_AB_CPUSET_H
#define BPF_AB_CPUSET_H

#include <sched.h>

#include "err.h"

/* -EINVAL with err saying what is wrong with it. */
int cpuset__parse(const char *text, cpu_set_t *ret_set, struct err *err);

/* The nth CPU of a set that is not empty, round again. */
int cpuset__nth(const cpu_set_t *set, unsigned int nth);

#endif
