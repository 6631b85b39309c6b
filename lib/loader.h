/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One BPF object, its programs loaded one at a time. The object is prepared
 * once (maps, BTF, relocations); a load is then one bpf(BPF_PROG_LOAD) and
 * nothing else, so that what is counted around it is its own. Needs the
 * libbpf of Linux 7.3 or later (bpf_program__clone).
 *
 * Maps are made as small as the verifier allows, nothing is pinned, and
 * freplace programs, whose target is not there, are loaded as the type that
 * their context argument suggests.
 *
 * While an object is open its messages go nowhere: what libbpf says is in the
 * reasons of the results. One thread at a time.
 */
#ifndef BPF_AB_LOADER_H
#define BPF_AB_LOADER_H

#include "cleanup.h"
#include "err.h"

struct loader;

/* Why a program is not loaded. */
enum load_cause {
	LOAD_OK,
	LOAD_REJECTED,	    /* the verifier saw it and said no: the only one that is a verdict */
	LOAD_NO_MAP,	    /* a map of the object could not be created */
	LOAD_NO_TARGET,	    /* what it attaches to is not in this kernel */
	LOAD_NO_EXTERN,	    /* a kfunc or variable that it needs is not in this kernel */
	LOAD_NO_TYPE,	    /* its section does not tell a program type */
	LOAD_NO_BTF,	    /* BTF, of the kernel or of the object, is missing or refused */
	LOAD_NO_PERMISSION, /* the kernel refuses this kind of program to this user */
	LOAD_NO_MEMORY,
	LOAD_REFUSED, /* the kernel said no before the verifier had a look */
	LOAD_FAILED,  /* anything else: see the reason */
	LOAD_CAUSES,
};

/* A word or two for a cell or a message: "rejected", "map create". */
const char *load_cause__words(enum load_cause cause);

struct load_opts {
	unsigned int log_level; /* of the verifier: bits 1 and 2; statistics (4) are always on */
	/*
	 * Bytes that the log may take; 0: 64 MiB. Of a longer log the end is
	 * kept, and the verdict is that of a load without a log: it never
	 * depends on this size.
	 */
	size_t log_max;
};

struct load_result {
	int fd;	   /* owned by the caller; -1 if not loaded */
	int error; /* 0 or the -errno of the load */
	enum load_cause cause;
	char reason[256]; /* one line; empty if loaded */
	/*
	 * System calls it took: 1, or more if the log had outgrown its buffer.
	 * What was counted around it is then the sum over all of them: load
	 * again, the buffer is large enough now.
	 */
	unsigned int attempts;
	const char *log; /* of the loader, until its next load; never NULL */
	bool log_cut;	 /* the beginning of the log is missing */
};

/* Facts of a program; strings belong to the loader or are constant. */
struct loader_prog {
	const char *name;
	const char *section;
	const char *type;   /* libbpf's word, "unspec" if not known */
	const char *attach; /* libbpf's word; NULL: this program has no attach type */
	bool guessed;	    /* the type is a guess: freplace */
	size_t insns;	    /* with its subprograms; 0 until the object is prepared */
};

/* -errno with err naming the file: not there, not a BPF object, broken. */
int loader__open(const char *path, struct loader **ret_loader, struct err *err);
void loader__free(struct loader *loader);
DEFINE_CLEANUP(struct loader, loader__free);
#define _cleanup_loader_ _cleanup_(loader__freep)

size_t loader__count(const struct loader *loader);
struct loader_prog loader__prog(const struct loader *loader, size_t i);

/*
 * Creates maps and the rest of what the programs share. Once: a second call
 * returns what the first did. -errno with err; loads then tell the cause.
 */
int loader__prepare(struct loader *loader, struct err *err);

/*
 * Loads program i. Returns 0 with the result, whatever the kernel decided, or
 * -ENOMEM for a lack of our own.
 */
int loader__load(struct loader *loader, size_t i, const struct load_opts *opts,
		 struct load_result *ret_result);

#endif
