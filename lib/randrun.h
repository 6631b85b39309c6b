/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random programs on the kernel that runs: each is loaded, what the verifier
 * made of it is compared with the model, and what it returns and leaves in
 * memory with the interpreter.
 */
#ifndef BPF_AB_RANDRUN_H
#define BPF_AB_RANDRUN_H

#include "patch_model.h"
#include "randemit.h"

struct randrun;

enum randrun_verdict {
	RANDRUN_AGREES,
	RANDRUN_REFUSED, /* the kernel did not load it */
	RANDRUN_XLATED,	 /* its instructions are not as predicted */
	RANDRUN_INFOS,	 /* its function or line infos are not where they should be */
	RANDRUN_RETVAL,	 /* it returned something else */
	RANDRUN_MEMORY,	 /* it left something else in memory */
};

struct randrun_result {
	enum randrun_verdict verdict;
	char reason[512]; /* of a verdict other than RANDRUN_AGREES; one line */
	uint64_t hash;	  /* of the kernel's instructions, masked (prog_info.h); if it was loaded */
	size_t n_insns, n_xlated;
	uint32_t verified; /* instructions that the verifier walked through */
};

struct randrun_opts {
	/* Makes the model wrong, to see that this is found; NULL: not. */
	void (*tamper)(struct patch_model *model);
};

/*
 * Where the kernel blinds constants, instructions and infos are not predicted, and
 * programs have only to do what they did.
 * Returns 0, -EOPNOTSUPP if this kernel can't be predicted, or -errno, with err set.
 */
int randrun__open(struct randrun **ret_run, struct err *err);
void randrun__free(struct randrun *run);
void randrun__freep(struct randrun **run);

/* What programs may consist of here. */
const struct randprog_opts *randrun__prog_opts(const struct randrun *run);

/*
 * Returns 0 with the result, whatever the kernel said, or -errno with err set
 * if nothing can be said, which is a fault of ours.
 */
int randrun__try(struct randrun *run, const struct randprog *prog, const struct randrun_opts *opts,
		 struct randrun_result *ret_result, struct err *err);

/*
 * The program as the source of an annotated test (randfile.h), which the caller
 * frees; reason is a comment in it. Returns 0, -EOPNOTSUPP where constants are
 * blinded, or -errno, with err set.
 */
int randrun__source(const struct randrun *run, const struct randprog *prog,
		    const struct randrun_opts *opts, const char *reason, char **ret_text,
		    struct err *err);

#endif
