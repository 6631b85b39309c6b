/* SPDX-License-Identifier: GPL-2.0-only */
/* Effective capabilities of this thread, as bit masks. */
#ifndef BPF_AB_CAPS_H
#define BPF_AB_CAPS_H

#include "util.h"

/* What makes a thread privileged for BPF: SYS_ADMIN, NET_ADMIN, PERFMON and BPF. */
extern const uint64_t caps_of_bpf;

/*
 * Takes away drop, but for what is in keep; ret_old are those in effect
 * before, for caps__set(). Both return 0 or -errno.
 */
int caps__drop(uint64_t drop, uint64_t keep, uint64_t *ret_old);
int caps__set(uint64_t effective);

#endif
