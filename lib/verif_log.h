/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The statistics at the end of a verifier log. The kernel writes "processed"
 * at every log level and the other lines at BPF_LOG_STATS (4). Source of the
 * format: print_verification_stats() in kernel/bpf/verifier.c.
 *
 *	up to 6.18                       7.3
 *	verification time N usec         verification time N usec
 *	stack depth 16+0                 stack depth max N
 *	                                 subprog I (NAME) KIND insns_self N insns_total N stack N
 *	processed N insns (limit N) max_states_per_insn N total_states N peak_states N mark_read N
 *
 * Kernels between the two put " max N" behind the sum of stack depths.
 */
#ifndef BPF_AB_VERIF_LOG_H
#define BPF_AB_VERIF_LOG_H

#include "util.h"

enum verif_stat {
	VERIF_TIME,  /* us by the kernel's clock */
	VERIF_INSNS, /* processed, summed over all paths */
	VERIF_MAX_STATES_PER_INSN,
	VERIF_TOTAL_STATES,
	VERIF_PEAK_STATES,
	VERIF_MARK_READ,
	VERIF_STACK,	 /* bytes, summed over subprograms */
	VERIF_MAX_STACK, /* bytes, deepest chain of calls */
	VERIF_STATS,
};

/* value[s] means something only where known[s] is set: absent is never zero. */
struct verif_log {
	bool known[VERIF_STATS];
	uint64_t value[VERIF_STATS];
};

/*
 * Reads the last run that text tells of. Any text is taken: of a log that is
 * cut at either end, or not a log at all, what is there whole is known and
 * the rest is not. A number that touches the end of the text may be half of
 * one, so it is not known.
 */
void verif_log__parse(const char *text, struct verif_log *ret_log);

/* The verifier got to its last line: it ran, whatever it decided. */
bool verif_log__is_whole(const struct verif_log *log);

#endif
