/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The objects of a command line. An argument is a path, a shell pattern (for
 * shells and scripts that leave it alone), or @FILE: one path or pattern a
 * line, relative to the working directory; empty lines and lines that begin
 * with # are passed over.
 *
 * A path is taken as it is: whether it can be opened is found out by who
 * opens it. A pattern stands for the files that it matches and that look like
 * BPF objects, in the order of their names.
 */
#ifndef BPF_AB_OBJSET_H
#define BPF_AB_OBJSET_H

#include "err.h"
#include "vec.h"

struct objset_object {
	char *path;	  /* owned; without "./" and doubled slashes */
	const char *name; /* for the recording; points into path; NULL until objset__name() */
};

struct objset {
	VEC(struct objset_object) objects; /* no path twice */
};

/*
 * -ESRCH with err for a pattern that matches no object, -errno with err for a
 * list that cannot be read, -EINVAL for an @ without a name or a list in a
 * list, -ENOMEM. What was added before stays.
 */
int objset__add(struct objset *set, const char *arg, struct err *err);

/*
 * Gives each object the shortest end of its path that no other object has:
 * the file name, or as many folders in front of it as tell it apart. Call it
 * when all objects are there.
 */
void objset__name(struct objset *set);

void objset__clear(struct objset *set);
#define _cleanup_objset_ _cleanup_(objset__clear)

/* A relocatable 64-bit ELF file for BPF; false if it cannot be read. */
bool objset__is_object(const char *path);

#endif
