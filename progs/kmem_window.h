/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose allocations count, and from when to when. */
#ifndef BPF_AB_KMEM_WINDOW_H
#define BPF_AB_KMEM_WINDOW_H

#include <asm/unistd.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "kmem_context.h"
#include "kmem_shared.h"
#include "pidns.h"

struct pt_regs___kmem {
	unsigned long di;
} __attribute__((preserve_access_index));

/* When a load is over, watch what it has left until that is freed. */
const volatile bool follows = false;

__u32 state = KMEM_SHUT; /* enum kmem_state */
__u32 generation = 0;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, struct kmem_thread);
	__uint(max_entries, 256);
} threads SEC(".maps");

/* The current thread if it is armed. */
static __always_inline struct kmem_thread *thread_current(void)
{
	__u32 tid = current_tid();

	return bpf_map_lookup_elem(&threads, &tid);
}

/* The thread that is in its window and allocates or frees for itself. */
static __always_inline struct kmem_thread *thread_inside(const void *ctx)
{
	struct kmem_thread *t;

	if (state != KMEM_OPEN)
		return NULL;
	t = thread_current();
	return t && t->inside && !in_interrupt(ctx) ? t : NULL;
}

static __always_inline int check_event(const void *ctx)
{
	struct kmem_thread *t = thread_inside(ctx);

	if (t)
		t->events_again++;
	return 0;
}

static __always_inline bool is_load(const struct pt_regs___kmem *regs, long nr)
{
	return nr == __NR_bpf && (__u32)regs->di == BPF_PROG_LOAD;
}

#endif
