// SPDX-License-Identifier: GPL-2.0-only
#include "metric.h"

const struct suite_key suite_keys[SUITE_MAX] = {
	[SUITE_VERISTAT] = { "veristat", { "file_name", "prog_name" }, { "File", "Program" } },
	[SUITE_TEST_PROGS] = { "test_progs",
			       { "test_name", "subtest_name" },
			       { "Test", "Subtest" } },
	[SUITE_BENCH] = { "bench", { "bench_name", "variant_name" }, { "Benchmark", "Variant" } },
};

/*
 * Ids and further names of the veristat rows down to mem_peak are those of
 * the kernel's veristat, so that its CSVs can be read here and ours there.
 */
/* clang-format off */
/* What a pass of the verifier takes, without others inside it; see phases.h. */
#define PHASE(word)                                                               \
	{ .id = "phase." word, .title = word, .unit = "us", .suite = SUITE_VERISTAT, \
	  .kind = METRIC_NOISY, .better = METRIC_LOWER, .flags = METRIC_TIMED }

/* What allocators do during a load; see kmem.h and vmalloc.h. */
#define COUNT(name, words, in, which)                                           \
	{ .id = name, .title = words, .unit = in, .suite = SUITE_VERISTAT,     \
	  .kind = METRIC_EXACT, .better = which }
/* Kernels before 6.18 have none, and recordings from before this was counted. */
#define NOLOCK(name, words, in)                                                 \
	{ .id = name, .title = words, .unit = in, .suite = SUITE_VERISTAT,     \
	  .kind = METRIC_EXACT, .better = METRIC_LOWER, .flags = METRIC_SPARE }

static const struct metric metrics[] = {
	{ .id = "verdict", .title = "Verdict", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_RANKED, .flags = METRIC_TEXT | METRIC_IDENTITY,
	  .ranks = { "success", "failure" } },
	{ .id = "duration", .names = { "dur" }, .title = "Duration", .unit = "us",
	  .suite = SUITE_VERISTAT, .kind = METRIC_NOISY, .better = METRIC_LOWER,
	  .flags = METRIC_TIMED },
	{ .id = "total_insns", .names = { "insns" }, .title = "Insns", .unit = "",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	{ .id = "total_states", .names = { "states" }, .title = "States", .unit = "",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	{ .id = "peak_states", .title = "Peak states", .unit = "",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	{ .id = "max_states_per_insn", .title = "States per insn", .unit = "",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	{ .id = "max_mark_read_len", .names = { "mark_read" }, .title = "Mark read", .unit = "",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	{ .id = "prog_size", .title = "Size", .unit = "",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	/* Not an identity: the JIT picks encodings by address. */
	{ .id = "prog_size_jited", .title = "Jited", .unit = "B",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER },
	{ .id = "stack_depth", .names = { "stack" }, .title = "Stack", .unit = "B",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	{ .id = "max_stack_depth", .title = "Max stack", .unit = "B",
	  .suite = SUITE_VERISTAT, .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .flags = METRIC_IDENTITY },
	{ .id = "prog_type", .title = "Type", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_ANY, .flags = METRIC_TEXT | METRIC_IDENTITY },
	{ .id = "attach_type", .title = "Attach type", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_ANY, .flags = METRIC_TEXT | METRIC_IDENTITY },
	{ .id = "mem_peak", .title = "Peak memory", .unit = "MiB", .suite = SUITE_VERISTAT,
	  .kind = METRIC_NOISY, .better = METRIC_LOWER, .flags = METRIC_MINUS_ONE | METRIC_CHARGED },
	{ .id = "mem_peak_kib", .title = "Peak memory", .unit = "KiB", .suite = SUITE_VERISTAT,
	  .kind = METRIC_NOISY, .better = METRIC_LOWER, .flags = METRIC_MINUS_ONE | METRIC_CHARGED },
	{ .id = "allocs", .title = "Allocs", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .parts = { "kmallocs", "slab_allocs", "nolocks" } },
	COUNT("kmallocs", "Kmallocs", "", METRIC_LOWER),
	COUNT("slab_allocs", "Slab allocs", "", METRIC_LOWER),
	NOLOCK("nolocks", "Nolock allocs", ""),
	{ .id = "alloc_bytes", .title = "Allocated", .unit = "B", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .parts = { "kmalloc_bytes", "slab_bytes", "nolock_bytes" } },
	COUNT("kmalloc_bytes", "Kmalloced", "B", METRIC_LOWER),
	COUNT("slab_bytes", "From slab caches", "B", METRIC_LOWER),
	NOLOCK("nolock_bytes", "By kmalloc_nolock", "B"),
	{ .id = "alloc_bytes_req", .title = "Wanted", .unit = "B", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_LOWER,
	  .parts = { "kmalloc_bytes_req", "slab_bytes_req", "nolock_bytes_req" } },
	COUNT("kmalloc_bytes_req", "Wanted of kmalloc", "B", METRIC_LOWER),
	COUNT("slab_bytes_req", "Wanted of slab caches", "B", METRIC_LOWER),
	NOLOCK("nolock_bytes_req", "Wanted of kmalloc_nolock", "B"),
	COUNT("alloc_waste", "Allocated in vain", "B", METRIC_LOWER),
	/* Records that allocators keep, in no other count: how many depends on what was before. */
	COUNT("own_allocs", "Allocators' own", "", METRIC_INFO),
	COUNT("frees", "Frees", "", METRIC_INFO),
	COUNT("frees_unknown", "Frees of others'", "", METRIC_INFO),
	COUNT("live_peak", "Live peak", "B", METRIC_LOWER),
	COUNT("live_after_load", "Live after load", "B", METRIC_LOWER),
	COUNT("leaked_after_unload", "Left after unload", "B", METRIC_LOWER),
	COUNT("vmallocs", "Vmallocs", "", METRIC_LOWER),
	COUNT("vmalloc_bytes_req", "Wanted of vmalloc", "B", METRIC_LOWER),
	COUNT("vmalloc_bytes", "Vmalloced", "B", METRIC_LOWER),
	COUNT("vmalloc_peak", "Vmalloc peak", "B", METRIC_LOWER),
	COUNT("vmalloc_live", "Vmalloced after load", "B", METRIC_LOWER),
	COUNT("vmalloc_leaked", "Vmalloced after unload", "B", METRIC_LOWER),
	COUNT("vreallocs", "Vreallocs", "", METRIC_LOWER),
	COUNT("vrealloc_moves", "Vreallocs that move", "", METRIC_LOWER),
	COUNT("vrealloc_copied", "Copied by vrealloc", "B", METRIC_LOWER),
	COUNT("percpu_allocs", "Per-CPU allocs", "", METRIC_LOWER),
	COUNT("percpu_bytes_req", "Wanted per CPU", "B", METRIC_LOWER),
	COUNT("percpu_bytes", "Per-CPU allocated", "B", METRIC_LOWER),
	COUNT("percpu_live", "Per-CPU after load", "B", METRIC_LOWER),
	COUNT("percpu_leaked", "Per-CPU after unload", "B", METRIC_LOWER),
	/* Whether a cache has to grow depends on what was loaded before. */
	COUNT("pages", "Pages", "", METRIC_INFO),
	{ .id = "alloc_caches", .title = "Caches", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_INFO, .flags = METRIC_TEXT | METRIC_LIST },
	{ .id = "alloc_sites", .title = "Call sites", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_INFO, .flags = METRIC_TEXT | METRIC_LIST },
	{ .id = "xlated_hash", .title = "Xlated", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_ANY, .flags = METRIC_TEXT },
	{ .id = "finfo_hash", .title = "Func info", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_ANY, .flags = METRIC_TEXT },
	{ .id = "linfo_hash", .title = "Line info", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_ANY, .flags = METRIC_TEXT },
	{ .id = "errno", .title = "Errno", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_INFO, .flags = METRIC_TEXT },
	{ .id = "cause", .title = "Cause", .unit = "", .suite = SUITE_VERISTAT,
	  .kind = METRIC_EXACT, .better = METRIC_INFO, .flags = METRIC_TEXT },
	PHASE("rest"), PHASE("btf"), PHASE("cfg"), PHASE("postorder"), PHASE("liveness"),
	PHASE("const_regs"), PHASE("prune"), PHASE("args"), PHASE("scc"), PHASE("live_regs"),
	PHASE("check"), PHASE("spills"), PHASE("loops"), PHASE("dead_code"), PHASE("nops"),
	PHASE("ctx"), PHASE("fixups"), PHASE("zext"), PHASE("calls"), PHASE("blinding"),
	PHASE("jit"),

	{ .id = "outcome", .title = "Outcome", .unit = "", .suite = SUITE_TEST_PROGS,
	  .kind = METRIC_EXACT, .better = METRIC_RANKED, .flags = METRIC_TEXT,
	  .ranks = { "pass", "skip", "fail" } },
	{ .id = "message", .title = "Message", .unit = "", .suite = SUITE_TEST_PROGS,
	  .kind = METRIC_EXACT, .better = METRIC_INFO, .flags = METRIC_TEXT },
	{ .id = "xlated_hash", .title = "Xlated", .unit = "", .suite = SUITE_TEST_PROGS,
	  .kind = METRIC_EXACT, .better = METRIC_ANY, .flags = METRIC_TEXT },

	{ .id = "ops_per_sec", .names = { "creates" }, .title = "Rate", .unit = "1/s",
	  .suite = SUITE_BENCH, .kind = METRIC_NOISY, .better = METRIC_HIGHER,
	  .flags = METRIC_TIMED },
	{ .id = "insns_per_op", .title = "Insns per op", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_NOISY, .better = METRIC_LOWER, .flags = METRIC_TIMED },
	/* What an operation would cost without what is measured, in percent of it. */
	{ .id = "owner_share", .title = "Owner's share", .unit = "%", .suite = SUITE_BENCH,
	  .kind = METRIC_NOISY, .better = METRIC_INFO, .flags = METRIC_TIMED },
	/*
	 * Refills of per-CPU stocks fall into one window or the next: nearly
	 * exact. One kernel was seen to differ from boot to boot by 1.1 %.
	 */
	{ .id = "allocs_per_op", .title = "Allocs per op", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_COUNTED, .better = METRIC_LOWER, .floor = 0.02,
	  .parts = { "kmallocs_per_op", "slab_allocs_per_op", "nolocks_per_op",
		     "refills_per_op" } },
	{ .id = "kmallocs_per_op", .title = "Kmallocs per op", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_COUNTED, .better = METRIC_LOWER, .floor = 0.02 },
	{ .id = "slab_allocs_per_op", .title = "Slab allocs per op", .unit = "",
	  .suite = SUITE_BENCH, .kind = METRIC_COUNTED, .better = METRIC_LOWER, .floor = 0.02 },
	{ .id = "nolocks_per_op", .title = "Nolock allocs per op", .unit = "",
	  .suite = SUITE_BENCH, .kind = METRIC_COUNTED, .better = METRIC_LOWER, .floor = 0.02 },
	{ .id = "refills_per_op", .title = "Refills per op", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_COUNTED, .better = METRIC_LOWER, .floor = 0.02 },
	{ .id = "vmallocs_per_op", .title = "Vmallocs per op", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_COUNTED, .better = METRIC_INFO, .floor = 0.02 },
	{ .id = "alloc_bytes_req_per_op", .title = "Wanted per op", .unit = "B",
	  .suite = SUITE_BENCH, .kind = METRIC_COUNTED, .better = METRIC_LOWER, .floor = 0.02 },
	{ .id = "alloc_bytes_per_op", .title = "Allocated per op", .unit = "B",
	  .suite = SUITE_BENCH, .kind = METRIC_COUNTED, .better = METRIC_LOWER, .floor = 0.02 },
	{ .id = "frees_per_op", .title = "Frees per op", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_COUNTED, .better = METRIC_INFO, .floor = 0.02 },
	/* Left out of the others: what allocators keep records with, and why it varies. */
	{ .id = "own_allocs_per_op", .title = "Allocators' own per op", .unit = "",
	  .suite = SUITE_BENCH, .kind = METRIC_COUNTED, .better = METRIC_INFO, .floor = 0.02 },
	/* What others did meanwhile is in it. */
	{ .id = "machine_kmallocs_per_op", .title = "Machine's kmallocs per op", .unit = "",
	  .suite = SUITE_BENCH, .kind = METRIC_COUNTED, .better = METRIC_INFO, .floor = 0.02 },
	{ .id = "counting_cost", .title = "Counting's cost", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_NOISY, .better = METRIC_INFO, .flags = METRIC_TIMED },
	{ .id = "left", .title = "Left behind", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_EXACT, .better = METRIC_LOWER },
	{ .id = "errors", .title = "Errors", .unit = "", .suite = SUITE_BENCH,
	  .kind = METRIC_EXACT, .better = METRIC_LOWER },
};
/* clang-format on */

size_t metric__count(void)
{
	return ARRAY_SIZE(metrics);
}

const struct metric *metric__at(size_t i)
{
	return &metrics[i];
}

static bool metric__is_named(const struct metric *metric, const char *name)
{
	if (streq(metric->id, name))
		return true;
	for (size_t i = 0; i < METRIC_NAMES && metric->names[i]; i++)
		if (streq(metric->names[i], name))
			return true;
	return false;
}

const struct metric *metric__find(enum suite suite, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		if (metrics[i].suite == suite && metric__is_named(&metrics[i], name))
			return &metrics[i];
	return NULL;
}

const struct metric *metric__sum_of(const struct metric *part)
{
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		const struct metric *sum = &metrics[i];

		if (sum->suite != part->suite)
			continue;
		for (size_t j = 0; j < METRIC_PARTS && sum->parts[j]; j++)
			if (streq(sum->parts[j], part->id))
				return sum;
	}
	return NULL;
}

int metric__rank(const struct metric *metric, const char *word)
{
	for (int i = 0; i < METRIC_RANKS && metric->ranks[i]; i++)
		if (streq(metric->ranks[i], word))
			return i;
	return -1;
}

void metric__help(enum suite suite, FILE *out)
{
	for (size_t i = 0; i < metric__count(); i++) {
		const struct metric *metric = metric__at(i);

		if (metric->suite != suite)
			continue;
		fprintf(out, "  %-20s %s%s%s", metric->id, metric->title, *metric->unit ? ", " : "",
			metric->unit);
		for (size_t n = 0; n < METRIC_NAMES && metric->names[n]; n++)
			fprintf(out, "%s%s", n ? ", " : " (", metric->names[n]);
		fputs(metric->names[0] ? ")\n" : "\n", out);
	}
}
