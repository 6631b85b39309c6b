// SPDX-License-Identifier: GPL-2.0-only
#include "timing.h"

#include <errno.h>

/* The first is the one of a machine that says nothing. */
static const struct timing_clock clocks[] = {
	{ "host", TIMING_WALL, "wall clock of the running machine" },
	{ "icount", TIMING_COUNTED, "counted instructions: 1 us is 1,000 of the guest's" },
	{ "kvm", TIMING_WALL, "wall clock of a guest under KVM" },
	{ "tcg-wall", TIMING_USELESS, "wall clock of an emulated guest: no evidence of time" },
};

int timing__clock(const char *name, const struct timing_clock **ret_clock, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!name || streq(name, clocks[i].name)) {
			*ret_clock = &clocks[i];
			return 0;
		}
	}
	return err__set(err, -EINVAL,
			"BPF_AB_CLOCK=%s: expected one of host, icount, kvm, tcg-wall", name);
}
