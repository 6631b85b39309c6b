// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of progs/patch_list_trace.c, on kernels that let programs
 * attach to functions and that inline the current task. Those that trace are
 * attached, so that what they found can be looked at, too.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "annotated.h"
#include "cleanup.h"
#include "kfeat.h"
#include "patch_model.h"
#include "test_progs.h"

/* In the order of the programs' results: what the kernel's test functions get and return. */
static const struct {
	const char *prog;
	long found;
} traced[] = {
	{ "forward_over_arg", 1 + 6 }, { "backward_over_arg", 1 + 4 + 5 + 6 + 3 - EINVAL },
	{ "onto_arg_cnt", 1 + 5 + 8 }, { "backward_over_ret", 1 + 15 + 15 },
	{ "forward_over_ip", 1 + 2 },
};

static void check_found(struct bpf_object *obj)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(obj, ".data.results");
	size_t size = 0;
	const long *results = map ? bpf_map__initial_value(map, &size) : NULL;

	if (!ASSERT_EQ(size, sizeof(*results) * ARRAY_SIZE(traced), "size of the results"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(traced); i++) {
		struct bpf_program *prog = bpf_object__find_program_by_name(obj, traced[i].prog);
		LIBBPF_OPTS(bpf_test_run_opts, opts);
		struct bpf_link *link = prog ? bpf_program__attach(prog) : NULL;

		if (!ASSERT_OK_PTR(link, traced[i].prog))
			continue;
		/* This calls the kernel's test functions, and with them the program. */
		ASSERT_OK(bpf_prog_test_run_opts(bpf_program__fd(prog), &opts), traced[i].prog);
		ASSERT_EQ(results[i], traced[i].found, traced[i].prog);
		bpf_link__destroy(link);
	}
}

static void check_traced(const char *path)
{
	struct bpf_object *obj = bpf_object__open_file(path, NULL);

	if (!ASSERT_OK_PTR(obj, path))
		return;
	if (ASSERT_OK(bpf_object__load(obj), path))
		check_found(obj);
	bpf_object__close(obj);
}

void test_patch_list_trace(void)
{
	_cleanup_(annotated__freep) struct annotated *annotated = NULL;
	_cleanup_free_ char *path = NULL;
	struct patch_env env;
	struct err err = {};

	if (!kfeat__probe(KFEAT_FENTRY, &err)) {
		test__skip("no program attaches to a function here: %s", err.text);
		return;
	}
	if (patch_env__read(&env, &err) < 0 || !env.task_inlined) {
		test__skip("this kernel does not inline the current task%s%s",
			   *err.text ? ": " : "", err.text);
		return;
	}
	if (!ASSERT_OK(str__printf(&path, "%s/patch_list_trace.bpf.o", test__env()->objdir), "pat"
											     "h"))
		return;
	if (annotated__open(path, test__env()->facts, test__env()->verbose, &annotated, &err) < 0) {
		PRINT_FAIL("%s", err.text);
		return;
	}
	annotated__run_subtests(annotated);
	if (test__start_subtest("what the traced programs found"))
		check_traced(path);
}
