/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which allocations are alive, by pointer. While a window is open its own
 * threads free, and so do others (RCU, interrupts) what is the window's; after
 * a load that is followed everybody does, until the window is shut.
 */
#ifndef BPF_AB_KMEM_LIVE_H
#define BPF_AB_KMEM_LIVE_H

#include "kmem_window.h"

__u64 live_bytes = 0;
__u64 frees_elsewhere = 0, bytes_elsewhere = 0; /* while the window is open */
__u64 frees_after = 0;
__u64 percpu_live_bytes = 0, percpu_elsewhere = 0;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct kmem_live);
	__uint(max_entries, 1 << 19);
} live SEC(".maps");

/* Of its own, for these pointers are offsets that might look like others. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct kmem_live);
	__uint(max_entries, 8192);
} percpu_live SEC(".maps");

/* What is forgotten here was freed without an event that we saw. */
static __always_inline void live_forget(const struct kmem_live *old)
{
	if (old->generation != generation)
		return;
	__sync_fetch_and_sub(&live_bytes, old->bytes);
	__sync_fetch_and_add(&frees_elsewhere, 1);
}

/*
 * What RCU frees of a load before that ends, it might as well free later: what
 * is alive is what the thread has not freed itself, or equal loads would differ.
 */
static __always_inline __u64 bytes_by_chance(const struct kmem_thread *t)
{
	return t->load_window ? bytes_elsewhere : 0;
}

static __always_inline void live_add(struct kmem_thread *t, __u64 ptr, __u64 bytes)
{
	struct kmem_live new = { .bytes = bytes, .generation = generation };
	struct kmem_live *old;
	__u64 now;

	if (bpf_map_update_elem(&live, &ptr, &new, BPF_NOEXIST)) {
		old = bpf_map_lookup_elem(&live, &ptr);
		if (!old) {
			t->lost++;
			return;
		}
		live_forget(old);
		*old = new;
	}
	/* The greatest sum that any thread sees right after adding is the peak of all. */
	now = __sync_fetch_and_add(&live_bytes, bytes) + bytes;
	now += bytes_by_chance(t);
	if (now > t->live_peak)
		t->live_peak = now;
}

/*
 * Bytes that are freed; 0: the pointer is none of this window's. Two programs may
 * be at one pointer; the one that deletes it has it.
 */
static __always_inline __u32 take_away(void *table, __u64 ptr, __u64 *sum)
{
	struct kmem_live *l = bpf_map_lookup_elem(table, &ptr);
	struct kmem_live old;

	if (!l)
		return 0;
	old = *l;
	if (bpf_map_delete_elem(table, &ptr) || old.generation != generation)
		return 0;
	__sync_fetch_and_sub(sum, old.bytes);
	return old.bytes;
}

static __always_inline bool live_del(__u64 ptr)
{
	return take_away(&live, ptr, &live_bytes);
}

/* Freed by others, or by anybody once the load is over. */
static __always_inline void freed_elsewhere(__u64 ptr)
{
	__u32 bytes = take_away(&live, ptr, &live_bytes);

	if (!bytes)
		return;
	if (state == KMEM_AFTER) {
		__sync_fetch_and_add(&frees_after, 1);
		return;
	}
	__sync_fetch_and_add(&frees_elsewhere, 1);
	__sync_fetch_and_add(&bytes_elsewhere, bytes);
}

/* t: the thread that frees for itself; NULL: somebody else. */
static __always_inline void freed_by(struct kmem_thread *t, const void *ptr)
{
	if (!t)
		freed_elsewhere((__u64)ptr);
	else if (live_del((__u64)ptr))
		t->frees++;
	else
		t->frees_unknown++;
}

static __always_inline int count_free(const void *ctx, const void *ptr)
{
	struct kmem_thread *t;

	if (state == KMEM_SHUT || no_object(ptr))
		return 0;
	t = thread_inside(ctx);
	if (t)
		t->events++;
	freed_by(t, ptr);
	return 0;
}

/* A free that an interrupt hides from count_free() is found here. */
static __always_inline int check_free(const void *ctx, const void *ptr)
{
	struct kmem_thread *t;

	if (state == KMEM_SHUT || no_object(ptr))
		return 0;
	t = thread_inside(ctx);
	if (t)
		t->events_again++;
	else
		freed_elsewhere((__u64)ptr);
	return 0;
}

static __always_inline void percpu_add(struct kmem_thread *t, __u64 ptr, __u64 bytes)
{
	struct kmem_live new = { .bytes = bytes, .generation = generation };

	if (bpf_map_update_elem(&percpu_live, &ptr, &new, BPF_ANY))
		t->percpu_lost++;
	else
		__sync_fetch_and_add(&percpu_live_bytes, bytes);
}

static __always_inline void percpu_del(const void *ctx, __u64 ptr)
{
	__u32 bytes = take_away(&percpu_live, ptr, &percpu_live_bytes);

	if (bytes && state == KMEM_OPEN && !thread_inside(ctx))
		__sync_fetch_and_add(&percpu_elsewhere, bytes);
}

#endif
