/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this kernel lets this process do with BPF, found out by doing it:
 * each probe loads a program of two or so instructions, attaches it and
 * detaches it again. That a file or a config says yes proves nothing.
 */
#ifndef BPF_AB_KFEAT_H
#define BPF_AB_KFEAT_H

#include "err.h"

enum kfeat {
	KFEAT_LOAD,   /* load a program at all */
	KFEAT_RAW_TP, /* attach to a raw tracepoint */
	KFEAT_TP_BTF, /* ... with typed arguments */
	KFEAT_FENTRY, /* attach to the entry of a kernel function */
	KFEAT_LSM,    /* attach to an LSM hook, and be called by it */
	KFEAT_CGROUP_SOCK_CREATE,
	KFEAT_MAX,
};

/* "tp_btf", ... */
const char *kfeat__name(enum kfeat feat);

/*
 * 1: yes. 0: no, and err says why. While KFEAT_LSM is probed, this thread may
 * not create a socket (it is how the probe sees that it was called).
 */
int kfeat__probe(enum kfeat feat, struct err *err);

/*
 * 0: BPF_F_TEST_RND_HI32 fills upper halves of registers with noise. Else -EOPNOTSUPP
 * (some kernels accept the flag and do nothing about it) or -errno, with err set.
 */
int kfeat__noise(struct err *err);

/*
 * A descriptor of an arena map of one page, which the caller closes. -EOPNOTSUPP if
 * this kernel knows none, or does not let this process have one; else -errno; with
 * err set.
 */
int kfeat__arena(struct err *err);

#endif
