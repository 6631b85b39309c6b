/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What BPF local storage hangs on: sockets, tasks, control groups and inodes
 * that are made and ended over and over. Slots hold one each; a slot belongs
 * to one thread at a time.
 */
#ifndef BPF_AB_OWNER_H
#define BPF_AB_OWNER_H

#include "cleanup.h"
#include "err.h"

enum owner_type { OWNER_SOCKET, OWNER_TASK, OWNER_CGROUP, OWNER_INODE, OWNER_MAX };

struct owner_opts {
	enum owner_type type;
	size_t slots;
	int family, sock_type; /* of sockets: AF_*, SOCK_* */
};

struct owners;

/* "socket", ... */
const char *owner__name(enum owner_type type);
/* -EINVAL with err listing the names that there are. */
int owner__find(const char *name, enum owner_type *ret_type, struct err *err);

/*
 * Nothing is left behind, whatever happens to this process. One owner is made
 * and ended as a trial, so that what all would fail by is said early, with the
 * reason in err.
 */
int owners__open(const struct owner_opts *opts, struct owners **ret_owners, struct err *err);
void owners__free(struct owners *owners);
DEFINE_CLEANUP(struct owners, owners__free);
#define _cleanup_owners_ _cleanup_(owners__freep)

/*
 * For the slots from first to before end. Returns how many could be made; errno
 * is of one that could not.
 */
size_t owners__make(struct owners *owners, size_t first, size_t end);
/* Ends those of these slots that were made. */
void owners__end(struct owners *owners, size_t first, size_t end);

/* Minor number of the file system that inodes are on; -1 for other owners. */
int owners__fs_minor(const struct owners *owners);

#endif
