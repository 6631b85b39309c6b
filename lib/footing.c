// SPDX-License-Identifier: GPL-2.0-only
#include "footing.h"

#include "cleanup.h"
#include "env.h"
#include "envdiff.h"
#include "memcg.h"

void footing__reset(struct footing *footing)
{
	free(footing->no_time);
	free(footing->no_memory);
	free(footing->unpriv);
}

/* Whether times can be compared at all, and if so how. */
static int footing__set_clock(struct footing *footing, const struct recording *const rec[2])
{
	enum env_clock clock[2];
	int err = 0;

	for (int i = 0; i < 2; i++) {
		clock[i] = env__clock(rec[i]);
		if (err || footing->no_time)
			continue;
		if (clock[i] == ENV_CLOCK_TCG_WALL)
			err = str__printf(&footing->no_time,
					  "%c: the wall clock of an emulated CPU is no evidence",
					  'A' + i);
		else if (clock[i] == ENV_CLOCK_MIXED)
			err = str__printf(&footing->no_time,
					  "%c: its boots ran under different clocks", 'A' + i);
	}
	footing->counted = clock[0] == ENV_CLOCK_ICOUNT && clock[1] == ENV_CLOCK_ICOUNT;
	if (err || footing->no_time || footing->counted)
		return err;
	if (clock[0] == ENV_CLOCK_ICOUNT || clock[1] == ENV_CLOCK_ICOUNT)
		return str__printf(&footing->no_time, "the clocks differ: %s and %s",
				   recording__env(rec[0], "clock") ?: "not recorded",
				   recording__env(rec[1], "clock") ?: "not recorded");
	return 0;
}

/* What decides, apart from the kernel, how unprivileged programs are treated. */
static int footing__set_unpriv(struct footing *footing, const struct recording *const rec[2])
{
	static const char *const keys[] = {
		"mitigations",
		"sysctl.kernel.unprivileged_bpf_disabled",
	};
	_cleanup_free_ struct env_diff *diffs = NULL;
	size_t n = 0;
	int err;

	err = env_diff__list(rec[0], rec[1], &diffs, &n);
	for (size_t i = 0; i < n && !err; i++)
		for (size_t j = 0; j < ARRAY_SIZE(keys) && !footing->unpriv && !err; j++)
			if (streq(diffs[i].key, keys[j]))
				err = str__printf(&footing->unpriv, "%s: %s and %s", keys[j],
						  diffs[i].a ?: "not recorded",
						  diffs[i].b ?: "not recorded");
	return err;
}

/* 1 or 0; -1: the recording does not say. */
static int footing__charges(const struct recording *rec)
{
	const char *kernel = recording__env(rec, "kernel") ?: "";
	_cleanup_free_ char *release = strndup(kernel, strcspn(kernel, " "));
	int charges = release ? memcg__charges_verifier(release) : -ENOMEM;

	return charges < 0 ? -1 : charges;
}

/* A kernel that does not charge the verifier's memory uses as much as one that does. */
static int footing__set_memory(struct footing *footing, const struct recording *const rec[2])
{
	int charges[2] = { footing__charges(rec[0]), footing__charges(rec[1]) };

	if (charges[0] < 0 || charges[1] < 0 || charges[0] == charges[1])
		return 0;
	return str__printf(&footing->no_memory,
			   "%c: this kernel does not charge what the verifier allocates",
			   charges[0] ? 'B' : 'A');
}

int footing__find(const struct recording *a, const struct recording *b, struct footing *ret_footing)
{
	const struct recording *const rec[2] = { a, b };
	_cleanup_(footing__reset) struct footing footing = {};
	unsigned int va = env__vcpus(a), vb = env__vcpus(b);
	int err = footing__set_clock(&footing, rec) ?:
		  footing__set_memory(&footing, rec) ?:
		  footing__set_unpriv(&footing, rec);

	if (err)
		return err;
	footing.vcpus = va > vb ? va : vb;
	*ret_footing = footing;
	footing = (struct footing){};
	return 0;
}
