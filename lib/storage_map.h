/* SPDX-License-Identifier: GPL-2.0-only */
/* Local storage maps whose type and size of values are known only now. */
#ifndef BPF_AB_STORAGE_MAP_H
#define BPF_AB_STORAGE_MAP_H

#include <linux/bpf.h>

#include "err.h"

/* -E2BIG: the kernel takes no such size. */
int storage_map__create(enum bpf_map_type type, uint32_t value_size, int *ret_fd, struct err *err);

/* Elements in the map, while nobody adds any. */
int storage_map__elements(int fd, uint64_t *ret_elements, struct err *err);

#endif
