/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which programs of which objects are expected not to load, and why: a line each of
 *
 *	OBJECT/PROGRAM	CAUSE	a cause of load_cause.h in its words: "kfunc missing"
 *	OBJECT		not opened
 *
 * Both names may be patterns (* and ?). The first line that names a program counts,
 * so one program goes before all of its object.
 */
#ifndef BPF_AB_MANIFEST_H
#define BPF_AB_MANIFEST_H

#include "cleanup.h"
#include "err.h"
#include "load_cause.h"

struct manifest;

int manifest__new(struct manifest **ret_manifest);
void manifest__free(struct manifest *manifest);
DEFINE_CLEANUP(struct manifest, manifest__free);
#define _cleanup_manifest_ _cleanup_(manifest__freep)

/*
 * Adds the lines of a file behind those before. -EINVAL with err
 * "file:line:column: what was expected"; -errno with err if it cannot be read; -ENOMEM.
 */
int manifest__read(struct manifest *manifest, const char *path, struct err *err);

/* What is expected of a program: LOAD_OK where no line names it. object: a base name. */
enum load_cause manifest__expects(const struct manifest *manifest, const char *object,
				  const char *program);
bool manifest__expects_unopened(const struct manifest *manifest, const char *object);

#endif
