// SPDX-License-Identifier: GPL-2.0-only
#include "load_fixup.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include "util.h"

enum map_size {
	SIZE_ONE_IF_UNSET, /* the verifier checks indices against it, or we do not know */
	SIZE_ONE,	   /* of no concern to the verifier, and may be large */
	SIZE_PAGE,	   /* has to be a multiple of it */
	SIZE_KEEP,	   /* has to be 0 */
};

/* Types that are not here: SIZE_ONE_IF_UNSET. */
static const enum map_size map_sizes[] = {
	[BPF_MAP_TYPE_HASH] = SIZE_ONE,
	[BPF_MAP_TYPE_PERCPU_HASH] = SIZE_ONE,
	[BPF_MAP_TYPE_LRU_HASH] = SIZE_ONE,
	[BPF_MAP_TYPE_LRU_PERCPU_HASH] = SIZE_ONE,
	[BPF_MAP_TYPE_SOCKHASH] = SIZE_ONE,
	[BPF_MAP_TYPE_DEVMAP_HASH] = SIZE_ONE,
	[BPF_MAP_TYPE_QUEUE] = SIZE_ONE,
	[BPF_MAP_TYPE_STACK] = SIZE_ONE,
	[BPF_MAP_TYPE_BLOOM_FILTER] = SIZE_ONE,
	[BPF_MAP_TYPE_STACK_TRACE] = SIZE_ONE,
	[BPF_MAP_TYPE_RINGBUF] = SIZE_PAGE,
	[BPF_MAP_TYPE_USER_RINGBUF] = SIZE_PAGE,
	[BPF_MAP_TYPE_SK_STORAGE] = SIZE_KEEP,
	[BPF_MAP_TYPE_TASK_STORAGE] = SIZE_KEEP,
	[BPF_MAP_TYPE_INODE_STORAGE] = SIZE_KEEP,
	[BPF_MAP_TYPE_CGRP_STORAGE] = SIZE_KEEP,
	[BPF_MAP_TYPE_CGROUP_STORAGE] = SIZE_KEEP,
	[BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE] = SIZE_KEEP,
	[BPF_MAP_TYPE_STRUCT_OPS] = SIZE_KEEP,
};

void load_fixup__maps(struct bpf_object *obj)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, obj)
	{
		unsigned int type = bpf_map__type(map);
		enum map_size size =
			type < ARRAY_SIZE(map_sizes) ? map_sizes[type] : SIZE_ONE_IF_UNSET;

		bpf_map__set_pin_path(map, NULL);
		if (size == SIZE_PAGE)
			bpf_map__set_max_entries(map, sysconf(_SC_PAGESIZE));
		else if (size == SIZE_ONE ||
			 (size == SIZE_ONE_IF_UNSET && bpf_map__max_entries(map) == 0))
			bpf_map__set_max_entries(map, 1);
	}
}

/*
 * Context types by the names that programs see and that the kernel uses. Where
 * several program types share one, the commonest is taken.
 */
static const struct {
	const char *names[2];
	enum bpf_prog_type type;
	enum bpf_attach_type attach;
} contexts[] = {
	{ { "__sk_buff", "sk_buff" }, BPF_PROG_TYPE_SCHED_CLS, 0 },
	{ { "xdp_md", "xdp_buff" }, BPF_PROG_TYPE_XDP, BPF_XDP },
	{ { "bpf_sock", "sock" }, BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET4_POST_BIND },
	{ { "bpf_sock_addr", "bpf_sock_addr_kern" },
	  BPF_PROG_TYPE_CGROUP_SOCK_ADDR,
	  BPF_CGROUP_INET4_BIND },
	{ { "bpf_sock_ops", "bpf_sock_ops_kern" }, BPF_PROG_TYPE_SOCK_OPS, BPF_CGROUP_SOCK_OPS },
	{ { "bpf_sockopt", "bpf_sockopt_kern" },
	  BPF_PROG_TYPE_CGROUP_SOCKOPT,
	  BPF_CGROUP_SETSOCKOPT },
	{ { "bpf_sysctl", "bpf_sysctl_kern" }, BPF_PROG_TYPE_CGROUP_SYSCTL, BPF_CGROUP_SYSCTL },
	{ { "bpf_cgroup_dev_ctx", NULL }, BPF_PROG_TYPE_CGROUP_DEVICE, BPF_CGROUP_DEVICE },
	{ { "sk_msg_md", "sk_msg" }, BPF_PROG_TYPE_SK_MSG, BPF_SK_MSG_VERDICT },
	{ { "sk_reuseport_md", "sk_reuseport_kern" },
	  BPF_PROG_TYPE_SK_REUSEPORT,
	  BPF_SK_REUSEPORT_SELECT_OR_MIGRATE },
	{ { "bpf_sk_lookup", "bpf_sk_lookup_kern" }, BPF_PROG_TYPE_SK_LOOKUP, BPF_SK_LOOKUP },
	{ { "bpf_user_pt_regs_t", "pt_regs" }, BPF_PROG_TYPE_KPROBE, 0 },
	{ { "bpf_perf_event_data", "bpf_perf_event_data_kern" }, BPF_PROG_TYPE_PERF_EVENT, 0 },
	/* The kernel's own name, u64[], would match too much. */
	{ { "bpf_raw_tracepoint_args", NULL }, BPF_PROG_TYPE_RAW_TRACEPOINT, 0 },
};

static const struct btf_type *skip_qualifiers(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && btf_is_mod(type))
		type = btf__type_by_id(btf, type->type);
	return type;
}

/* Name of the type that the only argument of a function points to, or NULL. */
static const char *context_name(const struct btf *btf, const char *function)
{
	const struct btf_type *type;
	int id = btf__find_by_name_kind(btf, function, BTF_KIND_FUNC);

	if (id < 0)
		return NULL;
	type = btf__type_by_id(btf, btf__type_by_id(btf, id)->type);
	if (!type || !btf_is_func_proto(type) || btf_vlen(type) != 1)
		return NULL;
	type = skip_qualifiers(btf, btf_params(type)[0].type);
	if (!type || !btf_is_ptr(type))
		return NULL;
	type = skip_qualifiers(btf, type->type);
	return type ? btf__name_by_offset(btf, type->name_off) : NULL;
}

bool load_fixup__freplace(struct bpf_object *obj, struct bpf_program *prog)
{
	const struct btf *btf = bpf_object__btf(obj);
	const char *name;

	if (bpf_program__type(prog) != BPF_PROG_TYPE_EXT || !btf)
		return false;
	name = context_name(btf, bpf_program__name(prog));
	for (size_t i = 0; name && i < ARRAY_SIZE(contexts); i++) {
		const char *const *names = contexts[i].names;

		if (!streq(name, names[0]) && !(names[1] && streq(name, names[1])))
			continue;
		if (bpf_program__set_type(prog, contexts[i].type) < 0)
			return false;
		bpf_program__set_expected_attach_type(prog, contexts[i].attach);
		return true;
	}
	return false;
}
