/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a control group's peak is what the verifier takes on this machine,
 * found out with programs of which it is known what that is at least. Two
 * kinds of memory, because kernels began to charge them at different times:
 *
 *	states: a program with as many branches that are still to be looked at
 *	notes: one with many instructions, of each of which the verifier takes notes
 *
 * What one of these takes is in the kernel's BTF (struct bpf_func_state, struct
 * bpf_insn_aux_data).
 */
#ifndef BPF_AB_MEMCHECK_H
#define BPF_AB_MEMCHECK_H

#include "memcg.h"

enum memcheck_kind { MEMCHECK_STATES, MEMCHECK_NOTES, MEMCHECK_KINDS };

struct memcheck {
	uint64_t quantum; /* by which peaks may be off */
	uint64_t idle;	  /* peak of no work at all; all in bytes */
	struct {
		uint64_t known; /* that the program takes at least */
		uint64_t peak;	/* as the control group has it */
		bool charged;
	} kinds[MEMCHECK_KINDS];
};

/*
 * Loads the programs in this process, which memcg measures. 0: the peak can be
 * trusted, with what memcheck__lacks() says; 1: it can't, and err says why;
 * -errno: nothing could be measured, with err. ret_check is set by the first two.
 */
int memcheck__run(struct memcg *memcg, struct memcheck *ret_check, struct err *err);

/* What is in no peak of this kernel, as a constant string; NULL: nothing. */
const char *memcheck__lacks(const struct memcheck *check);

#endif
