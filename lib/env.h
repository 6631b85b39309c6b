/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run stands on, for the sidecar of a recording. Read from the
 * running system; a fact that cannot be had is left out.
 *
 * Keys: kernel (release and version string), build_id (of the kernel, from
 * /sys/kernel/notes), series and compiler (from BPF_AB_SERIES and
 * BPF_AB_COMPILER), config (hash of the text of /proc/config.gz), cmdline
 * (without BPF_AB_..., BOOT_IMAGE and initrd words, which name files of the
 * run), mitigations (on, off, not built), clock (icount, host, tcg-wall, kvm;
 * from BPF_AB_CLOCK, else host), cpu, vcpus, memory (MiB, up to the next
 * multiple of 128: kernels differ in what they keep for themselves), cgroup
 * (v1, v2, hybrid: which the memory controller is in), sysctl.NAME for those
 * that matter, revision (of this tool), host (from BPF_AB_HOST in a guest),
 * program (command line of the program), date (UTC).
 */
#ifndef BPF_AB_ENV_H
#define BPF_AB_ENV_H

#include "record.h"

/* Of this tool, as git describes it. */
const char *env__revision(void);

/* root: "" for this system, or a folder that holds proc/ and sys/ (tests). */
int env__collect(struct recording *rec, const char *root, int argc, char **argv);

enum env_clock {
	ENV_CLOCK_UNKNOWN,  /* the recording does not say */
	ENV_CLOCK_ICOUNT,   /* one tick per guest instruction */
	ENV_CLOCK_WALL,	    /* host or kvm */
	ENV_CLOCK_TCG_WALL, /* wall clock of an emulated CPU: no evidence */
	ENV_CLOCK_MIXED,    /* boots disagree */
};

enum env_clock env__clock(const struct recording *rec);
/* CPUs of the machine; 1 if the recording does not say. */
unsigned int env__vcpus(const struct recording *rec);

#endif
