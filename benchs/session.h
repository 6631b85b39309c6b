/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A benchmark, measured: rounds of its producers; rounds of the same without
 * what is measured; and apart from them, since counting takes time, what the
 * allocators did for a number of operations.
 */
#ifndef BPF_AB_SESSION_H
#define BPF_AB_SESSION_H

#include "allocs.h"
#include "bench.h"
#include "vec.h"

struct session_opts {
	struct crew_opts crew;
	unsigned int warmup, rounds;
	struct crew_round round;
	bool bare; /* as many rounds without what is measured */
	struct allocs_opts allocs;
	/* Called after each measured round; NULL: not. */
	void (*progress)(const void *ctx, unsigned int nth, const struct crew_result *result);
	const void *ctx;
};

struct session {
	VEC(struct crew_result) rounds;
	VEC(struct crew_result) bare; /* empty: not asked for, or there is no such thing */
	struct allocs allocs;
	enum cell_state left_state; /* CELL_ABSENT: nothing stays */
	uint64_t left;
	char left_why[512];
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
