/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Peak memory of a piece of work, as the memory controller charges it. The
 * process moves into a cgroup of its own and back when done.
 *
 *	rc = memcg__open("", janitor, &memcg, &err);	-EOPNOTSUPP: err says why not
 *	rc = memcg__reset(memcg);
 *	... work ...
 *	rc = memcg__peak(memcg, &bytes);
 *
 * Charges come in batches per CPU (memcg__quantum()), so small numbers mean
 * little, and memory that was charged before stays where it was charged.
 *
 * Sources: memory.peak of cgroup v2 (Linux 5.19; it can be reset since 6.12,
 * before that each reset makes a fresh cgroup), memory.max_usage_in_bytes of
 * cgroup v1 (reset by writing 0).
 */
#ifndef BPF_AB_MEMCG_H
#define BPF_AB_MEMCG_H

#include "cleanup.h"
#include "err.h"
#include "janitor.h"

struct memcg;

/*
 * root: "" for this system, or a folder that holds recorded proc/ and sys/.
 * janitor: removes the cgroup if we can't; NULL: nobody does. It is not owned.
 *
 * On v2 the new cgroup is a child of the nearest ancestor of ours that hands
 * the memory controller down, on v1 of our own cgroup. -EOPNOTSUPP: there is
 * no memory controller that could tell, with the reason in err; other -errno:
 * it should have worked.
 */
int memcg__open(const char *root, struct janitor *janitor, struct memcg **ret_memcg,
		struct err *err);

/* Leaves and removes the cgroup. */
void memcg__free(struct memcg *memcg);
DEFINE_CLEANUP(struct memcg, memcg__free);
#define _cleanup_memcg_ _cleanup_(memcg__freep)

/* Where the peak is read: "memory.peak of cgroup v2", ... */
const char *memcg__source(const struct memcg *memcg);

/* From here on the peak counts, above what is charged now. */
int memcg__reset(struct memcg *memcg);

/* Bytes above what was charged at the reset; 0 is a measured zero. */
int memcg__peak(struct memcg *memcg, uint64_t *ret_bytes);

/* By how many bytes a peak may be off: what each CPU may charge in advance. */
uint64_t memcg__quantum(unsigned int cpus);

/*
 * Whether a kernel release ("6.17.3-rc1+") charges what the verifier
 * allocates: 1 since 6.17, 0 before; peaks of the two can't be compared.
 * -EINVAL: not a release.
 */
int memcg__charges_verifier(const char *release);

#endif
