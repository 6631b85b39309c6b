// SPDX-License-Identifier: GPL-2.0-only
#include "jited.h"

#include <bpf/bpf.h>
#include <errno.h>

#include "cleanup.h"

void jited__free(struct jited *jited)
{
	free(jited->image);
	free(jited->func_lens);
	*jited = (struct jited){};
}

static int query(int prog_fd, struct bpf_prog_info *info, struct err *err)
{
	uint32_t len = sizeof(*info);
	int rc = bpf_prog_get_info_by_fd(prog_fd, info, &len);

	return rc < 0 ? err__set(err, rc, "machine code of fd %d: %s", prog_fd, strerror(-rc)) : 0;
}

static size_t sum_lens(const struct jited *jited)
{
	size_t sum = 0;

	for (size_t i = 0; i < jited->n_funcs; i++)
		sum += jited->func_lens[i];
	return sum;
}

int jited__read(int prog_fd, struct jited *ret_jited, struct err *err)
{
	_cleanup_(jited__free) struct jited jited = {};
	struct bpf_prog_info info = {};
	int rc;

	rc = query(prog_fd, &info, err);
	if (rc < 0)
		return rc;
	if (!info.jited_prog_len)
		return err__set(err, -ENODATA, "no machine code: interpreted, or hidden");
	jited.len = info.jited_prog_len;
	jited.n_funcs = info.nr_jited_func_lens;
	jited.image = calloc(jited.len, 1);
	jited.func_lens = calloc(jited.n_funcs + 1, sizeof(*jited.func_lens));
	if (!jited.image || !jited.func_lens)
		return err__set(err, -ENOMEM, "out of memory");
	info = (struct bpf_prog_info){
		.jited_prog_insns = (uintptr_t)jited.image,
		.jited_prog_len = jited.len,
		.jited_func_lens = (uintptr_t)jited.func_lens,
		.nr_jited_func_lens = jited.n_funcs,
	};
	rc = query(prog_fd, &info, err);
	if (rc < 0)
		return rc;
	/* The kernel clears the pointers to what it may not show. */
	if (!info.jited_prog_insns || !info.jited_func_lens)
		return err__set(err, -ENODATA, "the machine code is hidden: kernel addresses are");
	if (sum_lens(&jited) != jited.len)
		return err__set(err, -ENODATA, "machine code of %zu bytes, its functions of %zu",
				jited.len, sum_lens(&jited));
	*ret_jited = jited;
	jited = (struct jited){};
	return 0;
}
