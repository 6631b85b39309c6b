/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a program is not loaded, as far as libbpf and the kernel let it be known. */
#ifndef BPF_AB_LOAD_CAUSE_H
#define BPF_AB_LOAD_CAUSE_H

#include "util.h"

enum load_cause {
	LOAD_OK,
	LOAD_REJECTED,	    /* the verifier saw it and said no: the only one that is a verdict */
	LOAD_NO_MAP,	    /* a map that it uses could not be created */
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

#define LOAD_REASON_MAX 256

/* A word or two for a cell or a message: "rejected", "map create". */
const char *load_cause__words(enum load_cause cause);

/*
 * The cause of a failure by what libbpf said, one message a line, and where
 * that has no meaning here, by the -errno; -EPERM is a lack of permission
 * whatever it was for. reason gets the line that decided,
 * else the last one, else the error's name; it holds LOAD_REASON_MAX bytes.
 */
enum load_cause load_cause__explain(const char *said, int error, char *reason);

/* Copies the first line of text into reason, cut to its size. */
void load_cause__set_reason(char *reason, const char *text);

#endif
