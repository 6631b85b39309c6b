// SPDX-License-Identifier: GPL-2.0-only
#include "kbtf.h"

#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>

/*
 * Not passed down as other state is, because libbpf calls us without a
 * context. It never changes while the kernel runs, and is never freed.
 */
static struct btf *kernel;

/*
 * libbpf's own, under the name that the Makefile gives it. It maps the file where
 * the kernel allows it; whoever reads it into memory has it there twice for a while.
 */
struct btf *libbpf_load_vmlinux_btf(void);

void kbtf__read(void)
{
	if (!kernel)
		kernel = libbpf_load_vmlinux_btf();
}

struct btf *btf__load_vmlinux_btf(void)
{
	kbtf__read();
	return kernel ? btf__new_empty_split(kernel) : NULL;
}
