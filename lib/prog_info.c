// SPDX-License-Identifier: GPL-2.0-only
#include "prog_info.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>

#include "cleanup.h"

void prog_info__free(struct prog_info *info)
{
	free(info->map_ids);
	free(info->funcs);
	free(info->lines);
	free(info->insns);
	*info = (struct prog_info){};
}

static int query(int prog_fd, struct bpf_prog_info *raw, struct err *err)
{
	uint32_t len = sizeof(*raw);
	int ret = bpf_prog_get_info_by_fd(prog_fd, raw, &len);

	return ret ? err__set(err, ret, "program info of fd %d: %s", prog_fd, strerror(-ret)) : 0;
}

/* Takes n elements of room for an array; none for n == 0. */
static int take_room(void *ret_array, size_t *ret_n, size_t n, size_t size, struct err *err)
{
	void *array = n ? calloc(n, size) : NULL;

	if (n && !array)
		return err__set(err, -ENOMEM, "program info: out of memory");
	memcpy(ret_array, &array, sizeof(array));
	*ret_n = n;
	return 0;
}

/*
 * Room for what the first query has counted. The kernel refuses a record size
 * that is not its own, so records of another size are not asked for.
 */
static int take_rooms(struct prog_info *info, const struct bpf_prog_info *sizes, struct err *err)
{
	bool funcs = sizes->func_info_rec_size == sizeof(*info->funcs);
	bool lines = sizes->line_info_rec_size == sizeof(*info->lines);
	int ret;

	if (!sizes->xlated_prog_len)
		info->infos_hidden = "shown only with CAP_BPF";
	else if (!funcs || !lines)
		info->infos_hidden = "records of a size that is not known here";
	ret = take_room(&info->map_ids, &info->n_map_ids, sizes->nr_map_ids, sizeof(*info->map_ids),
			err);
	if (!ret)
		ret = take_room(&info->funcs, &info->n_funcs, funcs ? sizes->nr_func_info : 0,
				sizeof(*info->funcs), err);
	if (!ret)
		ret = take_room(&info->lines, &info->n_lines, lines ? sizes->nr_line_info : 0,
				sizeof(*info->lines), err);
	if (!ret)
		ret = take_room(&info->insns, &info->n_insns,
				sizes->xlated_prog_len / sizeof(*info->insns), sizeof(*info->insns),
				err);
	return ret;
}

static void point_at_rooms(const struct prog_info *info, struct bpf_prog_info *ret_raw)
{
	*ret_raw = (struct bpf_prog_info){
		.map_ids = (uintptr_t)info->map_ids,
		.nr_map_ids = info->n_map_ids,
		.func_info = (uintptr_t)info->funcs,
		.nr_func_info = info->n_funcs,
		.func_info_rec_size = info->n_funcs ? sizeof(*info->funcs) : 0,
		.line_info = (uintptr_t)info->lines,
		.nr_line_info = info->n_lines,
		.line_info_rec_size = info->n_lines ? sizeof(*info->lines) : 0,
		.xlated_prog_insns = (uintptr_t)info->insns,
		.xlated_prog_len = info->n_insns * sizeof(*info->insns),
	};
}

static void take_facts(struct prog_info *info, const struct bpf_prog_info *raw)
{
	info->id = raw->id;
	info->type = raw->type;
	info->btf_id = raw->btf_id;
	memcpy(info->name, raw->name, sizeof(info->name));
	memcpy(info->tag, raw->tag, sizeof(info->tag));

	/* A map can be bound to the program at any time, so also between the queries. */
	if (raw->nr_map_ids < info->n_map_ids)
		info->n_map_ids = raw->nr_map_ids;

	if (!info->insns) {
		info->insns_hidden = "shown only with CAP_BPF";
	} else if (!raw->xlated_prog_insns) {
		free(info->insns);
		info->insns = NULL;
		info->n_insns = 0;
		info->insns_hidden = "constants are blinded and kernel addresses are hidden";
	}

	info->jited_len = raw->jited_prog_len;
	if (!raw->xlated_prog_len)
		info->jited_hidden = "shown only with CAP_BPF";
	else if (!raw->jited_prog_len)
		info->jited_hidden = "interpreted, there is no machine code";
}

int prog_info__read(int prog_fd, struct prog_info *ret_info, struct err *err)
{
	_cleanup_(prog_info__free) struct prog_info info = {};
	struct bpf_prog_info raw = {};
	int ret;

	ret = query(prog_fd, &raw, err);
	if (!ret)
		ret = take_rooms(&info, &raw, err);
	if (ret)
		return ret;
	point_at_rooms(&info, &raw);
	ret = query(prog_fd, &raw, err);
	if (ret)
		return ret;
	take_facts(&info, &raw);
	*ret_info = info;
	info = (struct prog_info){};
	return 0;
}

int prog_info__need_insns(const struct prog_info *info, struct err *err)
{
	if (info->insns)
		return 0;
	return err__set(err, -EPERM, "instructions of program %.*s (id %u): %s",
			(int)sizeof(info->name), info->name, info->id, info->insns_hidden);
}
