/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has to be changed in an object so that its programs can be verified on
 * a machine that lacks what its application would have set up.
 */
#ifndef BPF_AB_LOAD_FIXUP_H
#define BPF_AB_LOAD_FIXUP_H

#include <stdbool.h>

struct bpf_object;
struct bpf_program;

/* Sizes that do not matter to the verifier become small; nothing is pinned. */
void load_fixup__maps(struct bpf_object *obj);

/*
 * An freplace program becomes a program of the type whose context its only
 * argument points to. True if it did; false for other programs and where the
 * argument tells nothing.
 */
bool load_fixup__freplace(struct bpf_object *obj, struct bpf_program *prog);

#endif
