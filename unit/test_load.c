// SPDX-License-Identifier: GPL-2.0-only
/* What can be told of an object without loading it, and of failures by their words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "load_cause.h"
#include "load_fixup.h"
#include "load_lack.h"
#include "loader.h"

#define PROGS ".output/progs/"
/* As libbpf begins to say that there is none. */
#define KFUNC(name) "extern (func ksym) '" name "': no"

/* Maps are created in the size that no verifier minds, and never pinned. */
static void sizes_of_maps(void **state __unused_arg)
{
	static const struct {
		const char *name;
		uint32_t size; /* UINT32_MAX: a page */
	} maps[] = {
		{ "sized_at_run_time", 1 },
		{ "hash_sized_at_run_time", 1 },
		{ "bpf_ab_must_not_be_pinned", 1 },
		{ "ring", UINT32_MAX },
		/* the kernel refuses storage of any size but 0 */
		{ "per_cgroup", 0 },
		{ "per_cgroup_and_cpu", 0 },
		{ "per_socket", 0 },
		{ "per_task", 0 },
		{ "per_inode", 0 },
		{ "per_group", 0 },
	};
	struct bpf_object *obj = bpf_object__open_file(PROGS "loader_maps.bpf.o", NULL);

	assert_non_null(obj);
	load_fixup__maps(obj);
	for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
		struct bpf_map *map = bpf_object__find_map_by_name(obj, maps[i].name);

		assert_non_null(map);
		assert_int_equal(bpf_map__max_entries(map),
				 maps[i].size == UINT32_MAX ? (uint32_t)sysconf(_SC_PAGESIZE)
							    : maps[i].size);
		assert_null(bpf_map__pin_path(map));
	}
	bpf_object__close(obj);
}

static void causes_by_words(void **state __unused_arg)
{
	static const struct {
		const char *said;
		int error;
		enum load_cause cause;
		const char *reason;
	} known[] = {
		{ "map 'm': failed to create: -EINVAL\n", -EINVAL, LOAD_NO_MAP,
		  "map 'm': failed to create: -EINVAL" },
		/* the line that means something, not the last */
		{ "noise\nextern (func ksym) 'f': not found in kernel or module BTFs\n"
		  "extern 'f' (strong): not resolved\n",
		  -ESRCH, LOAD_NO_EXTERN,
		  "extern (func ksym) 'f': not found in kernel or module BTFs" },
		{ "prog 'p': failed to find kernel BTF type ID of 'f': -ESRCH", -ESRCH,
		  LOAD_NO_TARGET, "prog 'p': failed to find kernel BTF type ID of 'f': -ESRCH" },
		/* whatever it was that may not be had */
		{ "map 'm': failed to create: -EPERM\n", -EPERM, LOAD_NO_PERMISSION,
		  "map 'm': failed to create: -EPERM" },
		/* no words that mean something: the last, with the code's cause */
		{ "first\nlast\n", -EPERM, LOAD_NO_PERMISSION, "last" },
		{ "", -ENOMEM, LOAD_NO_MEMORY, "Cannot allocate memory" },
		{ "", -EINVAL, LOAD_FAILED, "Invalid argument" },
		/* a word of one line and the end of another are not a match */
		{ "map 'm'\n: failed to create\n", -EINVAL, LOAD_FAILED, ": failed to create" },
	};
	char reason[LOAD_REASON_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		assert_int_equal(load_cause__explain(known[i].said, known[i].error, reason),
				 known[i].cause);
		assert_string_equal(reason, known[i].reason);
	}
	for (int cause = 0; cause < LOAD_CAUSES; cause++)
		assert_non_null(load_cause__words(cause));
}

static void long_reasons_are_cut(void **state __unused_arg)
{
	char text[LOAD_REASON_MAX * 2], reason[LOAD_REASON_MAX];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	load_cause__set_reason(reason, text);
	assert_int_equal(strlen(reason), LOAD_REASON_MAX - 1);
}

static void parts_that_are_lacking(void **state __unused_arg)
{
	static const struct {
		const char *reason;
		int rc;
	} reasons[] = {
		{ "map 'm': failed to create: -EINVAL", 1 },
		{ "map 'm': failed to create: -EINVAL", 0 }, /* known: no progress */
		{ "map 'n': failed to create inner map: -EINVAL", 1 },
		{ "extern (func ksym) 'm': not found in kernel or module BTFs", 1 },
		{ "prog 'p': relo #0: can't create jump table: sym_off 0", 1 },
		/* a variable that is missing would read as 0: nothing to do without */
		{ "extern (var ksym) 'v': not found in kernel BTF", 0 },
		{ "map 'no end", 0 },
		{ "", 0 },
	};
	struct load_lacks lacks = {};

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		assert_int_equal(load_lacks__add(&lacks, LOAD_NO_MAP, -EINVAL, reasons[i].reason),
				 reasons[i].rc);
	assert_int_equal(lacks.list.n, 4);
	vec_free(&lacks.list);
}

static void expect_open(const char *path)
{
	if (access(path, R_OK) < 0)
		fail_msg("%s is not built, or this is not the top of the repository", path);
}

/* The lack that a rejection is explained by, or NULL. */
static const struct load_lack *explain(const struct load_lacks *lacks, struct bpf_object *obj,
				       const char *log)
{
	char reason[LOAD_REASON_MAX] = "";
	const struct load_lack *lack = load_lacks__explain(lacks, obj, log, reason);

	assert_true(!!*reason == !!lack);
	return lack;
}

static void what_a_log_shows(void **state __unused_arg)
{
	const char *path = PROGS "loader_map_refused.bpf.o";
	struct bpf_object *obj = NULL;
	struct load_lacks lacks = {};
	const struct load_lack *lack;
	char reason[LOAD_REASON_MAX];

	expect_open(path);
	assert_int_equal(load_lacks__add(&lacks, LOAD_NO_MAP, -E2BIG, "map 'odd': failed"), 1);
	assert_int_equal(load_lacks__open(&lacks, path, &obj), 0);
	assert_null(explain(&lacks, obj, "R1 invalid mem access"));
	lack = explain(&lacks, obj, "invalid func unknown#2001000000\n");
	assert_non_null(lack);
	assert_int_equal(lack->cause, LOAD_NO_MAP);
	assert_int_equal(lack->error, -E2BIG);
	/* no such map, no such kfunc: not ours */
	assert_null(explain(&lacks, obj, "invalid func unknown#2001999999\n"));
	assert_null(explain(&lacks, obj, "invalid func unknown#2002000000\n"));
	assert_int_equal(load_lacks__add(&lacks, LOAD_NO_EXTERN, -ESRCH, KFUNC("f")), 1);
	assert_int_equal(load_lacks__add(&lacks, LOAD_NO_EXTERN, -ESRCH, KFUNC("g")), 1);
	lack = load_lacks__explain(&lacks, obj, "invalid func unknown#2002000000\n", reason);
	assert_non_null(lack);
	assert_int_equal(lack->cause, LOAD_NO_EXTERN);
	assert_int_equal(lack->error, -ESRCH);
	assert_string_equal(reason, "one of these is not in this kernel: f g");
	bpf_object__close(obj);
	vec_free(&lacks.list);
}

/* The lack of a program of an object that is open without these parts. */
static const struct load_lack *lack_of(const struct load_lacks *lacks, const char *object,
				       const char *program, struct bpf_object **ret_obj)
{
	struct bpf_program *prog;

	assert_int_equal(load_lacks__open(lacks, object, ret_obj), 0);
	prog = bpf_object__find_program_by_name(*ret_obj, program);
	assert_non_null(prog);
	return load_lacks__of_program(lacks, *ret_obj, prog);
}

static void what_a_program_lacks(void **state __unused_arg)
{
	static const struct {
		const char *object, *program;
		bool lacking;
	} programs[] = {
		{ PROGS "loader_target_missing.bpf.o", "without_target", true },
		{ PROGS "loader_target_missing.bpf.o", "sibling", false },
		/* without the struct of operations that it is in no verifier knows what it is */
		{ PROGS "loader_struct_ops.bpf.o", "taken", true },
		{ PROGS "loader_struct_ops.bpf.o", "rejected", true },
		/* whether one of these uses the map only a load can tell */
		{ PROGS "loader_map_refused.bpf.o", "uses_it", false },
	};
	struct load_lacks lacks = {};

	assert_int_equal(load_lacks__add(&lacks, LOAD_NO_TARGET, -ESRCH,
					 "prog 'without_target': failed to find"),
			 1);
	assert_int_equal(load_lacks__add(&lacks, LOAD_NO_MAP, -EINVAL,
					 "map 'bpf_ab_congestion': failed to create"),
			 1);
	assert_int_equal(load_lacks__add(&lacks, LOAD_NO_MAP, -EINVAL, "map 'odd': failed"), 1);
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
		struct bpf_object *obj = NULL;

		expect_open(programs[i].object);
		assert_int_equal(!!lack_of(&lacks, programs[i].object, programs[i].program, &obj),
				 programs[i].lacking);
		bpf_object__close(obj);
	}
	vec_free(&lacks.list);
}

/* Cut anywhere, an object is opened or refused, and nothing is read beyond its end. */
static void cut_objects(void **state __unused_arg)
{
	const char *path = PROGS "loader_kfunc_missing.bpf.o";
	char cut[] = "/tmp/test_load.XXXXXX";
	_cleanup_free_ char *whole = NULL;
	struct load_lacks lacks = {};
	size_t len, opened = 0;
	int fd;

	expect_open(path);
	assert_int_equal(file__read(path, &whole, &len), 0);
	assert_int_equal(
		load_lacks__add(&lacks, LOAD_NO_EXTERN, -ESRCH, KFUNC("bpf_ab_no_such_kfunc")), 1);
	fd = mkstemp(cut);
	assert_true(fd >= 0);
	for (size_t n = 0; n <= len; n += n + 64 < len ? 61 : 1) {
		struct bpf_object *obj = NULL;

		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, whole, n, 0), n);
		if (load_lacks__open(&lacks, cut, &obj) == 0) {
			opened++;
			bpf_object__close(obj);
		}
	}
	assert_true(opened >= 1);
	close(fd);
	unlink(cut);
	vec_free(&lacks.list);
}

static void refused_files(void **state __unused_arg)
{
	static const struct {
		const char *path;
		int rc;
	} refused[] = {
		{ "/nowhere/missing.bpf.o", -ENOENT },
		{ "/proc/self/exe", 0 }, /* any error */
		{ "/dev/null", 0 },
		{ "/tmp", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct loader *loader = NULL;
		struct err err = {};
		int rc = loader__open(refused[i].path, NULL, &loader, &err);

		assert_true(refused[i].rc ? rc == refused[i].rc : rc < 0);
		assert_null(loader);
		assert_non_null(strstr(err.text, refused[i].path));
	}
}

static struct loader_prog program(const struct loader *loader, const char *name)
{
	for (size_t i = 0; i < loader__count(loader); i++)
		if (streq(loader__prog(loader, i).name, name))
			return loader__prog(loader, i);
	fail_msg("no program %s", name);
	return (struct loader_prog){};
}

static void programs_of_objects(void **state __unused_arg)
{
	static const struct {
		const char *object, *program, *section, *type, *attach;
		bool guessed;
	} known[] = {
		{ "loader_freplace", "of_a_packet", "freplace/some_function", "sched_cls", NULL,
		  true },
		{ "loader_freplace", "of_a_number", "freplace/some_function", "ext", NULL, false },
		{ "loader_maps", "takes_all", "cgroup_skb/ingress", "cgroup_skb",
		  "cgroup_inet_ingress", false },
		{ "loader_verdicts", "of_no_type", "no_such_section", "unspec", NULL, false },
		{ "loader_target_missing", "without_target", "fentry/bpf_ab_no_such_function",
		  "tracing", "trace_fentry", false },
		{ "loader_struct_ops", "taken", "struct_ops", "struct_ops", NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		_cleanup_loader_ struct loader *loader = NULL;
		_cleanup_free_ char *path = NULL;
		struct loader_prog prog;

		assert_int_equal(str__printf(&path, PROGS "%s.bpf.o", known[i].object), 0);
		expect_open(path);
		assert_int_equal(loader__open(path, NULL, &loader, NULL), 0);
		prog = program(loader, known[i].program);
		assert_string_equal(prog.section, known[i].section);
		assert_string_equal(prog.type, known[i].type);
		assert_int_equal(prog.guessed, known[i].guessed);
		if (known[i].attach)
			assert_string_equal(prog.attach, known[i].attach);
		else
			assert_null(prog.attach);
		/* Not known before the object is prepared. */
		assert_int_equal(prog.insns, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_of_maps),	cmocka_unit_test(causes_by_words),
		cmocka_unit_test(long_reasons_are_cut), cmocka_unit_test(parts_that_are_lacking),
		cmocka_unit_test(what_a_log_shows),	cmocka_unit_test(what_a_program_lacks),
		cmocka_unit_test(cut_objects),		cmocka_unit_test(refused_files),
		cmocka_unit_test(programs_of_objects),
	};

	libbpf_set_print(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
