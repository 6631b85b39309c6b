/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a BPF program says about itself: the annotations of bpf_misc.h, as the
 * compiler leaves them in BTF. Each is a declaration tag of the function,
 *
 *	comment:N:TAG  or  comment:N:TAG=VALUE
 *
 * where N (the compiler's __COUNTER__) restores the order in the source. The
 * tags and their meaning are those of the kernel's own test loader. A tag
 * that is not in the table is an error, never passed over.
 */
#ifndef BPF_AB_ANNOT_H
#define BPF_AB_ANNOT_H

#include "err.h"
#include "match.h"
#include "vec.h"

struct btf;

/* A program is loaded with all capabilities, without them, or once each. */
enum annot_mode { ANNOT_PRIV, ANNOT_UNPRIV, ANNOT_MODES };

enum annot_text {
	ANNOT_LOG, /* verifier log */
	ANNOT_XLATED,
	ANNOT_JITED,  /* only those for the architecture this runs on */
	ANNOT_STDOUT, /* the program's streams */
	ANNOT_STDERR,
	ANNOT_TEXTS
};

enum annot_arch {
	ANNOT_X86_64 = 1 << 0,
	ANNOT_ARM64 = 1 << 1,
	ANNOT_RISCV64 = 1 << 2,
	ANNOT_S390X = 1 << 3,
	ANNOT_LOONGARCH = 1 << 4,
};

enum annot_jit { ANNOT_JIT_ON = 1 << 0, ANNOT_JIT_OFF = 1 << 1 };

struct annot_expect {
	bool wanted; /* the program is to be loaded in this mode */
	bool fails;  /* loading it is expected to fail */
	bool runs;   /* it is run, and retval expected */
	int retval;
	struct match_list texts[ANNOT_TEXTS]; /* see annot__texts() */
};

struct annot {
	char *description;   /* owned, NULL: none */
	char *btf_path;	     /* owned, NULL: none; BTF of the kernel for CO-RE, an object's name */
	char *btf_func_path; /* owned, NULL: none; BTF to take parameter names from */
	struct annot_expect expect[ANNOT_MODES];
	uint64_t caps;	     /* bit N: unprivileged, but for capability N */
	uint32_t prog_flags; /* BPF_F_... of BPF_PROG_LOAD */
	unsigned int log_level;
	unsigned int archs;	  /* enum annot_arch; 0: all */
	unsigned int jit;	  /* enum annot_jit; 0: either */
	unsigned int linear_size; /* of a test run's packet; 0: all of it */
	bool auxiliary;		  /* not a test: loaded along with each test of its object */
};

/* Retval that stands for a pointer: any value is right. */
#define ANNOT_POINTER_VALUE 0xbadcafe

/* Bit of the architecture that this runs on; 0 if it is none of them. */
unsigned int annot__this_arch(void);

/*
 * Reads one program's tags, in any order; those without the "comment:" prefix
 * are not ours.
 * Returns 0, -ENOMEM, or -EINVAL with err naming the tag and what was expected.
 */
int annot__read(const char *const *tags, size_t n, struct annot **ret_annot, struct err *err);

/* The same for a function of an object; -ENOENT if its BTF has no such function. */
int annot__read_btf(const struct btf *btf, const char *func, struct annot **ret_annot,
		    struct err *err);

/* Whether a function has a tag of ours: the object is a test. */
bool annot__in_btf(const struct btf *btf);

/* What is expected of a text in a mode: without a list of its own, unprivileged is as privileged.
 */
const struct match_list *annot__texts(const struct annot *annot, enum annot_mode mode,
				      enum annot_text text);

void annot__free(struct annot *annot);
void annot__freep(struct annot **annot);

#endif
