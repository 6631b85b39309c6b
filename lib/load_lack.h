/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of an object that a kernel lacks. One map that cannot be created or
 * one kfunc that is not there makes libbpf give up the whole object; opened
 * without that part, it lets all programs be loaded that do not use it.
 */
#ifndef BPF_AB_LOAD_LACK_H
#define BPF_AB_LOAD_LACK_H

#include "load_cause.h"
#include "vec.h"

struct bpf_object;
struct bpf_program;

enum load_lack_kind {
	LACK_MAP,     /* not created; whoever uses it is rejected */
	LACK_KFUNC,   /* weak; whoever calls it is rejected */
	LACK_PROGRAM, /* cannot be relocated; left alone */
};

struct load_lack {
	enum load_lack_kind kind;
	char name[128];
	enum load_cause cause;
	int error; /* -errno of libbpf, or of the kernel behind it */
	char reason[LOAD_REASON_MAX];
};

struct load_lacks {
	VEC(struct load_lack) list;
};

/*
 * From the reason for which an object could not be prepared. 1 if it names a
 * part that can be done without, and that was not in the list yet; 0 if not;
 * -ENOMEM.
 */
int load_lacks__add(struct load_lacks *lacks, enum load_cause cause, int error, const char *reason);

/* Opens the object without these parts. Returns 0 or -errno of reading or of libbpf. */
int load_lacks__open(const struct load_lacks *lacks, const char *path, struct bpf_object **ret_obj);

/*
 * What keeps a program of the object from being loaded, whatever it does: its
 * own relocation, or the struct of operations that it is in. NULL: nothing.
 */
const struct load_lack *load_lacks__of_program(const struct load_lacks *lacks,
					       struct bpf_object *obj, struct bpf_program *prog);

/*
 * What a rejected program lacked: libbpf puts calls that no kernel takes in
 * the place of maps and kfuncs that are not there, and the log shows them.
 * The lack, with reason (LOAD_REASON_MAX bytes) set; NULL if the verifier had
 * other reasons.
 */
const struct load_lack *load_lacks__explain(const struct load_lacks *lacks, struct bpf_object *obj,
					    const char *log, char *reason);

#endif
