// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random programs made of what the verifier rewrites: their instructions must
 * be as a model predicts, and they must do what they did before. One that fails
 * is made as small as it gets and written out as a test of its own, into the
 * folder RANDOM_DIR (the current one).
 *
 * RANDOM_FAULT tests the test: "model" makes the model wrong about modulo by
 * a register, "write" writes out every program as it is.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cleanup.h"
#include "newfile.h"
#include "randrun.h"
#include "reduce.h"
#include "test_progs.h"

#define FAILURES_MAX 3 /* more tell no more, and each takes a while to reduce */
#define TRIES_MAX    3000
#define REDUCE_MAX   60 /* seconds, of the 120 after which a silent test is killed */

struct random_test {
	struct randrun *run;
	struct randrun_opts opts;
	bool write_all;
	enum randrun_verdict verdict; /* that a reduction has to keep */
	time_t deadline;	      /* of the reduction */
};

/* A modulo by 0 jumps to where it should not. */
static void tamper(struct patch_model *model)
{
	for (size_t i = 0; i + 1 < model->n; i++) {
		struct bpf_insn *insn = &model->insns[i];

		if (insn->code == (BPF_JMP | BPF_JEQ | BPF_K) &&
		    insn[1].code == (BPF_ALU64 | BPF_MOD | BPF_X) && !insn[1].off)
			insn->off++;
	}
}

static time_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static int still_fails(void *ctx, const struct randprog *prog, size_t *ret_insns)
{
	const struct random_test *test = ctx;
	struct randrun_result result = {};
	struct err err = {};
	int rc;

	if (now() > test->deadline)
		return -ETIME;
	rc = randrun__try(test->run, prog, &test->opts, &result, &err);
	if (rc < 0)
		return rc;
	*ret_insns = result.n_insns;
	return result.verdict == test->verdict;
}

static void write_out(const struct random_test *test, const struct randprog *prog,
		      const char *reason)
{
	_cleanup_free_ char *text = NULL, *path = NULL;
	struct err err = {};
	int rc;

	rc = randrun__source(test->run, prog, &test->opts, reason, &text, &err);
	if (rc == 0)
		rc = str__printf(&path, "%s/verifier_random_%" PRIu64 ".c",
				 getenv("RANDOM_DIR") ?: ".", prog->seed);
	if (rc == 0)
		rc = newfile__clear(path, &err);
	if (rc == 0)
		rc = newfile__write(path, text, strlen(text), &err);
	if (rc == 0)
		printf("written to %s\n", path);
	else
		printf("not written: %s\n", err.text);
	/* A file in a guest may be gone with it. */
	if (text && !test->write_all)
		printf("%s", text);
}

static void reduce(struct random_test *test, struct randprog *prog,
		   const struct randrun_result *result)
{
	const struct reduce_opts opts = { .fails = still_fails,
					  .ctx = test,
					  .max_tries = TRIES_MAX };
	struct randrun_result smallest = *result;
	struct err err = {};
	int rc;

	test->verdict = result->verdict;
	test->deadline = now() + REDUCE_MAX;
	rc = reduce__program(prog, &opts);
	if (rc < 0)
		printf("not as small as it could be: %s\n", strerror(-rc));
	if (randrun__try(test->run, prog, &test->opts, &smallest, &err) < 0)
		printf("what is left cannot be tried again: %s\n", err.text);
	printf("of %zu instructions, %zu are left: %s\n", result->n_insns, smallest.n_insns,
	       smallest.reason);
	write_out(test, prog, smallest.reason);
}

/* Returns whether the program of the seed was as it should. */
static bool check_seed(struct random_test *test, uint64_t seed)
{
	_cleanup_(randprog__free) struct randprog prog = {};
	struct randrun_result result = {};
	struct err err = {};
	char name[32];
	bool agrees;

	if (!ASSERT_OK(randprog__make(seed, randrun__prog_opts(test->run), &prog), "making it"))
		return false;
	if (randrun__try(test->run, &prog, &test->opts, &result, &err) < 0)
		return ASSERT_FAIL("seed %" PRIu64 ": %s", seed, err.text);
	if (test__env()->verbose > 1)
		printf("seed %" PRIu64 ": %zu instructions, rewritten %zu, verified %u\n", seed,
		       result.n_insns, result.n_xlated, result.verified);
	agrees = result.verdict == RANDRUN_AGREES;
	snprintf(name, sizeof(name), "seed:%" PRIu64, seed);
	if (result.verdict != RANDRUN_REFUSED)
		test__record_program(name, agrees, result.hash);
	if (!ASSERT_CHECK(agrees, "seed %" PRIu64 ": %s", seed, result.reason))
		reduce(test, &prog, &result);
	else if (test->write_all)
		write_out(test, &prog, "it is as it should be");
	return agrees;
}

static void check_seeds(struct random_test *test, uint64_t seed, uint64_t count)
{
	unsigned int failures = 0;
	uint64_t i;

	printf("programs of --seed %" PRIu64 " --count %" PRIu64 "\n", seed, count);
	for (i = 0; i < count && failures < FAILURES_MAX; i++)
		failures += !check_seed(test, seed + i);
	if (i < count)
		printf("given up after %u failures, %" PRIu64 " programs\n", failures, i);
}

void test_patch_list_random(void)
{
	_cleanup_(randrun__freep) struct randrun *run = NULL;
	const char *fault = getenv("RANDOM_FAULT") ?: "";
	struct random_test test = { .write_all = streq(fault, "write") };
	struct err err = {};
	int rc;

	rc = randrun__open(&run, &err);
	if (rc == -EOPNOTSUPP) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text))
		return;
	test.run = run;
	if (streq(fault, "model"))
		test.opts.tamper = tamper;
	if (test__start_subtest("programs"))
		check_seeds(&test, test__env()->seed, test__env()->count);
}
