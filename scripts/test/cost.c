// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a command costs: cost FILE CMD [ARG...]
 *
 * Writes key=value lines to FILE and ends with the command's status. The largest
 * process is exact (the kernel's high-water mark, over all that were waited for);
 * the sum over the processes that run at a time is sampled, 20 times a second.
 * In C, because a process begins with the memory of the one that it is forked from.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static double seconds(const struct timeval *tv)
{
	return tv->tv_sec + tv->tv_usec / 1e6;
}

/* Resident pages of a process if it is of the session, else 0; what ended has none. */
static long resident(const char *pid, pid_t session)
{
	char path[300], line[1024], *rest;
	long pages = 0;
	int sid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	/* Behind the name: state, parent, group, session, ..., the 22nd is the size. */
	if (fgets(line, sizeof(line), f) && (rest = strrchr(line, ')')))
		sscanf(rest,
		       ") %*c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
		       "%*d %*u %*u %ld",
		       &sid, &pages);
	fclose(f);
	return sid == session ? pages : 0;
}

static long sum_resident(pid_t session)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	long sum = 0;

	if (!proc)
		return 0;
	while ((entry = readdir(proc))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			sum += resident(entry->d_name, session);
	}
	closedir(proc);
	return sum;
}

static int report(const char *path, double wall, long peak_pages)
{
	FILE *f = fopen(path, "w");
	struct rusage usage;

	if (!f || getrusage(RUSAGE_CHILDREN, &usage) < 0) {
		perror(path);
		return 3;
	}
	fprintf(f, "wall=%.2f\nuser=%.2f\nsystem=%.2f\n", wall, seconds(&usage.ru_utime),
		seconds(&usage.ru_stime));
	fprintf(f, "max_rss_kib=%ld\nsum_rss_kib=%ld\n", usage.ru_maxrss,
		peak_pages * (sysconf(_SC_PAGESIZE) / 1024));
	return fclose(f) ? 3 : 0;
}

int main(int argc, char **argv)
{
	double start = now(), wall;
	long peak = 0, pages;
	int status, rc;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: cost FILE CMD [ARG...]\n");
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		setsid();
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
		pages = sum_resident(pid);
		peak = pages > peak ? pages : peak;
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	}
	wall = now() - start;
	rc = pid < 0 ? 3 : report(argv[1], wall, peak);
	return rc ?: WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
