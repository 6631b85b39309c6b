// SPDX-License-Identifier: GPL-2.0-only
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

void progress__start(struct progress *progress, size_t total, bool forced, bool quiet)
{
	bool terminal = isatty(STDERR_FILENO);

	*progress = (struct progress){
		.shown = !quiet && (terminal || forced),
		.terminal = terminal,
		.total = total,
	};
	clock_gettime(CLOCK_MONOTONIC, &progress->start);
}

void progress__step(struct progress *progress, size_t at, const char *object, const char *program)
{
	struct timespec now;
	long seconds;

	if (!progress->shown)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = now.tv_sec - progress->start.tv_sec;
	fprintf(stderr, "%sveristat: %zu of %zu objects, %ld:%02ld, %.40s/%.40s%s",
		progress->terminal ? "\r\033[K" : "", at, progress->total, seconds / 60,
		seconds % 60, object, program, progress->terminal ? "" : "\n");
}

void progress__clear(struct progress *progress)
{
	if (progress->shown && progress->terminal)
		fputs("\r\033[K", stderr);
}
