// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the time of one thread goes, by function; lib/phases.h says what it
 * means. A phase has a program at the beginning and one at the end of its
 * function, because the kernel attaches each of them to one function only.
 */
#include <stdbool.h>
#include <stddef.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "phases_shared.h"
#include "pidns.h"

__u32 armed_tid = 0; /* 0: none */
__u32 depth = 0;
__u64 torn = 0; /* events without their counterpart: the sums are wrong */
struct {
	__u64 start, inner;
	__u64 phase;
} frames[PHASES_DEPTH_MAX];
struct phase_sum sums[PHASES_MAX];

static __always_inline bool is_armed(void)
{
	return armed_tid && current_tid() == armed_tid;
}

static __always_inline int phase_begins(__u32 phase)
{
	__u32 at = depth;

	if (!is_armed())
		return 0;
	if (at >= PHASES_DEPTH_MAX) {
		torn++;
		return 0;
	}
	frames[at].phase = phase;
	frames[at].inner = 0;
	depth = at + 1;
	frames[at].start = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int phase_ends(__u32 phase)
{
	__u64 now = bpf_ktime_get_ns(), took;
	__u32 at;

	if (!is_armed())
		return 0;
	at = depth - 1;
	if (at >= PHASES_DEPTH_MAX || frames[at].phase != phase) {
		torn++;
		return 0;
	}
	took = now - frames[at].start;
	sums[phase].self_ns += took - frames[at].inner;
	sums[phase].calls++;
	depth = at;
	at--;
	if (at < PHASES_DEPTH_MAX)
		frames[at].inner += took;
	return 0;
}

/* Whose program is whose is in the names: phases.c reads the numbers. */
#define PHASE(n)                                   \
	SEC("fentry") int begins_##n(void *ctx)    \
	{                                          \
		return phase_begins(n);            \
	}                                          \
	SEC("fexit") int ends_##n(void *ctx)       \
	{                                          \
		return phase_ends(n);              \
	}

PHASE(0) PHASE(1) PHASE(2) PHASE(3) PHASE(4) PHASE(5) PHASE(6) PHASE(7)
PHASE(8) PHASE(9) PHASE(10) PHASE(11) PHASE(12) PHASE(13) PHASE(14) PHASE(15)
PHASE(16) PHASE(17) PHASE(18) PHASE(19) PHASE(20) PHASE(21) PHASE(22) PHASE(23)

char LICENSE[] SEC("license") = "GPL";
