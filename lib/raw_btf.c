// SPDX-License-Identifier: GPL-2.0-only
#include "raw_btf.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cleanup.h"

static void free_btf(struct btf **btf)
{
	btf__free(*btf);
}

/* int (unsigned long, unsigned long): what a callback of bpf_loop() takes. */
static int add_prototype(struct btf *btf)
{
	const int id_int = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	const int id_long = btf__add_int(btf, "unsigned long", 8, 0);
	const int proto = id_int < 0 || id_long < 0 ? -1 : btf__add_func_proto(btf, id_int);

	if (proto < 0 || btf__add_func_param(btf, "a", id_long) < 0 ||
	    btf__add_func_param(btf, "b", id_long) < 0)
		return -ENOMEM;
	return proto;
}

static int add_funcs(struct btf *btf, size_t n, struct raw_btf *raw)
{
	const int proto = add_prototype(btf);

	for (size_t i = 0; i < n && proto >= 0; i++) {
		char name[24];
		int id;

		snprintf(name, sizeof(name), "f%zu", i);
		id = btf__add_func(btf, name, BTF_FUNC_STATIC, proto);
		if (id < 0)
			return id;
		if (i == 0)
			raw->func = id;
	}
	return proto < 0 ? proto : 0;
}

int raw_btf__load(size_t n_funcs, struct raw_btf *ret_btf, struct err *err)
{
	_cleanup_(free_btf) struct btf *btf = btf__new_empty();
	struct raw_btf raw = { .fd = -1 };
	const void *data;
	uint32_t size;
	int file, line;

	if (!btf || add_funcs(btf, n_funcs, &raw) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	file = btf__add_str(btf, "raw.c");
	line = btf__add_str(btf, "a line");
	data = btf__raw_data(btf, &size);
	if (file < 0 || line < 0 || !data)
		return err__set(err, -ENOMEM, "out of memory");
	raw.file_off = file;
	raw.line_off = line;
	raw.fd = bpf_btf_load(data, size, NULL);
	if (raw.fd < 0)
		return err__set(err, raw.fd, "loading types of functions: %s", strerror(-raw.fd));
	*ret_btf = raw;
	return 0;
}

void raw_btf__free(struct raw_btf *btf)
{
	if (btf->fd >= 0)
		close(btf->fd);
	btf->fd = -1;
}
