/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one side of a comparison left in a folder: the recordings of its boots,
 * and what else a report tells of them. The folder may come from anybody and
 * is data: see folder.h.
 *
 *	SIDE/{SUITE.csv{,.env},dmesg,code/}	what one boot left, told as the boot "."
 *	SIDE/BOOT/SUITE.csv{,.env}	those of a boot
 *	SIDE/BOOT/{complete,dmesg,code/}
 *	SIDE/BOOT.failed/{class,console}	a boot that ended badly
 *
 * SUITE is the name of a part, see below. BOOT.part is passed over; a BOOT
 * without "complete" did not end, so nothing of it is used.
 */
#ifndef BPF_AB_RESULTS_H
#define BPF_AB_RESULTS_H

#include "err.h"
#include "record.h"

enum results_part {
	RESULTS_TEST_PROGS,
	RESULTS_VERISTAT,
	RESULTS_BENCH,
	RESULTS_GROWTH, /* of veristat: one program at several sizes, NAME-SIZE.bpf.o */
	RESULTS_PARTS,
};

/* "growth"; its file is NAME.csv. */
const char *results_part__name(enum results_part part);
enum suite results_part__suite(enum results_part part);

struct results_boot {
	char *name;    /* owned; "boot-1", "boot-1.failed" */
	char *class;   /* owned; NULL: it was measured. Else why nothing of it is used: "panic" */
	char *log;     /* owned; the kernel's log, of a boot that failed its console; or NULL */
	char *log_why; /* owned; why there is no log, or NULL */
	int fd;	       /* owned; the folder */
};

struct results {
	char *path; /* owned; as the user gave it, without slashes at the end */
	VEC(struct results_boot) boots;
	struct recording *rec[RESULTS_PARTS]; /* owned; NULL: there is none */
	char *notes;			      /* owned; of the readers, a line each */
};

/*
 * Reads a side. dir < 0: path is a folder of the user's; else path is what to
 * call it and dir is its descriptor, which stays the caller's. Recordings have
 * their sums. -EINVAL with err "file:line:column: what was expected" or that it
 * holds no recording and no boot, other -errno with err.
 */
int results__read(const char *path, int dir, struct results **ret_results, struct err *err);
void results__free(struct results *results);
void results__freep(struct results **results);

#endif
