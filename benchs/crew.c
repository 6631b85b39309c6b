// SPDX-License-Identifier: GPL-2.0-only
#include "crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

/* The last producer to finish a round says so by this. */
#define ROUND_DONE SIGUSR1

struct producer {
	struct crew *crew;
	pthread_t thread;
	sem_t go; /* a round starts, or quit is set */
	unsigned int id;
	/* Of the current round; the producer's until it finishes. */
	uint64_t want; /* 0: until told to stop */
	uint64_t start_ns, end_ns;
	struct bench_work work;
};

struct crew {
	const struct bench *bench;
	void *state;
	pthread_t boss;
	bool quit;		 /* read after go */
	struct crew_round round; /* the current one; read after go */
	int stop;		 /* atomic */
	unsigned int working;	 /* atomic */
	sigset_t signals;	 /* blocked, and taken one by one */
	unsigned int n;		 /* threads that run */
	struct producer producers[];
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void produce(struct producer *p)
{
	struct crew *crew = p->crew;

	p->work = (struct bench_work){};
	if (crew->round.begins)
		crew->round.begins(crew->round.ctx);
	p->start_ns = now_ns();
	while (!__atomic_load_n(&crew->stop, __ATOMIC_RELAXED)) {
		uint64_t want = UINT64_MAX;

		if (p->want) {
			uint64_t did = p->work.done + p->work.failed;

			if (did >= p->want)
				break;
			want = p->want - did;
		}
		crew->bench->batch(crew->state, p->id, want, &p->work);
	}
	p->end_ns = now_ns();
	if (crew->round.ends)
		crew->round.ends(crew->round.ctx);
}

static void *producer_run(void *arg)
{
	struct producer *p = arg;
	struct crew *crew = p->crew;

	for (;;) {
		while (sem_wait(&p->go) < 0)
			;
		if (crew->quit)
			return NULL;
		produce(p);
		if (__atomic_sub_fetch(&crew->working, 1, __ATOMIC_ACQ_REL) == 0)
			pthread_kill(crew->boss, ROUND_DONE);
	}
}

static int set_cpu(pthread_attr_t *attr, const cpu_set_t *cpus, unsigned int id)
{
	cpu_set_t mine, one;

	if (!cpus && sched_getaffinity(0, sizeof(mine), &mine) < 0)
		return -errno;
	CPU_ZERO(&one);
	CPU_SET(cpuset__nth(cpus ?: &mine, id), &one);
	return -pthread_attr_setaffinity_np(attr, sizeof(one), &one);
}

static int producer_start(struct crew *crew, unsigned int id, const struct crew_opts *opts)
{
	struct producer *p = &crew->producers[id];
	pthread_attr_t attr;
	int rc;

	p->crew = crew;
	p->id = id;
	sem_init(&p->go, 0, 0);
	pthread_attr_init(&attr);
	rc = opts->affinity ? set_cpu(&attr, opts->cpus, id) : 0;
	if (rc == 0)
		rc = -pthread_create(&p->thread, &attr, producer_run, p);
	pthread_attr_destroy(&attr);
	if (rc == 0)
		crew->n++;
	return rc;
}

int crew__start(const struct bench *bench, void *state, const struct crew_opts *opts,
		struct crew **ret_crew, struct err *err)
{
	struct crew *crew;
	int rc = 0;

	crew = calloc(1, sizeof(*crew) + opts->producers * sizeof(crew->producers[0]));
	if (!crew)
		return err__set(err, -ENOMEM, "out of memory");
	crew->bench = bench;
	crew->state = state;
	crew->boss = pthread_self();
	/* Blocked before there are threads, which inherit it: signals are the boss's. */
	sigemptyset(&crew->signals);
	sigaddset(&crew->signals, SIGINT);
	sigaddset(&crew->signals, SIGTERM);
	sigaddset(&crew->signals, ROUND_DONE);
	pthread_sigmask(SIG_BLOCK, &crew->signals, NULL);
	for (unsigned int i = 0; rc == 0 && i < opts->producers; i++)
		rc = producer_start(crew, i, opts);
	if (rc < 0) {
		err__set(err, rc, "starting producer %u: %s", crew->n, strerror(-rc));
		crew__free(crew);
		return rc;
	}
	*ret_crew = crew;
	return 0;
}

unsigned int crew__size(const struct crew *crew)
{
	return crew->n;
}

void crew__free(struct crew *crew)
{
	if (!crew)
		return;
	crew->quit = true;
	for (unsigned int i = 0; i < crew->n; i++)
		sem_post(&crew->producers[i].go);
	for (unsigned int i = 0; i < crew->n; i++) {
		pthread_join(crew->producers[i].thread, NULL);
		sem_destroy(&crew->producers[i].go);
	}
	free(crew);
}

/* Waits for the end of the round, and makes it end when its time is over or a signal comes. */
static int wait_round(struct crew *crew, const struct crew_round *round)
{
	const struct timespec time = { .tv_sec = round->ns / 1000000000,
				       .tv_nsec = round->ns % 1000000000 };
	bool timed = !round->count;
	int sig, rc = 0;

	for (;;) {
		sig = timed ? sigtimedwait(&crew->signals, NULL, &time)
			    : sigwaitinfo(&crew->signals, NULL);
		if (sig < 0 && errno == EINTR)
			continue;
		if (sig == ROUND_DONE) {
			if (!__atomic_load_n(&crew->working, __ATOMIC_ACQUIRE))
				return rc;
			/* Somebody else's signal. */
			continue;
		}
		if (sig > 0)
			rc = -EINTR;
		timed = false;
		__atomic_store_n(&crew->stop, 1, __ATOMIC_RELAXED);
	}
}

int crew__round(struct crew *crew, const struct crew_round *round, struct crew_result *ret_result)
{
	struct crew_result result = {};
	struct bench_work before;
	uint64_t start = UINT64_MAX, end = 0;
	int rc;

	crew->bench->witness(crew->state, &before);
	crew->stop = 0;
	crew->working = crew->n;
	crew->round = *round;
	for (unsigned int i = 0; i < crew->n; i++) {
		/* The first ones take what can't be shared out evenly. */
		crew->producers[i].want = round->count / crew->n + (i < round->count % crew->n);
		sem_post(&crew->producers[i].go);
	}
	rc = wait_round(crew, round);
	crew->bench->witness(crew->state, &result.witness);
	for (unsigned int i = 0; i < crew->n; i++) {
		const struct producer *p = &crew->producers[i];

		result.work.done += p->work.done;
		result.work.failed += p->work.failed;
		start = p->start_ns < start ? p->start_ns : start;
		end = p->end_ns > end ? p->end_ns : end;
	}
	result.ns = end - start;
	result.witness.done -= before.done;
	result.witness.failed -= before.failed;
	if (rc == 0)
		*ret_result = result;
	return rc;
}
