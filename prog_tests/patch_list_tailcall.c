// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tail call whose target is in the map before the program is loaded: the JIT
 * finds the place at once, through the index that was written down before code
 * in front of it grew. (The test of the program by itself cannot do that: its
 * map is filled when all are loaded.) Afterwards the slot is emptied and filled
 * again, which goes through the same record.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

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

/* With map_progs of fd, if that is not negative. */
static struct bpf_object *load(int map_fd)
{
	_cleanup_obj_ struct bpf_object *obj = NULL;
	_cleanup_free_ char *path = NULL;
	struct bpf_program *prog;
	struct bpf_map *map;

	if (!ASSERT_OK(str__printf(&path, "%s/verifier_patch_list_upper.bpf.o",
				   test__env()->objdir),
		       "path"))
		return NULL;
	obj = bpf_object__open(path);
	if (!ASSERT_OK_PTR(obj, path))
		return NULL;
	bpf_object__for_each_program(prog, obj)
	{
		const char *name = bpf_program__name(prog);

		bpf_program__set_autoload(prog, streq(name, "noise_tail_call") || streq(name, "uppe"
											      "r_"
											      "targ"
											      "e"
											      "t"));
		bpf_program__set_flags(prog, BPF_F_TEST_RND_HI32);
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

static void check_runs(const struct bpf_object *obj, int expected, const char *what)
{
	unsigned char packet[64] = {};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet, .data_size_in = sizeof(packet));

	if (ASSERT_OK(bpf_prog_test_run_opts(fd_of(obj, "noise_tail_call"), &opts), what))
		ASSERT_EQ((int)opts.retval, expected, what);
}

void test_patch_list_tailcall(void)
{
	_cleanup_obj_ struct bpf_object *filled = load(-1), *obj = NULL;
	int key = SLOT, target, map_fd;

	if (!filled)
		return;
	map_fd = bpf_map__fd(bpf_object__find_map_by_name(filled, "map_progs"));
	obj = load(map_fd);
	if (!obj)
		return;
	target = fd_of(filled, "upper_target");
	check_runs(obj, ARRIVED, "loaded with the slot filled");
	if (!ASSERT_OK(bpf_map_delete_elem(map_fd, &key), "empty the slot"))
		return;
	check_runs(obj, EMPTY, "the slot emptied");
	if (!ASSERT_OK(bpf_map_update_elem(map_fd, &key, &target, BPF_ANY), "fill the slot"))
		return;
	check_runs(obj, ARRIVED, "the slot filled again");
}
