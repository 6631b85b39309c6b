/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of one metric of one program on one side, taken out of their
 * rows. What has no value is counted, and its reason kept, but never becomes
 * a number.
 */
#ifndef BPF_AB_SAMPLE_H
#define BPF_AB_SAMPLE_H

#include "group.h"

struct sample {
	size_t n;	/* samples with a value */
	double *values; /* owned; of numbers, all n of them */
	double *units;	/* owned; what a test may count: values, or medians of boots */
	size_t n_units;
	double min, max, median; /* median of units */
	const char *text;	 /* of words: the first, of ranked ones the worst */
	const char *other;	 /* a word that differs from text, or NULL */
	bool varies;		 /* not all the same */
	bool varies_in_boot;	 /* not even within one boot */
	size_t outliers;	 /* units far from the median */
	/* What is known about samples without a value: the one that says most. */
	enum cell_state state;
	const char *reason; /* in the recording, or NULL */
	size_t missing;	    /* unsupported or failed ones */
	bool no_column;	    /* the recording does not have it: nobody asked */
};

/* Returns 0 or -ENOMEM. */
int sample__take(const struct recording *rec, const struct group *group,
		 const struct metric *metric, struct sample *ret_sample);
void sample__reset(struct sample *sample);

#endif
