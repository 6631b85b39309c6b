// SPDX-License-Identifier: GPL-2.0-only
/* Results of another tool make a recording that can be written and read as ours. */
#include "cleanup.h"
#include "fuzz.h"
#include "ktap.h"

void fuzz_ktap(const uint8_t *data, size_t len)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_free_ char *text = fuzz_text(data, len), *notes = NULL;
	struct err err = {};
	size_t notes_len;
	FILE *out;
	int rc;

	out = open_memstream(&notes, &notes_len);
	fuzz_require(out);
	rc = ktap__read("fuzz", text, out, &rec, &err);
	fclose(out);
	if (rc < 0) {
		fuzz_require(rc == -EINVAL && str_starts(err.text, "fuzz:"));
		return;
	}
	fuzz_require(rec->rows.n);
	/* What is not whole says why. */
	fuzz_require(rec->complete == !notes_len);
	for (size_t i = 0; i < rec->rows.n; i++) {
		const struct record_row *row = &rec->rows.v[i];

		fuzz_require(*row->object);
		fuzz_require(row->cells[0].state == CELL_OK);
		fuzz_require(metric__rank(rec->columns.v[0], row->cells[0].text) >= 0);
	}
}
