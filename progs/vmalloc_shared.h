/* SPDX-License-Identifier: GPL-2.0-only */
/* Between vmalloc.bpf.c and lib/vmalloc.c. */
#ifndef BPF_AB_VMALLOC_SHARED_H
#define BPF_AB_VMALLOC_SHARED_H

#include <linux/types.h>

#define VMALLOC_AREAS_MAX 65536

struct vmalloc_sums {
	__u64 allocs, bytes_req, bytes;
	__u64 live, peak;
	__u64 by_chance; /* freed by others before it was over, who might have come later */
	__u64 reallocs, moves, copied;
	__u64 lost;    /* areas that the table had no room for */
	__u64 unknown; /* areas that were moved and are of before the window */
};

struct vmalloc_area {
	__u64 bytes_req, bytes;
};

#endif
