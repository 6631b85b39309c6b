// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of progs/patch_list_tailcall.c, as their annotations say, and once
 * more with the target in the map before they are loaded: the JIT then finds the
 * place of the call at once, by what was written down before code in front of it
 * grew. Afterwards the slot is emptied and filled again, by the same record.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "annotated.h"
#include "cleanup.h"
#include "test_progs.h"

enum {
	SLOT = 2,	      /* of map_progs, that the program calls */
	ADDED = 3,	      /* by the program to what its subprogram returns */
	ARRIVED = 77 + ADDED, /* the target returned */
	EMPTY = 3 + ADDED,    /* nothing was in the slot */
};

DEFINE_CLEANUP(struct bpf_object, bpf_object__close);
#define _cleanup_obj_ _cleanup_(bpf_object__closep)

static const struct {
	const char *name;
	uint32_t flags;
} callers[] = {
	{ "behind_divisions", 0 },
	{ "behind_noise", BPF_F_TEST_RND_HI32 },
};

/* The caller and its target, with map_progs of fd, if that is not negative. */
static struct bpf_object *load(const char *path, size_t caller, int map_fd)
{
	_cleanup_obj_ struct bpf_object *obj = bpf_object__open(path);
	struct bpf_program *prog;
	struct bpf_map *map;

	if (!ASSERT_OK_PTR(obj, path))
		return NULL;
	bpf_object__for_each_program(prog, obj)
	{
		const char *name = bpf_program__name(prog);

		bpf_program__set_autoload(prog, streq(name, callers[caller].name) ||
							streq(name, "tail_target"));
		bpf_program__set_flags(prog, callers[caller].flags);
	}
	map = bpf_object__find_map_by_name(obj, "map_progs");
	if (map_fd >= 0 && !ASSERT_OK(bpf_map__reuse_fd(map, map_fd), "map_progs of the other"))
		return NULL;
	if (!ASSERT_OK(bpf_object__load(obj), "load"))
		return NULL;
	return TAKE_PTR(obj);
}

static int fd_of(const struct bpf_object *obj, const char *prog)
{
	return bpf_program__fd(bpf_object__find_program_by_name(obj, prog));
}

static void check_runs(int prog, int expected, const char *what)
{
	unsigned char packet[64] = {};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet));

	if (ASSERT_OK(bpf_prog_test_run_opts(prog, &opts), what))
		ASSERT_EQ((int)opts.retval, expected, what);
}

static void check_filled(const char *path, size_t caller)
{
	_cleanup_obj_ struct bpf_object *first = load(path, caller, -1), *second = NULL;
	int key = SLOT, prog, target, map_fd;

	if (!first)
		return;
	map_fd = bpf_map__fd(bpf_object__find_map_by_name(first, "map_progs"));
	second = load(path, caller, map_fd);
	if (!second)
		return;
	prog = fd_of(second, callers[caller].name);
	target = fd_of(first, "tail_target");
	check_runs(prog, ARRIVED, "loaded with the slot filled");
	if (!ASSERT_OK(bpf_map_delete_elem(map_fd, &key), "empty the slot"))
		return;
	check_runs(prog, EMPTY, "the slot emptied");
	if (!ASSERT_OK(bpf_map_update_elem(map_fd, &key, &target, BPF_ANY), "fill the slot"))
		return;
	check_runs(prog, ARRIVED, "the slot filled again");
}

void test_patch_list_tailcall(void)
{
	_cleanup_(annotated__freep) struct annotated *annotated = NULL;
	_cleanup_free_ char *path = NULL;
	struct err err = {};
	int rc;

	rc = str__printf(&path, "%s/patch_list_tailcall.bpf.o", test__env()->objdir);
	if (!ASSERT_OK(rc, "path"))
		return;
	if (annotated__open(path, test__env()->facts, test__env()->verbose, &annotated, &err) < 0) {
		PRINT_FAIL("%s", err.text);
		return;
	}
	annotated__run_subtests(annotated);
	for (size_t i = 0; i < ARRAY_SIZE(callers); i++) {
		_cleanup_free_ char *name = NULL;

		if (!ASSERT_OK(str__printf(&name, "%s, the slot filled", callers[i].name), "name"))
			return;
		if (!test__start_subtest(name))
			continue;
		if (callers[i].flags & BPF_F_TEST_RND_HI32 && *test__env()->facts->noise)
			test__skip("%s", test__env()->facts->noise);
		else
			check_filled(path, i);
	}
}
