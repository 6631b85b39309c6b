/* SPDX-License-Identifier: GPL-2.0-only */
/* Between phases.bpf.c and lib/phases.c. */
#ifndef BPF_AB_PHASES_SHARED_H
#define BPF_AB_PHASES_SHARED_H

#include <linux/types.h>

#define PHASES_MAX	 24 /* pairs of programs */
#define PHASES_DEPTH_MAX 16

struct phase_sum {
	__u64 self_ns; /* without what functions of other phases took that it called */
	__u64 calls;
};

#endif
