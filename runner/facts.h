/* SPDX-License-Identifier: GPL-2.0-only */
/* What this kernel and process can do for tests, probed once by trying. */
#ifndef BPF_AB_FACTS_H
#define BPF_AB_FACTS_H

#include "err.h"

struct facts {
	unsigned int jit; /* enum annot_jit: one of them */
	int hardening;	  /* net.core.bpf_jit_harden; 0 without a JIT */
	bool unaligned;	  /* this machine runs what BPF_F_ANY_ALIGNMENT lets through */
	char unpriv[256]; /* why unprivileged programs can't be tested; "": they can */
	char arena[128];  /* why there are no arena maps; "": there are */
	char noise[128];  /* why BPF_F_TEST_RND_HI32 tests nothing; "": it does */
};

/*
 * Returns 0, or -errno with err set if this process may not load BPF programs
 * at all. Loads a small object of every kind of feature that libbpf probes
 * for, because libbpf keeps what it finds out, and what it finds out without
 * capabilities is wrong for the rest of the run.
 */
int facts__probe(struct facts *ret_facts, struct err *err);

#endif
