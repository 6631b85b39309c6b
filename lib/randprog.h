/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random programs made of what the verifier rewrites and of ways around it.
 *
 * A program is functions of units, each a few instructions (randemit.h). At
 * the beginning of any unit the same holds: r6 is the context (in functions
 * that have it), r7 and r8 are numbers, r9 points to the data of randworld.h,
 * and nothing else. So a jump may go to any unit, and units can be left out.
 *
 * Conditions are of numbers that come freshly from memory that the verifier
 * does not follow, every unit can be reached, and loops end: either as many
 * rounds as a constant says, or when the fuel in memory is used up (then with
 * a may_goto at their beginning, for the verifier's sake).
 */
#ifndef BPF_AB_RANDPROG_H
#define BPF_AB_RANDPROG_H

#include "err.h"
#include "vec.h"

enum rand_kind {
	RAND_ALU,
	RAND_DIVIDE, /* or modulo; begins with the instruction that is replaced */
	RAND_LOAD,
	RAND_STORE,
	RAND_SPILL,
	RAND_FILL,
	RAND_ATOMIC,
	RAND_LOOKUP,
	RAND_LOOKUP_NESTED, /* in a map that a lookup has found */
	RAND_PACKET,	    /* LD_ABS */
	RAND_PACKET_AT,	    /* LD_IND */
	RAND_CTX_READ,
	RAND_CTX_WRITE,
	RAND_JIFFIES,
	RAND_CPU,
	RAND_TAIL_CALL,
	RAND_CAST,	 /* of the context by a kfunc */
	RAND_ITERATE,	 /* over numbers, by kfuncs */
	RAND_CALL,	 /* of a function */
	RAND_LOOP,	 /* bpf_loop() of a function */
	RAND_JUMP,	 /* conditional, forward */
	RAND_GOTO,	 /* forward; left out where what follows could not be reached */
	RAND_MAY_GOTO,	 /* forward */
	RAND_BACK,	 /* to a may_goto, while there is fuel */
	RAND_COUNT,	 /* beginning of a loop with a constant number of rounds */
	RAND_COUNT_BACK, /* its end, which jumps behind its beginning */
	RAND_EXIT_IF,
	RAND_END, /* the last unit of a function, and only that */
	RAND_KINDS,
};

#define RAND_PARAMS    6
#define RAND_FUNCS_MAX 16

struct rand_unit {
	enum rand_kind kind;
	bool dropped;		 /* by a reduction */
	uint32_t r[RAND_PARAMS]; /* all that is left open by the kind */
	size_t target;		 /* of jumps: index of a unit; of calls: of a function */
};

struct rand_func {
	bool ctx;      /* r1 is the context; the number is then in r2, else in r1 */
	bool callback; /* of bpf_loop: returns 0 or 1 */
	bool global;   /* verified by itself */
	unsigned int depth;
	uint32_t head; /* what comes first in it */
	VEC(struct rand_unit) units;
};

struct randprog {
	uint64_t seed;
	VEC(struct rand_func) funcs; /* 0 is where the program begins */
};

struct randprog_opts {
	bool kfuncs; /* can be called here */
};

/* Words for a kind, as in "divide". */
const char *randprog__kind(enum rand_kind kind);

/* The program of a seed: always the same. Returns 0 or -ENOMEM. */
int randprog__make(uint64_t seed, const struct randprog_opts *opts, struct randprog *ret_prog);
void randprog__free(struct randprog *prog);

/* Units that are not dropped. */
size_t randprog__size(const struct randprog *prog);

#endif
