// SPDX-License-Identifier: GPL-2.0-only
#include "pidns.h"

#include <sys/stat.h>

/* Inode of the initial PID namespace (PROC_PID_INIT_INO in proc_ns.h). */
#define INITIAL 0xEFFFFFFCU

bool pidns__inside(__u64 *ret_dev, __u64 *ret_ino)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) < 0 || st.st_ino == INITIAL)
		return false;
	*ret_dev = st.st_dev;
	*ret_ino = st.st_ino;
	return true;
}
