/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of veristat share: its options and its exit statuses. */
#ifndef VERISTAT_H
#define VERISTAT_H

#include "detail.h"
#include "opts.h"
#include "preset.h"

enum veristat_exit {
	EXIT_FINE = 0,
	EXIT_WORSE = 1,	 /* -C only */
	EXIT_USAGE = 2,	 /* or nothing matched */
	EXIT_UNABLE = 3, /* something could not be opened or measured */
};

enum veristat_format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN };

struct veristat_opts {
	bool version, quiet, progress, compare, replay, no_env, phases, growth;
	bool allocs, alloc_caches, probe;
	int64_t alloc_sites, alloc_room; /* 0: not given */
	int verbose;
	enum veristat_format format;
	bool debug, log_fixed, test_states, test_reg_invariants, rnd_hi32;
	int64_t log_level, log_size; /* log_size 0: not given */
	int64_t src_lines;
	unsigned int dump; /* enum dump_mode */
	struct presets presets;
	int64_t repeat, warmup; /* warmup -1: not given */
	int64_t jobs;
	bool force; /* times although jobs > 1 */
	int64_t top;
	const char *floor, *record, *fail_on, *dump_dir;
	struct opt_list emit, sort, wide, filter, explain, manifest;
	int argc;
	char **argv;
};

#endif
