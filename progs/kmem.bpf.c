// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocator counters of the armed threads; lib/kmem.h says what they mean.
 * The types of the kernel are declared here, as far as they are used.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/types.h>
#include <asm/unistd.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "kmem_context.h"
#include "kmem_shared.h"

struct pt_regs___kmem {
	unsigned long di;
} __attribute__((preserve_access_index));

struct kmem_cache {
	unsigned int size;
} __attribute__((preserve_access_index));

/* Where allocators and tables of ids allocate for themselves: from <= site < to. */
const volatile struct kmem_sites own_sites[KMEM_OWN_SITES] = {};
/* The PID namespace of the tids, or 0: the initial one. */
const volatile __u64 pidns_dev = 0, pidns_ino = 0;

/* A window is open: what other contexts free of our allocations matters. */
bool window_open = false;
__u32 generation = 0;
__u64 live_bytes = 0;
__u64 frees_elsewhere = 0;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, struct kmem_thread);
	__uint(max_entries, 256);
} threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, struct kmem_live);
	__uint(max_entries, 1 << 19);
} live SEC(".maps");

/* The current thread if it is armed. */
static __always_inline struct kmem_thread *thread_current(void)
{
	struct bpf_pidns_info ns;
	__u32 tid = bpf_get_current_pid_tgid();

	if (pidns_ino) {
		if (bpf_get_ns_current_pid_tgid(pidns_dev, pidns_ino, &ns, sizeof(ns)))
			return NULL;
		tid = ns.pid;
	}
	return bpf_map_lookup_elem(&threads, &tid);
}

/* The thread that is in its window and allocates or frees for itself. */
static __always_inline struct kmem_thread *thread_inside(const void *ctx)
{
	struct kmem_thread *t = thread_current();

	return t && t->inside && !in_interrupt(ctx) ? t : NULL;
}

/* What is forgotten here was freed without an event that we saw. */
static __always_inline void live_forget(const struct kmem_live *old)
{
	if (old->generation != generation)
		return;
	__sync_fetch_and_sub(&live_bytes, old->bytes);
	__sync_fetch_and_add(&frees_elsewhere, 1);
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
	if (now > t->live_peak)
		t->live_peak = now;
}

/* True if the pointer was one of this window's. */
static __always_inline bool live_del(__u64 ptr)
{
	struct kmem_live *l = bpf_map_lookup_elem(&live, &ptr);
	struct kmem_live old;

	if (!l)
		return false;
	old = *l;
	/* Two programs may be at it; the one that deletes it has it. */
	if (bpf_map_delete_elem(&live, &ptr) || old.generation != generation)
		return false;
	__sync_fetch_and_sub(&live_bytes, old.bytes);
	return true;
}

static __always_inline bool is_own(unsigned long call_site)
{
	for (int i = 0; i < KMEM_OWN_SITES; i++) {
		if (call_site >= own_sites[i].from && call_site < own_sites[i].to)
			return true;
	}
	return false;
}

SEC("tp_btf/kmalloc")
int BPF_PROG(count_kmalloc, unsigned long call_site, const void *ptr, size_t bytes_req,
	     size_t bytes_alloc)
{
	struct kmem_thread *t;

	if (!window_open || no_object(ptr))
		return 0;
	t = thread_inside(ctx);
	if (!t)
		return 0;
	t->events++;
	if (is_own(call_site)) {
		t->own_kmallocs++;
		return 0;
	}
	t->kmallocs++;
	t->kmalloc_bytes_req += bytes_req;
	t->kmalloc_bytes += bytes_alloc;
	live_add(t, (__u64)ptr, bytes_alloc);
	return 0;
}

SEC("tp_btf/kmem_cache_alloc")
int BPF_PROG(count_slab_alloc, unsigned long call_site, const void *ptr, struct kmem_cache *s)
{
	struct kmem_thread *t;

	if (!window_open || no_object(ptr))
		return 0;
	t = thread_inside(ctx);
	if (!t)
		return 0;
	t->events++;
	if (is_own(call_site)) {
		t->own_slab_allocs++;
		return 0;
	}
	t->slab_allocs++;
	t->slab_bytes += s->size;
	live_add(t, (__u64)ptr, s->size);
	return 0;
}

static __always_inline int count_free(const void *ctx, const void *ptr)
{
	struct kmem_thread *t;

	if (!window_open || no_object(ptr))
		return 0;
	t = thread_inside(ctx);
	if (t) {
		t->events++;
		if (live_del((__u64)ptr))
			t->frees++;
		else
			t->frees_unknown++;
	} else if (live_del((__u64)ptr)) {
		__sync_fetch_and_add(&frees_elsewhere, 1);
	}
	return 0;
}

SEC("tp_btf/kfree")
int BPF_PROG(count_kfree, unsigned long call_site, const void *ptr)
{
	return count_free(ctx, ptr);
}

SEC("tp_btf/kmem_cache_free")
int BPF_PROG(count_slab_free, unsigned long call_site, const void *ptr)
{
	return count_free(ctx, ptr);
}

static __always_inline void load_begins(struct kmem_thread *t)
{
	__u64 loads = t->loads, events = t->events, again = t->events_again;
	__u64 enters = t->enters, enters_again = t->enters_again, torn = t->torn;

	*t = (struct kmem_thread){
		.load_window = 1,
		.inside = 1,
		.loads = loads + 1,
		.events = events,
		.events_again = again,
		.enters = enters + 1,
		.enters_again = enters_again,
		.torn = torn,
	};
	generation++;
	live_bytes = 0;
	frees_elsewhere = 0;
	window_open = true;
}

static __always_inline bool is_load(const struct pt_regs___kmem *regs, long nr)
{
	return nr == __NR_bpf && (__u32)regs->di == BPF_PROG_LOAD;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(count_sys_enter, struct pt_regs___kmem *regs, long nr)
{
	struct kmem_thread *t = thread_current();

	if (!t)
		return 0;
	if (t->inside)
		t->torn++;
	t->inside = !t->load_window;
	if (t->load_window && is_load(regs, nr))
		load_begins(t);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(count_sys_exit)
{
	struct kmem_thread *t = thread_current();

	if (!t || !t->inside)
		return 0;
	t->inside = 0;
	if (t->load_window)
		window_open = false;
	return 0;
}

static __always_inline int check_event(const void *ctx, const void *ptr)
{
	struct kmem_thread *t;

	if (!window_open || no_object(ptr))
		return 0;
	t = thread_inside(ctx);
	if (t)
		t->events_again++;
	return 0;
}

SEC("tp_btf/kmalloc")
int BPF_PROG(check_kmalloc, unsigned long call_site, const void *ptr)
{
	return check_event(ctx, ptr);
}

SEC("tp_btf/kmem_cache_alloc")
int BPF_PROG(check_slab_alloc, unsigned long call_site, const void *ptr)
{
	return check_event(ctx, ptr);
}

/* A free that an interrupt hides from count_free() is found here. */
static __always_inline int check_free(const void *ctx, const void *ptr)
{
	struct kmem_thread *t;

	if (!window_open || no_object(ptr))
		return 0;
	t = thread_inside(ctx);
	if (t)
		t->events_again++;
	else if (live_del((__u64)ptr))
		__sync_fetch_and_add(&frees_elsewhere, 1);
	return 0;
}

SEC("tp_btf/kfree")
int BPF_PROG(check_kfree, unsigned long call_site, const void *ptr)
{
	return check_free(ctx, ptr);
}

SEC("tp_btf/kmem_cache_free")
int BPF_PROG(check_slab_free, unsigned long call_site, const void *ptr)
{
	return check_free(ctx, ptr);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(check_sys_enter, struct pt_regs___kmem *regs, long nr)
{
	struct kmem_thread *t = thread_current();

	if (t && t->load_window && is_load(regs, nr))
		t->enters_again++;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
