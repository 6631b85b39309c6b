// SPDX-License-Identifier: GPL-2.0-only
/* What a run stood on: read, written and read again it is the same. */
#include "cleanup.h"
#include "env.h"
#include "envdiff.h"
#include "fuzz.h"
#include "sidecar.h"

/* NULL: refused. */
static struct recording *read_text(char *text, size_t len)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	struct err err = {};
	int rc;

	fuzz_require(recording__new(SUITE_VERISTAT, &rec) == 0);
	rc = sidecar__read(rec, "fuzz", text, len, &err);
	fuzz_require(rc == 0 || str_starts(err.text, "fuzz:"));
	return rc == 0 ? TAKE_PTR(rec) : NULL;
}

static char *print(const struct recording *rec, size_t *ret_len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_len);

	fuzz_require(out && sidecar__print(rec, out) == 0);
	fclose(out);
	return text;
}

/* Two sides, and two boots of a side, that say the same differ in nothing. */
static void compare(struct recording *a, const struct recording *b)
{
	_cleanup_free_ struct env_diff *diffs = NULL;
	size_t n = 1;

	fuzz_require(env_diff__list(a, b, &diffs, &n) == 0 && n == 0);
	fuzz_require(env_diff__join(a, b) == 0);
	for (size_t i = 0; i < a->env.n; i++)
		fuzz_require(!a->env.v[i].varies);
	fuzz_require(env__clock(a) == env__clock(b) && env__vcpus(a) == env__vcpus(b));
}

void fuzz_sidecar(const uint8_t *data, size_t len)
{
	_cleanup_(recording__freep) struct recording *rec = NULL, *again = NULL, *third = NULL;
	_cleanup_free_ char *text = malloc(len + 1), *once = NULL, *twice = NULL, *copy = NULL;
	size_t once_len, twice_len;

	fuzz_require(text);
	memcpy(text, data, len);
	text[len] = '\0';
	rec = read_text(text, len);
	if (!rec)
		return;
	once = print(rec, &once_len);
	copy = fuzz_text((const uint8_t *)once, once_len);
	again = read_text(copy, once_len);
	fuzz_require(again && again->env.n == rec->env.n && again->complete == rec->complete);
	twice = print(again, &twice_len);
	fuzz_require(once_len == twice_len && memcmp(once, twice, once_len) == 0);
	third = read_text(twice, twice_len);
	fuzz_require(third);
	compare(again, third);
}
