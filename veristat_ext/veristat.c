// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel's verifier says and costs, per program: measured, shown, compared. */
#include "veristat.h"

#include <errno.h>
#include <stdio.h>
#include <strings.h>

#include "cleanup.h"
#include "columns.h"
#include "log.h"
#include "env.h"
#include "kfeat.h"
#include "probe.h"
#include "recfile.h"
#include "recorded.h"
#include "run.h"
#include "show.h"
#include "timing.h"

static int set_format(void *opts, const char *arg, struct err *err)
{
	static const char *const names[] = {
		[FORMAT_TABLE] = "table",
		[FORMAT_CSV] = "csv",
		[FORMAT_JSON] = "json",
		[FORMAT_MARKDOWN] = "markdown",
	};
	struct veristat_opts *v = opts;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (streq(arg, names[i])) {
			v->format = i;
			return 0;
		}
	}
	return err__set(err, -EINVAL,
			"--output-format wants table, csv, json or markdown, not '%s'", arg);
}

static int set_dump(void *opts, const char *arg, struct err *err)
{
	struct veristat_opts *v = opts;

	if (!arg || strcasecmp(arg, "xlated") == 0)
		v->dump |= DUMP_XLATED;
	else if (strcasecmp(arg, "jited") == 0)
		v->dump |= DUMP_JITED;
	else
		return err__set(err, -EINVAL, "--dump wants xlated or jited, not '%s'", arg);
	return 0;
}

static int add_preset(void *opts, const char *arg, struct err *err)
{
	struct veristat_opts *v = opts;
	int rc;

	rc = presets__add(&v->presets, arg, err);
	/* A file that cannot be read makes a command line mean nothing, too. */
	return rc < 0 && rc != -ENOMEM ? -EINVAL : rc;
}

#define V struct veristat_opts
/* clang-format off */
static const struct opt table[] = {
	OPT_FLAG(V, version, 'V', "version", "print the version"),
	OPT_COUNT(V, verbose, 'v', "verbose", "show the verifier's log of each program"),
	OPT_FLAG(V, debug, 'd', "debug", "-v, and all that libbpf has to say, on stderr"),
	OPT_INT(V, log_level, 'l', "log-level", "N", 0, 7,
		"bits of the verifier's log level; statistics (4) are always there"),
	OPT_INT(V, log_size, 0, "log-size", "BYTES", 256, INT32_MAX,
		"most that a log may take; no verdict depends on it (64 MiB)"),
	OPT_FLAG(V, log_fixed, 0, "log-fixed", "keep the beginning of a longer log, not its end"),
	OPT_INT(V, src_lines, 'S', "top-src-lines", "N", 1, INT32_MAX,
		"show the N source lines that a log (level 2, if -l is not given) has most often"),
	OPT_CALL(set_dump, 0, "dump", "[=CODE]",
		 "show the code of programs that load: xlated (the default) or jited"),
	OPT_CALL(add_preset, 'G', "set-global-vars", "VAR=VALUE",
		 "set a global variable before loading, a[2].b = -1 or = ENUMERATOR; @FILE"),
	OPT_FLAG(V, test_states, 't', "test-states",
		 "have the verifier keep a state at every chance (BPF_F_TEST_STATE_FREQ)"),
	OPT_FLAG(V, test_reg_invariants, 'r', "test-reg-invariants",
		 "reject what breaks an invariant of registers (BPF_F_TEST_REG_INVARIANTS)"),
	OPT_FLAG(V, rnd_hi32, 0, "rnd-hi32",
		 "let the kernel write at random into upper halves that must not matter"),
	OPT_FLAG(V, quiet, 'q', "quiet", "no progress, notes and reasons"),
	OPT_LIST(V, emit, 'e', "emit", "COLUMN,...", "columns to measure and show"),
	OPT_FLAG(V, phases, 0, "phases",
		 "where the time of a load goes: the columns phase.*, from a load of its own"),
	OPT_FLAG(V, allocs, 0, "allocs",
		 "what allocators do during a load: all columns of them, from a load of its own"),
	OPT_INT(V, alloc_sites, 0, "alloc-sites", "N", 1, 1000,
		"the N call sites that most bytes are allocated at, and the N with most allocations"),
	OPT_FLAG(V, alloc_caches, 0, "alloc-caches", "allocations by cache"),
	OPT_INT(V, alloc_room, 0, "alloc-room", "N", 1, 1 << 26,
		"allocations that may be alive at a time, to be followed (524288)"),
	OPT_LIST(V, sort, 's', "sort", "COLUMN,...", "order of rows; ^ behind one: ascending, v: descending"),
	OPT_CALL(set_format, 'o', "output-format", "FORMAT", "table (the default), csv, json or markdown"),
	OPT_LIST(V, filter, 'f', "filter", "FILTER",
		 "OBJECT, OBJECT/, /PROGRAM, OBJECT/PROGRAM (patterns), insns_pct>5; !: not; @FILE"),
	OPT_LIST(V, manifest, 0, "manifest", "FILE",
		 "programs that are expected not to load, and why: that is then no error"),
	OPT_INT(V, top, 'n', "top-n", "N", 0, INT32_MAX, "show the first N rows only"),
	OPT_FLAG(V, compare, 'C', "compare", "compare two recordings, BASE PATCHED: files, folders, lists with commas between"),
	OPT_LIST(V, explain, 0, "explain", "FILTER",
		 "-C: how the verdicts on these rows came about, instead of tables"),
	OPT_STR(V, fail_on, 0, "fail-on", "CONDITION",
		"-C: exit status 1 if a row meets it, and for nothing else"),
	OPT_FLAG(V, no_env, 0, "no-env", "-C: without the block on the two environments"),
	OPT_LIST(V, wide, 0, "wide", "[=COLUMN,...]",
		 "-C: one row per program, with these columns or all of -e"),
	OPT_STR(V, floor, 0, "floor", "DIR",
		"-C: base and patched in DIR are one kernel: what they differ by is noise"),
	OPT_FLAG(V, replay, 'R', "replay", "show a recording"),
	OPT_FLAG(V, growth, 0, "growth",
		 "-R: objects are NAME-N.bpf.o: what power of N each number grows with"),
	OPT_INT(V, repeat, 0, "repeat", "N", 1, 1000, "samples of each program (1)"),
	OPT_INT(V, warmup, 0, "warmup", "N", 0, 100,
		"loads before the first sample (1 with --record or --repeat, else 0)"),
	OPT_INT(V, jobs, 'j', "jobs", "N", 1, 256, "measure objects by N processes; not times"),
	OPT_FLAG(V, force, 0, "force", "times with -j all the same: they disturb each other"),
	OPT_STR(V, record, 0, "record", "FILE", "write a recording: FILE and FILE.env"),
	OPT_STR(V, dump_dir, 0, "dump-dir", "DIR",
		"write the code of each program, masked, to DIR/OBJECT.PROGRAM.txt"),
	OPT_FLAG(V, probe, 0, "probe",
		 "what can be measured here; exit status 3 if not even programs can be loaded"),
	OPT_FLAG(V, progress, 0, "progress", "show progress even if stderr is no terminal"),
};
/* clang-format on */
#undef V

static const struct opt_spec spec = {
	.program = "veristat",
	.usage = "[options] OBJECT... | -C BASE PATCHED | -R FILE | --probe",
	.about = "Loads each program of BPF objects and tells what the verifier decided and what\n"
		 "that took. OBJECT is a file, a pattern, or @FILE with one of these a line.",
	.status = "0 nothing got worse, 1 something did (-C), 2 usage, or nothing matched,\n"
		  "3 something could not be opened, measured or compared.",
	.table = table,
	.n = ARRAY_SIZE(table),
};

static void help(void)
{
	opts__help(&spec, stdout);
	printf("\nColumns:\n");
	metric__help(SUITE_VERISTAT, stdout);
	opts__help_status(&spec, stdout);
}

static enum veristat_exit refuse(const struct err *err, int rc)
{
	log_err("%s", err->text[0] ? err->text : strerror(-rc));
	return rc == -EINVAL ? EXIT_USAGE : EXIT_UNABLE;
}

static void print_footer(const struct columns *columns, const struct timing_clock *clock,
			 const struct run_count *count)
{
	bool phases = false;

	for (size_t i = 0; i < columns->shown; i++) {
		const struct metric *metric = columns->metrics.v[i];
		bool phase = str_starts(metric->id, "phase.");

		if (metric->flags & METRIC_TIMED && !(phase && phases))
			printf("\n%s: %s", phase ? "Phases" : metric->title, clock->words);
		phases |= phase;
	}
	printf("\n%zu object%s, %zu program%s; passed over by filters: %zu and %zu\n",
	       count->objects, count->objects == 1 ? "" : "s", count->programs,
	       count->programs == 1 ? "" : "s", count->skipped_objects, count->skipped_programs);
}

static enum veristat_exit measure(const struct veristat_opts *opts, const struct opt_list *args)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_columns_ struct columns columns = {};
	_cleanup_filter_ struct filter *filter = NULL;
	const struct timing_clock *clock;
	struct run_count count = {};
	enum veristat_exit status;
	struct err err = {};
	int rc;

	rc = timing__clock(getenv("BPF_AB_CLOCK"), &clock, &err);
	if (rc == 0)
		rc = columns__choose(opts, opts->jobs > 1 && !opts->force, &columns, &err);
	if (rc == 0 && filter__new(&opts->filter, &filter, &err) < 0)
		rc = -EINVAL;
	if (rc == 0)
		rc = columns__complete(&columns, &opts->sort, filter, &err);
	if (rc == 0 && opts->rnd_hi32)
		rc = kfeat__noise(&err);
	if (rc < 0)
		return refuse(&err, rc);
	status = run__measure(opts, &columns, filter, args, &rec, &count);
	if (!rec)
		return status;
	/* First what lasts: a reader that went away must not take the recording along. */
	if (opts->record)
		rc = recfile__write(rec, opts->record, &err);
	if (rc == 0)
		rc = show__recording(rec, columns.shown, filter, opts, stdout, &err);
	if (rc < 0) {
		refuse(&err, rc);
		return EXIT_UNABLE;
	}
	if (opts->format == FORMAT_TABLE && !opts->quiet)
		print_footer(&columns, clock, &count);
	return status;
}

static enum veristat_exit print_version(void)
{
	printf("veristat of bpf-ab %s\n", env__revision());
	return EXIT_FINE;
}

static enum veristat_exit dispatch(const struct veristat_opts *opts, const struct opt_list *args)
{
	if (opts->version)
		return print_version();
	if (opts->probe)
		return probe__print(stdout);
	if (opts->compare && opts->replay)
		log_err("-C and -R exclude each other");
	else if (opts->compare && args->n != 2)
		log_err("-C wants two recordings, the base first");
	else if ((opts->wide.n || opts->floor || opts->fail_on || opts->explain.n) &&
		 !opts->compare)
		log_err("%s goes with -C", opts->floor	     ? "--floor"
					   : opts->fail_on   ? "--fail-on"
					   : opts->explain.n ? "--explain"
							     : "--wide");
	else if (opts->growth && !opts->replay)
		log_err("--growth goes with -R");
	else if (opts->dump_dir && (opts->compare || opts->replay))
		log_err("--dump-dir is for what is loaded now, not with -%c",
			opts->compare ? 'C' : 'R');
	else if (opts->manifest.n && (opts->compare || opts->replay))
		log_err("--manifest is for what is loaded now, not with -%c",
			opts->compare ? 'C' : 'R');
	else if (opts->wide.n && (opts->format == FORMAT_CSV || opts->format == FORMAT_JSON))
		log_err("--wide is a table, which -o csv and json are not");
	else if (opts->explain.n && opts->format != FORMAT_TABLE)
		log_err("--explain is a text for readers, which -o is not");
	else if (opts->replay && args->n != 1)
		log_err("-R wants one recording");
	else if (opts->jobs > 1 && (opts->verbose || opts->src_lines || opts->dump))
		log_err("-j excludes -v, -d, -S and --dump");
	else if (args->n == 0)
		log_err("expected at least one BPF object (see --help)");
	else if (opts->compare)
		return recorded__compare(opts, args->v[0], args->v[1]);
	else if (opts->replay)
		return recorded__show(opts, args->v[0]);
	else
		return measure(opts, args);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	struct veristat_opts opts = {
		.repeat = 1, .warmup = -1, .jobs = 1, .argc = argc, .argv = argv
	};
	struct opt_list args = {};
	enum veristat_exit status;
	struct err err = {};
	int rc;

	log__set_name("veristat");
	rc = opts__parse(&spec, argc, argv, &opts, &args, &err);
	if (rc < 0) {
		status = refuse(&err, rc);
	} else if (rc == 1) {
		help();
		status = EXIT_FINE;
	} else {
		opts.verbose += opts.debug;
		if (!opts.log_level && (opts.verbose || opts.src_lines))
			opts.log_level = opts.src_lines ? 2 : 1;
		status = dispatch(&opts, &args);
	}
	presets__clear(&opts.presets);
	vec_free(&opts.emit);
	vec_free(&opts.sort);
	vec_free(&opts.wide);
	vec_free(&opts.filter);
	vec_free(&opts.explain);
	vec_free(&opts.manifest);
	vec_free(&args);
	return status;
}
