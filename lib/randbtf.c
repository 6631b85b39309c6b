// SPDX-License-Identifier: GPL-2.0-only
#include "randbtf.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>

#include "cleanup.h"

struct randbtf {
	struct btf *btf;
	/* By place, context or not, global or not. */
	uint32_t ids[RAND_FUNCS_MAX][2][2];
};

void randbtf__free(struct randbtf *btf)
{
	if (!btf)
		return;
	btf__free(btf->btf);
	free(btf);
}
DEFINE_CLEANUP(struct randbtf, randbtf__free);

/* int (struct __sk_buff *ctx, u64 number), or without the first. */
static int add_proto(struct btf *btf, int ret, int ctx, int number)
{
	int id = btf__add_func_proto(btf, ret);
	int rc = 0;

	if (id > 0 && ctx)
		rc = btf__add_func_param(btf, "ctx", ctx);
	if (id > 0 && rc == 0)
		rc = btf__add_func_param(btf, "number", number);
	return rc ?: id;
}

static int add_func(struct randbtf *b, size_t place, bool ctx, bool global, int proto)
{
	char name[32];
	int id;

	snprintf(name, sizeof(name), "f%zu%s%s", place, ctx ? "_ctx" : "", global ? "_global" : "");
	id = btf__add_func(b->btf, name, global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC, proto);
	if (id > 0)
		b->ids[place][ctx][global] = id;
	return id;
}

static int fill(struct randbtf *b)
{
	int number, ret, ctx, ptr, protos[2], rc = 1;

	number = btf__add_int(b->btf, "unsigned long", 8, 0);
	ret = btf__add_int(b->btf, "int", 4, BTF_INT_SIGNED);
	ctx = btf__add_struct(b->btf, "__sk_buff", 0);
	ptr = btf__add_ptr(b->btf, ctx);
	protos[0] = add_proto(b->btf, ret, 0, number);
	protos[1] = add_proto(b->btf, ret, ptr, number);
	if (number < 0 || ret < 0 || ctx < 0 || ptr < 0 || protos[0] < 0 || protos[1] < 0)
		return -EINVAL;
	for (size_t i = 0; rc > 0 && i < 4 * RAND_FUNCS_MAX; i++)
		rc = add_func(b, i / 4, i & 1, i >> 1 & 1, protos[i & 1]);
	return rc > 0 ? btf__load_into_kernel(b->btf) : rc;
}

int randbtf__new(struct randbtf **ret_btf, struct err *err)
{
	_cleanup_(randbtf__freep) struct randbtf *b = calloc(1, sizeof(*b));
	int rc;

	if (!b)
		return err__set(err, -ENOMEM, "out of memory");
	b->btf = btf__new_empty();
	if (!b->btf)
		return err__set(err, -errno, "making BTF: %s", strerror(errno));
	rc = fill(b);
	if (rc < 0)
		return err__set(err, rc, "loading BTF: %s", strerror(-rc));
	*ret_btf = TAKE_PTR(b);
	return 0;
}

int randbtf__fd(const struct randbtf *btf)
{
	return btf__fd(btf->btf);
}

uint32_t randbtf__func(const struct randbtf *btf, size_t place, const struct rand_func *func)
{
	return btf->ids[place][func->ctx][func->global];
}
