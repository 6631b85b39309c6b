/* SPDX-License-Identifier: GPL-2.0-only */
/* PID namespaces: where threads have other numbers than the kernel's traces tell. */
#ifndef BPF_AB_PIDNS_H
#define BPF_AB_PIDNS_H

#include <linux/types.h>
#include <stdbool.h>

/*
 * Whether this process is in another namespace than the first one, and which one as
 * bpf_get_ns_current_pid_tgid() wants it; else neither is touched.
 */
bool pidns__inside(__u64 *ret_dev, __u64 *ret_ino);

#endif
