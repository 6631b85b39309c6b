// SPDX-License-Identifier: GPL-2.0-only
#include "run.h"

#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>

#include "env.h"
#include "filter.h"
#include "log.h"
#include "measure.h"
#include "objset.h"
#include "progress.h"

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

struct run {
	const struct veristat_opts *opts;
	struct objset objects;
	bool *broken; /* per object: it could not be opened */
	const struct filter *filter;
	struct measure *measure;
	struct recording *rec;
	struct progress progress;
	struct run_count count;
	bool unable; /* something was not opened or not measured */
};

static void run__clear(struct run *run)
{
	objset__clear(&run->objects);
	free(run->broken);
	measure__free(run->measure);
	recording__free(run->rec);
}

static void complain(struct run *run, const struct err *err, int rc)
{
	progress__clear(&run->progress);
	log_err("%s", err->text[0] ? err->text : strerror(-rc));
	run->unable = true;
}

/* Programs of one object that were not measured for one reason: said once. */
struct grievance {
	const char *object;
	char program[128];
	struct err why;
	size_t n;
};

static void grieve(struct run *run, struct grievance *grievance)
{
	struct err err;

	if (grievance->n == 1)
		err__set(&err, 0, "%s/%s: not measured: %s", grievance->object, grievance->program,
			 grievance->why.text);
	else if (grievance->n)
		err__set(&err, 0, "%s: %zu programs not measured: %s", grievance->object,
			 grievance->n, grievance->why.text);
	if (grievance->n)
		complain(run, &err, 0);
	grievance->n = 0;
}

static void add_grievance(struct run *run, struct grievance *grievance, const char *program,
			  const struct err *why)
{
	if (grievance->n && !streq(grievance->why.text, why->text))
		grieve(run, grievance);
	if (!grievance->n++) {
		snprintf(grievance->program, sizeof(grievance->program), "%s", program);
		grievance->why = *why;
	}
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

/* Opens everything once, so that it is known how much there is to do. */
static int count_programs(struct run *run, size_t *ret_total)
{
	size_t total = 0;

	run->broken = calloc(run->objects.objects.n + 1, sizeof(*run->broken));
	if (!run->broken)
		return -ENOMEM;
	for (size_t o = 0; o < run->objects.objects.n && !stop_asked; o++) {
		const struct objset_object *object = &run->objects.objects.v[o];
		_cleanup_loader_ struct loader *loader = NULL;
		struct err err = {};
		int rc;

		if (!filter__may_take(run->filter, path_base(object->path)))
			continue;
		rc = open_object(run, object, &loader, &err);
		if (rc < 0) {
			run->broken[o] = true;
			complain(run, &err, rc);
			continue;
		}
		for (size_t i = 0; i < loader__count(loader); i++)
			total += takes(run, object, loader, i);
	}
	*ret_total = total;
	return 0;
}

static int measure_programs(struct run *run, const struct objset_object *object,
			    struct loader *loader, struct grievance *grievance)
{
	struct err err;
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < loader__count(loader) && !stop_asked; i++) {
		const char *program = loader__prog(loader, i).name;

		if (!takes(run, object, loader, i)) {
			run->count.skipped_programs++;
			continue;
		}
		progress__step(&run->progress, object->name, program);
		err.text[0] = '\0';
		rc = measure__program(run->measure, loader, i, object->name, run->rec, &err);
		if (rc == 1)
			add_grievance(run, grievance, program, &err);
		run->count.programs += rc >= 0;
	}
	return rc < 0 ? rc : 0;
}

static int measure_object(struct run *run, const struct objset_object *object)
{
	_cleanup_loader_ struct loader *loader = NULL;
	struct grievance grievance = { .object = object->name };
	struct err err = {};
	int rc;

	rc = open_object(run, object, &loader, &err);
	if (rc < 0) {
		complain(run, &err, rc);
		return 0;
	}
	rc = measure_programs(run, object, loader, &grievance);
	grieve(run, &grievance);
	run->count.objects++;
	return rc;
}

static int measure_all(struct run *run)
{
	int rc = 0;

	for (size_t o = 0; rc == 0 && o < run->objects.objects.n && !stop_asked; o++) {
		const struct objset_object *object = &run->objects.objects.v[o];

		if (!filter__may_take(run->filter, path_base(object->path)))
			run->count.skipped_objects++;
		else if (!run->broken[o])
			rc = measure_object(run, object);
	}
	progress__clear(&run->progress);
	if (rc == -EINTR || (rc == 0 && stop_asked)) {
		log_err("stopped: what was measured until now is there, the rest is missing");
		run->unable = true;
		rc = 0;
	} else if (rc == 0) {
		run->rec->complete = true;
	}
	return rc;
}

static int prepare(struct run *run, const struct columns *columns)
{
	const struct veristat_opts *opts = run->opts;
	bool evidence = opts->record || opts->repeat > 1;
	struct measure_opts measure = {
		.needs = columns->needs | (opts->dump_dir ? NEED_LOAD : 0),
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
		.dump_dir = opts->dump_dir,
		.stop = &stop_asked,
	};
	int rc;

	if (opts->verbose || opts->src_lines || opts->dump)
		measure.needs |= NEED_LOAD;
	rc = recording__new(SUITE_VERISTAT, &run->rec);
	if (rc == 0)
		run->rec->complete = false;
	for (size_t i = 0; rc == 0 && i < columns->metrics.n; i++)
		rc = recording__add_column(run->rec, columns->metrics.v[i]);
	if (rc == 0)
		rc = env__collect(run->rec, "", opts->argc, opts->argv);
	if (rc == 0)
		rc = measure__open(&measure, &run->measure);
	return rc;
}

static enum veristat_exit run__all(struct run *run, const struct columns *columns,
				   const struct opt_list *args)
{
	const struct veristat_opts *opts = run->opts;
	enum veristat_exit status;
	size_t total = 0;
	int rc;

	status = find_objects(run, args);
	if (status != EXIT_FINE)
		return status;
	rc = count_programs(run, &total);
	if (rc == 0 && !total && !stop_asked) {
		if (run->unable)
			return EXIT_UNABLE;
		log_err("no program of any object matches");
		return EXIT_USAGE;
	}
	if (rc == 0)
		rc = prepare(run, columns);
	if (rc == 0) {
		progress__start(&run->progress, total, opts->progress, opts->quiet);
		rc = measure_all(run);
	}
	if (rc < 0) {
		log_err("%s", strerror(-rc));
		run->unable = true;
	}
	return run->unable ? EXIT_UNABLE : EXIT_FINE;
}

enum veristat_exit run__measure(const struct veristat_opts *opts, const struct columns *columns,
				const struct filter *filter, const struct opt_list *args,
				struct recording **ret_rec, struct run_count *ret_count)
{
	_cleanup_(run__clear) struct run run = { .opts = opts, .filter = filter };
	enum veristat_exit status;

	watch_signals();
	status = run__all(&run, columns, args);
	if (run.measure && measure__caveat(run.measure) && !opts->quiet)
		log_warn("%s", measure__caveat(run.measure));
	if (run.rec)
		*ret_rec = TAKE_PTR(run.rec);
	*ret_count = run.count;
	return status;
}
