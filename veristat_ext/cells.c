// SPDX-License-Identifier: GPL-2.0-only
#include "cells.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "placelist.h"
#include "prog_info.h"
#include "verif_log.h"

static const struct {
	enum verif_stat stat;
	const char *metric;
} log_cells[] = {
	{ VERIF_TIME, "duration" },
	{ VERIF_INSNS, "total_insns" },
	{ VERIF_MAX_STATES_PER_INSN, "max_states_per_insn" },
	{ VERIF_TOTAL_STATES, "total_states" },
	{ VERIF_PEAK_STATES, "peak_states" },
	{ VERIF_MARK_READ, "max_mark_read_len" },
	{ VERIF_STACK, "stack_depth" },
	{ VERIF_MAX_STACK, "max_stack_depth" },
};

/* By which table of pointers a number is known: it is wrong if that had no room. */
enum table { TABLE_NONE, TABLE_LIVE, TABLE_PERCPU };

#define COUNTER(member) offsetof(struct kmem_counts, member)
static const struct {
	const char *metric;
	size_t offset;
	enum kmem_kind kind;
	enum table table;
} counter_cells[] = {
	{ "kmallocs", COUNTER(kmallocs), KMEM_KIND_KMALLOC, TABLE_NONE },
	{ "kmalloc_bytes_req", COUNTER(kmalloc_bytes_req), KMEM_KIND_KMALLOC, TABLE_NONE },
	{ "kmalloc_bytes", COUNTER(kmalloc_bytes), KMEM_KIND_KMALLOC, TABLE_NONE },
	{ "slab_allocs", COUNTER(slab_allocs), KMEM_KIND_KMALLOC, TABLE_NONE },
	{ "slab_bytes_req", COUNTER(slab_bytes_req), KMEM_KIND_KMALLOC, TABLE_NONE },
	{ "slab_bytes", COUNTER(slab_bytes), KMEM_KIND_KMALLOC, TABLE_NONE },
	{ "nolocks", COUNTER(nolocks), KMEM_KIND_NOLOCK, TABLE_NONE },
	{ "nolock_bytes_req", COUNTER(nolock_bytes_req), KMEM_KIND_NOLOCK, TABLE_NONE },
	{ "nolock_bytes", COUNTER(nolock_bytes), KMEM_KIND_NOLOCK, TABLE_NONE },
	{ "frees", COUNTER(frees), KMEM_KIND_FREE, TABLE_LIVE },
	{ "frees_unknown", COUNTER(frees_unknown), KMEM_KIND_FREE, TABLE_LIVE },
	{ "live_peak", COUNTER(live_peak), KMEM_KIND_FREE, TABLE_LIVE },
	{ "live_after_load", COUNTER(live_end), KMEM_KIND_FREE, TABLE_LIVE },
	{ "leaked_after_unload", COUNTER(leaked), KMEM_KIND_FREE, TABLE_LIVE },
	{ "percpu_allocs", COUNTER(percpu_allocs), KMEM_KIND_PERCPU, TABLE_NONE },
	{ "percpu_bytes_req", COUNTER(percpu_bytes_req), KMEM_KIND_PERCPU, TABLE_NONE },
	{ "percpu_bytes", COUNTER(percpu_bytes), KMEM_KIND_PERCPU, TABLE_NONE },
	{ "percpu_live", COUNTER(percpu_live), KMEM_KIND_PERCPU, TABLE_PERCPU },
	{ "percpu_leaked", COUNTER(percpu_leaked), KMEM_KIND_PERCPU, TABLE_PERCPU },
	{ "pages", COUNTER(pages), KMEM_KIND_PAGES, TABLE_NONE },
};

#define AREAS(member) offsetof(struct vmalloc_counts, member)
static const struct {
	const char *metric;
	size_t offset;
	bool by_area; /* wrong if areas were lost */
} vmalloc_cells[] = {
	{ "vmallocs", AREAS(allocs), false },
	{ "vmalloc_bytes_req", AREAS(bytes_req), false },
	{ "vmalloc_bytes", AREAS(bytes), false },
	{ "vmalloc_peak", AREAS(live_peak), true },
	{ "vmalloc_live", AREAS(live_end), true },
	{ "vmalloc_leaked", AREAS(leaked), true },
	{ "vreallocs", AREAS(reallocs), false },
	{ "vrealloc_moves", AREAS(moves), false },
	{ "vrealloc_copied", AREAS(copied), true },
};

static void set_missing(struct recording *rec, struct record_row *row, const char *metric,
			const struct missing *missing)
{
	recording__set_missing(rec, row, metric, missing->state, missing->reason);
}

void cells__object(struct recording *rec, struct record_row *row, const struct loader_prog *prog)
{
	char type[64];

	snprintf(type, sizeof(type), "%s%s", prog->type, prog->guessed ? " (guessed)" : "");
	recording__set_text(rec, row, "prog_type", type);
	/* Absent, not missing: most programs have none. */
	if (prog->attach)
		recording__set_text(rec, row, "attach_type", prog->attach);
	if (prog->insns)
		recording__set_num(rec, row, "prog_size", prog->insns);
	else
		recording__set_missing(rec, row, "prog_size", CELL_FAILED,
				       "the object could not be prepared");
}

/* The kernel has one that is not meant for us and comes all the same. */
static const char *error_name(int error)
{
	return error == -524 ? "ENOTSUPP" : error ? strerrorname_np(-error) : "0";
}

static void set_outcome(struct recording *rec, struct record_row *row,
			const struct load_result *result, const struct missing *unseen)
{
	const char *name = error_name(result->error);
	char number[16];

	if (result->cause == LOAD_OK)
		recording__set_text(rec, row, "verdict", "success");
	else if (result->cause == LOAD_REJECTED)
		recording__set_text(rec, row, "verdict", "failure");
	else
		set_missing(rec, row, "verdict", unseen);
	recording__set_text(rec, row, "cause", load_cause__words(result->cause));
	if (!name) {
		snprintf(number, sizeof(number), "%d", -result->error);
		name = number;
	}
	recording__set_text(rec, row, "errno", name);
}

void cells__load(struct recording *rec, struct record_row *row, const struct load_result *result)
{
	static const struct missing no_line = { CELL_UNSUPPORTED, "the log of this kernel's "
								  "verifier does not tell" };
	static const struct missing cut = { CELL_FAILED, "the verifier's log was cut" };
	char reason[320];
	struct missing unseen = { CELL_FAILED, reason };
	const struct missing *missing = result->log_cut ? &cut : &no_line;
	struct verif_log log;

	snprintf(reason, sizeof(reason), "%s: %s", load_cause__words(result->cause),
		 result->reason);
	verif_log__parse(result->log, &log);
	/* What the verifier counted without a part of the program is not the program's. */
	if (result->cause != LOAD_OK && result->cause != LOAD_REJECTED) {
		memset(&log, 0, sizeof(log));
		missing = &unseen;
	} else if (!verif_log__is_whole(&log) && result->cause != LOAD_OK) {
		missing = &unseen;
	}
	for (size_t i = 0; i < ARRAY_SIZE(log_cells); i++) {
		if (log.known[log_cells[i].stat])
			recording__set_num(rec, row, log_cells[i].metric,
					   log.value[log_cells[i].stat]);
		else
			set_missing(rec, row, log_cells[i].metric, missing);
	}
	set_outcome(rec, row, result, &unseen);
}

static void set_hash(struct recording *rec, struct record_row *row, const char *metric,
		     uint64_t hash)
{
	char text[17];

	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	recording__set_text(rec, row, metric, text);
}

static void set_code(struct recording *rec, struct record_row *row, const struct prog_info *info)
{
	struct err err = {};
	uint64_t hash;
	int rc;

	rc = prog_info__need_insns(info, &err);
	if (rc < 0) {
		recording__set_missing(rec, row, "xlated_hash", CELL_UNSUPPORTED, err.text);
		return;
	}
	rc = prog_info__hash(info->insns, info->n_insns, &hash);
	if (rc < 0)
		recording__set_missing(rec, row, "xlated_hash", CELL_FAILED, strerror(-rc));
	else
		set_hash(rec, row, "xlated_hash", hash);
}

/* No records are a fact of the program, and not a hash of nothing. */
static void set_records(struct recording *rec, struct record_row *row, const struct prog_info *info)
{
	if (info->infos_hidden) {
		recording__set_missing(rec, row, "finfo_hash", CELL_UNSUPPORTED,
				       info->infos_hidden);
		recording__set_missing(rec, row, "linfo_hash", CELL_UNSUPPORTED,
				       info->infos_hidden);
		return;
	}
	if (info->n_funcs)
		set_hash(rec, row, "finfo_hash", prog_info__hash_funcs(info->funcs, info->n_funcs));
	else
		recording__set_text(rec, row, "finfo_hash", "none");
	if (info->n_lines)
		set_hash(rec, row, "linfo_hash", prog_info__hash_lines(info->lines, info->n_lines));
	else
		recording__set_text(rec, row, "linfo_hash", "none");
}

static void set_no_info(struct recording *rec, struct record_row *row,
			const struct missing *missing)
{
	static const char *const metrics[] = { "prog_size_jited", "xlated_hash", "finfo_hash",
					       "linfo_hash" };

	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		set_missing(rec, row, metrics[i], missing);
}

void cells__info(struct recording *rec, struct record_row *row, const struct load_result *result)
{
	static const struct missing no_code = { CELL_UNSUPPORTED, "a program that is not loaded "
								  "has no code" };
	struct prog_info info = {};
	struct err err = {};

	if (result->fd < 0) {
		set_no_info(rec, row, &no_code);
		return;
	}
	if (prog_info__read(result->fd, &info, &err) < 0) {
		set_no_info(rec, row, &(struct missing){ CELL_FAILED, err.text });
		return;
	}
	if (info.jited_hidden)
		recording__set_missing(rec, row, "prog_size_jited", CELL_UNSUPPORTED,
				       info.jited_hidden);
	else
		recording__set_num(rec, row, "prog_size_jited", info.jited_len);
	set_code(rec, row, &info);
	set_records(rec, row, &info);
	prog_info__free(&info);
}

void cells__memory(struct recording *rec, struct record_row *row, const struct missing *missing,
		   uint64_t bytes)
{
	if (missing->state != CELL_OK) {
		set_missing(rec, row, "mem_peak", missing);
		set_missing(rec, row, "mem_peak_kib", missing);
		return;
	}
	/* Whole MiB, as upstream has it: both can be compared. */
	recording__set_num(rec, row, "mem_peak", bytes >> 20);
	recording__set_num(rec, row, "mem_peak_kib", bytes / 1024.0);
}

static uint64_t number_at(const void *counts, size_t offset)
{
	return *(const uint64_t *)((const char *)counts + offset);
}

static void set_counter(struct recording *rec, struct record_row *row, size_t i,
			const struct kmem *kmem, const struct kmem_counts *counts)
{
	static const struct missing full = { CELL_FAILED, "more allocations were alive than "
							  "--alloc-room has room for" };
	static const struct missing percpu_full = { CELL_FAILED, "more per-CPU allocations were "
								 "alive than there is room for" };
	const char *metric = counter_cells[i].metric;
	const char *why = kmem__missing(kmem, counter_cells[i].kind);
	enum table table = counter_cells[i].table;

	if (why)
		recording__set_missing(rec, row, metric, CELL_UNSUPPORTED, why);
	else if (table == TABLE_LIVE && counts->lost)
		set_missing(rec, row, metric, &full);
	else if (table == TABLE_PERCPU && counts->percpu_lost)
		set_missing(rec, row, metric, &percpu_full);
	else
		recording__set_num(rec, row, metric, number_at(counts, counter_cells[i].offset));
}

/* What is not known of nolock is said by its own cells, and by kmem__caveat(). */
static void set_sums(struct recording *rec, struct record_row *row, const struct kmem_counts *c)
{
	uint64_t bytes = c->kmalloc_bytes + c->slab_bytes + c->nolock_bytes;
	uint64_t wanted = c->kmalloc_bytes_req + c->slab_bytes_req + c->nolock_bytes_req;

	recording__set_num(rec, row, "allocs", c->kmallocs + c->slab_allocs + c->nolocks);
	recording__set_num(rec, row, "alloc_bytes", bytes);
	recording__set_num(rec, row, "alloc_bytes_req", wanted);
	recording__set_num(rec, row, "alloc_waste", bytes - wanted);
	recording__set_num(rec, row, "own_allocs", c->own_kmallocs + c->own_slab_allocs);
}

static void set_list(struct recording *rec, struct record_row *row, const char *metric,
		     const struct kmem_listed *places, size_t n, size_t top, uint64_t lost)
{
	_cleanup_free_ char *text = NULL;

	if (lost)
		recording__set_missing(rec, row, metric, CELL_FAILED,
				       "more places allocate than there is room for");
	else if (placelist__print(places, n, top, &text) == 0)
		recording__set_text(rec, row, metric, text);
	else
		recording__set_missing(rec, row, metric, CELL_FAILED, "out of memory");
}

static const char *const sum_cells[] = { "allocs",	"alloc_bytes", "alloc_bytes_req",
					 "alloc_waste", "own_allocs",  "alloc_sites",
					 "alloc_caches" };

void cells__counters(struct recording *rec, struct record_row *row, const struct missing *missing,
		     const struct kmem *kmem, const struct kmem_counts *counts, size_t n_sites)
{
	const struct kmem_places *places;

	if (missing->state != CELL_OK) {
		for (size_t i = 0; i < ARRAY_SIZE(counter_cells); i++)
			set_missing(rec, row, counter_cells[i].metric, missing);
		for (size_t i = 0; i < ARRAY_SIZE(sum_cells); i++)
			set_missing(rec, row, sum_cells[i], missing);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(counter_cells); i++)
		set_counter(rec, row, i, kmem, counts);
	set_sums(rec, row, counts);
	places = kmem__places(kmem);
	set_list(rec, row, "alloc_sites", places->sites.v, places->sites.n, n_sites,
		 counts->places_lost);
	set_list(rec, row, "alloc_caches", places->caches.v, places->caches.n, 0,
		 counts->places_lost);
}

void cells__vmalloc(struct recording *rec, struct record_row *row, const struct missing *missing,
		    const struct vmalloc_counts *counts)
{
	static const struct missing lost = { CELL_FAILED, "more areas were alive than the "
							  "counters have room for" };

	for (size_t i = 0; i < ARRAY_SIZE(vmalloc_cells); i++) {
		const char *metric = vmalloc_cells[i].metric;

		if (missing->state != CELL_OK)
			set_missing(rec, row, metric, missing);
		else if (vmalloc_cells[i].by_area && (counts->lost || counts->unknown))
			set_missing(rec, row, metric, &lost);
		else
			recording__set_num(rec, row, metric,
					   number_at(counts, vmalloc_cells[i].offset));
	}
}

void cells__phases(struct recording *rec, struct record_row *row, const struct missing *missing,
		   const struct phases *phases, const struct phase_time *times)
{
	static const struct missing none = { CELL_UNSUPPORTED, "this kernel has no function of "
							       "that phase that can be probed" };

	for (size_t i = 0; i < phases__count(); i++) {
		char metric[64];

		snprintf(metric, sizeof(metric), "phase.%s", phases__name(i));
		if (missing->state != CELL_OK)
			set_missing(rec, row, metric, missing);
		else if (!phases__has(phases, i))
			set_missing(rec, row, metric, &none);
		else
			recording__set_num(rec, row, metric, times[i].self_ns / 1000.0);
	}
}
