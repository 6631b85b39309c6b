/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two recordings, base (A) and patched (B), and what each number says: equal,
 * better, worse, or why nothing can be said.
 *
 * Exact metrics are compared by equality.
 *
 * Counted ones (and timed ones if both clocks count instructions) by the
 * ranges of the sides. The resolution is the greatest of 0.1 %, the floor of
 * the metric, and three times the range of one kernel: that of the A/A
 * comparison, or the wider one of the two sides. Better or worse: the ranges
 * do not overlap and the effect exceeds it; equal: it does not; else, and if
 * the resolution itself is above 10 %, inconclusive.
 *
 * Noisy ones by the 95 % interval of the ratio of medians against a margin,
 * which is the greatest of 1 %, the floor of the metric and the spread of the
 * A/A comparison, and by a Mann-Whitney test corrected for the number of
 * programs. A sample is a row or, where there are several boots, the median
 * of a boot.
 */
#ifndef BPF_AB_COMPARE_H
#define BPF_AB_COMPARE_H

#include "sample.h"
#include "stats.h"

enum verdict {
	VERDICT_EQUAL,
	VERDICT_NOT_WORSE,
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_DIFFERS, /* of a metric that is shown and not judged */
	VERDICT_INCONCLUSIVE,
	VERDICT_TOO_FEW,   /* samples */
	VERDICT_TOO_SMALL, /* to time */
	VERDICT_UNSTABLE,  /* an exact metric that varies on one side */
	VERDICT_NOT_MEASURED,
	VERDICT_NEW,	   /* no such row in A */
	VERDICT_GONE,	   /* no such row in B: worse */
	VERDICT_AMBIGUOUS, /* the key names two programs */
	VERDICT_MAX,
};

/* "equal", "too few samples", ... */
const char *verdict__name(enum verdict verdict);

/* One metric of one program. */
struct compare_cell {
	const struct metric *metric;
	enum verdict verdict;
	struct sample side[2]; /* owned; a side that was not measured has n == 0 */
	bool has_ratio;	       /* both medians are above 0 */
	double ratio;	       /* median of B by median of A */
	bool has_interval;     /* 95 %, of the ratio */
	struct stats_interval interval;
	bool has_p;
	double p, p_holm;  /* two-sided; corrected for the programs of this metric */
	bool is_part;	   /* of a sum that is judged in its place */
	bool nothing;	   /* a word that neither side has: neither shown nor counted */
	double resolution; /* relative effect below which nothing is told; 0: none */
	char *why;	   /* owned; what a reader has to know beside the verdict, or NULL */
};

struct compare_row {
	const char *object, *program; /* in one of the recordings */
	bool in[2];
	/* NEW, GONE or AMBIGUOUS: no cell is judged. NOT_MEASURED: B ended before it. */
	enum verdict verdict;	    /* else the gravest of the cells */
	char *why;		    /* owned or NULL */
	struct compare_cell *cells; /* owned; one per metric of the comparison */
};

/* Whether it has verdicts on cells. */
static inline bool compare_row__is_judged(const struct compare_row *row)
{
	return row->in[0] && row->in[1] && row->verdict != VERDICT_AMBIGUOUS;
}

struct comparison {
	enum suite suite;
	VEC(const struct metric *) metrics; /* in the order of the metric table, or as chosen */
	VEC(struct compare_row) rows;	    /* in the order of A, then those that only B has */
	size_t counts[VERDICT_MAX];	    /* of cells, and of rows that are not judged by cells */
	bool excused;	    /* some difference may come from the environments: not comparable */
	bool incomplete[2]; /* a side's run was cut short */
	int status; /* exit status: 1 worse, else 3 if something could not be compared, else 0 */
};

struct compare_opts {
	/* Which rows count; NULL: all. */
	bool (*keep)(const void *ctx, const char *object, const char *program);
	const void *ctx;
	/* Only these, in this order; n_metrics == 0: all that either side recorded. */
	const struct metric *const *metrics;
	size_t n_metrics;
	/* One kernel against itself, for floors; NULL: none. Has to outlive nothing. */
	const struct comparison *same;
};

/*
 * a and b are of one suite and have to outlive the comparison. Returns 0 or
 * -ENOMEM.
 */
int compare__run(const struct recording *a, const struct recording *b,
		 const struct compare_opts *opts, struct comparison **ret_comparison);
void comparison__free(struct comparison *comparison);
void comparison__freep(struct comparison **comparison);

#endif
