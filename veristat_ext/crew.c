// SPDX-License-Identifier: GPL-2.0-only
#include "crew.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "cleanup.h"

struct worker {
	pid_t pid;  /* 0: never started, or gone */
	int report; /* a file without a name */
	bool well;  /* it wrote a report */
};

struct crew {
	const struct crew_job *job;
	atomic_size_t *next; /* piece that nobody has taken yet; shared by all */
	struct worker *workers;
	size_t n;
};

static int work(const struct crew *crew)
{
	const struct crew_job *job = crew->job;
	size_t i;
	int rc;

	rc = job->begin(job->ctx);
	while (rc == 0 && !*job->stop && (i = atomic_fetch_add(crew->next, 1)) < job->pieces)
		rc = job->piece(job->ctx, i);
	return rc;
}

static void worker_main(const struct crew *crew, int fd, pid_t parent)
{
	FILE *out = fdopen(fd, "w");
	int rc;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	/* It may have died before that. */
	if (!out || getppid() != parent)
		_exit(1);
	work(crew);
	rc = crew->job->report(crew->job->ctx, out);
	_exit(rc < 0 || fflush(out) != 0);
}

static int start(const struct crew *crew, struct worker *worker)
{
	pid_t parent = getpid();

	worker->report = memfd_create("veristat", MFD_CLOEXEC);
	if (worker->report < 0)
		return -errno;
	/* What is buffered would be written by each of them. */
	fflush(NULL);
	worker->pid = fork();
	if (worker->pid < 0) {
		worker->pid = 0;
		return -errno;
	}
	if (worker->pid == 0)
		worker_main(crew, worker->report, parent);
	return 0;
}

static void stop_all(const struct crew *crew)
{
	for (size_t i = 0; i < crew->n; i++)
		if (crew->workers[i].pid)
			kill(crew->workers[i].pid, SIGTERM);
}

static void wait_for(const struct crew *crew, struct worker *worker, bool *told)
{
	int status = 0;

	while (waitpid(worker->pid, &status, 0) < 0) {
		if (errno != EINTR)
			break;
		if (*crew->job->stop && !*told) {
			stop_all(crew);
			*told = true;
		}
	}
	worker->pid = 0;
	worker->well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int collect(const struct crew *crew, const struct worker *worker)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", worker->report);
	return crew->job->collect(crew->job->ctx, path);
}

static int end(struct crew *crew, int rc, struct err *err)
{
	bool told = false;

	if (rc < 0)
		stop_all(crew);
	for (size_t i = 0; i < crew->n; i++)
		if (crew->workers[i].pid)
			wait_for(crew, &crew->workers[i], &told);
	for (size_t i = 0; i < crew->n; i++) {
		const struct worker *worker = &crew->workers[i];
		int collected;

		if (worker->well) {
			collected = collect(crew, worker);
			rc = rc ?: collected;
		} else if (rc == 0) {
			rc = err__set(err, -ECHILD,
				      "a process of -j died: what it has measured is missing");
		}
	}
	return rc;
}

int crew__run(const struct crew_job *job, size_t n, struct err *err)
{
	struct crew crew = { .job = job, .n = n };
	int rc = 0;

	crew.workers = calloc(n, sizeof(*crew.workers));
	crew.next = mmap(NULL, sizeof(*crew.next), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!crew.workers || crew.next == MAP_FAILED)
		rc = -ENOMEM;
	for (size_t i = 0; i < n && crew.workers; i++)
		crew.workers[i].report = -1;
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = start(&crew, &crew.workers[i]);
	if (crew.workers)
		rc = end(&crew, rc, err);
	for (size_t i = 0; i < n && crew.workers; i++)
		cleanup_closep(&crew.workers[i].report);
	if (crew.next != MAP_FAILED)
		munmap(crew.next, sizeof(*crew.next));
	free(crew.workers);
	return rc;
}
