// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocator counters of the armed threads; lib/kmem.h says what they mean.
 * The types of the kernel are declared here, as far as they are used.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/types.h>

#include "kmem_live.h"
#include "kmem_places.h"
#include "kmem_window.h"

/* Where allocators and tables of ids allocate for themselves: from <= site < to. */
const volatile struct kmem_sites own_sites[KMEM_OWN_SITES] = {};

static __always_inline bool is_own(unsigned long call_site)
{
	for (int i = 0; i < KMEM_OWN_SITES; i++) {
		if (call_site >= own_sites[i].from && call_site < own_sites[i].to)
			return true;
	}
	return false;
}

/* The thread that this allocation is of, with the event counted; NULL: of nobody here. */
static __always_inline struct kmem_thread *thread_allocates(const void *ctx, const void *ptr)
{
	struct kmem_thread *t;

	if (no_object(ptr))
		return NULL;
	t = thread_inside(ctx);
	if (t)
		t->events++;
	return t;
}

SEC("raw_tp/kmalloc")
int BPF_PROG(count_kmalloc, unsigned long call_site, const void *ptr, size_t bytes_req,
	     size_t bytes_alloc)
{
	struct kmem_thread *t = thread_allocates(ctx, ptr);

	if (!t)
		return 0;
	if (is_own(call_site)) {
		t->own_kmallocs++;
		return 0;
	}
	t->kmallocs++;
	t->kmalloc_bytes_req += bytes_req;
	t->kmalloc_bytes += bytes_alloc;
	live_add(t, (__u64)ptr, bytes_alloc);
	places_kmalloc(t, call_site, bytes_alloc);
	return 0;
}

SEC("raw_tp/kmem_cache_alloc")
int BPF_PROG(count_slab_alloc, unsigned long call_site, const void *ptr, const void *cache)
{
	struct kmem_cache *s = bpf_core_cast(cache, struct kmem_cache);
	struct kmem_thread *t = thread_allocates(ctx, ptr);

	if (!t)
		return 0;
	if (is_own(call_site)) {
		t->own_slab_allocs++;
		return 0;
	}
	t->slab_allocs++;
	t->slab_bytes_req += s->object_size;
	t->slab_bytes += s->size;
	live_add(t, (__u64)ptr, s->size);
	places_slab(t, call_site, s);
	return 0;
}

SEC("raw_tp/kfree")
int BPF_PROG(count_kfree, unsigned long call_site, const void *ptr)
{
	return count_free(ctx, ptr);
}

SEC("raw_tp/kmem_cache_free")
int BPF_PROG(count_slab_free, unsigned long call_site, const void *ptr)
{
	return count_free(ctx, ptr);
}

/* ---- allocators that are counted only if somebody asks ------------------------- */

/*
 * A function that is traced has one program, without a second one that checks it:
 * Linux 7.3.4 was seen to crash when one of two programs came or went while another
 * task called the function. What is skipped the kernel counts (kmem.c).
 *
 * Of kmalloc_nolock()'s arguments only the first matters: the size.
 */
SEC("fexit")
int count_nolock(__u64 *ctx)
{
	__u64 ptr = 0, size = ctx[0], bytes = size_class(size);
	struct kmem_thread *t;

	if (bpf_get_func_ret(ctx, &ptr) || no_object((void *)ptr))
		return 0;
	t = thread_inside(ctx);
	if (!t)
		return 0;
	t->nolocks++;
	t->nolock_bytes_req += size;
	t->nolock_bytes += bytes;
	live_add(t, ptr, bytes);
	places_kmalloc(t, KMEM_SITE_NOLOCK, bytes);
	return 0;
}

SEC("fentry/kfree_nolock")
int count_nolock_free(__u64 *ctx)
{
	__u64 ptr;

	if (state == KMEM_SHUT || bpf_get_func_arg(ctx, 0, &ptr) || no_object((void *)ptr))
		return 0;
	freed_by(thread_inside(ctx), (void *)ptr);
	return 0;
}

/* Bytes as asked for are those of one CPU, as given of all. */
SEC("tp_btf/percpu_alloc_percpu")
int count_percpu(__u64 *ctx)
{
	__u64 size = ctx[3], ptr = ctx[7], bytes = ctx[8];
	struct kmem_thread *t = thread_allocates(ctx, (void *)ptr);

	if (!t)
		return 0;
	t->percpu_allocs++;
	t->percpu_bytes_req += size;
	t->percpu_bytes += bytes;
	percpu_add(t, ptr, bytes);
	return 0;
}

SEC("tp_btf/percpu_free_percpu")
int count_percpu_free(__u64 *ctx)
{
	if (state != KMEM_SHUT)
		percpu_del(ctx, ctx[2]);
	return 0;
}

SEC("tp_btf/mm_page_alloc")
int count_pages(__u64 *ctx)
{
	struct kmem_thread *t = thread_allocates(ctx, (void *)ctx[0]);

	if (t)
		t->pages += 1ULL << (ctx[1] & 31);
	return 0;
}

/* ---- the window of a load ------------------------------------------------------- */

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
	percpu_live_bytes = 0;
	frees_elsewhere = 0;
	bytes_elsewhere = 0;
	percpu_elsewhere = 0;
	frees_after = 0;
	state = KMEM_OPEN;
}

static __always_inline void load_ends(struct kmem_thread *t)
{
	t->live_end = live_bytes + bytes_by_chance(t);
	t->percpu_live_end = percpu_live_bytes + percpu_elsewhere;
	state = follows ? KMEM_AFTER : KMEM_SHUT;
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
		load_ends(t);
	return 0;
}

/* ---- what the kernel has skipped: see struct kmem_thread ------------------------ */

SEC("raw_tp/kmalloc")
int BPF_PROG(check_kmalloc, unsigned long call_site, const void *ptr)
{
	return no_object(ptr) ? 0 : check_event(ctx);
}

SEC("raw_tp/kmem_cache_alloc")
int BPF_PROG(check_slab_alloc, unsigned long call_site, const void *ptr)
{
	return no_object(ptr) ? 0 : check_event(ctx);
}

SEC("raw_tp/kfree")
int BPF_PROG(check_kfree, unsigned long call_site, const void *ptr)
{
	return check_free(ctx, ptr);
}

SEC("raw_tp/kmem_cache_free")
int BPF_PROG(check_slab_free, unsigned long call_site, const void *ptr)
{
	return check_free(ctx, ptr);
}

SEC("tp_btf/percpu_alloc_percpu")
int check_percpu(__u64 *ctx)
{
	return no_object((void *)ctx[7]) ? 0 : check_event(ctx);
}

SEC("tp_btf/mm_page_alloc")
int check_pages(__u64 *ctx)
{
	return no_object((void *)ctx[0]) ? 0 : check_event(ctx);
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
