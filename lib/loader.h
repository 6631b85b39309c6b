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
 * What libbpf says is in the reasons of the results, and is printed only where
 * loader_opts ask for it. One thread at a time.
 */
#ifndef BPF_AB_LOADER_H
#define BPF_AB_LOADER_H

#include "cleanup.h"
#include "err.h"
#include "load_cause.h"
#include "preset.h"

struct loader;

struct loader_opts {
	const struct presets *presets; /* outlives the loader; NULL: none */
	unsigned int prog_flags;       /* BPF_F_..., on top of a program's own */
	FILE *echo;		       /* what libbpf says goes here as well; NULL: nowhere */
	bool debug;		       /* with what it says for its own developers */
};

struct load_opts {
	unsigned int log_level; /* of the verifier: bits 1 and 2; statistics (4) are always on */
	bool log_fixed;		/* of a log that is too long keep the beginning, not the end */
	/*
	 * Bytes that the log may take; 0: 64 MiB. Of a longer log the end is
	 * kept (log_fixed: the beginning and the statistics), and the verdict is
	 * that of a load without a log: it never depends on this size.
	 */
	size_t log_max;
};

struct load_result {
	int fd;	   /* owned by the caller; -1 if not loaded */
	int error; /* 0 or the -errno of the load */
	enum load_cause cause;
	char reason[LOAD_REASON_MAX]; /* one line; empty if loaded */
	/*
	 * System calls it took: 1, or more if the log had outgrown its buffer, or
	 * if it turned out that maps have to be made anew for each load. What was
	 * counted around it is then the sum over all of them: load again, by now
	 * it is known.
	 */
	unsigned int attempts;
	const char *log; /* of the loader, until its next load; never NULL */
	bool log_cut;	 /* a part of the log is missing: its beginning; log_fixed: its end */
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

/*
 * opts may be NULL: nothing special. -errno with err naming the file: not
 * there, not a BPF object, broken; -EINVAL if the presets do not fit it.
 */
int loader__open(const char *path, const struct loader_opts *opts, struct loader **ret_loader,
		 struct err *err);
void loader__free(struct loader *loader);
DEFINE_CLEANUP(struct loader, loader__free);
#define _cleanup_loader_ _cleanup_(loader__freep)

size_t loader__count(const struct loader *loader);
struct loader_prog loader__prog(const struct loader *loader, size_t i);

/*
 * Creates maps and the rest of what the programs share. What this kernel lacks
 * is left out if the object can do without; the programs that use it then fail
 * with that as their cause. Once: a second call returns what the first did.
 * -errno with err; loads then tell the cause.
 */
int loader__prepare(struct loader *loader, struct err *err);

/*
 * Makes sure that the next load of program i is one system call, so that it
 * can be counted or timed: some maps (jump tables) serve one program once, and
 * a load after the first needs them made anew. Errors are left to the load.
 */
void loader__ready(struct loader *loader, size_t i);

/*
 * Loads program i. Returns 0 with the result, whatever the kernel decided, or
 * -ENOMEM for a lack of our own.
 */
int loader__load(struct loader *loader, size_t i, const struct load_opts *opts,
		 struct load_result *ret_result);

#endif
