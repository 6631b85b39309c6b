// SPDX-License-Identifier: GPL-2.0-only
#include "run.h"

#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>
#include <sys/mman.h>

#include "crew.h"
#include "env.h"
#include "filter.h"
#include "grievance.h"
#include "kbtf.h"
#include "log.h"
#include "manifest.h"
#include "measure.h"
#include "objset.h"
#include "parts.h"
#include "progress.h"
#include "recfile.h"

enum { DEFAULT_SITES = 10 }; /* of -e alloc_sites alone */

/* What a signal handler can reach. */
static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int sig __unused_arg)
{
	stop_asked = 1;
}

/* The first signal ends the run in good order, the second ends the program. */
static void watch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = ask_to_stop, .sa_flags = SA_RESETHAND };

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

/* What processes of -j add up. */
struct tally {
	struct run_count count;
	bool unable; /* something was not opened or not measured */
	bool stopped;
	char caveats[CAVEATS][256]; /* of all of them: it is one machine */
};

struct run {
	const struct veristat_opts *opts;
	const struct filter *filter;
	const struct columns *columns;
	struct objset objects;
	VEC(const struct objset_object *) todo;
	struct measure_opts measure_opts;
	struct measure *measure;
	struct recording *rec;
	struct parts parts; /* of the processes of -j */
	struct progress progress;
	struct manifest *manifest;
	struct tally *tally; /* shared */
};

static void run__clear(struct run *run)
{
	objset__clear(&run->objects);
	vec_free(&run->todo);
	measure__free(run->measure);
	recording__free(run->rec);
	parts__clear(&run->parts);
	manifest__free(run->manifest);
	if (run->tally)
		munmap(run->tally, sizeof(*run->tally));
}

static void complain(struct run *run, const struct err *err, int rc)
{
	progress__clear(&run->progress);
	log_err("%s", err->text[0] ? err->text : strerror(-rc));
	run->tally->unable = true;
}

static void count(size_t *number, size_t n)
{
	__atomic_fetch_add(number, n, __ATOMIC_RELAXED);
}

static void grieve(struct run *run, struct grievance *grievance)
{
	struct err words;

	if (grievance__say(grievance, &words))
		complain(run, &words, 0);
}

/*
 * EXIT_FINE, or EXIT_USAGE for a command line that means nothing or matches
 * nothing.
 */
static enum veristat_exit find_objects(struct run *run, const struct opt_list *args)
{
	bool only_patterns = true;
	struct err err = {};
	int rc;

	for (size_t i = 0; i < args->n; i++) {
		err.text[0] = '\0';
		rc = objset__add(&run->objects, args->v[i], &err);
		if (rc < 0)
			complain(run, &err, rc);
		if (rc == -EINVAL)
			return EXIT_USAGE;
		only_patterns &= rc == -ESRCH;
	}
	if (only_patterns)
		return EXIT_USAGE;
	objset__name(&run->objects);
	return EXIT_FINE;
}

static bool takes(const struct run *run, const struct objset_object *object,
		  const struct loader *loader, size_t i)
{
	return filter__takes(run->filter, path_base(object->path), loader__prog(loader, i).name);
}

static int open_object(const struct run *run, const struct objset_object *object,
		       struct loader **ret_loader, struct err *err)
{
	const struct veristat_opts *opts = run->opts;

	return loader__open(
		object->path,
		&(struct loader_opts){
			.presets = &opts->presets,
			.prog_flags = (opts->test_states ? BPF_F_TEST_STATE_FREQ : 0) |
				      (opts->test_reg_invariants ? BPF_F_TEST_REG_INVARIANTS : 0) |
				      (opts->rnd_hi32 ? BPF_F_TEST_RND_HI32 : 0),
			.echo = opts->verbose ? stderr : NULL,
			.debug = opts->debug,
		},
		ret_loader, err);
}

/*
 * Whether the program did not load for the reason that the manifest has. The cause of
 * its rows, from the first, then says so; that it did something else is said here.
 */
static bool is_expected(struct run *run, const char *object, const char *program, size_t first)
{
	enum load_cause cause = measure__cause(run->measure);
	enum load_cause expected = manifest__expects(run->manifest, object, program);
	char words[64];

	if (expected == LOAD_OK)
		return false;
	if (cause != expected) {
		progress__clear(&run->progress);
		log_warn("%s/%s: expected '%s', but it is '%s'", object, program,
			 load_cause__words(expected), load_cause__words(cause));
		return false;
	}
	snprintf(words, sizeof(words), "expected: %s", load_cause__words(cause));
	for (size_t i = first; i < run->rec->rows.n; i++)
		recording__set_text(run->rec, &run->rec->rows.v[i], "cause", words);
	return true;
}

static int measure_programs(struct run *run, size_t i_object, struct loader *loader,
			    struct grievance *grievance)
{
	const struct objset_object *object = run->todo.v[i_object];
	struct err err;
	size_t first;
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < loader__count(loader) && !stop_asked; i++) {
		const char *program = loader__prog(loader, i).name;

		if (!takes(run, object, loader, i)) {
			count(&run->tally->count.skipped_programs, 1);
			continue;
		}
		progress__step(&run->progress, i_object + 1, object->name, program);
		err.text[0] = '\0';
		first = run->rec->rows.n;
		rc = measure__program(run->measure, loader, i, object->name, run->rec, &err);
		if (rc >= 0 && is_expected(run, path_base(object->path), program, first))
			rc = 0;
		if (rc == 1 && !grievance__add(grievance, program, &err)) {
			grieve(run, grievance);
			grievance__add(grievance, program, &err);
		}
		count(&run->tally->count.programs, rc >= 0);
	}
	return rc < 0 ? rc : 0;
}

static int measure_object(void *ctx, size_t i)
{
	struct run *run = ctx;
	const struct objset_object *object = run->todo.v[i];
	struct grievance grievance = { .object = object->name };
	_cleanup_loader_ struct loader *loader = NULL;
	struct err err = {};
	int rc;

	rc = open_object(run, object, &loader, &err);
	if (rc < 0) {
		if (!manifest__expects_unopened(run->manifest, path_base(object->path)))
			complain(run, &err, rc);
		return 0;
	}
	rc = measure_programs(run, i, loader, &grievance);
	grieve(run, &grievance);
	count(&run->tally->count.objects, 1);
	if (rc < 0 && rc != -EINTR) {
		log_err("%s", strerror(-rc));
		run->tally->unable = true;
	}
	return rc;
}

static int begin(void *ctx)
{
	struct run *run = ctx;
	int rc = measure__open(&run->measure_opts, &run->measure);

	if (rc < 0)
		complain(run, &(struct err){}, rc);
	for (enum caveat c = 0; rc == 0 && c < CAVEATS; c++)
		snprintf(run->tally->caveats[c], sizeof(run->tally->caveats[c]), "%s",
			 measure__caveat(run->measure, c) ?: "");
	return rc;
}

static int new_recording(struct run *run)
{
	int rc = recording__new(SUITE_VERISTAT, &run->rec);

	for (size_t i = 0; rc == 0 && i < run->columns->metrics.n; i++)
		rc = recording__add_column(run->rec, run->columns->metrics.v[i]);
	if (rc == 0)
		run->rec->complete = false;
	return rc;
}

/* ---- by several processes ----------------------------------------------------- */

static int report(void *ctx, FILE *out)
{
	struct run *run = ctx;

	if (stop_asked)
		run->tally->stopped = true;
	measure__free(TAKE_PTR(run->measure));
	return recfile__print(run->rec, out);
}

static int collect(void *ctx, const char *path)
{
	struct run *run = ctx;
	struct err err = {};
	int rc = parts__add(&run->parts, path, &err);

	if (rc < 0)
		complain(run, &err, rc);
	return rc;
}

static int join(struct run *run)
{
	_cleanup_free_ const char **objects = calloc(run->todo.n ?: 1, sizeof(*objects));

	if (!objects)
		return -ENOMEM;
	for (size_t i = 0; i < run->todo.n; i++)
		objects[i] = run->todo.v[i]->name;
	return parts__join(&run->parts, objects, run->todo.n, run->rec);
}

static int measure_by_crew(struct run *run)
{
	struct err err = {};
	int rc, joined;

	rc = crew__run(&(struct crew_job){ .pieces = run->todo.n,
					   .begin = begin,
					   .piece = measure_object,
					   .report = report,
					   .collect = collect,
					   .ctx = run,
					   .stop = &stop_asked },
		       run->opts->jobs, &err);
	if (rc < 0)
		complain(run, &err, rc);
	joined = join(run);
	return joined < 0 ? joined : rc;
}

/* ---- the whole of it ---------------------------------------------------------- */

static int measure_alone(struct run *run)
{
	int rc = begin(run);

	for (size_t i = 0; rc == 0 && i < run->todo.n && !stop_asked; i++)
		rc = measure_object(run, i);
	return rc;
}

static int tell_caveats(struct run *run)
{
	int rc = 0;

	for (enum caveat c = 0; rc == 0 && c < CAVEATS; c++) {
		const char *text = run->tally->caveats[c];

		if (*text && !run->opts->quiet)
			log_warn("%s", text);
		if (*text)
			rc = recording__set_env(run->rec, caveat_keys[c], text);
	}
	return rc;
}

static void measure_all(struct run *run)
{
	int rc, told;

	progress__start(&run->progress, run->todo.n, run->opts->progress, run->opts->quiet);
	rc = run->opts->jobs > 1 ? measure_by_crew(run) : measure_alone(run);
	progress__clear(&run->progress);
	told = tell_caveats(run);
	rc = rc ?: told;
	if (rc == -EINTR || stop_asked || run->tally->stopped) {
		log_err("stopped: what was measured until now is there, the rest is missing");
		run->tally->unable = true;
	} else if (rc == 0) {
		run->rec->complete = true;
	}
}

static int choose_objects(struct run *run)
{
	int rc = 0;

	for (size_t o = 0; rc == 0 && o < run->objects.objects.n; o++) {
		const struct objset_object *object = &run->objects.objects.v[o];

		if (filter__may_take(run->filter, path_base(object->path)))
			rc = vec_push(&run->todo, object);
		else
			run->tally->count.skipped_objects++;
	}
	return rc;
}

static int prepare(struct run *run)
{
	const struct veristat_opts *opts = run->opts;
	bool evidence = opts->record || opts->repeat > 1;
	int rc;

	run->measure_opts = (struct measure_opts){
		.needs = run->columns->needs,
		.log_level = opts->log_level,
		.log_fixed = opts->log_fixed,
		.log_max = opts->log_size,
		.samples = opts->repeat,
		.warmup = opts->warmup >= 0 ? opts->warmup : evidence,
		.settle = evidence,
		.detail = {
			.out = opts->format == FORMAT_TABLE ? stdout : stderr,
			.log = opts->verbose,
			.src_lines = opts->src_lines,
			.dump = opts->dump,
		},
		.alloc_sites = opts->alloc_sites ?: DEFAULT_SITES,
		.alloc_room = opts->alloc_room,
		.dump_dir = opts->dump_dir,
		.stop = &stop_asked,
	};
	if (opts->verbose || opts->src_lines || opts->dump || opts->dump_dir || opts->manifest.n)
		run->measure_opts.needs |= NEED_LOAD;
	kbtf__read();
	rc = new_recording(run);
	if (rc == 0)
		rc = env__collect(run->rec, "", opts->argc, opts->argv);
	return rc ?: choose_objects(run);
}

static int read_manifests(struct run *run)
{
	const struct opt_list *files = &run->opts->manifest;
	struct err err = {};
	int rc;

	rc = manifest__new(&run->manifest);
	for (size_t i = 0; rc == 0 && i < files->n; i++)
		rc = manifest__read(run->manifest, files->v[i], &err);
	if (rc < 0)
		complain(run, &err, rc);
	return rc;
}

static enum veristat_exit run__all(struct run *run, const struct opt_list *args)
{
	enum veristat_exit status;
	int rc;

	run->tally = mmap(NULL, sizeof(*run->tally), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run->tally == MAP_FAILED) {
		run->tally = NULL;
		log_err("%s", strerror(errno));
		return EXIT_UNABLE;
	}
	rc = read_manifests(run);
	if (rc < 0)
		return rc == -ENOMEM ? EXIT_UNABLE : EXIT_USAGE;
	status = find_objects(run, args);
	if (status != EXIT_FINE)
		return status;
	rc = prepare(run);
	if (rc < 0) {
		complain(run, &(struct err){}, rc);
		return EXIT_UNABLE;
	}
	measure_all(run);
	if (!run->rec->rows.n && !run->tally->unable) {
		log_err("no program of any object matches");
		recording__free(TAKE_PTR(run->rec));
		return EXIT_USAGE;
	}
	return run->tally->unable ? EXIT_UNABLE : EXIT_FINE;
}

enum veristat_exit run__measure(const struct veristat_opts *opts, const struct columns *columns,
				const struct filter *filter, const struct opt_list *args,
				struct recording **ret_rec, struct run_count *ret_count)
{
	_cleanup_(run__clear) struct run run = {
		.opts = opts,
		.filter = filter,
		.columns = columns,
	};
	enum veristat_exit status;

	watch_signals();
	status = run__all(&run, args);
	if (run.rec && (run.rec->rows.n || stop_asked))
		*ret_rec = TAKE_PTR(run.rec);
	if (run.tally)
		*ret_count = run.tally->count;
	return status;
}
