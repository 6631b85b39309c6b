/* SPDX-License-Identifier: GPL-2.0-only */
/* Maps, functions and types that the programs of patch_frame use. */
#ifndef BPF_AB_PATCH_WORLD_H
#define BPF_AB_PATCH_WORLD_H

#include <bpf/bpf.h>

#include "err.h"
#include "patch_model.h"
#include "raw_btf.h"

enum patch_map_index {
	MAP_HASH,
	MAP_LRU,
	MAP_PERCPU_HASH,
	MAP_HASH_OF_MAPS,
	MAP_ARRAY,
	MAP_ARRAY_OF_24,
	MAP_PERCPU_ARRAY,
	MAP_ARRAY_OF_MAPS,
	MAP_PROGS,
	MAP_ARENA, /* behind all others */
	MAP_COUNT,
};

struct patch_map {
	enum bpf_map_type type;
	uint32_t key_size, value_size, max_entries, flags;
	bool of_maps;
};

extern const struct patch_map patch_maps[MAP_COUNT];

enum patch_kfunc { KFUNC_NEW, KFUNC_NEXT, KFUNC_DESTROY, KFUNC_CAST, KFUNC_COUNT };

/* Descriptors and ids, by the indices above. */
struct patch_world {
	int maps[MAP_COUNT];
	int kfuncs[KFUNC_COUNT];
	/* Why there is no arena among the maps, as not every kernel lets us have one. */
	struct err no_arena;
	struct raw_btf btf;
	struct patch_env env;
};

/*
 * Returns 0; -EOPNOTSUPP if the model does not know this machine; or -errno;
 * with err set.
 */
int patch_world__new(struct patch_world **ret_world, struct err *err);
void patch_world__free(struct patch_world *world);
void patch_world__freep(struct patch_world **world);
const struct patch_env *patch_world__env(const struct patch_world *world);
const struct raw_btf *patch_world__btf(const struct patch_world *world);

#endif
