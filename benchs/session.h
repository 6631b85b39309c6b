/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A benchmark, measured: rounds of its producers, and apart from them, since
 * counting takes time, what the allocators did for a number of operations.
 */
#ifndef BPF_AB_SESSION_H
#define BPF_AB_SESSION_H

#include "bench.h"
#include "crew.h"
#include "kmem.h"
#include "record.h"
#include "vec.h"

enum { SESSION_ALLOCS = 2 };

struct session_opts {
	struct crew_opts crew;
	unsigned int warmup, rounds;
	struct crew_round round;
	/* Called after each measured round; NULL: not. */
	void (*progress)(const void *ctx, unsigned int nth, const struct crew_result *result);
	const void *ctx;
};

/* What the allocators did for so many operations of one thread. */
struct session_allocs {
	uint64_t ops;
	struct kmem_counts counts;
};

struct session {
	VEC(struct crew_result) rounds;
	enum cell_state allocs_state; /* CELL_OK: all of allocs are there; else why says why */
	struct session_allocs allocs[SESSION_ALLOCS];
	char why[512];
	const char *caveat; /* what a reader must know of the counts, or NULL */
};

/*
 * -EINTR: a signal asked to end. -EBADE: the BPF side did not see the work
 * that the producers did, so there is no number to believe. Other -errno: it
 * could not be measured. err has the words. ret_session is for
 * session__clear() only if 0 came back.
 */
int session__run(const struct bench *bench, void *state, const struct session_opts *opts,
		 struct session *ret_session, struct err *err);
void session__clear(struct session *session);
#define _cleanup_session_ _cleanup_(session__clear)

#endif
