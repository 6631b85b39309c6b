// SPDX-License-Identifier: GPL-2.0-only
/* A recording that is read, written and read again has the same cells. */
#include <sys/mman.h>

#include "cleanup.h"
#include "fuzz.h"
#include "recfile.h"

static int read_bytes(const char *data, size_t len, struct recording **ret_rec)
{
	_cleanup_close_ int fd = memfd_create("fuzz", 0);
	char path[64];
	struct err err = {};
	int rc;

	fuzz_require(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rc = recfile__read(path, SUITE_VERISTAT, ret_rec, NULL, &err);
	fuzz_require(rc == 0 || err.text[0]);
	return rc;
}

static char *print(const struct recording *rec, size_t *ret_len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_len);

	fuzz_require(out && recfile__print(rec, out) == 0);
	fclose(out);
	return text;
}

void fuzz_recording(const uint8_t *data, size_t len)
{
	_cleanup_(recording__freep) struct recording *rec = NULL, *again = NULL;
	_cleanup_free_ char *once = NULL, *twice = NULL;
	size_t once_len, twice_len;

	if (read_bytes((const char *)data, len, &rec) < 0)
		return;
	once = print(rec, &once_len);
	fuzz_require(read_bytes(once, once_len, &again) == 0);
	twice = print(again, &twice_len);
	fuzz_require(once_len == twice_len && memcmp(once, twice, once_len) == 0);
	fuzz_require(rec->rows.n == again->rows.n);
}
