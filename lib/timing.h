/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a duration on this machine is worth. Whoever starts a guest says in
 * BPF_AB_CLOCK what its clock counts; without it, we stand on a host.
 */
#ifndef BPF_AB_TIMING_H
#define BPF_AB_TIMING_H

#include "err.h"

enum timing_kind {
	TIMING_COUNTED, /* instructions: a nanosecond is one of the guest's */
	TIMING_WALL,	/* time: noisy, but evidence if there is enough of it */
	TIMING_USELESS, /* time of an emulator: never evidence */
};

struct timing_clock {
	const char *name; /* as in BPF_AB_CLOCK and in a recording's sidecar */
	enum timing_kind kind;
	const char *words; /* what a duration is here, for a reader */
};

/*
 * name: the value of BPF_AB_CLOCK, NULL where it is not set. -EINVAL with err
 * listing what is known.
 */
int timing__clock(const char *name, const struct timing_clock **ret_clock, struct err *err);

#endif
