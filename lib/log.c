// SPDX-License-Identifier: GPL-2.0-only
#include "log.h"

#include <stdarg.h>
#include <stdio.h>

static enum log_level log_level = LOG_WARN;
static const char *log_name = "bpf-ab";

void log__set_level(enum log_level level)
{
	log_level = level;
}

enum log_level log__level(void)
{
	return log_level;
}

void log__set_name(const char *name)
{
	log_name = name;
}

void log__print(enum log_level level, const char *fmt, ...)
{
	va_list ap;

	if (level > log_level)
		return;
	fflush(stdout);
	fprintf(stderr, "%s: ", log_name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}
