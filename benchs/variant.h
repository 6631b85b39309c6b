/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What variants of a benchmark differ by. A variant is "KIND/HOOK,key=value,..."
 * and is compared with itself only: a rate of 4 producers says nothing of one
 * of 1.
 */
#ifndef BPF_AB_VARIANT_H
#define BPF_AB_VARIANT_H

#include "record.h"

/* In words what two variants differ by: "batch: 32 and 1024, hook: lsm and cgroup". */
int variant__difference(const char *a, const char *b, char **ret_text);

/*
 * 0, or -EINVAL with err where the recordings must not be compared: a kind of
 * benchmark is on both sides, but never in the same variant; or the clocks
 * differ. -ENOMEM.
 */
int variant__check(const struct recording *a, const struct recording *b, struct err *err);

#endif
