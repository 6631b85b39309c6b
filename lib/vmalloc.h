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
 *	err = vmalloc__end(vmalloc, &counts);
 */
#ifndef BPF_AB_VMALLOC_H
#define BPF_AB_VMALLOC_H

#include <sys/types.h>

#include "cleanup.h"
#include "err.h"

struct vmalloc;

struct vmalloc_counts {
	uint64_t allocs, bytes; /* by the thread */
	uint64_t live_peak;	/* bytes of these that were not yet freed, at most */
	uint64_t live_end;	/* and at the end */
	uint64_t lost; /* allocations without room in the table: live_* are wrong if not 0 */
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
/* Detaches. -EINVAL: nothing was begun. */
int vmalloc__end(struct vmalloc *vmalloc, struct vmalloc_counts *ret_counts);

#endif
