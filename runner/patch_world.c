// SPDX-License-Identifier: GPL-2.0-only
#include "patch_world.h"

#include <bpf/btf.h>
#include <errno.h>
#include <unistd.h>

#include "cleanup.h"
#include "kfeat.h"

const struct patch_map patch_maps[MAP_COUNT] = {
	[MAP_HASH] = { BPF_MAP_TYPE_HASH, 4, 8, 3, 0, false },
	[MAP_LRU] = { BPF_MAP_TYPE_LRU_HASH, 8, 8, 64, 0, false },
	[MAP_PERCPU_HASH] = { BPF_MAP_TYPE_PERCPU_HASH, 8, 8, 3, 0, false },
	[MAP_HASH_OF_MAPS] = { BPF_MAP_TYPE_HASH_OF_MAPS, 4, 4, 3, 0, true },
	[MAP_ARRAY] = { BPF_MAP_TYPE_ARRAY, 4, 8, 5, 0, false },
	[MAP_ARRAY_OF_24] = { BPF_MAP_TYPE_ARRAY, 4, 20, 1, 0, false },
	[MAP_PERCPU_ARRAY] = { BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 1, 0, false },
	[MAP_ARRAY_OF_MAPS] = { BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 7, 0, true },
	[MAP_PROGS] = { BPF_MAP_TYPE_PROG_ARRAY, 4, 4, 2, 0, false },
	[MAP_ARENA] = { BPF_MAP_TYPE_ARENA, 0, 0, 1, BPF_F_MMAPABLE, false },
};

static const char *const kfuncs[KFUNC_COUNT] = { "bpf_iter_num_new", "bpf_iter_num_next",
						 "bpf_iter_num_destroy", "bpf_rdonly_cast" };

static int find_kfuncs(struct patch_world *world, struct err *err)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int rc = 0;

	for (size_t i = 0; i < KFUNC_COUNT && rc == 0; i++) {
		world->kfuncs[i] =
			btf ? btf__find_by_name_kind(btf, kfuncs[i], BTF_KIND_FUNC) : -ENOENT;
		if (world->kfuncs[i] < 0)
			rc = err__set(err, -ENOENT, "this kernel's BTF has no %s", kfuncs[i]);
	}
	btf__free(btf);
	return rc;
}

static int create_maps(struct patch_world *world, struct err *err)
{
	for (size_t i = 0; i < MAP_ARENA; i++) {
		LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = patch_maps[i].flags,
			    .inner_map_fd = patch_maps[i].of_maps ? world->maps[MAP_HASH] : 0);

		world->maps[i] =
			bpf_map_create(patch_maps[i].type, NULL, patch_maps[i].key_size,
				       patch_maps[i].value_size, patch_maps[i].max_entries, &opts);
		if (world->maps[i] < 0)
			return err__set(err, world->maps[i], "a map of type %d: %s",
					patch_maps[i].type, strerror(-world->maps[i]));
	}
	world->maps[MAP_ARENA] = kfeat__arena(&world->no_arena);
	if (world->maps[MAP_ARENA] < 0 && world->maps[MAP_ARENA] != -EOPNOTSUPP)
		return err__set(err, world->maps[MAP_ARENA], "%s", world->no_arena.text);
	return 0;
}

int patch_world__new(struct patch_world **ret_world, struct err *err)
{
	_cleanup_(patch_world__freep) struct patch_world *world = calloc(1, sizeof(*world));
	int rc;

	if (!world)
		return err__set(err, -ENOMEM, "out of memory");
	world->btf.fd = -1;
	for (size_t i = 0; i < MAP_COUNT; i++)
		world->maps[i] = -1;
	rc = patch_env__read(&world->env, err);
	if (rc == 0)
		rc = raw_btf__load(2, &world->btf, err);
	if (rc == 0)
		rc = create_maps(world, err);
	if (rc == 0)
		rc = find_kfuncs(world, err);
	if (rc == 0)
		*ret_world = TAKE_PTR(world);
	return rc;
}

void patch_world__free(struct patch_world *world)
{
	if (!world)
		return;
	for (size_t i = 0; i < MAP_COUNT; i++)
		if (world->maps[i] >= 0)
			close(world->maps[i]);
	raw_btf__free(&world->btf);
	free(world);
}

void patch_world__freep(struct patch_world **world)
{
	patch_world__free(*world);
}

const struct patch_env *patch_world__env(const struct patch_world *world)
{
	return &world->env;
}

const struct raw_btf *patch_world__btf(const struct patch_world *world)
{
	return &world->btf;
}
