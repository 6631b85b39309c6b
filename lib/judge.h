/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verdict on one cell of a comparison, from its two samples. Noisy cells
 * take two steps, because how much evidence is enough depends on how many
 * programs are tested: judge__cell() leaves has_p set and the verdict open,
 * judge__noisy() decides once p_holm is known.
 */
#ifndef BPF_AB_JUDGE_H
#define BPF_AB_JUDGE_H

#include "compare.h"

/* Fewer samples on a side can never be significant. */
#define JUDGE_MIN_SAMPLES 4

struct judge_facts {
	bool counted;	       /* both clocks count instructions */
	const char *no_memory; /* the same of memory as control groups see it */
	const char *no_time;   /* why times cannot be compared, or NULL */
	double insns;	       /* processed instructions of the program; below 0: not known */
	unsigned int vcpus;
	const struct compare_cell *same; /* this cell with one kernel on both sides, or NULL */
	size_t programs;		 /* how many may be tested with this one */
	const char *excuse;		 /* why a difference need not be the kernel's, or NULL */
	bool shown_only;		 /* a part of a sum that is judged itself */
	bool sum_unknowable;		 /* ... of one that a kernel could not tell */
};

/* Sets all of the cell but its metric, its samples and p_holm. Returns 0 or -ENOMEM. */
int judge__cell(struct compare_cell *cell, const struct judge_facts *facts);
int judge__noisy(struct compare_cell *cell, const struct judge_facts *facts);

/* The first step for a noisy cell, which judge__cell() takes. */
int judge__noisy_evidence(struct compare_cell *cell, const struct judge_facts *facts);

/* Which verdict a rise of this metric is; a fall is the other one. */
enum verdict judge__verdict_of(const struct metric *metric, bool rise);

/* Adds to cell->why. Returns 0 or -ENOMEM. */
int compare_cell__say(struct compare_cell *cell, const char *fmt, ...) __printf_like(2, 3);

#endif
