/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a window of execution takes from vmalloc(), which fires no tracepoint:
 * by BPF programs (fentry, fexit) at the one function in which all of its kin
 * end, __vmalloc_node_range(), and at vfree(). Bytes are whole pages. Memory for
 * machine code, which the JIT takes in packs that programs share, is left out by
 * where x86-64 has it. Pages that vrealloc() gives back of an area are not seen.
 *
 *	err = vmalloc__open(&vmalloc, &e);
 *	err = vmalloc__begin(vmalloc, gettid());
 *	... bpf(BPF_PROG_LOAD) ...
 *	vmalloc__over(vmalloc);
 *	... the program is given up, vmalloc__left() becomes 0 or not ...
 *	err = vmalloc__end(vmalloc, &counts);
 */
#ifndef BPF_AB_VMALLOC_H
#define BPF_AB_VMALLOC_H

#include <sys/types.h>

#include "cleanup.h"
#include "err.h"

struct vmalloc;

struct vmalloc_counts {
	/* By the thread: areas, bytes as asked for, and whole pages. */
	uint64_t allocs, bytes_req, bytes;
	/* Pages of these that it has not freed itself, in bytes: at most, and when it was over. */
	uint64_t live_peak, live_end;
	uint64_t leaked; /* and at vmalloc__end() */
	/*
	 * vrealloc() of an area: calls, those of them that moved it to another
	 * one (which is in allocs too), and bytes that were copied there.
	 */
	uint64_t reallocs, moves, copied;
	uint64_t lost; /* areas without room in the table: live_* and leaked are wrong if not 0 */
	uint64_t unknown; /* moves of areas of before: copied is wrong if not 0 */
};

/*
 * -EOPNOTSUPP or -EPERM with the reason where the kernel or the user may not
 * (then the numbers are unsupported, not zero), -ENOMEM.
 */
int vmalloc__open(struct vmalloc **ret_vmalloc, struct err *err);
void vmalloc__free(struct vmalloc *vmalloc);
DEFINE_CLEANUP(struct vmalloc, vmalloc__free);
#define _cleanup_vmalloc_ _cleanup_(vmalloc__freep)

/* Attaches for one thread, a tid as this PID namespace has it. -errno from attaching. */
int vmalloc__begin(struct vmalloc *vmalloc, pid_t tid);
/* From here on only frees count. Optional: else it is over at the end. */
void vmalloc__over(struct vmalloc *vmalloc);
/* Bytes that are still there. */
uint64_t vmalloc__left(const struct vmalloc *vmalloc);
/* Detaches. -EINVAL: nothing was begun. */
int vmalloc__end(struct vmalloc *vmalloc, struct vmalloc_counts *ret_counts);

#endif
