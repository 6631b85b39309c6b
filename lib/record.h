/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was measured: rows of one suite, a cell per metric. A row is one
 * sample; rows with the same (object, program) are repeated samples. A cell
 * that was not measured is absent, unsupported or failed, each with what is
 * known of the reason, and never a number.
 */
#ifndef BPF_AB_RECORD_H
#define BPF_AB_RECORD_H

#include "err.h"
#include "metric.h"
#include "vec.h"

enum cell_state {
	CELL_ABSENT, /* nobody tried, or the column does not exist in this recording */
	CELL_OK,
	CELL_UNSUPPORTED, /* this kernel or machine cannot tell; text says why */
	CELL_FAILED,	  /* it should have been there; text says why */
};

struct cell {
	enum cell_state state;
	double num; /* CELL_OK of a number */
	char *text; /* owned: the word of a METRIC_TEXT metric, or the reason */
};

struct record_row {
	char *object;	    /* owned; e.g. "pyperf180.bpf.o" */
	char *program;	    /* owned; e.g. "on_event" */
	unsigned int boot;  /* rows of one boot are not independent of each other */
	struct cell *cells; /* owned; one per column of the recording */
};

/* One line of what the run stood on: "kernel" = "7.3.4 #1 SMP ...". */
struct record_env {
	char *key, *value; /* owned */
	bool varies;	   /* boots disagree; value lists what they say, " | " between */
};

struct recording {
	enum suite suite;
	VEC(const struct metric *) columns;
	VEC(struct record_row) rows;
	VEC(struct record_env) env; /* empty: there was no sidecar */
	unsigned int boots;	    /* how many files it was read from */
	bool complete;		    /* false: the run was cut short */
};

/* A recording with no columns. Returns 0 or -ENOMEM. */
int recording__new(enum suite suite, struct recording **ret_rec);
void recording__free(struct recording *rec);
void recording__freep(struct recording **rec);

/* Appends a column; existing rows get an absent cell. No-op if it is there. */
int recording__add_column(struct recording *rec, const struct metric *metric);
/* Index of a metric's column or -1. */
int recording__column(const struct recording *rec, const struct metric *metric);

/* Appends a row with every cell absent; the strings are copied. ret_row is valid until the next. */
int recording__add_row(struct recording *rec, const char *object, const char *program,
		       struct record_row **ret_row);

/* Takes back the row that was added last. */
void recording__drop_row(struct recording *rec);

/*
 * Moves the rows of src to the end of dst as its next boots. The environment
 * of dst is left alone: env__join(). src is empty afterwards, dst complete
 * only if both were.
 */
int recording__append(struct recording *dst, struct recording *src);

/*
 * Cell setters, by metric name. -ENOENT if the recording has no such column:
 * the caller may measure more than was asked for and ignore that.
 */
int recording__set_num(struct recording *rec, struct record_row *row, const char *metric,
		       double value);
int recording__set_text(struct recording *rec, struct record_row *row, const char *metric,
			const char *value);
int recording__set_missing(struct recording *rec, struct record_row *row, const char *metric,
			   enum cell_state state, const char *reason);

/*
 * Fills in metrics that are sums (metric.parts) where every part has a column
 * (METRIC_SPARE: or has none) and the sum itself has no value: a number if all parts have one, else
 * the state and reason of the part that lacks it.
 */
int recording__add_sums(struct recording *rec);

int recording__set_env(struct recording *rec, const char *key, const char *value);
/* NULL if the recording does not say. */
const char *recording__env(const struct recording *rec, const char *key);

#endif
