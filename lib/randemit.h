/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A random program as instructions, with what the model of the verifier has
 * to be told about them.
 */
#ifndef BPF_AB_RANDEMIT_H
#define BPF_AB_RANDEMIT_H

#include "patch_model.h"
#include "randprog.h"

struct randemit_opts {
	const int *map_fds;    /* of the maps of randworld.h, RAND_MAPS of them */
	const int32_t *kfuncs; /* BTF ids of those of enum interp_kfunc (interp.h) */
};

struct randcode {
	VEC(struct bpf_insn) insns;
	VEC(struct patch_fact) facts; /* one for each instruction */
	/*
	 * Functions in the order in which a linker finds them: the first one, and
	 * behind it what it calls, each with what that calls in turn.
	 */
	VEC(struct randcode_func {
		size_t start; /* first instruction */
		size_t func;  /* index in the program */
	})
	funcs;
};

/*
 * All units of the program that are not dropped. Functions that are not called
 * any more are left out. Returns 0 or -ENOMEM.
 */
int randemit__program(const struct randprog *prog, const struct randemit_opts *opts,
		      struct randcode *ret_code);
void randcode__free(struct randcode *code);

#endif
