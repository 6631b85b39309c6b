// SPDX-License-Identifier: GPL-2.0-only
#include "kmem_kinds.h"

#include <errno.h>
#include <bpf/btf.h>

#include "kfeat.h"

DEFINE_CLEANUP(struct btf, btf__free);

static const struct extra {
	const char *prog;
	enum kmem_kind kind;
	/* Attached to this function, by its names from new to old kernels; or: */
	const char *functions[3];
	/* To this tracepoint, with so many arguments at least. */
	const char *tracepoint;
	unsigned int args;
} extras[] = {
#define NOLOCK "_kmalloc_nolock_noprof", "kmalloc_nolock_noprof"
	{ "count_nolock", KMEM_KIND_NOLOCK, .functions = { NOLOCK } },
	{ "count_nolock_free", KMEM_KIND_NOLOCK, .functions = { "kfree_nolock" } },
#undef NOLOCK
	{ "count_percpu", KMEM_KIND_PERCPU, .tracepoint = "percpu_alloc_percpu", .args = 9 },
	{ "check_percpu", KMEM_KIND_PERCPU, .tracepoint = "percpu_alloc_percpu", .args = 9 },
	{ "count_percpu_free", KMEM_KIND_PERCPU, .tracepoint = "percpu_free_percpu", .args = 3 },
	{ "count_pages", KMEM_KIND_PAGES, .tracepoint = "mm_page_alloc", .args = 2 },
	{ "check_pages", KMEM_KIND_PAGES, .tracepoint = "mm_page_alloc", .args = 2 },
};

/* NULL: this kernel has none of them. */
static const char *find_function(const struct btf *btf, const struct extra *extra)
{
	for (size_t i = 0; i < ARRAY_SIZE(extra->functions) && extra->functions[i]; i++)
		if (btf__find_by_name_kind(btf, extra->functions[i], BTF_KIND_FUNC) > 0)
			return extra->functions[i];
	return NULL;
}

static bool has_tracepoint(const struct btf *btf, const struct extra *extra)
{
	const struct btf_type *type;
	char name[64];
	int id;

	snprintf(name, sizeof(name), "btf_trace_%s", extra->tracepoint);
	id = btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF);
	type = id > 0 ? btf__type_by_id(btf, id) : NULL;
	while (type && (btf_is_typedef(type) || btf_is_ptr(type)))
		type = btf__type_by_id(btf, type->type);
	/* The first parameter is the tracepoint's own. */
	return type && btf_is_func_proto(type) && btf_vlen(type) > extra->args;
}

/* 1: load it; 0: not; -ENOMEM. */
static int choose(const struct btf *btf, const struct extra *extra, struct bpf_program *prog,
		  int *can_trace, char **missing)
{
	const char *function;
	struct err why = {};

	if (extra->tracepoint) {
		if (has_tracepoint(btf, extra))
			return 1;
		return *missing ? 0
				: str__printf(missing,
					      "this kernel has no tracepoint %s with %u arguments",
					      extra->tracepoint, extra->args);
	}
	function = find_function(btf, extra);
	if (!function)
		return 0;
	/* Asked only if there is one to trace. */
	if (*can_trace < 0)
		*can_trace = kfeat__probe(KFEAT_FENTRY, &why);
	if (*can_trace)
		return bpf_program__set_attach_target(prog, 0, function) ?: 1;
	return *missing ? 0
			: str__printf(missing,
				      "%s() fires no tracepoint, and this kernel lets no BPF "
				      "program trace functions",
				      function);
}

static int set_caveat(const struct btf *btf, unsigned int kinds, const char *missing,
		      char **ret_caveat)
{
	const char *function = find_function(btf, &extras[0]);

	if (*ret_caveat || !function || (kinds & KMEM_WANTS(NOLOCK) && !missing))
		return 0;
	return str__printf(ret_caveat, "what %s() allocates is in no count%s", function,
			   missing ? ", for it fires no tracepoint and can't be traced here" : "");
}

int kmem_kinds__choose(struct bpf_object *obj, unsigned int kinds, char *ret_missing[KMEM_KIND_MAX],
		       char **ret_caveat, struct err *err)
{
	_cleanup_(btf__freep) struct btf *btf = btf__load_vmlinux_btf();
	int can_trace = -1, rc = 0;

	if (!btf)
		return err__set(err, -EOPNOTSUPP, "kmem counters: no BTF of the kernel");
	for (size_t i = 0; rc >= 0 && i < ARRAY_SIZE(extras); i++) {
		const struct extra *extra = &extras[i];
		struct bpf_program *prog = bpf_object__find_program_by_name(obj, extra->prog);

		rc = 0;
		if (kinds & 1U << extra->kind)
			rc = choose(btf, extra, prog, &can_trace, &ret_missing[extra->kind]);
		if (rc == 0)
			rc = bpf_program__set_autoload(prog, false);
	}
	if (rc >= 0)
		rc = set_caveat(btf, kinds, ret_missing[KMEM_KIND_NOLOCK], ret_caveat);
	return rc < 0 ? err__set(err, rc, "kmem counters: %s", strerror(-rc)) : 0;
}
