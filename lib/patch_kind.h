/* SPDX-License-Identifier: GPL-2.0-only */
/* What one instruction is replaced by, for patch_model. */
#ifndef BPF_AB_PATCH_KIND_H
#define BPF_AB_PATCH_KIND_H

#include "patch.h"
#include "patch_model.h"

/* The instruction to replace. */
struct patch_job {
	const struct bpf_insn *insn; /* both halves of a 64-bit immediate */
	const struct patch_fact *fact;
	const struct patch_env *env;
	uint32_t
		stack; /* may_goto, bpf_loop: what its subprogram takes of the stack without them */
};

/*
 * Writes the patch, which is empty. Returns 1; 0 if the instruction stays as it
 * is, the patch then being undefined; -EINVAL if its fact does not fit, with
 * err set. PATCH_TO_ENTRY with PATCH_TO_OLD is the callback of the fact.
 */
int patch_kind__expand(const struct patch_job *job, struct patch *patch, struct err *err);

/* Bytes of the stack that a subprogram with inlined loops takes for three registers. */
#define PATCH_LOOP_STACK 24

bool patch_kind__is_may_goto(const struct bpf_insn *insn);

/* What a subprogram with a may_goto begins with; stack: what it takes without that. */
void patch_kind__prologue(const struct patch_env *env, uint32_t stack, struct patch *patch);

/* Of bpf_loop and iterators, and of may_goto without a clock. */
#define PATCH_MOST_ITERATIONS (8 * 1024 * 1024)

int patch_kfunc__expand(const struct patch_job *job, struct patch *patch, struct err *err);
/* patch_access.c: lookups in maps, accesses through a struct __sk_buff. */
int patch_access__lookup(const struct patch_job *job, struct patch *patch, struct err *err);
int patch_access__ctx(const struct patch_job *job, struct patch *patch, struct err *err);

#endif
