/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run stands on, for the sidecar of a recording. Read from the
 * running system; a fact that cannot be had is left out.
 *
 * Keys: kernel (release and version string), build_id (of the kernel, from
 * /sys/kernel/notes), config (hash of /proc/config.gz), cmdline, clock
 * (icount, host, tcg-wall, kvm; from BPF_AB_CLOCK, else "host"), cpu, vcpus,
 * memory, host (from BPF_AB_HOST in a guest), cgroup (v1, v2), mitigations,
 * revision (of this tool), program (command line of the program), series and
 * compiler (from BPF_AB_SERIES, BPF_AB_COMPILER), sysctl.NAME for those that
 * matter, date.
 */
#ifndef BPF_AB_ENV_H
#define BPF_AB_ENV_H

#include "record.h"

/* root: "" for this system, or a folder that holds proc/ and sys/ (tests). */
int env__collect(struct recording *rec, const char *root, int argc, char **argv);

#endif
