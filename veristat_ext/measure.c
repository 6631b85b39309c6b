// SPDX-License-Identifier: GPL-2.0-only
#include "measure.h"

#include <errno.h>
#include <time.h>

#include "cells.h"
#include "codefile.h"
#include "columns.h"
#include "memcheck.h"
#include "turn.h"

#define NEED_LOADED (NEED_LOAD | NEED_INFO | NEED_MEMORY)

struct measure {
	struct measure_opts opts;
	struct kmem *kmem;
	struct err no_kmem;	 /* why kmem is NULL */
	struct janitor *janitor; /* removes the control group if we are killed */
	struct memcg *memcg;
	struct err no_memcg;	 /* why memcg is NULL */
	const char *memcg_lacks; /* what it doesn't see; NULL: nothing */
	struct vmalloc *vmalloc;
	struct err no_vmalloc; /* why vmalloc is NULL */
	struct phases *phases;
	struct err no_phases;  /* why phases is NULL */
	enum load_cause cause; /* of the last load of the last program */
};

/* What is not charged, or is somebody else's, would read as a peak of ours. */
static void open_memcg(struct measure *measure)
{
	struct memcheck check;

	if (janitor__start(&measure->janitor, &measure->no_memcg) < 0 ||
	    memcg__open("", measure->janitor, &measure->memcg, &measure->no_memcg) < 0)
		return;
	if (memcheck__run(measure->memcg, &check, &measure->no_memcg) != 0)
		memcg__free(TAKE_PTR(measure->memcg));
	else
		measure->memcg_lacks = memcheck__lacks(&check);
}

static void open_counters(struct measure *measure)
{
	unsigned int needs = measure->opts.needs;
	struct kmem_opts opts = {
		.kinds = (needs & NEED_NOLOCK ? KMEM_WANTS(NOLOCK) : 0) |
			 (needs & NEED_PERCPU ? KMEM_WANTS(PERCPU) : 0) |
			 (needs & NEED_PAGES ? KMEM_WANTS(PAGES) : 0),
		.sites = needs & NEED_SITES,
		.caches = needs & NEED_CACHES,
		.follows = needs & NEED_LEFT,
		.max_live = measure->opts.alloc_room,
	};

	if (needs & NEED_COUNTERS)
		kmem__open(&opts, &measure->kmem, &measure->no_kmem);
	if (needs & NEED_VMALLOC)
		vmalloc__open(&measure->vmalloc, &measure->no_vmalloc);
}

int measure__open(const struct measure_opts *opts, struct measure **ret_measure)
{
	_cleanup_measure_ struct measure *measure = calloc(1, sizeof(*measure));

	if (!measure)
		return -ENOMEM;
	measure->opts = *opts;
	open_counters(measure);
	if (opts->needs & NEED_PHASES)
		phases__open(&measure->phases, &measure->no_phases);
	if (opts->needs & NEED_MEMORY)
		open_memcg(measure);
	*ret_measure = TAKE_PTR(measure);
	return 0;
}

void measure__free(struct measure *measure)
{
	if (!measure)
		return;
	kmem__free(measure->kmem);
	vmalloc__free(measure->vmalloc);
	phases__free(measure->phases);
	memcg__free(measure->memcg);
	janitor__free(measure->janitor);
	free(measure);
}

const char *const caveat_keys[CAVEATS] = {
	[CAVEAT_ALLOCS] = "allocs_lack",
	[CAVEAT_MEMORY] = "mem_peak_lacks",
};

const char *measure__caveat(const struct measure *measure, enum caveat caveat)
{
	if (caveat == CAVEAT_MEMORY)
		return measure->memcg_lacks;
	return measure->kmem ? kmem__caveat(measure->kmem) : NULL;
}

/* What is known of a program so far. */
struct subject {
	struct measure *measure;
	struct loader *loader;
	size_t i;
	struct load_opts load;
	struct missing no_counts;
	struct kmem_counts counts;
	struct err no_counts_why;
	struct missing no_vmallocs;
	struct vmalloc_counts vmallocs;
	struct err no_vmallocs_why;
	struct missing no_times;
	struct phase_time *times; /* phases__count() of them */
	struct err no_times_why;
	struct missing no_peak;
	uint64_t peak;
	struct err no_peak_why;
};

static bool has_verdict(const struct load_result *result)
{
	return result->cause == LOAD_OK || result->cause == LOAD_REJECTED;
}

static void unload(struct load_result *result)
{
	if (result->fd >= 0)
		close(result->fd);
	result->fd = -1;
}

/* A signal makes the kernel give up, so what came of a load under one tells nothing. */
static bool stopped(const struct measure *measure)
{
	return *measure->opts.stop;
}

static int load_once(struct subject *s, struct load_result *result)
{
	int rc = loader__load(s->loader, s->i, &s->load, result);

	if (rc == 0 && stopped(s->measure)) {
		unload(result);
		return -EINTR;
	}
	return rc;
}

/*
 * What can go wrong with a number that is taken around a load: the tool that
 * takes it (begun, ended: 0 or -errno), or that there was no verdict.
 */
static void conclude(const struct load_result *result, const char *tool, int begun, int ended,
		     struct missing *missing, struct err *why)
{
	*missing = (struct missing){ CELL_FAILED, why->text };
	if (begun < 0)
		err__set(why, begun, "%s cannot be attached: %s", tool, strerror(-begun));
	else if (ended < 0)
		err__set(why, ended, "%s cannot be read: %s", tool, strerror(-ended));
	else if (!has_verdict(result))
		err__set(why, -EINVAL, "%s: %s", load_cause__words(result->cause), result->reason);
	else
		missing->state = CELL_OK;
}

/*
 * Gives the program up and waits until nothing is left of it, or nothing more
 * goes: most is freed after a grace period, some of it by work queued there.
 */
static void await_end(struct subject *s, struct load_result *result)
{
	enum { STEP_MS = 5, PATIENCE = 60 };
	const struct timespec step = { .tv_nsec = STEP_MS * 1000 * 1000 };
	const struct measure *measure = s->measure;
	uint64_t left, before = UINT64_MAX;

	unload(result);
	for (int quiet = 0; quiet < PATIENCE && !stopped(measure); quiet++) {
		left = (measure->kmem ? kmem__left(measure->kmem) : 0) +
		       (measure->vmalloc ? vmalloc__left(measure->vmalloc) : 0);
		if (!left)
			break;
		if (left != before)
			quiet = 0;
		before = left;
		nanosleep(&step, NULL);
	}
}

static void conclude_counts(struct subject *s, const struct load_result *result, int begun,
			    int ended)
{
	conclude(result, "the counters", begun, ended, &s->no_counts, &s->no_counts_why);
	if (s->no_counts.state == CELL_OK && !s->counts.loads) {
		s->no_counts.state = CELL_FAILED;
		err__set(&s->no_counts_why, -EINVAL, "the counters have seen no load");
	}
}

static bool traces_functions(const struct measure *measure)
{
	return measure->vmalloc || (measure->kmem && measure->opts.needs & NEED_NOLOCK &&
				    !kmem__missing(measure->kmem, KMEM_KIND_NOLOCK));
}

/* A load whose allocations are counted. */
static int count(struct subject *s, struct load_result *result)
{
	_cleanup_close_ int turn = traces_functions(s->measure) ? turn__take() : -1;
	struct kmem *kmem = s->measure->kmem;
	struct vmalloc *vmalloc = s->measure->vmalloc;
	int rc, kmem_begun = 0, kmem_ended = 0, vmalloc_begun = 0, vmalloc_ended = 0;

	s->no_counts = (struct missing){ CELL_UNSUPPORTED, s->measure->no_kmem.text };
	s->no_vmallocs = (struct missing){ CELL_UNSUPPORTED, s->measure->no_vmalloc.text };
	loader__ready(s->loader, s->i);
	if (vmalloc)
		vmalloc_begun = vmalloc__begin(vmalloc, gettid());
	if (kmem)
		kmem_begun = kmem__begin(kmem, gettid(), KMEM_WINDOW_PROG_LOAD);
	rc = load_once(s, result);
	if (vmalloc && vmalloc_begun == 0)
		vmalloc__over(vmalloc);
	if (rc == 0 && s->measure->opts.needs & NEED_LEFT)
		await_end(s, result);
	if (kmem && kmem_begun == 0)
		kmem_ended = kmem__end(kmem, &s->counts);
	if (vmalloc && vmalloc_begun == 0)
		vmalloc_ended = vmalloc__end(vmalloc, &s->vmallocs);
	if (kmem)
		conclude_counts(s, result, kmem_begun, kmem_ended);
	if (vmalloc)
		conclude(result, "vmalloc's probes", vmalloc_begun, vmalloc_ended, &s->no_vmallocs,
			 &s->no_vmallocs_why);
	return rc;
}

/* A load whose phases are timed; it is used for nothing else. */
static int time_phases(struct subject *s)
{
	struct phases *phases = s->measure->phases;
	struct load_result result = { .fd = -1, .log = "" };
	int rc, ended;

	s->no_times = (struct missing){ CELL_UNSUPPORTED, s->measure->no_phases.text };
	if (!phases)
		return 0;
	do {
		unload(&result);
		loader__ready(s->loader, s->i);
		phases__begin(phases, gettid());
		rc = load_once(s, &result);
		ended = phases__end(phases, s->times);
		conclude(&result, "the probes of phases", 0, ended, &s->no_times, &s->no_times_why);
	} while (rc == 0 && result.attempts > 1 && has_verdict(&result));
	unload(&result);
	return rc;
}

static int warm_up(struct subject *s, struct load_result *result)
{
	bool counting = s->measure->opts.needs & NEED_TRACED;
	unsigned int n = s->measure->opts.warmup;
	int rc = 0;

	if (counting && n < 1)
		n = 1;
	while (rc == 0 && n--) {
		rc = counting && n == 0 ? count(s, result) : load_once(s, result);
		if (rc == 0)
			unload(result);
	}
	return rc;
}

/*
 * Programs and maps that were given up are freed later, in the background: on
 * one CPU by interrupting the next load, which would pay for it. Where guest
 * time counts instructions an idle wait costs none.
 */
static void settle(const struct measure *measure)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };

	if (measure->opts.settle)
		nanosleep(&pause, NULL);
}

/* A load between a reset of the peak and its reading. */
static int load_and_weigh(struct subject *s, struct load_result *result)
{
	struct memcg *memcg = s->measure->memcg;
	int rc, weighed;

	loader__ready(s->loader, s->i);
	settle(s->measure);
	s->no_peak = (struct missing){ CELL_UNSUPPORTED, s->measure->no_memcg.text };
	if (!memcg)
		return load_once(s, result);
	s->no_peak = (struct missing){ CELL_FAILED, s->no_peak_why.text };
	weighed = memcg__reset(memcg);
	rc = load_once(s, result);
	if (weighed == 0)
		weighed = memcg__peak(memcg, &s->peak);
	if (weighed < 0)
		err__set(&s->no_peak_why, weighed, "the control group cannot be read: %s",
			 strerror(-weighed));
	else if (!has_verdict(result))
		err__set(&s->no_peak_why, -EINVAL, "%s: %s", load_cause__words(result->cause),
			 result->reason);
	else
		s->no_peak.state = CELL_OK;
	return rc;
}

/* One load whose time and memory count. */
static int sample(struct subject *s, struct load_result *result)
{
	int rc = load_and_weigh(s, result);

	/* The log outgrew its buffer, so there was more than one load, and a larger buffer. */
	if (rc == 0 && result->attempts > 1) {
		unload(result);
		rc = load_and_weigh(s, result);
	}
	return rc;
}

static int add_row(const struct subject *s, const char *object, struct recording *rec,
		   const struct load_result *result, bool first)
{
	struct loader_prog prog = loader__prog(s->loader, s->i);
	unsigned int needs = s->measure->opts.needs;
	struct record_row *row;
	int rc;

	rc = recording__add_row(rec, object, prog.name, &row);
	if (rc < 0)
		return rc;
	cells__object(rec, row, &prog);
	if (needs & NEED_LOADED) {
		cells__load(rec, row, result);
		cells__info(rec, row, result);
		cells__memory(rec, row, &s->no_peak, s->peak);
	}
	if (first && (needs & NEED_TRACED)) {
		cells__counters(rec, row, &s->no_counts, s->measure->kmem, &s->counts,
				s->measure->opts.alloc_sites);
		cells__vmalloc(rec, row, &s->no_vmallocs, &s->vmallocs);
	}
	if (needs & NEED_PHASES)
		cells__phases(rec, row, &s->no_times, s->measure->phases, s->times);
	return 0;
}

/* One row. 1 without a verdict, with err. */
static int add_sample(struct subject *s, const char *object, struct recording *rec, bool first,
		      struct load_result *result, struct err *err)
{
	struct measure_opts *opts = &s->measure->opts;
	int rc = 0;

	if (opts->needs & NEED_PHASES)
		rc = time_phases(s);
	if (rc == 0 && opts->needs & NEED_LOADED)
		rc = sample(s, result);
	if (rc == 0)
		rc = add_row(s, object, rec, result, first);
	if (rc == 0 && first)
		detail__show(&opts->detail, object, loader__prog(s->loader, s->i).name, result);
	if (rc == 0 && first && opts->dump_dir && result->fd >= 0)
		rc = codefile__write(opts->dump_dir, object, loader__prog(s->loader, s->i).name,
				     result->fd, err) < 0;
	unload(result);
	if (rc == 0 && !has_verdict(result))
		rc = err__set(err, 1, "%s: %s", load_cause__words(result->cause), result->reason);
	return rc;
}

int measure__program(struct measure *measure, struct loader *loader, size_t i, const char *object,
		     struct recording *rec, struct err *err)
{
	struct measure_opts *opts = &measure->opts;
	struct phase_time times[phases__count()];
	struct subject s = {
		.measure = measure,
		.times = times,
		.loader = loader,
		.i = i,
		.load = {
			.log_level = opts->log_level,
			.log_fixed = opts->log_fixed,
			.log_max = opts->log_max,
		},
	};
	struct load_result result = { .fd = -1, .log = "" };
	unsigned int samples = opts->needs & (NEED_LOADED | NEED_PHASES) ? opts->samples : 1;
	int rc, prepared;

	/* Here, so that none of it falls into a window that is measured. */
	prepared = loader__prepare(loader, err);
	rc = warm_up(&s, &result);
	for (unsigned int n = 0; rc == 0 && n < samples; n++)
		rc = add_sample(&s, object, rec, n == 0, &result, err);
	measure->cause = result.cause;
	return rc == 0 && prepared < 0 ? 1 : rc;
}

enum load_cause measure__cause(const struct measure *measure)
{
	return measure->cause;
}
