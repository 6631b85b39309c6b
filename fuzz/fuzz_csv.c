// SPDX-License-Identifier: GPL-2.0-only
/* What is read, written and read again is the same. */
#include <errno.h>

#include "cleanup.h"
#include "csv.h"
#include "fuzz.h"

static void print_row(const struct csv_row *row, FILE *out)
{
	for (size_t i = 0; i < row->cells.n; i++) {
		if (i)
			fputc(',', out);
		csv__print_cell(out, row->cells.v[i].text);
	}
	fputc('\n', out);
}

/* Rows as text, as far as there are any. 0: to the end. */
static int copy(char *text, size_t len, char **ret_copy, size_t *ret_len)
{
	FILE *out = open_memstream(ret_copy, ret_len);
	struct csv_row row = {};
	struct err err = {};
	struct csv csv;
	int rc;

	fuzz_require(out);
	csv__open(&csv, "fuzz", text, len);
	while ((rc = csv__next(&csv, &row, &err)) == 0) {
		fuzz_require(row.cells.n);
		for (size_t i = 0; i < row.cells.n; i++)
			fuzz_require(row.cells.v[i].text >= text &&
				     row.cells.v[i].text <= text + len);
		/* A row of nothing would be a blank line. */
		if (row.cells.n > 1 || *row.cells.v[0].text)
			print_row(&row, out);
	}
	fuzz_require(rc == -ENODATA || (rc == -EINVAL && str_starts(err.text, "fuzz:")));
	csv_row__reset(&row);
	fclose(out);
	return rc == -ENODATA ? 0 : rc;
}

void fuzz_csv(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = fuzz_text(data, len), *once = NULL, *twice = NULL;
	_cleanup_free_ char *again = NULL;
	size_t once_len, twice_len;

	if (copy(text, len, &once, &once_len) < 0)
		return;
	again = fuzz_text((const uint8_t *)once, once_len);
	fuzz_require(copy(again, once_len, &twice, &twice_len) == 0);
	fuzz_require(once_len == twice_len && memcmp(once, twice, once_len) == 0);
}
