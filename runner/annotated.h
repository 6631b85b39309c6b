/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An object file whose programs carry annotations, each one a test: it is
 * loaded alone, with and without capabilities as it says, and what the kernel
 * did is compared with what the annotations expect.
 */
#ifndef BPF_AB_ANNOTATED_H
#define BPF_AB_ANNOTATED_H

#include "annot.h"
#include "facts.h"
#include "outcome.h"

struct bpf_object;

/* Of a longer log the end is kept. Only what is written to is ever backed by memory. */
#define ANNOTATED_LOG_LEN (4UL << 20)

struct annotated_prog {
	char *name;
	struct annot *annot; /* NULL: the annotations can't be read, and why is in err */
	struct err err;
};

struct annotated {
	char *path;
	char *name;  /* the file's name up to the first dot */
	char *bytes; /* the file */
	size_t len;
	VEC(struct annotated_prog) progs; /* in the order of the file */
	char *log;			  /* room for the verifier's log and the streams, */
	size_t log_len;			  /* of this many bytes */
	const struct facts *facts;
	int verbose; /* as -v: 1 prints what was checked, 2 asks the verifier for more */
};

/* facts must outlive it. Returns 0 or -errno with err set. */
int annotated__open(const char *path, const struct facts *facts, int verbose,
		    struct annotated **ret_annotated, struct err *err);
void annotated__free(struct annotated *annotated);
void annotated__freep(struct annotated **annotated);

/* The path of a file in the same folder, which the caller frees. 0 or -ENOMEM. */
int annotated__beside(const struct annotated *annotated, const char *name, char **ret_path);

/*
 * A fresh libbpf object of the file, nothing loaded. btf_name (may be NULL):
 * a file beside it whose BTF stands for the kernel's.
 */
int annotated__open_object(const struct annotated *annotated, const char *btf_name,
			   struct bpf_object **ret_obj, struct err *err);

/*
 * Loads and checks one program. Prints to stdout what was found where
 * something else was expected. ret_why says in a line why it is not a pass.
 * Capabilities are as before when it returns.
 */
enum outcome annotated__check(const struct annotated *annotated, size_t prog, enum annot_mode mode,
			      struct err *ret_why);

/* One subtest for each program and mode; called from inside a test. */
void annotated__run_subtests(const struct annotated *annotated);

#endif
