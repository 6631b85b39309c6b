// SPDX-License-Identifier: GPL-2.0-only
/* The harness of ./bench with a benchmark that only counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>

#include "../benchs/cpuset.h"
#include "../benchs/result.h"
#include "../benchs/variant.h"

#define PRODUCERS 3

struct fake {
	unsigned int batch_size;
	unsigned int fail_every; /* each n-th operation fails; 0: none */
	uint64_t hidden;	 /* operations that the witness does not see */
	bool raise;		 /* the first batch gets the process a SIGTERM */
	struct bench_work work[PRODUCERS];
};

static const struct opt_list all_metrics;

static void fake_batch(void *state, unsigned int id, uint64_t want, struct bench_work *work)
{
	struct fake *fake = state;
	uint64_t n = want < fake->batch_size ? want : fake->batch_size;

	assert_true(id < PRODUCERS);
	assert_true(want > 0);
	/* A second one would wait for the next test. */
	if (__atomic_exchange_n(&fake->raise, false, __ATOMIC_RELAXED))
		kill(getpid(), SIGTERM);
	for (uint64_t i = 0; i < n; i++) {
		struct bench_work *mine = &fake->work[id];
		bool fails =
			fake->fail_every && (mine->done + mine->failed + 1) % fake->fail_every == 0;

		mine->done += !fails;
		mine->failed += fails;
		work->done += !fails;
		work->failed += fails;
	}
}

static void fake_witness(const void *state, struct bench_work *ret_work)
{
	const struct fake *fake = state;
	struct bench_work sum = {};

	for (size_t i = 0; i < PRODUCERS; i++)
		sum.done += fake->work[i].done;
	if (sum.done)
		sum.done -= fake->hidden;
	*ret_work = sum;
}

static const char *const fake_metrics[] = {
	"ops_per_sec",
	"insns_per_op",
	"owner_share",
	"allocs_per_op",
	"kmallocs_per_op",
	"nolocks_per_op",
	"slab_allocs_per_op",
	"refills_per_op",
	"alloc_bytes_per_op",
	"frees_per_op",
	"machine_kmallocs_per_op",
	"counting_cost",
	"left",
	"errors",
	NULL,
};

static const struct bench fake_bench = {
	.name = "fake",
	.metrics = fake_metrics,
	.op = "thing",
	.batch = fake_batch,
	.witness = fake_witness,
};

static void test_count_is_shared_out(void **test)
{
	const struct crew_opts opts = { .producers = PRODUCERS };
	struct fake fake = { .batch_size = 7 };
	_cleanup_crew_ struct crew *crew = NULL;
	struct crew_result r = {};

	(void)test;
	assert_int_equal(crew__start(&fake_bench, &fake, &opts, &crew, NULL), 0);
	for (int round = 1; round <= 3; round++) {
		assert_int_equal(crew__round(crew, &(struct crew_round){ .count = 1000 }, &r), 0);
		assert_int_equal(r.work.done, 1000);
		assert_int_equal(r.work.failed, 0);
		assert_int_equal(r.witness.done, 1000);
		assert_int_equal(fake.work[0].done, 334 * round);
		assert_int_equal(fake.work[1].done, 333 * round);
		assert_int_equal(fake.work[2].done, 333 * round);
	}
}

static void test_time_ends_a_round(void **test)
{
	const struct crew_opts opts = { .producers = PRODUCERS, .affinity = true };
	struct fake fake = { .batch_size = 7 };
	_cleanup_crew_ struct crew *crew = NULL;
	struct crew_result r = {};

	(void)test;
	assert_int_equal(crew__start(&fake_bench, &fake, &opts, &crew, NULL), 0);
	assert_int_equal(crew__round(crew, &(struct crew_round){ .ns = 20000000 }, &r), 0);
	assert_true(r.work.done > 0);
	assert_int_equal(r.work.done, r.witness.done);
	assert_int_equal(r.work.done % 7, 0);
	assert_true(r.ns > 0);
}

static void test_failures_are_no_work(void **test)
{
	const struct crew_opts opts = { .producers = 1 };
	struct fake fake = { .batch_size = 8, .fail_every = 4 };
	_cleanup_crew_ struct crew *crew = NULL;
	struct crew_result r = {};

	(void)test;
	assert_int_equal(crew__start(&fake_bench, &fake, &opts, &crew, NULL), 0);
	assert_int_equal(crew__round(crew, &(struct crew_round){ .count = 100 }, &r), 0);
	assert_int_equal(r.work.done, 75);
	assert_int_equal(r.work.failed, 25);
	assert_int_equal(r.witness.done, 75);
}

/* Which threads began and ended, in the order of their calls. */
struct edges {
	pthread_mutex_t lock;
	pthread_t begun[PRODUCERS], ended[PRODUCERS];
	unsigned int n_begun, n_ended;
};

static void note_begin(void *ctx)
{
	struct edges *edges = ctx;

	pthread_mutex_lock(&edges->lock);
	edges->begun[edges->n_begun++ % PRODUCERS] = pthread_self();
	pthread_mutex_unlock(&edges->lock);
}

static void note_end(void *ctx)
{
	struct edges *edges = ctx;

	pthread_mutex_lock(&edges->lock);
	edges->ended[edges->n_ended++ % PRODUCERS] = pthread_self();
	pthread_mutex_unlock(&edges->lock);
}

static bool is_among(pthread_t thread, const pthread_t *threads)
{
	for (int i = 0; i < PRODUCERS; i++) {
		if (pthread_equal(threads[i], thread))
			return true;
	}
	return false;
}

static void test_producers_see_the_edges_of_a_round(void **test)
{
	const struct crew_opts opts = { .producers = PRODUCERS };
	struct edges edges = { .lock = PTHREAD_MUTEX_INITIALIZER };
	const struct crew_round round = {
		.count = 100, .begins = note_begin, .ends = note_end, .ctx = &edges
	};
	struct fake fake = { .batch_size = 8 };
	_cleanup_crew_ struct crew *crew = NULL;
	struct crew_result r = {};

	(void)test;
	assert_int_equal(crew__start(&fake_bench, &fake, &opts, &crew, NULL), 0);
	assert_int_equal(crew__size(crew), PRODUCERS);
	assert_int_equal(crew__round(crew, &round, &r), 0);
	assert_int_equal(edges.n_begun, PRODUCERS);
	assert_int_equal(edges.n_ended, PRODUCERS);
	for (int i = 0; i < PRODUCERS; i++) {
		assert_true(is_among(edges.begun[i], edges.ended));
		assert_false(pthread_equal(edges.begun[i], pthread_self()));
	}
	/* The next round asks for nothing of the kind. */
	assert_int_equal(crew__round(crew, &(struct crew_round){ .count = 100 }, &r), 0);
	assert_int_equal(edges.n_begun, PRODUCERS);
}

static void test_signal_ends_a_round(void **test)
{
	const struct crew_opts opts = { .producers = 2 };
	struct fake fake = { .batch_size = 8, .raise = true };
	_cleanup_crew_ struct crew *crew = NULL;
	struct crew_result r = { .ns = 42 };

	(void)test;
	assert_int_equal(crew__start(&fake_bench, &fake, &opts, &crew, NULL), 0);
	assert_int_equal(crew__round(crew, &(struct crew_round){ .count = UINT64_MAX }, &r),
			 -EINTR);
	assert_int_equal(r.ns, 42);
}

static void test_session_believes_the_witness_only(void **test)
{
	const struct session_opts opts = { .crew = { .producers = 1 },
					   .rounds = 2,
					   .round = { .count = 10 } };
	struct fake fake = { .batch_size = 5, .hidden = 1 };
	struct session session = { .left_why = "untouched" };
	struct err err = {};

	(void)test;
	assert_int_equal(session__run(&fake_bench, &fake, &opts, &session, &err), -EBADE);
	assert_string_equal(err.text, "the producers did 10 things, the BPF program saw 9");
	assert_string_equal(session.left_why, "untouched");
}

static void note_round(const void *ctx, unsigned int nth, const struct crew_result *result)
{
	unsigned int *last = *(unsigned int *const *)ctx;

	assert_int_equal(nth, *last + 1);
	assert_int_equal(result->witness.done, 10);
	*last = nth;
}

static void test_session_measures_after_warm_up(void **test)
{
	unsigned int last = 0, *lastp = &last;
	const struct session_opts opts = {
		.crew = { .producers = 1 },
		.warmup = 3,
		.rounds = 2,
		.round = { .count = 10 },
		.progress = note_round,
		.ctx = &lastp,
	};
	struct fake fake = { .batch_size = 5 };
	_cleanup_session_ struct session session = {};
	struct err err = {};

	(void)test;
	assert_int_equal(session__run(&fake_bench, &fake, &opts, &session, &err), 0);
	assert_int_equal(session.rounds.n, 2);
	assert_int_equal(last, 2);
	/* Where this user may not count, that has to be said. */
	if (session.allocs.state == CELL_OK)
		assert_true(session.allocs.windows[0].ops > 0 && session.allocs.windows[1].ops > 0);
	else
		assert_true(session.allocs.why[0]);
}

static struct session recorded_session(struct crew_result *rounds, size_t n)
{
	struct session session = {
		.allocs = {
			.state = CELL_OK,
			.windows = {
				{ .ops = 200,
				  .ns = 1600000100,
				  .counts = { .kmallocs = 830,
					      .kmalloc_bytes = 83000,
					      .slab_allocs = 1000,
					      .slab_bytes = 200000,
					      .frees = 400,
					      .refills = 20,
					      .refill_bytes = 2000,
					      .machine_kmallocs = 1000 } },
				{ .ops = 100, .counts = { .kmallocs = 400, .slab_allocs = 500 } },
			},
		},
		.left_state = CELL_OK,
		.left = 7,
	};

	session.rounds.v = rounds;
	session.rounds.n = n;
	return session;
}

static const struct cell *cell(const struct recording *rec, size_t row, const char *metric)
{
	int col = recording__column(rec, metric__find(SUITE_BENCH, metric));

	assert_true(col >= 0);
	return &rec->rows.v[row].cells[col];
}

static void assert_num(const struct recording *rec, size_t row, const char *metric, double value)
{
	const struct cell *c = cell(rec, row, metric);

	assert_int_equal(c->state, CELL_OK);
	assert_true(fabs(c->num - value) <= 1e-9 * fabs(value));
}

static const struct timing_clock *clock_named(const char *name)
{
	const struct timing_clock *clock = NULL;

	assert_int_equal(timing__clock(name, &clock, NULL), 0);
	return clock;
}

static void test_rows_of_a_recording(void **test)
{
	struct crew_result rounds[] = {
		{ .ns = 2000000000, .work.done = 500, .witness.done = 500 },
		{ .ns = 1000000000, .work = { 100, 3 }, .witness = { 99, 1 } },
		{ .ns = 1000000000, .work.failed = 5 },
	};
	struct crew_result bare[] = { { .ns = 1500000000, .work.done = 500, .witness.done = 500 } };
	struct session session = recorded_session(rounds, ARRAY_SIZE(rounds));
	_cleanup_(recording__freep) struct recording *rec = NULL;

	(void)test;
	session.bare.v = bare;
	session.bare.n = 1;
	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(result__record(&fake_bench, "socket/x", clock_named("icount"), &session,
					&all_metrics, rec, NULL),
			 0);
	assert_int_equal(rec->rows.n, 3);
	assert_string_equal(rec->rows.v[0].object, "fake");
	assert_string_equal(rec->rows.v[0].program, "socket/x");
	assert_num(rec, 0, "ops_per_sec", 250);
	assert_num(rec, 0, "insns_per_op", 4000000);
	assert_num(rec, 0, "kmallocs_per_op", 4.15);
	assert_num(rec, 0, "slab_allocs_per_op", 5);
	assert_num(rec, 0, "refills_per_op", 0.1);
	assert_num(rec, 0, "nolocks_per_op", 0);
	assert_num(rec, 0, "allocs_per_op", 9.25);
	assert_num(rec, 0, "alloc_bytes_per_op", 1425);
	assert_num(rec, 0, "machine_kmallocs_per_op", 5);
	assert_num(rec, 0, "counting_cost", 2.000000125);
	assert_num(rec, 0, "left", 7);
	assert_num(rec, 0, "owner_share", 75);
	assert_num(rec, 0, "frees_per_op", 2);
	assert_num(rec, 0, "errors", 0);
	assert_num(rec, 1, "ops_per_sec", 99);
	assert_num(rec, 1, "kmallocs_per_op", 4);
	/* Of the session, so once. */
	assert_int_equal(cell(rec, 1, "left")->state, CELL_ABSENT);
	assert_int_equal(cell(rec, 1, "owner_share")->state, CELL_ABSENT);
	assert_num(rec, 1, "errors", 4);
	/* Nothing done is a failure and no rate of 0; no third count of allocations was taken. */
	assert_int_equal(cell(rec, 2, "ops_per_sec")->state, CELL_FAILED);
	assert_int_equal(cell(rec, 2, "insns_per_op")->state, CELL_FAILED);
	assert_int_equal(cell(rec, 2, "kmallocs_per_op")->state, CELL_ABSENT);
	assert_num(rec, 2, "errors", 5);
}

static void test_what_can_not_be_measured(void **test)
{
	struct crew_result rounds[] = { { .ns = 1, .work.done = 1, .witness.done = 1 } };
	struct session session = recorded_session(rounds, ARRAY_SIZE(rounds));
	_cleanup_(recording__freep) struct recording *rec = NULL;

	(void)test;
	session.allocs.state = CELL_UNSUPPORTED;
	strcpy(session.allocs.why, "no such kernel");
	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(result__record(&fake_bench, "v", clock_named(NULL), &session, &all_metrics,
					rec, NULL),
			 0);
	assert_int_equal(cell(rec, 0, "insns_per_op")->state, CELL_UNSUPPORTED);
	assert_int_equal(cell(rec, 0, "kmallocs_per_op")->state, CELL_UNSUPPORTED);
	assert_string_equal(cell(rec, 0, "kmallocs_per_op")->text, "no such kernel");
	assert_int_equal(cell(rec, 0, "allocs_per_op")->state, CELL_UNSUPPORTED);
	assert_num(rec, 0, "ops_per_sec", 1e9);
}

static void test_a_kind_that_is_missing(void **test)
{
	struct crew_result rounds[] = { { .ns = 1, .work.done = 1, .witness.done = 1 } };
	struct session session = recorded_session(rounds, ARRAY_SIZE(rounds));
	_cleanup_(recording__freep) struct recording *rec = NULL;
	char why[] = "not traced";

	(void)test;
	session.allocs.missing[KMEM_KIND_NOLOCK] = why;
	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(result__record(&fake_bench, "v", clock_named(NULL), &session, &all_metrics,
					rec, NULL),
			 0);
	assert_num(rec, 0, "kmallocs_per_op", 4.15);
	/* Neither the kind nor a sum with it is a number. */
	assert_int_equal(cell(rec, 0, "nolocks_per_op")->state, CELL_UNSUPPORTED);
	assert_string_equal(cell(rec, 0, "nolocks_per_op")->text, "not traced");
	assert_int_equal(cell(rec, 0, "allocs_per_op")->state, CELL_UNSUPPORTED);
	assert_int_equal(cell(rec, 0, "alloc_bytes_per_op")->state, CELL_UNSUPPORTED);
}

static void assert_differ(const char *a, const char *b, const char *how)
{
	_cleanup_free_ char *text = NULL;

	assert_int_equal(variant__difference(a, b, &text), 0);
	assert_string_equal(text, how);
}

static void test_difference_of_variants(void **test)
{
	(void)test;
	assert_differ("socket/lsm,batch=32,producers=1", "socket/lsm,batch=32,producers=1", "");
	assert_differ("socket/lsm,batch=32,producers=1", "socket/cgroup,batch=32,producers=4",
		      "hook: lsm and cgroup, producers: 1 and 4");
	assert_differ("socket/lsm,batch=32", "socket/lsm,batch=3,maps=2",
		      "batch: 32 and 3, maps: default and 2");
	assert_differ("socket/lsm,maps=2", "socket/lsm", "maps: 2 and default");
}

static struct recording *recording_of(const char *variant, const char *clock)
{
	struct recording *rec = NULL;
	struct record_row *row;

	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(recording__set_env(rec, "clock", clock), 0);
	assert_int_equal(recording__add_row(rec, "fake", variant, &row), 0);
	return rec;
}

static void assert_check(const char *a, const char *clock_a, const char *b, const char *clock_b,
			 int code, const char *words)
{
	_cleanup_(recording__freep) struct recording *rec_a = recording_of(a, clock_a);
	_cleanup_(recording__freep) struct recording *rec_b = recording_of(b, clock_b);
	struct err err = {};

	assert_int_equal(variant__check(rec_a, rec_b, &err), code);
	assert_string_equal(err.text, words);
}

static void test_what_is_not_compared(void **test)
{
	(void)test;
	assert_check("s/lsm,batch=32", "host", "s/lsm,batch=32", "host", 0, "");
	assert_check("s/lsm,batch=32", "host", "s/lsm,batch=32", "icount", -EINVAL,
		     "not compared: the clocks differ: host and icount");
	assert_check("s/lsm,batch=32", "host", "s/lsm,batch=64", "host", -EINVAL,
		     "not compared: fake s: the runs differ in batch: 32 and 64");
	assert_check("s/lsm,batch=32", "host", "s/tp,batch=32", "host", -EINVAL,
		     "not compared: fake s: the runs differ in hook: lsm and tp");
	/* Another kind is another benchmark: it is only on one side. */
	assert_check("s/lsm,batch=32", "host", "t/tp,batch=64", "host", 0, "");
}

static void assert_cpus(const char *text, const char *expected)
{
	char found[64] = "";
	struct err err = {};
	cpu_set_t set;

	if (cpuset__parse(text, &set, &err) < 0) {
		assert_true(str_starts(err.text, "'"));
		assert_null(expected);
		return;
	}
	assert_non_null(expected);
	for (int i = 0, n = CPU_COUNT(&set); i <= n; i++)
		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%d ",
			 cpuset__nth(&set, i));
	assert_string_equal(found, expected);
}

/* Each expectation ends with the first CPU again. */
static void test_sets_of_cpus(void **test)
{
	(void)test;
	assert_cpus("0", "0 0 ");
	assert_cpus("0,2-4", "0 2 3 4 0 ");
	assert_cpus("7,1", "1 7 1 ");
	assert_cpus("", NULL);
	assert_cpus("1,", NULL);
	assert_cpus("3-1", NULL);
	assert_cpus("1-", NULL);
	assert_cpus("a", NULL);
	assert_cpus("-1", NULL);
	assert_cpus("1024", NULL);
}

static void test_metrics_by_name(void **test)
{
	struct session session = recorded_session(NULL, 0);
	_cleanup_(recording__freep) struct recording *rec = NULL;
	const char *words[] = { "kmallocs_per_op", "ops_per_sec,errors" };
	struct opt_list emit = { .v = words, .n = ARRAY_SIZE(words) };

	(void)test;
	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(
		result__record(&fake_bench, "v", clock_named(NULL), &session, &emit, rec, NULL), 0);
	assert_true(recording__column(rec, metric__find(SUITE_BENCH, "ops_per_sec")) >= 0);
	assert_true(recording__column(rec, metric__find(SUITE_BENCH, "kmallocs_per_op")) >= 0);
	assert_true(recording__column(rec, metric__find(SUITE_BENCH, "insns_per_op")) < 0);
	assert_true(recording__column(rec, metric__find(SUITE_BENCH, "slab_allocs_per_op")) < 0);
}

static void test_json(void **test)
{
	struct crew_result rounds[] = { { .ns = 1000, .work.done = 2, .witness.done = 2 },
					{ .ns = 500, .work.done = 2, .witness.done = 2 } };
	struct session session = recorded_session(rounds, ARRAY_SIZE(rounds));
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)test;
	assert_non_null(out);
	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(result__record(&fake_bench, "v", clock_named(NULL), &session, &all_metrics,
					rec, NULL),
			 0);
	assert_int_equal(result__print_json(rec, out), 0);
	fclose(out);
	assert_non_null(strstr(text, "\"suite\": \"bench\""));
	assert_non_null(strstr(text, "\"ops_per_sec\": 4000000"));
	assert_non_null(strstr(text, "\"insns_per_op\": {\n\t\t\t\t\"state\": \"unsupported\""));
	assert_non_null(strstr(text, "\"n\": 2,\n\t\t\t\t\"median\": 3000000,"
				     "\n\t\t\t\t\"mean\": 3000000,"));
	assert_null(strstr(text, "null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_count_is_shared_out),
		cmocka_unit_test(test_time_ends_a_round),
		cmocka_unit_test(test_failures_are_no_work),
		cmocka_unit_test(test_producers_see_the_edges_of_a_round),
		cmocka_unit_test(test_signal_ends_a_round),
		cmocka_unit_test(test_session_believes_the_witness_only),
		cmocka_unit_test(test_session_measures_after_warm_up),
		cmocka_unit_test(test_rows_of_a_recording),
		cmocka_unit_test(test_what_can_not_be_measured),
		cmocka_unit_test(test_a_kind_that_is_missing),
		cmocka_unit_test(test_difference_of_variants),
		cmocka_unit_test(test_what_is_not_compared),
		cmocka_unit_test(test_sets_of_cpus),
		cmocka_unit_test(test_metrics_by_name),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
