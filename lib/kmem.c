// SPDX-License-Identifier: GPL-2.0-only
#include "kmem.h"

#include <errno.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "../progs/kmem_shared.h"
#include "kmem.skel.h"
#include "kmem_kinds.h"
#include "kmem_sites.h"
#include "pidns.h"
#include "vec.h"

enum { DEFAULT_LIVE = 1 << 19, DEFAULT_THREADS = 256, BATCH = 4096 };

struct kmem {
	struct kmem_bpf *skel;
	struct kmem_opts opts;
	bool open;
	enum kmem_window window;
	uint64_t skipped; /* before the window: see skipped() */
	VEC(__u32) tids;
	struct kmem_places places;
	char *missing[KMEM_KIND_MAX]; /* owned */
	char *caveat;		      /* owned */
};

static int set_own_sites(struct kmem *kmem)
{
	const struct kmem_opts *opts = &kmem->opts;

	if (opts->own_too ||
	    kmem_sites__own(opts->vmalloc_is_own, kmem->skel->rodata->own_sites) == 0)
		return 0;
	return str__printf(&kmem->caveat, "the allocators' own records could not be told apart "
					  "and are counted: counts vary by a few");
}

static int configure(struct kmem *kmem, struct err *err)
{
	struct kmem_opts *opts = &kmem->opts;
	struct kmem_bpf *skel = kmem->skel;

	pidns__inside(&skel->rodata->pidns_dev, &skel->rodata->pidns_ino);
	skel->rodata->follows = opts->follows;
	skel->rodata->wants_sites = opts->sites;
	skel->rodata->wants_caches = opts->caches;
	bpf_map__set_max_entries(skel->maps.threads, opts->max_threads);
	bpf_map__set_max_entries(skel->maps.live, opts->max_live);
	if (set_own_sites(kmem) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	return kmem_kinds__choose(skel->obj, opts->kinds, kmem->missing, &kmem->caveat, err);
}

static int load(struct kmem *kmem, struct err *err)
{
	int rc;

	if (access("/sys/kernel/btf/vmlinux", R_OK) < 0)
		return err__set(err, -EOPNOTSUPP, "kmem counters: no BTF of the kernel: %s",
				strerror(errno));
	kmem->skel = kmem_bpf__open();
	if (!kmem->skel)
		return err__set(err, -errno, "kmem counters: %s", strerror(errno));
	rc = configure(kmem, err);
	if (rc < 0)
		return rc;
	rc = kmem_bpf__load(kmem->skel);
	if (rc == -ENOMEM)
		return err__set(err, rc, "kmem counters: no memory for %zu live pointers",
				kmem->opts.max_live);
	if (rc == -EPERM || rc == -EACCES)
		return err__set(err, -EPERM,
				"kmem counters: this user or kernel may not load "
				"their programs");
	if (rc < 0)
		return err__set(err, -EOPNOTSUPP, "kmem counters: loading: %s", strerror(-rc));
	return 0;
}

int kmem__open(const struct kmem_opts *opts, struct kmem **ret_kmem, struct err *err)
{
	_cleanup_kmem_ struct kmem *kmem = NULL;
	libbpf_print_fn_t print;
	int rc;

	kmem = calloc(1, sizeof(*kmem));
	if (!kmem)
		return err__set(err, -ENOMEM, "out of memory");
	kmem->opts = *opts;
	kmem->opts.max_live = opts->max_live ?: DEFAULT_LIVE;
	kmem->opts.max_threads = opts->max_threads ?: DEFAULT_THREADS;
	/* A kernel that can't do this is an answer, not a reason for libbpf to shout. */
	print = libbpf_set_print(NULL);
	rc = load(kmem, err);
	libbpf_set_print(print);
	if (rc < 0)
		return rc;
	*ret_kmem = TAKE_PTR(kmem);
	return 0;
}

void kmem__free(struct kmem *kmem)
{
	if (!kmem)
		return;
	kmem_bpf__destroy(kmem->skel);
	vec_free(&kmem->tids);
	kmem_places__clear(&kmem->places);
	for (size_t i = 0; i < KMEM_KIND_MAX; i++)
		free(kmem->missing[i]);
	free(kmem->caveat);
	free(kmem);
}

const char *kmem__missing(const struct kmem *kmem, enum kmem_kind kind)
{
	return kmem->missing[kind];
}

const char *kmem__caveat(const struct kmem *kmem)
{
	return kmem->caveat;
}

const struct kmem_places *kmem__places(const struct kmem *kmem)
{
	return &kmem->places;
}

uint64_t kmem__left(const struct kmem *kmem)
{
	const volatile __u64 *live = &kmem->skel->bss->live_bytes;
	const volatile __u64 *percpu = &kmem->skel->bss->percpu_live_bytes;

	return *live + *percpu;
}

/*
 * Last attached first: a tracepoint then goes back from two programs to the
 * one that it had before, which the kernel does without waiting for RCU.
 */
static void detach(struct kmem *kmem)
{
	const struct bpf_object_skeleton *s = kmem->skel->skeleton;

	for (int i = s->prog_cnt - 1; i >= 0; i--) {
		struct bpf_prog_skeleton *prog = (void *)((char *)s->progs + i * s->prog_skel_sz);

		bpf_link__destroy(*prog->link);
		*prog->link = NULL;
	}
}

/*
 * How often the kernel has skipped the programs at functions, which have no second
 * one that would tell. It doesn't say for whom.
 */
static uint64_t skipped(const struct kmem *kmem)
{
	const struct bpf_program *progs[] = {
		kmem->skel->progs.count_nolock,
		kmem->skel->progs.count_nolock_free,
	};
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(progs); i++) {
		struct bpf_prog_info info = {};
		__u32 len = sizeof(info);
		int fd = bpf_program__fd(progs[i]);

		if (fd >= 0 && bpf_prog_get_info_by_fd(fd, &info, &len) == 0)
			sum += info.recursion_misses;
	}
	return sum;
}

static int open_window(struct kmem *kmem, enum kmem_window window)
{
	struct kmem_bpf *skel = kmem->skel;
	int rc;

	kmem->window = window;
	skel->bss->generation++;
	skel->bss->live_bytes = 0;
	skel->bss->percpu_live_bytes = 0;
	skel->bss->frees_elsewhere = 0;
	skel->bss->bytes_elsewhere = 0;
	skel->bss->percpu_elsewhere = 0;
	skel->bss->frees_after = 0;
	kmem->skipped = skipped(kmem);
	rc = kmem_bpf__attach(skel);
	if (rc < 0) {
		detach(kmem);
		return rc;
	}
	kmem->open = true;
	return 0;
}

int kmem__begin(struct kmem *kmem, pid_t tid, enum kmem_window window)
{
	struct kmem_thread thread = {
		.load_window = window == KMEM_WINDOW_PROG_LOAD,
	};
	__u32 key = tid;
	int rc;

	if (kmem->open && (kmem->window != window || window == KMEM_WINDOW_PROG_LOAD))
		return -EBUSY;
	if (kmem->tids.n == kmem->opts.max_threads)
		return -ENOSPC;
	if (!kmem->open) {
		rc = open_window(kmem, window);
		if (rc < 0)
			return rc;
	}
	rc = vec_push(&kmem->tids, key);
	if (rc < 0)
		return rc;
	/* Shut while arming: what this system call frees on its way out is not the thread's. */
	kmem->skel->bss->state = KMEM_SHUT;
	rc = bpf_map_update_elem(bpf_map__fd(kmem->skel->maps.threads), &key, &thread, BPF_NOEXIST);
	if (rc < 0)
		kmem->tids.n--;
	if (window == KMEM_WINDOW_THREAD)
		kmem->skel->bss->state = KMEM_OPEN;
	return rc;
}

/* Counts and deletes what is left in the table of live pointers. */
static int drain_live(struct kmem *kmem, struct kmem_counts *counts)
{
	_cleanup_free_ struct kmem_live *values = NULL;
	_cleanup_free_ __u64 *keys = NULL;
	__u32 generation = kmem->skel->bss->generation;
	int fd = bpf_map__fd(kmem->skel->maps.live), rc;
	__u64 batch;
	bool first = true;

	keys = calloc(BATCH, sizeof(*keys));
	values = calloc(BATCH, sizeof(*values));
	if (!keys || !values)
		return -ENOMEM;
	do {
		__u32 n = BATCH;

		rc = bpf_map_lookup_and_delete_batch(fd, first ? NULL : &batch, &batch, keys,
						     values, &n, NULL);
		if (rc < 0 && rc != -ENOENT)
			return rc;
		for (__u32 i = 0; i < n; i++) {
			if (values[i].generation == generation)
				counts->live_objects++;
		}
		first = false;
	} while (rc == 0);
	return 0;
}

static void forget_percpu(const struct kmem *kmem)
{
	int fd = bpf_map__fd(kmem->skel->maps.percpu_live);
	__u64 key;

	while (bpf_map_get_next_key(fd, NULL, &key) == 0 && bpf_map_delete_elem(fd, &key) == 0)
		;
}

/* Adds a thread's counts; -EAGAIN if the kernel kept an event from us. */
static int add_thread(const struct kmem_thread *t, struct kmem_counts *counts)
{
	counts->kmallocs += t->kmallocs;
	counts->kmalloc_bytes_req += t->kmalloc_bytes_req;
	counts->kmalloc_bytes += t->kmalloc_bytes;
	counts->slab_allocs += t->slab_allocs;
	counts->slab_bytes_req += t->slab_bytes_req;
	counts->slab_bytes += t->slab_bytes;
	counts->nolocks += t->nolocks;
	counts->nolock_bytes_req += t->nolock_bytes_req;
	counts->nolock_bytes += t->nolock_bytes;
	counts->percpu_allocs += t->percpu_allocs;
	counts->percpu_bytes_req += t->percpu_bytes_req;
	counts->percpu_bytes += t->percpu_bytes;
	counts->pages += t->pages;
	counts->own_kmallocs += t->own_kmallocs;
	counts->own_slab_allocs += t->own_slab_allocs;
	counts->frees += t->frees;
	counts->frees_unknown += t->frees_unknown;
	counts->loads += t->loads;
	counts->lost += t->lost;
	counts->percpu_lost += t->percpu_lost;
	counts->places_lost += t->places_lost;
	counts->live_end += t->live_end;
	counts->percpu_live += t->percpu_live_end;
	if (t->live_peak > counts->live_peak)
		counts->live_peak = t->live_peak;
	if (t->events != t->events_again || t->enters != t->enters_again || t->torn ||
	    (t->load_window && t->inside))
		return -EAGAIN;
	return 0;
}

static int sum_threads(struct kmem *kmem, struct kmem_counts *counts)
{
	int fd = bpf_map__fd(kmem->skel->maps.threads), ret = 0, rc;

	for (size_t i = 0; i < kmem->tids.n; i++) {
		struct kmem_thread t;

		rc = bpf_map_lookup_and_delete_elem(fd, &kmem->tids.v[i], &t);
		if (rc == 0)
			rc = add_thread(&t, counts);
		if (rc < 0 && ret == 0)
			ret = rc;
	}
	return ret;
}

/* Tables outlive the window: what is in them must not become the next one's. */
static int take_places(struct kmem *kmem)
{
	__u32 generation = kmem->skel->bss->generation;
	int rc = 0, took;

	if (kmem->opts.sites)
		rc = kmem_places__take_sites(&kmem->places, bpf_map__fd(kmem->skel->maps.sites),
					     generation);
	if (!kmem->opts.caches)
		return rc;
	took = kmem_places__take_caches(&kmem->places, bpf_map__fd(kmem->skel->maps.caches),
					generation);
	return rc ?: took;
}

/* In this window nothing was recorded when it ended. */
static void end_of_threads(const struct kmem *kmem, struct kmem_counts *counts)
{
	if (kmem->window != KMEM_WINDOW_THREAD)
		return;
	counts->live_end = counts->leaked;
	counts->percpu_live = counts->percpu_leaked;
}

int kmem__end(struct kmem *kmem, struct kmem_counts *ret_counts)
{
	struct kmem_bpf *skel = kmem->skel;
	struct kmem_counts counts = {};
	int rc, drained, took;

	if (!kmem->open)
		return -EINVAL;
	skel->bss->state = KMEM_SHUT;
	rc = sum_threads(kmem, &counts);
	detach(kmem);
	if (rc == 0 && skipped(kmem) != kmem->skipped)
		rc = -EAGAIN;
	kmem->open = false;
	kmem->tids.n = 0;
	counts.leaked = skel->bss->live_bytes;
	counts.percpu_leaked = skel->bss->percpu_live_bytes;
	counts.frees_elsewhere = skel->bss->frees_elsewhere;
	counts.frees_after = skel->bss->frees_after;
	end_of_threads(kmem, &counts);
	drained = drain_live(kmem, &counts);
	forget_percpu(kmem);
	took = take_places(kmem);
	rc = rc ?: drained ?: took;
	if (rc == 0)
		*ret_counts = counts;
	return rc;
}
