// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random programs made of what the verifier rewrites: their instructions must
 * be as a model predicts, and they must do what they did before.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cleanup.h"
#include "randrun.h"
#include "test_progs.h"

#define FAILURES_MAX 5 /* more tell no more, and each takes a while to reduce */

static const struct randrun_opts plainly;

/* Returns whether the program of the seed was as it should. */
static bool check_seed(struct randrun *run, uint64_t seed)
{
	_cleanup_(randprog__free) struct randprog prog = {};
	struct randrun_result result;
	struct err err = {};
	char name[32];

	if (!ASSERT_OK(randprog__make(seed, randrun__prog_opts(run), &prog), "making a program"))
		return false;
	if (randrun__try(run, &prog, &plainly, &result, &err) < 0)
		return ASSERT_FAIL("seed %" PRIu64 ": %s", seed, err.text);
	if (test__env()->verbose > 1)
		printf("seed %" PRIu64 ": %zu instructions, rewritten %zu, verified %u\n", seed,
		       result.n_insns, result.n_xlated, result.verified);
	snprintf(name, sizeof(name), "seed:%" PRIu64, seed);
	if (result.verdict != RANDRUN_REFUSED)
		test__record_program(name, result.verdict == RANDRUN_AGREES, result.hash);
	return ASSERT_CHECK(result.verdict == RANDRUN_AGREES, "seed %" PRIu64 ": %s", seed,
			    result.reason);
}

static void check_seeds(struct randrun *run, uint64_t seed, uint64_t count)
{
	unsigned int failures = 0;
	uint64_t i;

	printf("programs of --seed %" PRIu64 " --count %" PRIu64 "\n", seed, count);
	for (i = 0; i < count && failures < FAILURES_MAX; i++)
		failures += !check_seed(run, seed + i);
	if (i < count)
		printf("given up after %u failures, at seed %" PRIu64 "\n", failures, seed + i - 1);
}

void test_patch_list_random(void)
{
	_cleanup_(randrun__freep) struct randrun *run = NULL;
	struct err err = {};
	int rc;

	rc = randrun__open(&run, &err);
	if (rc == -EOPNOTSUPP) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text))
		return;
	if (test__start_subtest("programs"))
		check_seeds(run, test__env()->seed, test__env()->count);
}
