/* SPDX-License-Identifier: GPL-2.0-only */
/* A random program as the source of an annotated test, ready for progs/. */
#ifndef BPF_AB_RANDFILE_H
#define BPF_AB_RANDFILE_H

#include "patch_model.h"
#include "randemit.h"

struct randfile {
	const struct randprog *prog;
	const struct randcode *code;	 /* of it */
	const struct patch_model *model; /* what is expected of it */
	const int *map_fds;		 /* as in its instructions */
	const int32_t *kfuncs;		 /* likewise: enum interp_kfunc */
	const uint8_t *data;		 /* what it works on: of randworld__fill_plain() */
	uint32_t retval;		 /* of a test run of 64 zero bytes, hash maps being empty */
	const char *reason;		 /* why it is of interest, one line */
};

/* The caller frees. Returns 0, -ENOMEM, or -EINVAL if there is an instruction without a name. */
int randfile__text(const struct randfile *file, char **ret_text);

#endif
