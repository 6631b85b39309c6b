// SPDX-License-Identifier: GPL-2.0-only
#include "probe.h"

#include <inttypes.h>

#include "kfeat.h"
#include "kmem.h"
#include "memcheck.h"
#include "phases.h"
#include "timing.h"
#include "vmalloc.h"

static void say(FILE *out, const char *what, const char *missing, const char *words)
{
	fprintf(out, "%-28s %s%s%s\n", what, missing ? "no" : "yes", missing || *words ? ": " : "",
		missing ?: words);
}

static void probe_counters(FILE *out)
{
	static const struct kmem_opts opts = { .kinds = KMEM_WANTS(NOLOCK) | KMEM_WANTS(PERCPU) |
							KMEM_WANTS(PAGES) };
	_cleanup_vmalloc_ struct vmalloc *vmalloc = NULL;
	_cleanup_kmem_ struct kmem *kmem = NULL;
	struct err no_kmem = {}, no_vmalloc = {};
	static const struct {
		const char *what;
		enum kmem_kind kind;
	} kinds[] = {
		{ "nolocks", KMEM_KIND_NOLOCK },
		{ "percpu_allocs", KMEM_KIND_PERCPU },
		{ "pages", KMEM_KIND_PAGES },
	};

	if (kmem__open(&opts, &kmem, &no_kmem) == 0)
		say(out, "allocs, frees, live_peak", NULL, kmem__caveat(kmem) ?: "");
	else
		say(out, "allocs, frees, live_peak", no_kmem.text, "");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		say(out, kinds[i].what, kmem ? kmem__missing(kmem, kinds[i].kind) : no_kmem.text,
		    "");
	if (vmalloc__open(&vmalloc, &no_vmalloc) == 0)
		say(out, "vmallocs, vreallocs", NULL, "");
	else
		say(out, "vmallocs, vreallocs", no_vmalloc.text, "");
}

static void probe_memory(FILE *out)
{
	_cleanup_janitor_ struct janitor *janitor = NULL;
	_cleanup_memcg_ struct memcg *memcg = NULL;
	struct memcheck check;
	struct err err = {};
	const char *lacks;
	char words[512];

	if (janitor__start(&janitor, &err) < 0 || memcg__open("", janitor, &memcg, &err) < 0 ||
	    memcheck__run(memcg, &check, &err) != 0) {
		say(out, "mem_peak, mem_peak_kib", err.text, "");
		return;
	}
	lacks = memcheck__lacks(&check);
	snprintf(words, sizeof(words),
		 "%s, in steps of up to %" PRIu64 " KiB; a program that takes %" PRIu64
		 " KiB or more has a peak of %" PRIu64 " KiB%s%s",
		 memcg__source(memcg), check.quantum >> 10,
		 check.kinds[MEMCHECK_STATES].known >> 10, check.kinds[MEMCHECK_STATES].peak >> 10,
		 lacks ? "; " : "", lacks ?: "");
	say(out, "mem_peak, mem_peak_kib", NULL, words);
}

static void probe_phases(FILE *out)
{
	_cleanup_phases_ struct phases *phases = NULL;
	struct err err = {};

	if (phases__open(&phases, &err) == 0)
		say(out, "phase.*", NULL, "");
	else
		say(out, "phase.*", err.text, "");
}

enum veristat_exit probe__print(FILE *out)
{
	const struct timing_clock *clock;
	struct err err = {};
	bool loads = kfeat__probe(KFEAT_LOAD, &err) == 1;

	say(out, "verdict, insns, states", loads ? NULL : err.text, "");
	if (!loads)
		return EXIT_UNABLE;
	if (timing__clock(getenv("BPF_AB_CLOCK"), &clock, &err) == 0)
		say(out, "duration", NULL, clock->words);
	else
		say(out, "duration", err.text, "");
	probe_memory(out);
	probe_counters(out);
	probe_phases(out);
	return EXIT_FINE;
}
