/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the time of a load goes: the passes of the verifier and the JIT, by
 * BPF programs at the beginning and the end of their functions (fentry, fexit).
 * The clock is the kernel's own, so in a guest that counts instructions a
 * nanosecond is one of them.
 *
 *	err = phases__open(&phases, &e);
 *	err = phases__begin(phases, gettid());
 *	... bpf(BPF_PROG_LOAD) ...
 *	err = phases__end(phases, times);
 *
 * The programs stay attached from open to free, since attaching takes longer
 * than most loads: all loads meanwhile take a few thousand instructions more.
 */
#ifndef BPF_AB_PHASES_H
#define BPF_AB_PHASES_H

#include <sys/types.h>

#include "cleanup.h"
#include "err.h"

struct phases;

struct phase_time {
	uint64_t self_ns; /* without phases inside it, so that all of them can be added up */
	uint64_t calls;	  /* 0: it did not run, and took no time */
};

/* How many phases there are, and their names: "fixups", for columns "phase.fixups". */
size_t phases__count(void);
const char *phases__name(size_t i);

/*
 * Loads and attaches what this kernel has functions for. -EOPNOTSUPP or -EPERM with the reason
 * where the kernel or the user may not, -ENOMEM.
 */
int phases__open(struct phases **ret_phases, struct err *err);
void phases__free(struct phases *phases);
DEFINE_CLEANUP(struct phases, phases__free);
#define _cleanup_phases_ _cleanup_(phases__freep)

/* False: this kernel has no function of that phase that can be probed. */
bool phases__has(const struct phases *phases, size_t i);

/* Times a thread, a tid as this PID namespace has it. */
void phases__begin(struct phases *phases, pid_t tid);

/*
 * ret_times has room for phases__count(). -EAGAIN: the kernel skipped a program,
 * so that times would be wrong.
 */
int phases__end(struct phases *phases, struct phase_time *ret_times);

#endif
