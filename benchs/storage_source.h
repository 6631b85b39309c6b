/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways in which a BPF program is told of a new owner of local storage. A
 * kernel has some of them; each has a program in bench_local_storage_create.bpf.c.
 */
#ifndef BPF_AB_STORAGE_SOURCE_H
#define BPF_AB_STORAGE_SOURCE_H

#include <bpf/libbpf.h>

#include "owner.h"

struct storage_source;

/* What is asked of one. */
struct storage_wish {
	enum owner_type type;
	const char *hook; /* the name of one, or "auto": the best that this kernel has */
	int family;	  /* of sockets */
	bool deletes;	  /* the program deletes what it stored */
};

/*
 * -EINVAL: owners of the type have no such hook. -EOPNOTSUPP: this kernel has
 * none that would do, and err says of each why not. A note (owned) says why it
 * is this one.
 */
int storage_source__find(const struct storage_wish *wish, const struct storage_source **ret_source,
			 char **ret_note, struct err *err);

const char *storage_source__hook(const struct storage_source *source);
const char *storage_source__prog(const struct storage_source *source);
int storage_source__attach(const struct storage_source *source, struct bpf_program *prog,
			   struct bpf_link **ret_link, struct err *err);

enum bpf_map_type storage_source__map_type(enum owner_type type);

#endif
