/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the cgroup hierarchies are mounted and where this process is in them. */
#ifndef BPF_AB_CGROUP_H
#define BPF_AB_CGROUP_H

#include "cleanup.h"
#include "err.h"

enum cgroup_version { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

struct cgroup_place {
	enum cgroup_version version; /* CGROUP_NONE: there is no such hierarchy */
	char *mount;		     /* owned */
	char *own;		     /* owned: our cgroup, a path below mount; "" at the top */
};

/*
 * root: "" for this system, or a folder that holds recorded proc/ and sys/;
 * it is in front of the paths that come back. controller: its v1 hierarchy,
 * or NULL: the v2 hierarchy. Source: mountinfo and cgroup of /proc/self.
 * No such hierarchy is no error; -errno with err set if /proc can't be read.
 */
int cgroup_place__find(const char *root, const char *controller, struct cgroup_place *ret_place,
		       struct err *err);
void cgroup_place__clear(struct cgroup_place *place);
#define _cleanup_place_ _cleanup_(cgroup_place__clear)

/* 1 if a file of the cgroup dir (words with blanks between) has this word, 0, or -errno. */
int cgroup__file_has(const char *dir, const char *name, const char *word);

/* Moves this process into the cgroup dir. */
int cgroup__enter(const char *dir);

#endif
