// SPDX-License-Identifier: GPL-2.0-only
#include "btf_params.h"

#include <bpf/btf.h>
#include <errno.h>

#include "cleanup.h"

static const struct btf_type *proto_of(const struct btf *btf, int func)
{
	return btf__type_by_id(btf, btf__type_by_id(btf, func)->type);
}

static bool lacks_names(const struct btf *btf, int func)
{
	const struct btf_type *t = btf__type_by_id(btf, func);

	if (!btf_is_func(t))
		return false;
	t = proto_of(btf, func);
	return btf_vlen(t) > 0 && !btf_params(t)[0].name_off;
}

/* The prototype that has the names, or NULL. */
static const struct btf_type *find_names(const struct btf *btf, int func, const struct btf *names)
{
	const char *name = btf__name_by_offset(btf, btf__type_by_id(btf, func)->name_off);
	int id = btf__find_by_name_kind(names, name, BTF_KIND_FUNC);
	const struct btf_type *proto;

	if (id < 0)
		return NULL;
	proto = proto_of(names, id);
	return btf_vlen(proto) == btf_vlen(proto_of(btf, func)) ? proto : NULL;
}

/*
 * A prototype of its own, since others may share the old one. Whatever is added
 * moves the types, so the old one is read from a copy.
 */
static int add_proto(struct btf *btf, int func, const struct btf *names,
		     const struct btf_type *named)
{
	const struct btf_type *old = proto_of(btf, func);
	_cleanup_free_ uint32_t *types = calloc(btf_vlen(old), sizeof(*types));
	int n = btf_vlen(old), id, rc = 0;

	if (!types)
		return -ENOMEM;
	for (int i = 0; i < n; i++)
		types[i] = btf_params(old)[i].type;
	id = btf__add_func_proto(btf, old->type);
	if (id < 0)
		return id;
	for (int i = 0; rc == 0 && i < n; i++) {
		uint32_t name = btf_params(named)[i].name_off;

		rc = btf__add_func_param(btf, btf__name_by_offset(names, name), types[i]);
	}
	return rc < 0 ? rc : id;
}

int btf_params__name(struct btf *btf, const struct btf *names, struct err *err)
{
	int n = btf__type_cnt(btf);

	for (int func = 1; func < n; func++) {
		const struct btf_type *named;
		int proto;

		if (!lacks_names(btf, func))
			continue;
		named = find_names(btf, func, names);
		if (!named)
			continue;
		proto = add_proto(btf, func, names, named);
		if (proto < 0)
			return err__set(err, proto, "names of parameters can't be added: %s",
					strerror(-proto));
		/* libbpf has no call to point a function at another prototype. */
		((struct btf_type *)btf__type_by_id(btf, func))->type = proto;
	}
	return 0;
}
