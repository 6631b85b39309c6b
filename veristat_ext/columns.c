// SPDX-License-Identifier: GPL-2.0-only
#include "columns.h"

#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "order.h"
#include "phases.h"

/* With kmalloc_nolock(), where the kernel has it: sums, and what goes by pointers. */
#define ALL_POINTERS (NEED_COUNTERS | NEED_NOLOCK)
#define PERCPU	     (NEED_COUNTERS | NEED_PERCPU)

static const struct {
	const char *metric;
	unsigned int need; /* enum need */
} sources[] = {
	{ "verdict", NEED_LOAD },
	{ "duration", NEED_LOAD },
	{ "total_insns", NEED_LOAD },
	{ "total_states", NEED_LOAD },
	{ "peak_states", NEED_LOAD },
	{ "max_states_per_insn", NEED_LOAD },
	{ "max_mark_read_len", NEED_LOAD },
	{ "stack_depth", NEED_LOAD },
	{ "max_stack_depth", NEED_LOAD },
	{ "errno", NEED_LOAD },
	{ "cause", NEED_LOAD },
	{ "prog_size", NEED_OBJECT },
	{ "prog_type", NEED_OBJECT },
	{ "attach_type", NEED_OBJECT },
	{ "prog_size_jited", NEED_INFO },
	{ "xlated_hash", NEED_INFO },
	{ "finfo_hash", NEED_INFO },
	{ "linfo_hash", NEED_INFO },
	{ "mem_peak", NEED_MEMORY },
	{ "mem_peak_kib", NEED_MEMORY },
	{ "allocs", ALL_POINTERS },
	{ "kmallocs", NEED_COUNTERS },
	{ "slab_allocs", NEED_COUNTERS },
	{ "nolocks", ALL_POINTERS },
	{ "alloc_bytes", ALL_POINTERS },
	{ "kmalloc_bytes", NEED_COUNTERS },
	{ "slab_bytes", NEED_COUNTERS },
	{ "nolock_bytes", ALL_POINTERS },
	{ "alloc_bytes_req", ALL_POINTERS },
	{ "kmalloc_bytes_req", NEED_COUNTERS },
	{ "slab_bytes_req", NEED_COUNTERS },
	{ "nolock_bytes_req", ALL_POINTERS },
	{ "alloc_waste", ALL_POINTERS },
	{ "own_allocs", NEED_COUNTERS },
	{ "frees", ALL_POINTERS },
	{ "frees_unknown", ALL_POINTERS },
	{ "live_peak", ALL_POINTERS },
	{ "live_after_load", ALL_POINTERS },
	{ "leaked_after_unload", ALL_POINTERS | NEED_LEFT },
	{ "vmallocs", NEED_VMALLOC },
	{ "vmalloc_bytes_req", NEED_VMALLOC },
	{ "vmalloc_bytes", NEED_VMALLOC },
	{ "vmalloc_peak", NEED_VMALLOC },
	{ "vmalloc_live", NEED_VMALLOC },
	{ "vmalloc_leaked", NEED_VMALLOC | NEED_LEFT },
	{ "vreallocs", NEED_VMALLOC },
	{ "vrealloc_moves", NEED_VMALLOC },
	{ "vrealloc_copied", NEED_VMALLOC },
	{ "percpu_allocs", PERCPU },
	{ "percpu_bytes_req", PERCPU },
	{ "percpu_bytes", PERCPU },
	{ "percpu_live", PERCPU },
	{ "percpu_leaked", PERCPU | NEED_LEFT },
	{ "pages", NEED_COUNTERS | NEED_PAGES },
	{ "alloc_caches", ALL_POINTERS | NEED_CACHES },
	{ "alloc_sites", ALL_POINTERS | NEED_SITES },
};

/* As upstream: what fits a terminal, and what fits a file. */
static const char short_list[] = "verdict,duration,insns,states,prog_size,prog_size_jited";
static const char long_list[] = "verdict,duration,insns,states,peak_states,max_states_per_insn,"
				"max_mark_read_len,prog_size,prog_size_jited,prog_type,attach_type,"
				"stack_depth,max_stack_depth,mem_peak";

static const char *const defaults[] = {
	[FORMAT_TABLE] = short_list,
	[FORMAT_CSV] = long_list,
	[FORMAT_JSON] = long_list,
	[FORMAT_MARKDOWN] = short_list,
};

static int add_hidden(struct columns *columns, const struct metric *metric, struct err *err)
{
	if (columns->untimed && metric->flags & METRIC_TIMED)
		return err__set(err, -EINVAL,
				"%s is not measured by several processes, which disturb each "
				"other (--force)",
				metric->id);
	for (size_t i = 0; i < columns->metrics.n; i++)
		if (columns->metrics.v[i] == metric)
			return 0;
	if (str_starts(metric->id, "phase.")) {
		columns->needs |= NEED_PHASES;
		return vec_push(&columns->metrics, metric);
	}
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		if (streq(sources[i].metric, metric->id)) {
			columns->needs |= sources[i].need;
			return vec_push(&columns->metrics, metric);
		}
	}
	return err__set(err, -EINVAL, "nothing here measures '%s'", metric->id);
}

static int add_metric(struct columns *columns, const char *word, struct err *err)
{
	const struct metric *metric;
	int rc;

	if (order__key(SUITE_VERISTAT, word) >= 0)
		return 0;
	metric = metric__find(SUITE_VERISTAT, word);
	if (!metric)
		return err__set(err, -EINVAL, "there is no column '%s' (--help lists them)", word);
	rc = add_hidden(columns, metric, err);
	columns->shown = columns->metrics.n;
	return rc;
}

static int add_words(struct columns *columns, const char *words, struct err *err)
{
	_cleanup_free_ char *copy = strdup(words);
	char *rest = copy, *word;
	int rc = 0;

	if (!copy)
		return -ENOMEM;
	while (rc == 0 && (word = strsep(&rest, ",")))
		if (*word)
			rc = add_metric(columns, word, err);
	return rc;
}

static void drop_times(struct columns *columns)
{
	size_t kept = 0;

	for (size_t i = 0; i < columns->metrics.n; i++)
		if (!(columns->metrics.v[i]->flags & METRIC_TIMED))
			columns->metrics.v[kept++] = columns->metrics.v[i];
	columns->metrics.n = columns->shown = kept;
}

static int add_phases(struct columns *columns, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < phases__count(); i++) {
		char word[64];

		snprintf(word, sizeof(word), "phase.%s", phases__name(i));
		rc = add_metric(columns, word, err);
	}
	return rc;
}

/* All that a traced load tells, but for the lists. */
static int add_allocs(struct columns *columns, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(sources); i++)
		if (sources[i].need & NEED_TRACED &&
		    !(sources[i].need & (NEED_SITES | NEED_CACHES)))
			rc = add_metric(columns, sources[i].metric, err);
	return rc;
}

static int add_groups(struct columns *columns, const struct veristat_opts *opts, struct err *err)
{
	int rc = 0;

	if (opts->phases)
		rc = add_phases(columns, err);
	if (rc == 0 && opts->allocs)
		rc = add_allocs(columns, err);
	if (rc == 0 && opts->alloc_caches)
		rc = add_metric(columns, "alloc_caches", err);
	if (rc == 0 && opts->alloc_sites)
		rc = add_metric(columns, "alloc_sites", err);
	return rc;
}

int columns__choose(const struct veristat_opts *opts, bool untimed, struct columns *ret_columns,
		    struct err *err)
{
	const struct opt_list *emit = &opts->emit;
	_cleanup_columns_ struct columns columns = { .untimed = untimed && emit->n };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < emit->n; i++)
		rc = add_words(&columns, emit->v[i], err);
	if (rc == 0 && !emit->n)
		rc = add_words(&columns, defaults[opts->format], err);
	if (rc == 0)
		rc = add_groups(&columns, opts, err);
	if (rc < 0)
		return rc;
	if (untimed)
		drop_times(&columns);
	columns.untimed = untimed;
	*ret_columns = columns;
	columns = (struct columns){};
	return 0;
}

int columns__complete(struct columns *columns, const struct opt_list *sort,
		      const struct filter *filter, struct err *err)
{
	_cleanup_(order__reset) struct order order = {};
	const struct expr *condition;
	int rc;

	rc = order__parse(SUITE_VERISTAT, sort, &order, err);
	for (size_t i = 0; rc == 0 && i < order.terms.n; i++)
		if (order.terms.v[i].key < 0)
			rc = add_hidden(columns, order.terms.v[i].metric, err);
	for (size_t i = 0; rc == 0 && (condition = filter__condition(filter, i)); i++)
		if (condition->term.key < 0)
			rc = add_hidden(columns, condition->term.metric, err);
	return rc;
}

void columns__clear(struct columns *columns)
{
	vec_free(&columns->metrics);
	columns->needs = 0;
}
