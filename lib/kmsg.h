/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's log while something runs: what the kernel itself complains of,
 * a splat, is a result whatever else came of it. Source of the format:
 * Documentation/ABI/testing/dev-kmsg of Linux 7.3. A record is
 *
 *	PRIORITY,SEQUENCE,MICROSECONDS,FLAGS[,...];TEXT
 *
 * and a priority is FACILITY * 8 + LEVEL. The kernel's own facility is 0, and
 * it lets nobody else write with that: a process cannot fake a splat.
 */
#ifndef BPF_AB_KMSG_H
#define BPF_AB_KMSG_H

#include "err.h"

#define KMSG_PATH	 "/dev/kmsg"
#define KMSG_FROM_KERNEL 0 /* facility */

/* Only what is logged from now on will be read. Returns 0 or -errno with err set. */
int kmsg__open(const char *path, int *ret_fd, struct err *err);

/*
 * Reads all that was logged since the last call. Returns 1 with the first line
 * of the first splat of this facility in buf (cut to len), 0 if there was
 * none, -EPIPE if there was none but records were overwritten before they
 * could be read, or another -errno.
 */
int kmsg__splat(int fd, unsigned int facility, char *buf, size_t len);

/* The text of a record as above, without its end; NULL: not a record. */
const char *kmsg__text(char *record, unsigned int *ret_facility);
/* Whether this line is the first of a WARN, a BUG, a report of a sanitizer, lockdep, a stall. */
bool kmsg__is_splat(const char *text);

#endif
