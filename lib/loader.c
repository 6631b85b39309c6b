// SPDX-License-Identifier: GPL-2.0-only
#include "loader.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>

#include "kbtf.h"
#include "load_fixup.h"
#include "load_lack.h"
#include "load_try.h"
#include "vec.h"

#define LOG_LIMIT (64 * 1024 * 1024)

struct loader_entry {
	struct bpf_program *prog;
	char *name, *section; /* owned: they outlive an object that is opened again */
	bool guessed;
	bool used; /* it was loaded, with the maps that the object has now */
};

struct loader {
	struct bpf_object *obj;
	VEC(struct loader_entry) progs;
	char *path;
	struct loader_opts opts;
	struct load_lacks lacks; /* what the object is open without */
	bool prepared;		 /* loader__prepare() ran; error says how it went */
	int error;
	enum load_cause cause;
	char reason[LOAD_REASON_MAX];
	struct load_try try;
	bool maps_serve_once; /* a load with maps that were used before fails */
	struct load_words words;
};

/* The nth program; known already if the object is opened again. */
static int take_program(struct loader *loader, size_t n, struct bpf_program *prog)
{
	struct loader_entry *entry;
	int rc;

	if (n == loader->progs.n) {
		rc = vec_push(&loader->progs, (struct loader_entry){});
		if (rc < 0)
			return rc;
		entry = &loader->progs.v[n];
		entry->name = strdup(bpf_program__name(prog));
		entry->section = strdup(bpf_program__section_name(prog));
		if (!entry->name || !entry->section)
			return -ENOMEM;
	}
	entry = &loader->progs.v[n];
	entry->prog = prog;
	entry->used = false;
	entry->guessed = load_fixup__freplace(loader->obj, prog);
	return 0;
}

/* Opens the object, or opens it again without what it lacks. err: of the presets only. */
static int open_object(struct loader *loader, struct err *err)
{
	struct bpf_object *obj = NULL;
	struct bpf_program *prog;
	libbpf_print_fn_t before;
	size_t n = 0;
	int rc;

	before = load_words__begin(&loader->words);
	rc = load_lacks__open(&loader->lacks, loader->path, &obj);
	load_words__end(before);
	if (rc < 0)
		return rc;
	bpf_object__close(loader->obj);
	loader->obj = obj;
	loader->try.obj = obj;
	load_fixup__maps(obj);
	if (loader->opts.presets) {
		rc = presets__apply(loader->opts.presets, obj, err);
		if (rc < 0)
			return rc;
	}
	bpf_object__for_each_program(prog, obj)
	{
		rc = take_program(loader, n++, prog);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int loader__open(const char *path, const struct loader_opts *opts, struct loader **ret_loader,
		 struct err *err)
{
	_cleanup_loader_ struct loader *loader = NULL;
	libbpf_print_fn_t before;
	struct err preset = {};
	int rc;

	if (access(path, R_OK) < 0)
		return err__set(err, -errno, "%s: %s", path, strerror(errno));
	loader = calloc(1, sizeof(*loader));
	if (!loader)
		return -ENOMEM;
	loader->path = strdup(path);
	if (!loader->path)
		return -ENOMEM;
	if (opts)
		loader->opts = *opts;
	loader->words.echo = loader->opts.echo;
	loader->words.debug = loader->opts.debug;
	loader->try.words = &loader->words;
	loader->try.prog_flags = loader->opts.prog_flags;
	before = load_words__begin(&loader->words);
	kbtf__read();
	load_words__end(before);
	rc = open_object(loader, &preset);
	if (rc < 0 && preset.text[0])
		return err__set(err, rc, "%s: %s", path, preset.text);
	if (rc < 0) {
		load_cause__explain(loader->words.said, rc, loader->reason);
		return err__set(err, rc, "%s: not a BPF object that libbpf can open: %s", path,
				loader->reason);
	}
	*ret_loader = TAKE_PTR(loader);
	return 0;
}

void loader__free(struct loader *loader)
{
	if (!loader)
		return;
	bpf_object__close(loader->obj);
	for (size_t i = 0; i < loader->progs.n; i++) {
		free(loader->progs.v[i].name);
		free(loader->progs.v[i].section);
	}
	vec_free(&loader->progs);
	vec_free(&loader->lacks.list);
	free(loader->path);
	load_try__clear(&loader->try);
	free(loader);
}

size_t loader__count(const struct loader *loader)
{
	return loader->progs.n;
}

struct loader_prog loader__prog(const struct loader *loader, size_t i)
{
	const struct loader_entry *entry = &loader->progs.v[i];
	enum bpf_prog_type type = bpf_program__type(entry->prog);
	enum bpf_attach_type attach = bpf_program__expected_attach_type(entry->prog);
	/*
	 * 0 is the attach type of one program type, and none for all others. For
	 * struct_ops the field has another meaning: a member's index.
	 */
	bool attaches = type == BPF_PROG_TYPE_CGROUP_SKB ||
			(attach != 0 && type != BPF_PROG_TYPE_STRUCT_OPS);
	const char *type_word = libbpf_bpf_prog_type_str(type);

	return (struct loader_prog){
		.name = entry->name,
		.section = entry->section,
		.type = type_word ? type_word : "unknown",
		.attach = attaches ? libbpf_bpf_attach_type_str(attach) : NULL,
		.guessed = entry->guessed,
		.insns =
			loader->prepared && !loader->error ? bpf_program__insn_cnt(entry->prog) : 0,
	};
}

/* Until it works, or nothing more can be left out. */
static void prepare(struct loader *loader)
{
	libbpf_print_fn_t before;
	int error;

	for (;;) {
		before = load_words__begin(&loader->words);
		error = bpf_object__prepare(loader->obj);
		load_words__end(before);
		if (!error) {
			loader->error = 0;
			return;
		}
		loader->error = error;
		loader->cause = load_cause__explain(loader->words.said, error, loader->reason);
		if (load_lacks__add(&loader->lacks, loader->cause, error, loader->reason) != 1 ||
		    open_object(loader, NULL) < 0)
			return;
	}
}

int loader__prepare(struct loader *loader, struct err *err)
{
	if (!loader->prepared)
		prepare(loader);
	loader->prepared = true;
	if (loader->error)
		return err__set(err, loader->error, "%s: %s", load_cause__words(loader->cause),
				loader->reason);
	return 0;
}

/* The verifier's own last line is there whenever it ran, whatever the log level. */
static bool verifier_ran(const char *log)
{
	return str_starts(log, "processed ") || strstr(log, "\nprocessed ");
}

static void conclude(struct loader *loader, struct load_result *result)
{
	/* What libbpf puts in the place of an access to a field or type that is missing. */
	static const char missing_type[] = "unknown#195896080";
	const struct load_lack *lack;

	/* It may have got far, but this is nothing that it has against the program. */
	if (result->error == -ENOMEM) {
		result->cause = LOAD_NO_MEMORY;
		load_cause__set_reason(result->reason, strerror(ENOMEM));
		return;
	}
	if (!verifier_ran(loader->try.log)) {
		result->cause =
			load_cause__explain(loader->words.said, result->error, result->reason);
		if (result->cause == LOAD_FAILED && !loader->words.said[0])
			result->cause = LOAD_REFUSED;
		return;
	}
	lack = load_lacks__explain(&loader->lacks, loader->obj, loader->try.log, result->reason);
	if (lack) {
		result->cause = lack->cause;
		result->error = lack->error;
		return;
	}
	result->cause = LOAD_REJECTED;
	if (strstr(loader->try.log, missing_type))
		load_cause__set_reason(result->reason, "rejected for a type or field that this "
						       "kernel lacks");
	else
		load_cause__set_reason(result->reason, loader->try.log);
}

/* An object with new maps. */
static void renew(struct loader *loader)
{
	int rc = open_object(loader, NULL);

	if (rc == 0) {
		prepare(loader);
		return;
	}
	loader->error = rc;
	loader->cause = load_cause__explain(loader->words.said, rc, loader->reason);
}

static void load(struct loader *loader, size_t i, const struct load_opts *opts, size_t log_max,
		 struct load_result *result)
{
	struct loader_entry *entry = &loader->progs.v[i];
	/* Without any log a rejection could not be told from a refusal. */
	unsigned int level =
		opts->log_level | LOAD_TRY_STATS | (opts->log_fixed ? LOAD_TRY_FIXED : 0);
	int fd;

	fd = load_try__load(&loader->try, entry->prog, level, log_max, result);
	if (fd == -EBUSY && entry->used) {
		loader->maps_serve_once = true;
		renew(loader);
		if (!loader->error)
			fd = load_try__load(&loader->try, entry->prog, level, log_max, result);
	}
	result->log = loader->try.log;
	if (fd >= 0) {
		entry->used = true;
		result->fd = fd;
		return;
	}
	result->error = fd;
	conclude(loader, result);
}

void loader__ready(struct loader *loader, size_t i)
{
	loader__prepare(loader, NULL);
	if (loader->maps_serve_once && loader->progs.v[i].used)
		renew(loader);
}

/* What is known without a load. */
static bool fails_anyway(const struct loader *loader, struct bpf_program *prog,
			 struct load_result *result)
{
	const struct load_lack *lack;

	lack = load_lacks__of_program(&loader->lacks, loader->obj, prog);
	if (loader->error) {
		result->error = loader->error;
		result->cause = loader->cause;
		load_cause__set_reason(result->reason, loader->reason);
	} else if (lack) {
		result->error = lack->error;
		result->cause = lack->cause;
		load_cause__set_reason(result->reason, lack->reason);
	} else if (bpf_program__type(prog) == BPF_PROG_TYPE_UNSPEC) {
		result->error = -EINVAL;
		result->cause = LOAD_NO_TYPE;
		snprintf(result->reason, sizeof(result->reason),
			 "section '%s' names no program type", bpf_program__section_name(prog));
	}
	return result->error;
}

int loader__load(struct loader *loader, size_t i, const struct load_opts *opts,
		 struct load_result *ret_result)
{
	size_t log_max = opts->log_max ? opts->log_max : LOG_LIMIT;
	struct load_result result = { .fd = -1, .log = "" };
	int rc;

	loader__ready(loader, i);
	if (!fails_anyway(loader, loader->progs.v[i].prog, &result)) {
		rc = load_try__make_room(&loader->try, log_max);
		if (rc < 0)
			return rc;
		load(loader, i, opts, log_max, &result);
	}
	*ret_result = result;
	return 0;
}
