/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of threads as user space knows them; lib/pidns.h tells of the namespace. */
#ifndef BPF_AB_PROGS_PIDNS_H
#define BPF_AB_PROGS_PIDNS_H

#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

/* The PID namespace of user space, or 0: the initial one. */
const volatile __u64 pidns_dev = 0, pidns_ino = 0;

/* 0, which no thread has: the current one has no number there. */
static __always_inline __u32 current_tid(void)
{
	struct bpf_pidns_info ns;

	if (!pidns_ino)
		return bpf_get_current_pid_tgid();
	if (bpf_get_ns_current_pid_tgid(pidns_dev, pidns_ino, &ns, sizeof(ns)))
		return 0;
	return ns.pid;
}

#endif
