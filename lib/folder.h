/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A folder that may come from anybody. What is opened in it is really in it:
 * symbolic links are not followed, devices and pipes are not read, a name is
 * the name of one entry and never a path.
 */
#ifndef BPF_AB_FOLDER_H
#define BPF_AB_FOLDER_H

#include "util.h"
#include "vec.h"

struct folder_names {
	VEC(char *) list; /* owned; numbers in names by their value */
};

/* path is the user's own word, so links in it are followed. 0 or -errno. */
int folder__open(const char *path, int *ret_fd);

/* A folder in the folder fd. -EINVAL: no name of an entry; -ENOTDIR, also for a link. */
int folder__enter(int fd, const char *name, int *ret_fd);

/*
 * The whole of a file in the folder fd, NUL-terminated; the caller frees.
 * ret_len may be NULL. -EINVAL: no name of an entry, or no regular file;
 * -ELOOP: a link; -EFBIG: more than most bytes.
 */
int folder__read(int fd, const char *name, size_t most, char **ret_text, size_t *ret_len);

/* All entries but those that begin with a dot. */
int folder__list(int fd, struct folder_names *ret_names);
void folder_names__reset(struct folder_names *names);

#endif
