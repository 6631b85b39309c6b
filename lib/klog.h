/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel logs of two sides: is there a splat (kmsg.h) on B that A has
 * not? Splats are told apart by their first lines, without numbers: addresses,
 * CPUs, processes and lines of a source that was patched differ anyhow.
 *
 * A log that can't be read is not clean, so the verdict is never better than
 * what was read.
 */
#ifndef BPF_AB_KLOG_H
#define BPF_AB_KLOG_H

#include "err.h"
#include "vec.h"

struct klog_splat {
	char *text;   /* owned; the first line as it was first seen, without its time */
	char *masked; /* owned; the same without numbers */
	char *boot;   /* owned; where that was */
	size_t n[2];  /* how many, by side */
	bool allowed;
};

struct klog_allow {
	char *pattern; /* owned */
	bool used;
};

struct klog {
	VEC(struct klog_splat) splats; /* each kind once, as they came */
	VEC(char *) unread;	       /* owned; "base/boot-1: dmesg: empty" */
	VEC(struct klog_allow) allow;
	size_t logs[2]; /* how many were read */
};

enum klog_verdict {
	KLOG_EQUAL, /* nothing of B that A has not */
	KLOG_WORSE,
	KLOG_UNREAD, /* nothing worse was seen, but a log is missing */
};

/* The text of a kernel log, with or without times. */
int klog__add(struct klog *log, int side, const char *boot, const char *text);
/* A log that there is not, and why. */
int klog__add_unread(struct klog *log, int side, const char *boot, const char *why);

/*
 * Splats that are known and no fault of what is compared, a pattern (fnmatch)
 * a line, for first lines as above with or without their numbers. To be read
 * before logs are added. Returns 0, or -errno with err.
 */
int klog__allow(struct klog *log, const char *path, struct err *err);

enum klog_verdict klog__verdict(const struct klog *log);
/* Whether a splat is one that makes B worse. */
bool klog_splat__counts(const struct klog_splat *splat);
void klog__reset(struct klog *log);

/* A line without its numbers: "do_check+0x1f/0x2" is "do_check+#/#". In place. */
void klog__mask(char *text);
/* A line of dmesg or a console, behind level, time and context. */
const char *klog__strip_time(const char *line);

#endif
