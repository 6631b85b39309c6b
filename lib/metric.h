/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one table of what can be measured. A new number is one row in metric.c
 * and its source in a measure file; options, CSV, tables and the comparison
 * all follow from the row.
 */
#ifndef BPF_AB_METRIC_H
#define BPF_AB_METRIC_H

#include <stdio.h>

#include "util.h"

enum suite {
	SUITE_VERISTAT,	  /* key columns file_name, prog_name */
	SUITE_TEST_PROGS, /* key columns test_name, subtest_name */
	SUITE_BENCH,	  /* key columns bench_name, variant_name */
	SUITE_MAX,
};

enum metric_kind {
	METRIC_EXACT,	/* compared by equality */
	METRIC_COUNTED, /* nearly exact: compared by the ranges of the two sides */
	METRIC_NOISY,	/* compared by medians, intervals and tests */
};

enum metric_better {
	METRIC_LOWER,  /* less is better */
	METRIC_HIGHER, /* more is better */
	METRIC_RANKED, /* text; ranks[] lists its values from best to worst */
	METRIC_ANY,    /* text; any difference is worse: it should not have moved */
	METRIC_INFO,   /* a difference is shown and is no verdict */
};

enum metric_flags {
	METRIC_TEXT = 1 << 0,	   /* the value is a word, not a number */
	METRIC_TIMED = 1 << 1,	   /* follows the clock: counted under counted instructions */
	METRIC_IDENTITY = 1 << 2,  /* a property of the program: if it varies between samples of
				    * one key in one file, the key names two programs */
	METRIC_MINUS_ONE = 1 << 3, /* -1 in a CSV means not measured (upstream's mem_peak) */
	METRIC_CHARGED = 1 << 4,   /* memory as control groups see it: in batches per CPU */
	METRIC_SPARE = 1 << 6,	   /* a sum of recordings without this part is a sum, too */
	METRIC_LIST = 1 << 5,	   /* text, a list of places (placelist.h): shown by itself, and
				    * not compared */
};

#define METRIC_NAMES 4
#define METRIC_RANKS 8
#define METRIC_PARTS 4

struct metric {
	const char *id;			 /* CSV column */
	const char *names[METRIC_NAMES]; /* further names taken by -e, -s, -f and CSVs */
	const char *title;		 /* table header */
	const char *unit;		 /* "us", "B", "KiB", "MiB", "1/s", or "" for a count */
	enum suite suite;
	enum metric_kind kind;
	enum metric_better better;
	unsigned int flags; /* enum metric_flags */
	double floor;	    /* smallest relative effect that can be a verdict; 0: the default */
	const char *ranks[METRIC_RANKS]; /* METRIC_RANKED only */
	/*
	 * Ids of the metrics that this one is the sum of. Where the sum is known
	 * on both sides it is judged and its parts are only shown: work that
	 * moved from one part to another is neither better nor worse.
	 */
	const char *parts[METRIC_PARTS];
};

/* The key columns of a suite: key[0] names the object, key[1] the program. */
struct suite_key {
	const char *name; /* "veristat", ... */
	const char *columns[2];
	const char *titles[2];
};

extern const struct suite_key suite_keys[SUITE_MAX];

size_t metric__count(void);
const struct metric *metric__at(size_t i);
/* By id or by one of the further names; NULL if the suite has no such metric. */
const struct metric *metric__find(enum suite suite, const char *name);
/* The metric that counts this one among its parts, or NULL. */
const struct metric *metric__sum_of(const struct metric *part);
/* Place of a word in ranks[], 0 being the best, or -1. */
int metric__rank(const struct metric *metric, const char *word);
/* For --help: a line for each metric of a suite, with its title, unit and further names. */
void metric__help(enum suite suite, FILE *out);

#endif
