/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A load of one program, by as many system calls as its log takes: with a log
 * in a buffer that grows, and where it may not grow, without. Private to loader.
 */
#ifndef BPF_AB_LOAD_TRY_H
#define BPF_AB_LOAD_TRY_H

#include "load_words.h"
#include "loader.h"

#define LOAD_TRY_STATS 4 /* levels of the log: statistics, and ... */
#define LOAD_TRY_FIXED 8 /* the beginning of it where it is too long */

struct load_try {
	struct bpf_object *obj;	  /* prepared */
	struct load_words *words; /* of the last call */
	unsigned int prog_flags;  /* on top of a program's own */
	char *log;		  /* owned; never NULL once there is room */
	size_t log_size;
	bool lend_stdin; /* see load_with_btf_as_stdin() */
};

/* A buffer for logs, of not more than max bytes to start with. 0 or -ENOMEM. */
int load_try__make_room(struct load_try *try, size_t max);
void load_try__clear(struct load_try *try);

/*
 * The fd or the -errno of the kernel's verdict, which the log is of. Adds up
 * result's attempts, and says in it if the log, which may grow up to max bytes,
 * was cut.
 */
int load_try__load(struct load_try *try, struct bpf_program *prog, unsigned int level, size_t max,
		   struct load_result *result);

#endif
