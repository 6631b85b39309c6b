/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's BTF, read once. libbpf reads it anew for every object, which is
 * a good part of the time that an object takes. Whoever links this file has
 * libbpf's btf__load_vmlinux_btf() replaced (the Makefile makes that symbol of
 * libbpf a weak one): it gives out empty BTF on top of the one that is kept,
 * for a caller that frees what he got.
 */
#ifndef BPF_AB_KBTF_H
#define BPF_AB_KBTF_H

/* Reads it now, so that processes that are forked share it. Errors are left to libbpf's call. */
void kbtf__read(void);

#endif
