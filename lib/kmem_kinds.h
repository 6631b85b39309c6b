/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the programs of progs/kmem.bpf.c this kernel can take: those of the
 * kinds of allocators that are counted only if somebody asks.
 */
#ifndef BPF_AB_KMEM_KINDS_H
#define BPF_AB_KMEM_KINDS_H

#include <bpf/libbpf.h>

#include "kmem.h"

/*
 * To be called between opening and loading. What was not asked for (kinds) or
 * can't be had is not loaded; in the latter case ret_missing of the kind has
 * the reason, to be freed by the caller. A kernel that has no such allocator
 * lacks nothing: there is nothing to count. Without nolock ret_caveat tells of
 * what is in no count, if the kernel has it, unless there is a text already; also
 * to be freed. -errno.
 */
int kmem_kinds__choose(struct bpf_object *obj, unsigned int kinds, char *ret_missing[KMEM_KIND_MAX],
		       char **ret_caveat, struct err *err);

#endif
