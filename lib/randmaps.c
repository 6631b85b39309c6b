// SPDX-License-Identifier: GPL-2.0-only
#include "randmaps.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cleanup.h"
#include "randunit.h"

void randmaps__free(struct randmaps *maps)
{
	if (maps->data)
		munmap(maps->data, RAND_DATA_LEN);
	for (size_t i = 0; i < RAND_MAPS; i++)
		cleanup_closep(&maps->fds[i]);
}

/* Values of 8 bytes and multiples of them: one after the other is as the kernel wants them. */
static int update(int fd, const uint8_t *key, const uint8_t *value, size_t size, int copies)
{
	_cleanup_free_ uint8_t *values = malloc(size * copies);

	if (!values)
		return -ENOMEM;
	for (int i = 0; i < copies; i++)
		memcpy(values + i * size, value, size);
	return bpf_map_update_elem(fd, key, values, BPF_ANY);
}

static bool is_percpu(enum bpf_map_type type)
{
	return type == BPF_MAP_TYPE_PERCPU_ARRAY || type == BPF_MAP_TYPE_PERCPU_HASH;
}

static int fill_map(const struct randmaps *maps, enum randworld_map map)
{
	const struct randworld_map_def *def = &randworld_maps[map];
	int copies = is_percpu(def->type) ? libbpf_num_possible_cpus() : 1;
	uint8_t key[16] = {}, value[64];
	int rc = copies < 0 ? copies : 0;

	for (uint32_t k = 0; rc == 0 && k < def->n; k++) {
		memcpy(key, &k, sizeof(k));
		if (def->inner >= 0)
			memcpy(value, &maps->fds[def->inner], sizeof(int));
		else
			randworld__value(map, k, value);
		rc = update(maps->fds[map], key, value, def->value_size, copies);
	}
	return rc;
}

/* The kernel keeps the program as long as the map has it. */
static int fill_progs(const struct randmaps *maps)
{
	const struct bpf_insn insns[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, RAND_TAIL_RETVAL),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	_cleanup_close_ int fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "tail", "GPL", insns,
					       ARRAY_SIZE(insns), NULL);
	uint32_t slot = RAND_TAIL_SLOT;

	return fd < 0 ? fd : bpf_map_update_elem(maps->fds[RAND_MAP_PROGS], &slot, &fd, BPF_ANY);
}

static int create_maps(struct randmaps *maps, struct err *err)
{
	for (size_t i = 0; i < RAND_MAPS; i++) {
		const struct randworld_map_def *def = &randworld_maps[i];
		LIBBPF_OPTS(bpf_map_create_opts, opts);
		int rc;

		if (def->inner >= 0)
			opts.inner_map_fd = maps->fds[def->inner];
		if (i == RAND_MAP_DATA)
			opts.map_flags = BPF_F_MMAPABLE;
		maps->fds[i] = bpf_map_create(def->type, def->name, def->key_size, def->value_size,
					      def->max_entries, &opts);
		if (maps->fds[i] < 0)
			return err__set(err, -errno, "map '%s': %s", def->name, strerror(errno));
		if (i == RAND_MAP_PROGS)
			rc = fill_progs(maps);
		else
			rc = i == RAND_MAP_DATA ? 0 : fill_map(maps, i);
		if (rc < 0)
			return err__set(err, rc, "filling map '%s': %s", def->name, strerror(-rc));
	}
	return 0;
}

static int map_data(struct randmaps *maps, struct err *err)
{
	void *data = mmap(NULL, RAND_DATA_LEN, PROT_READ | PROT_WRITE, MAP_SHARED,
			  maps->fds[RAND_MAP_DATA], 0);

	if (data == MAP_FAILED)
		return err__set(err, -errno, "mapping the data: %s", strerror(errno));
	maps->data = data;
	return 0;
}

int randmaps__create(struct randmaps *ret_maps, struct err *err)
{
	_cleanup_(randmaps__free) struct randmaps maps = {};
	int rc;

	for (size_t i = 0; i < RAND_MAPS; i++)
		maps.fds[i] = -1;
	rc = create_maps(&maps, err);
	if (rc == 0)
		rc = map_data(&maps, err);
	if (rc < 0)
		return rc;
	*ret_maps = maps;
	for (size_t i = 0; i < RAND_MAPS; i++)
		maps.fds[i] = -1;
	maps.data = NULL;
	return 0;
}
