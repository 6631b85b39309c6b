/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must be gone when this process is, even if it is killed: a small child
 * in a session of its own watches us through a pipe and removes what was
 * registered once we end, however we end.
 *
 * Register a thing before making it, under a name that nobody else uses; a
 * thing that does not exist (any more) is no error. Start the janitor before
 * entering a cgroup that it is to remove: it stays where it was started.
 */
#ifndef BPF_AB_JANITOR_H
#define BPF_AB_JANITOR_H

#include "cleanup.h"
#include "err.h"

/* All registered paths together, with a byte or two each. */
#define JANITOR_ROOM (32 * 1024)

struct janitor;

int janitor__start(struct janitor **ret_janitor, struct err *err);

/*
 * An empty directory (a cgroup, a tracing instance), or a file. path is
 * absolute. -EINVAL: it is not, -ENOSPC: JANITOR_ROOM is used up, -EPIPE: the
 * janitor was killed.
 */
int janitor__add_dir(struct janitor *janitor, const char *path);
int janitor__add_file(struct janitor *janitor, const char *path);

/* A directory with directories in it that are empty: a cgroup and its children. */
int janitor__add_tree(struct janitor *janitor, const char *path);

/*
 * Removes everything now, last registered first, waiting a few seconds for
 * directories that are still in use, and frees the janitor. -EBUSY: something
 * could not be removed.
 */
int janitor__done(struct janitor *janitor);

/* The same for cleanup attributes; NULL is allowed. */
void janitor__free(struct janitor *janitor);
DEFINE_CLEANUP(struct janitor, janitor__free);
#define _cleanup_janitor_ _cleanup_(janitor__freep)

#endif
