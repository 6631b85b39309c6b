/* SPDX-License-Identifier: GPL-2.0-only */
/* Which numbers were asked for, and what has to be measured for them. */
#ifndef VERISTAT_COLUMNS_H
#define VERISTAT_COLUMNS_H

#include "filter.h"
#include "metric.h"
#include "opts.h"
#include "vec.h"
#include "veristat.h"

/* What a number is taken from. */
enum need {
	NEED_OBJECT = 1 << 0, /* the object alone, before any load */
	NEED_LOAD = 1 << 1,   /* a load: its outcome and the verifier's log */
	NEED_INFO = 1 << 2,   /* the loaded program, as the kernel shows it */
	NEED_MEMORY = 1 << 3, /* a control group around the load */
	NEED_PHASES = 1 << 4, /* a load of its own for each sample, probed */
	/* A load of its own, traced; beside the counters of kmalloc and slab: */
	NEED_COUNTERS = 1 << 5,
	NEED_NOLOCK = 1 << 6,
	NEED_VMALLOC = 1 << 7,
	NEED_PERCPU = 1 << 8,
	NEED_PAGES = 1 << 9,
	NEED_LEFT = 1 << 10, /* what is left when the program is gone: takes a wait */
	NEED_SITES = 1 << 11,
	NEED_CACHES = 1 << 12,
};

#define NEED_TRACED (NEED_COUNTERS | NEED_VMALLOC)

struct columns {
	VEC(const struct metric *) metrics; /* in the order they were asked for, each once */
	size_t shown;	    /* of these, from the first; the rest is there to sort or select by */
	unsigned int needs; /* enum need */
	bool untimed;	    /* refuse what follows the clock */
};

/*
 * Those of -e, else the default of the format, with those behind them that
 * other options ask for (--phases, --allocs, --alloc-sites, --alloc-caches). The
 * names of object and program are taken and add nothing, for they are always
 * there. untimed: times are left out of the default, and refused if they are
 * asked for. -EINVAL with err naming the word.
 */
int columns__choose(const struct veristat_opts *opts, bool untimed, struct columns *ret_columns,
		    struct err *err);
/* Adds what -s and the conditions of -f need and -e has not asked for. As above. */
int columns__complete(struct columns *columns, const struct opt_list *sort,
		      const struct filter *filter, struct err *err);
void columns__clear(struct columns *columns);
#define _cleanup_columns_ _cleanup_(columns__clear)

#endif
