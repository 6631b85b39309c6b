/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that is there as a whole or not at all, whenever the writer is
 * killed.
 */
#ifndef BPF_AB_NEWFILE_H
#define BPF_AB_NEWFILE_H

#include "err.h"

/*
 * Removes path if it is a regular file. 0 too if there is none; -EINVAL with
 * err if it is something else, such as a device.
 */
int newfile__clear(const char *path, struct err *err);

/*
 * Makes path, which must not exist, with this content. Nothing with another
 * name is left behind, except where the file system knows no nameless files
 * (9p) and the writer is killed in the instant between a write and a rename.
 */
int newfile__write(const char *path, const char *text, size_t len, struct err *err);

#endif
