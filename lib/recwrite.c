// SPDX-License-Identifier: GPL-2.0-only
#include "recfile.h"

#include <math.h>

#include "cleanup.h"
#include "csv.h"
#include "newfile.h"
#include "sidecar.h"

/* A word that the reader would take for something else. */
static bool cell__needs_prefix(const char *word)
{
	return !*word || streq(word, "N/A") || str_starts(word, "text: ") ||
	       str_starts(word, "unsupported: ") || str_starts(word, "failed: ");
}

/* Counts as integers, anything else in as few digits as read back the same. */
static void cell__format_number(double num, char *buf, size_t size)
{
	double back;

	if (num == floor(num) && fabs(num) < 1e15) {
		snprintf(buf, size, "%.0f", num);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, num);
		if (!str__to_double(buf, &back) && back == num)
			return;
	}
}

static int cell__print(const struct cell *cell, const struct metric *metric, FILE *out)
{
	static const char *const prefixes[] = {
		[CELL_UNSUPPORTED] = "unsupported: ",
		[CELL_FAILED] = "failed: ",
	};
	const char *text = cell->text ?: "", *prefix = "";
	_cleanup_free_ char *both = NULL;
	char number[64];

	if (cell->state == CELL_ABSENT)
		return 0;
	if (cell->state == CELL_OK && !(metric->flags & METRIC_TEXT)) {
		cell__format_number(cell->num, number, sizeof(number));
		text = number;
	} else if (cell->state != CELL_OK) {
		prefix = prefixes[cell->state];
	} else if (cell__needs_prefix(text)) {
		prefix = "text: ";
	}
	if (str__printf(&both, "%s%s", prefix, text))
		return -ENOMEM;
	csv__print_cell(out, both);
	return 0;
}

int recfile__print(const struct recording *rec, FILE *out)
{
	const struct suite_key *key = &suite_keys[rec->suite];

	fprintf(out, "%s,%s", key->columns[0], key->columns[1]);
	for (size_t i = 0; i < rec->columns.n; i++)
		fprintf(out, ",%s", rec->columns.v[i]->id);
	fputc('\n', out);
	for (size_t i = 0; i < rec->rows.n; i++) {
		const struct record_row *row = &rec->rows.v[i];

		csv__print_cell(out, row->object);
		fputc(',', out);
		csv__print_cell(out, row->program);
		for (size_t j = 0; j < rec->columns.n; j++) {
			fputc(',', out);
			if (cell__print(&row->cells[j], rec->columns.v[j], out))
				return -ENOMEM;
		}
		fputc('\n', out);
	}
	return ferror(out) ? -EIO : 0;
}

typedef int (*recfile_printer)(const struct recording *rec, FILE *out);

static int recfile__to_text(const struct recording *rec, recfile_printer print, char **ret_text,
			    size_t *ret_len)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int err;

	if (!out)
		return -ENOMEM;
	err = print(rec, out);
	if (fclose(out))
		err = -ENOMEM;
	if (err)
		return err;
	*ret_text = TAKE_PTR(text);
	*ret_len = len;
	return 0;
}

int recfile__write(const struct recording *rec, const char *path, struct err *err)
{
	_cleanup_free_ char *sidecar = NULL, *csv = NULL, *env = NULL;
	size_t csv_len, env_len;
	int ret;

	ret = str__printf(&sidecar, "%s.env", path) ?:
	      recfile__to_text(rec, recfile__print, &csv, &csv_len) ?:
	      recfile__to_text(rec, sidecar__print, &env, &env_len);
	if (ret)
		return err__set(err, ret, "%s: %s", path, strerror(-ret));
	ret = newfile__clear(path, err) ?: newfile__clear(sidecar, err);
	if (!ret && env_len)
		ret = newfile__write(sidecar, env, env_len, err);
	return ret ?: newfile__write(path, csv, csv_len, err);
}
