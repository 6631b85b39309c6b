/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Readers of what others wrote, given any bytes. A target returns if all is
 * well and aborts if not: with what it says of its output it is a test, too,
 * run on the seeds by unit/test_seeds.c. "make fuzz" lets libFuzzer look for
 * bytes that break it; what it finds becomes a seed.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdlib.h>

#include "util.h"

#define FUZZ_TARGETS(X) \
	X(csv)          \
	X(recording)    \
	X(sidecar) X(filter) X(preset) X(verif_log) X(kmsg) X(klog) X(annot) X(object) X(ktap)

#define FUZZ_DECLARE(name) void fuzz_##name(const uint8_t *data, size_t len);
FUZZ_TARGETS(FUZZ_DECLARE)

/* Not assert(): it has to hold in every build. */
#define fuzz_require(condition)   \
	do {                      \
		if (!(condition)) \
			abort();  \
	} while (0)

/* The bytes as a string, which ends at the first NUL among them. The caller frees. */
static inline char *fuzz_text(const uint8_t *data, size_t len)
{
	char *text = malloc(len + 1);

	fuzz_require(text);
	memcpy(text, data, len);
	text[len] = '\0';
	return text;
}

#endif
