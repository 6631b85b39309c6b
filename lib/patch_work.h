/* SPDX-License-Identifier: GPL-2.0-only */
/* A program on the way from what it was to what it becomes, for patch_model. */
#ifndef BPF_AB_PATCH_WORK_H
#define BPF_AB_PATCH_WORK_H

#include <sys/types.h>

#include "patch_kind.h"
#include "vec.h"

struct patch_work {
	const struct bpf_insn *insns;
	size_t n;
	const struct patch_fact *facts; /* NULL: none */
	const struct patch_env *env;
	struct err *err;

	VEC(struct patch_slot) slots; /* where they go to is an index into them */
	size_t *first, *entry;	      /* owned, n + 1, as in struct patch_model */
	bool *removed;		      /* owned, n */
	struct patch_subprog {
		size_t start;	    /* in the input */
		uint32_t stack;	    /* of its own, in bytes */
		bool loops, counts; /* has a PATCH_LOOP, a may_goto */
	} * subprogs;		    /* owned */
	size_t n_subprogs;
};

/* Allocates first, entry and removed. Returns 0 or -ENOMEM. */
int patch_work__init(struct patch_work *work);
void patch_work__free(struct patch_work *work);

const struct patch_fact *patch_work__fact(const struct patch_work *work, size_t i);
bool patch_work__is_wide(const struct bpf_insn *insn);
/* Of a 64-bit immediate. */
bool patch_work__is_second_half(const struct patch_work *work, size_t i);

/* Jumps to places from jumps_from on, calls of those from calls_from on, go so much further. */
void patch_work__shift(struct patch_work *work, size_t jumps_from, size_t calls_from, ssize_t by);
/* Puts n slots in the place of n_old. Returns 0 or -ENOMEM. */
int patch_work__splice(struct patch_work *work, size_t pos, size_t n_old,
		       const struct patch_slot *slots, size_t n);
/*
 * Both, for a patch that takes the place of the n_old slots at pos; callback: of
 * the input, where PATCH_TO_ENTRY with PATCH_TO_OLD goes. Returns 0 or -ENOMEM.
 */
int patch_work__replace(struct patch_work *work, size_t pos, size_t n_old, struct patch *patch,
			size_t callback);

/*
 * patch_drop.c: takes out what the verifier takes out: branches that are never
 * taken, dead code, jumps to the next instruction. Returns 0 or -errno.
 */
int patch_work__drop(struct patch_work *work);

#endif
