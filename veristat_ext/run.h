/* SPDX-License-Identifier: GPL-2.0-only */
/* Measures the objects of a command line. */
#ifndef VERISTAT_RUN_H
#define VERISTAT_RUN_H

#include "columns.h"
#include "record.h"
#include "veristat.h"

struct run_count {
	size_t objects, programs;		  /* measured */
	size_t skipped_objects, skipped_programs; /* by the filters */
};

/*
 * Fills a recording with the wanted columns, one row per sample. Says on
 * stderr what could not be opened or measured, and goes on with the rest; a
 * signal ends it with what is measured so far, marked incomplete. Returns an
 * exit status: EXIT_FINE, EXIT_USAGE (nothing matched; no recording) or
 * EXIT_UNABLE (ret_rec is set unless nothing at all could be done).
 */
enum veristat_exit run__measure(const struct veristat_opts *opts, const struct columns *columns,
				const struct filter *filter, const struct opt_list *args,
				struct recording **ret_rec, struct run_count *ret_count);

#endif
