// SPDX-License-Identifier: GPL-2.0-only
#include "check.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>

#include "btf_params.h"
#include "caps.h"
#include "cleanup.h"
#include "disasm.h"
#include "jited.h"
#include "listing.h"
#include "native.h"
#include "prog_info.h"

#define SHOWN_MAX (1UL << 20)

static void show(const char *title, const char *text)
{
	size_t len = strlen(text), left_out = 0;

	/* What explains a failure is at the end. */
	if (len > SHOWN_MAX)
		left_out = strchrnul(text + len - SHOWN_MAX, '\n') - text;
	printf("%s:\n", title);
	if (left_out)
		printf("[%zu bytes left out]", left_out);
	printf("%s%s", text + left_out, len && text[len - 1] != '\n' ? "\n" : "");
}

static enum outcome check_restore(struct check *c)
{
	int rc;

	if (!c->dropped)
		return OUTCOME_PASS;
	c->dropped = false;
	rc = caps__set(c->old_caps);
	if (rc < 0)
		return FAIL(c, "cannot restore capabilities: %s", strerror(-rc));
	return OUTCOME_PASS;
}

static void check_end(struct check *c)
{
	bpf_object__close(c->obj);
	if (c->dropped)
		caps__set(c->old_caps);
}

/* What this machine cannot do, each with its reason. */
static enum outcome check_possible(struct check *c)
{
	const struct facts *facts = c->annotated->facts;
	const struct annot *annot = c->annot;

	if (annot->archs && !(annot->archs & annot__this_arch()))
		return SKIP(c, "for other architectures");
	if (annot->jit && !(annot->jit & facts->jit))
		return SKIP(c, annot->jit & ANNOT_JIT_ON ? "needs the JIT, which is off"
							 : "needs the interpreter, the JIT is on");
	if (c->mode == ANNOT_UNPRIV && *facts->unpriv)
		return SKIP(c, "%s", facts->unpriv);
	if (c->mode == ANNOT_UNPRIV && annot->prog_flags & BPF_F_ANY_ALIGNMENT && !facts->unaligned)
		return SKIP(c, "this machine may not do unaligned accesses");
	if (annot->prog_flags & BPF_F_TEST_RND_HI32 && *facts->noise)
		return SKIP(c, "%s", facts->noise);
	return OUTCOME_PASS;
}

static enum outcome check_drop(struct check *c)
{
	int rc;

	if (c->mode != ANNOT_UNPRIV)
		return OUTCOME_PASS;
	rc = caps__drop(caps_of_bpf, c->annot->caps, &c->old_caps);
	if (rc < 0)
		return FAIL(c, "cannot drop capabilities: %s", strerror(-rc));
	c->dropped = true;
	return OUTCOME_PASS;
}

/* The types that the kernel lets unprivileged processes make. */
static bool map_allowed_unpriv(const struct bpf_map *map)
{
	switch (bpf_map__type(map)) {
	case BPF_MAP_TYPE_HASH:
	case BPF_MAP_TYPE_PERCPU_HASH:
	case BPF_MAP_TYPE_HASH_OF_MAPS:
		return !(bpf_map__map_flags(map) & BPF_F_ZERO_SEED);
	case BPF_MAP_TYPE_ARRAY:
	case BPF_MAP_TYPE_PERCPU_ARRAY:
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
	case BPF_MAP_TYPE_PROG_ARRAY:
	case BPF_MAP_TYPE_PERF_EVENT_ARRAY:
	case BPF_MAP_TYPE_CGROUP_ARRAY:
	case BPF_MAP_TYPE_CGROUP_STORAGE:
	case BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE:
	case BPF_MAP_TYPE_RINGBUF:
	case BPF_MAP_TYPE_USER_RINGBUF:
		return true;
	default:
		return false;
	}
}

/* Of all programs the one under test and its auxiliaries; of the maps what can be made. */
static void select_parts(struct check *c)
{
	struct bpf_program *prog;
	struct bpf_map *map;
	size_t i = 0;

	bpf_object__for_each_program(prog, c->obj)
	{
		const struct annotated_prog *p = &c->annotated->progs.v[i++];
		bool load = p == c->prog;

		if (load)
			c->bpf = prog;
		else if (p->annot && p->annot->auxiliary)
			load = p->annot->expect[c->mode].wanted;
		bpf_program__set_autoload(prog, load);
	}
	bpf_object__for_each_map(map, c->obj)
		bpf_map__set_autocreate(map, c->mode == ANNOT_PRIV || map_allowed_unpriv(map));
}

static void set_log(const struct check *c)
{
	unsigned int level = c->annot->log_level;
	unsigned int least = c->annotated->verbose > 2 ? 2 : c->annotated->verbose > 0;

	/* libbpf would load what is refused once more, for the reason. */
	if (!level && check__expect(c)->fails)
		level = 1;
	/* 1 and 2 are degrees of one thing, 4 (statistics) stands for itself. */
	if ((level & 3) < least)
		level = (level & 4) | least;
	c->annotated->log[0] = '\0';
	bpf_program__set_log_buf(c->bpf, c->annotated->log, c->annotated->log_len);
	bpf_program__set_log_level(c->bpf, level);
}

static void btf_free(struct btf **btf)
{
	btf__free(*btf);
}

static int name_params(const struct check *c)
{
	_cleanup_(btf_free) struct btf *names = NULL;
	_cleanup_free_ char *path = NULL;

	if (annotated__beside(c->annotated, c->annot->btf_func_path, &path) < 0)
		return err__set(c->why, -ENOMEM, "out of memory");
	names = btf__parse(path, NULL);
	if (!names)
		return err__set(c->why, -errno, "%s: expected BTF with names of parameters: %s",
				path, strerror(errno));
	return btf_params__name(bpf_object__btf(c->obj), names, c->why);
}

static int open_object(struct check *c)
{
	const struct annot *annot = c->annot;
	/* What names the parameters also stands for the kernel's types, as upstream. */
	const char *btf_name = annot->btf_path ?: annot->btf_func_path;
	int rc = annotated__open_object(c->annotated, btf_name, &c->obj, c->why);

	return rc == 0 && annot->btf_func_path ? name_params(c) : rc;
}

static bool wants_arena(const struct check *c)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, c->obj)
	{
		if (bpf_map__type(map) == BPF_MAP_TYPE_ARENA && bpf_map__autocreate(map))
			return true;
	}
	return false;
}

static enum outcome check_prepare(struct check *c)
{
	int rc;

	if (open_object(c) < 0)
		return OUTCOME_FAIL;
	select_parts(c);
	if (c->annot->linear_size && bpf_program__type(c->bpf) != BPF_PROG_TYPE_SCHED_CLS &&
	    bpf_program__type(c->bpf) != BPF_PROG_TYPE_SCHED_ACT &&
	    bpf_program__type(c->bpf) != BPF_PROG_TYPE_CGROUP_SKB)
		return FAIL(c, "__linear_size: expected a program that sees packets as skbs");
	if (*c->annotated->facts->arena && wants_arena(c))
		return SKIP(c, "%s", c->annotated->facts->arena);
	bpf_program__set_flags(c->bpf, bpf_program__flags(c->bpf) | c->annot->prog_flags);
	/* Apart from loading, so that a map that can't be made is no "expected failure". */
	rc = bpf_object__prepare(c->obj);
	if (rc < 0)
		return FAIL(c, "the object's maps and relocations can't be made: %s",
			    strerror(-rc));
	return OUTCOME_PASS;
}

/* Code is read line by line, so what differs is shown that way too. */
static int show_listing(const struct match_list *list, const char *actual)
{
	_cleanup_free_ char *text = NULL;
	int rc = listing__compare(list, actual, &text);

	if (rc == 1)
		show("side by side", text);
	return rc < 0 ? rc : 0;
}

enum outcome check__text(struct check *c, enum annot_text text, const char *title,
			 const char *actual)
{
	_cleanup_free_ char *report = NULL;
	const struct match_list *list = annot__texts(c->annot, c->mode, text);
	int rc;

	if (c->annotated->verbose)
		show(title, actual);
	rc = match_list__check(list, actual, &report);
	if (rc < 0)
		return FAIL(c, "out of memory");
	if (rc == 0)
		return OUTCOME_PASS;
	if (!c->annotated->verbose)
		show(title, actual);
	printf("expected of it:\n%s", report);
	if (text == ANNOT_XLATED && show_listing(list, actual) < 0)
		return FAIL(c, "out of memory");
	report[strcspn(report, "\n")] = '\0';
	return FAIL(c, "%s is not as expected", title);
}

/*
 * A log that is longer than its room makes the kernel refuse the program, whatever
 * the verifier said. So that is asked for again, with statistics for a log, since
 * without any libbpf would load what is refused a third time.
 */
static int load_without_log(struct check *c)
{
	char stats[4096];

	bpf_object__close(c->obj);
	c->obj = NULL;
	if (check_prepare(c) != OUTCOME_PASS)
		return -ENOSPC;
	bpf_program__set_log_buf(c->bpf, stats, sizeof(stats));
	bpf_program__set_log_level(c->bpf, 4);
	return bpf_object__load(c->obj);
}

static enum outcome check_load(struct check *c)
{
	const char *log = c->annotated->log;
	enum outcome outcome;
	int rc;

	set_log(c);
	rc = bpf_object__load(c->obj);
	if (rc == -ENOSPC) {
		/* First what costs less. */
		outcome = check__text(c, ANNOT_LOG, "verifier log", log);
		if (outcome != OUTCOME_PASS)
			return outcome;
		rc = load_without_log(c);
	}
	if (rc == 0 && check__expect(c)->fails)
		return FAIL(c, "loaded, expected to be refused");
	if (rc < 0 && !check__expect(c)->fails) {
		show("verifier log", log);
		return FAIL(c, "not loaded (%s), expected to be", strerror(-rc));
	}
	/* What has all capabilities and is refused without a word was not verified. */
	if (rc < 0 && c->mode == ANNOT_PRIV && !*log)
		return FAIL(c, "refused (%s) before the verifier saw it", strerror(-rc));
	return check__text(c, ANNOT_LOG, "verifier log", log);
}

/* Does the kernel blind the constants of this program? Nobody knows what code comes of it then. */
static bool is_blinded(const struct check *c)
{
	return c->annotated->facts->hardening > (c->mode == ANNOT_UNPRIV ? 0 : 1);
}

static enum outcome check_xlated(struct check *c)
{
	const bool expected = annot__texts(c->annot, c->mode, ANNOT_XLATED)->patterns.n;
	_cleanup_(prog_info__free) struct prog_info info = {};
	_cleanup_free_ char *text = NULL;
	int rc;

	/* -vv shows the program also where nothing is expected of it. */
	if (!expected && (c->annotated->verbose < 2 || check__expect(c)->fails))
		return OUTCOME_PASS;
	if (expected && is_blinded(c)) /* check_blinded() says so */
		return OUTCOME_PASS;
	rc = prog_info__read(bpf_program__fd(c->bpf), &info, c->why);
	if (rc == 0)
		rc = prog_info__need_insns(&info, c->why);
	if (rc < 0)
		return OUTCOME_FAIL;
	rc = disasm__text(info.insns, info.n_insns, &disasm_xlated, &text);
	if (rc < 0)
		return FAIL(c, "the instructions can't be shown: %s", strerror(-rc));
	return check__text(c, ANNOT_XLATED, "xlated program", text);
}

/* Last, so that all the rest is checked also where nothing reads machine code. */
static enum outcome check_jited(struct check *c)
{
	_cleanup_(jited__free) struct jited jited = {};
	_cleanup_free_ char *text = NULL;
	struct err err = {};
	int rc;

	if (!annot__texts(c->annot, c->mode, ANNOT_JITED)->patterns.n || is_blinded(c))
		return OUTCOME_PASS;
	rc = jited__read(bpf_program__fd(c->bpf), &jited, c->why);
	if (rc < 0)
		return OUTCOME_FAIL;
	rc = native__text(jited.image, jited.func_lens, jited.n_funcs, &text, &err);
	if (rc == -EOPNOTSUPP)
		return SKIP(c, "__jited is not checked: %s; all else is as expected", err.text);
	if (rc < 0)
		return FAIL(c, "the machine code can't be shown: %s", err.text);
	return check__text(c, ANNOT_JITED, "machine code", text);
}

static enum outcome check_blinded(struct check *c)
{
	if (!is_blinded(c) || (!annot__texts(c->annot, c->mode, ANNOT_XLATED)->patterns.n &&
			       !annot__texts(c->annot, c->mode, ANNOT_JITED)->patterns.n))
		return OUTCOME_PASS;
	return SKIP(c,
		    "its code is not checked: net.core.bpf_jit_harden is %d, and constants are "
		    "blinded; all else is as expected",
		    c->annotated->facts->hardening);
}

enum outcome annotated__check(const struct annotated *annotated, size_t prog, enum annot_mode mode,
			      struct err *ret_why)
{
	/* check_restore: programs are shown and run with all capabilities, as upstream. */
	static enum outcome (*const steps[])(struct check *) = {
		check_possible, check_drop, check_prepare, check_load,	  check_restore,
		check_xlated,	check__run, check_jited,   check_blinded,
	};
	const struct annotated_prog *p = &annotated->progs.v[prog];
	_cleanup_(check_end) struct check c = {
		.annotated = annotated,
		.prog = p,
		.annot = p->annot,
		.mode = mode,
		.why = ret_why,
	};
	enum outcome outcome = OUTCOME_PASS;

	if (!p->annot) {
		*ret_why = p->err;
		return OUTCOME_FAIL;
	}
	for (size_t i = 0; outcome == OUTCOME_PASS && i < ARRAY_SIZE(steps); i++)
		outcome = steps[i](&c);
	return outcome;
}
