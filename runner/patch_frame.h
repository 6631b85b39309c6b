/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small programs around one kind of rewritten instruction each, of whose code
 * patch_model knows what becomes. All are built alike: a loop that jumps onto
 * the instruction, over it, and back across it.
 */
#ifndef BPF_AB_PATCH_FRAME_H
#define BPF_AB_PATCH_FRAME_H

#include <bpf/bpf.h>

#include "patch_model.h"
#include "patch_world.h"

#define PATCH_FRAME_MAX 96

struct patch_frame {
	const char *name;
	const char *wants; /* NULL, or what not every kernel loads */
	const char *lacks; /* NULL, or why there is no such program here: it is not to be loaded */
	struct bpf_insn insns[PATCH_FRAME_MAX];
	struct patch_fact facts[PATCH_FRAME_MAX];
	size_t n;
	size_t func; /* index of the first instruction of its function, 0: it has none */
};

size_t patch_frame__count(void);
const char *patch_frame__name(size_t index);
/* The index-th one. */
void patch_frame__build(const struct patch_world *world, size_t index,
			struct patch_frame *ret_frame);
/* Loads it with these lines (n_lines may be 0). Returns a descriptor or -errno; log gets words. */
int patch_frame__load(const struct patch_frame *frame, const struct patch_world *world,
		      const struct bpf_line_info *lines, size_t n_lines, char *log, size_t log_len);

#endif
