// SPDX-License-Identifier: GPL-2.0-only
#include "csv.h"

#define UTF8_BOM "\xef\xbb\xbf"

void csv__open(struct csv *csv, const char *name, char *text, size_t len)
{
	size_t skip = str_starts(text, UTF8_BOM) ? strlen(UTF8_BOM) : 0;

	*csv = (struct csv){
		.name = name,
		.text = text,
		.len = len,
		.pos = skip,
		.line_start = skip,
		.line = 1,
	};
}

void csv_row__reset(struct csv_row *row)
{
	vec_free(&row->cells);
}

static int csv__error(const struct csv *csv, const struct csv_cell *cell, struct err *err,
		      const char *what)
{
	return err__set(err, -EINVAL, "%s:%u:%u: %s", csv->name, cell->line, cell->column, what);
}

static struct csv_cell csv__here(const struct csv *csv)
{
	return (struct csv_cell){
		.text = csv->text + csv->pos,
		.line = csv->line,
		.column = csv->pos - csv->line_start + 1,
	};
}

static void csv__new_line(struct csv *csv)
{
	csv->line++;
	csv->line_start = csv->pos;
}

/* At a line end, or at the end of the file (a CR that lost its LF there is one too). */
static bool csv__at_line_end(const struct csv *csv)
{
	const char *p = csv->text + csv->pos;

	if (csv->pos == csv->len || *p == '\n')
		return true;
	return *p == '\r' && (csv->pos + 1 == csv->len || p[1] == '\n');
}

static enum csv_end csv__pass_line_end(struct csv *csv)
{
	if (csv->pos < csv->len && csv->text[csv->pos] == '\r')
		csv->pos++;
	if (csv->pos == csv->len)
		return CSV_END_FILE;
	csv->pos++;
	csv__new_line(csv);
	return CSV_END_LINE;
}

/*
 * What is inside quotes is moved to the front as doubled quotes shrink, so
 * that the text of the cell needs no memory of its own.
 */
static int csv__quoted(struct csv *csv, struct csv_cell *cell, bool *ret_open, char **ret_end,
		       struct err *err)
{
	char *to = cell->text;

	csv->pos++;
	while (csv->pos < csv->len) {
		char c = csv->text[csv->pos++];

		if (c == '\0')
			return csv__error(csv, cell, err, "expected text, the cell has a NUL byte");
		if (c == '"' && csv->text[csv->pos] != '"') {
			*ret_open = false;
			*ret_end = to;
			return 0;
		}
		if (c == '"')
			csv->pos++;
		if (c == '\n')
			csv__new_line(csv);
		*to++ = c;
	}
	*ret_open = true;
	*ret_end = to;
	return 0;
}

static int csv__plain(struct csv *csv, char **ret_end, struct err *err)
{
	while (!csv__at_line_end(csv) && csv->text[csv->pos] != ',') {
		struct csv_cell here = csv__here(csv);

		if (*here.text == '\0')
			return csv__error(csv, &here, err, "expected text, found a NUL byte");
		if (*here.text == '"')
			return csv__error(csv, &here, err,
					  "expected quotes around the whole cell or none");
		csv->pos++;
	}
	*ret_end = csv->text + csv->pos;
	return 0;
}

/* One cell and what ends it. ret_more: another one follows in this row. */
static int csv__cell(struct csv *csv, struct csv_cell *cell, bool *ret_more, enum csv_end *ret_end,
		     struct err *err)
{
	bool open = false, more;
	char *end = NULL;
	int ret;

	*cell = csv__here(csv);
	if (csv->pos < csv->len && *cell->text == '"')
		ret = csv__quoted(csv, cell, &open, &end, err);
	else
		ret = csv__plain(csv, &end, err);
	if (ret)
		return ret;
	if (end - cell->text > CSV_CELL_MAX)
		return csv__error(csv, cell, err, "expected a cell of at most 1 MiB");
	more = csv->text[csv->pos] == ',';
	if (!more && !csv__at_line_end(csv)) {
		*cell = csv__here(csv);
		return csv__error(csv, cell, err,
				  "expected a comma or the line's end behind quotes");
	}
	if (more)
		csv->pos++;
	else
		*ret_end = csv__pass_line_end(csv);
	if (open)
		*ret_end = CSV_END_QUOTE;
	/* Only now: the end may be the comma or line end that was just passed. */
	*end = '\0';
	*ret_more = more;
	return 0;
}

int csv__next(struct csv *csv, struct csv_row *row, struct err *err)
{
	bool more = true;

	while (csv->pos < csv->len && csv__at_line_end(csv))
		csv__pass_line_end(csv);
	if (csv->pos == csv->len)
		return -ENODATA;
	row->cells.n = 0;
	row->line = csv->line;
	while (more) {
		struct csv_cell cell;
		int ret = csv__cell(csv, &cell, &more, &row->end, err);

		if (ret)
			return ret;
		ret = vec_push(&row->cells, cell);
		if (ret)
			return ret;
	}
	return 0;
}

void csv__print_cell(FILE *out, const char *text)
{
	/* At the beginning of a file it would be taken for a byte order mark. */
	if (!strpbrk(text, ",\"\r\n") && !str_starts(text, UTF8_BOM)) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}
