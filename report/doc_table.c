// SPDX-License-Identifier: GPL-2.0-only
#include "doc_form.h"

#include <ctype.h>

#include "cleanup.h"

#define INDENT	   2
#define NOTE_LEAST 24 /* columns that a note wants to stand beside its row */

int doc_table__add(struct doc_table *table, const char *const *cells)
{
	for (size_t i = 0; i < table->n; i++) {
		char *cell = strdup(cells[i] ?: "");

		if (!cell || vec_push(&table->cells, cell)) {
			free(cell);
			return -ENOMEM;
		}
	}
	return 0;
}

size_t doc_table__rows(const struct doc_table *table)
{
	return table->n ? table->cells.n / table->n : 0;
}

void doc_table__reset(struct doc_table *table)
{
	for (size_t i = 0; i < table->cells.n; i++)
		free(table->cells.v[i]);
	vec_free(&table->cells);
}

static const char *cell_of(const struct doc_table *table, size_t row, size_t column)
{
	return table->cells.v[row * table->n + column];
}

static bool has_titles(const struct doc_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		if (*table->columns[i].title)
			return true;
	return false;
}

/* ---- plain ------------------------------------------------------------------- */

struct layout {
	size_t short_n;	  /* columns without the note */
	size_t *width;	  /* of each of them */
	size_t total;	  /* where the last of them ends */
	bool label_alone; /* labels are too long to share a line */
	size_t note_at;	  /* where notes begin that stand beside their row; 0: below */
};

static size_t end_of(const struct layout *layout, size_t from, size_t indent)
{
	size_t at = indent;

	for (size_t i = from; i < layout->short_n; i++)
		at += layout->width[i] + (i > from ? 2 : 0);
	return at;
}

static void layout__find(struct layout *layout, const struct doc_table *table)
{
	bool has_note = table->columns[table->n - 1].kind == DOC_NOTE;

	layout->short_n = table->n - has_note;
	for (size_t i = 0; i < layout->short_n; i++) {
		layout->width[i] = strlen(table->columns[i].title);
		for (size_t row = 0; row < doc_table__rows(table); row++) {
			size_t len = strlen(cell_of(table, row, i));

			if (len > layout->width[i])
				layout->width[i] = len;
		}
	}
	layout->total = end_of(layout, 0, INDENT);
	if (layout->total > DOC_WIDTH && layout->short_n > 1) {
		layout->label_alone = true;
		layout->width[0] = 0;
		layout->total = end_of(layout, 1, 2 * INDENT);
	}
	if (has_note && layout->total + 2 + NOTE_LEAST <= DOC_WIDTH)
		layout->note_at = layout->total + 2;
}

static void put_spaces(const struct doc *doc, size_t n)
{
	fprintf(doc->out, "%*s", (int)n, "");
}

/* Blanks between cells are written with the cell behind them: no line ends in one. */
static size_t put_cells(const struct doc *doc, const struct doc_table *table,
			const struct layout *layout, const char *(*text)(const void *, size_t),
			const void *ctx)
{
	size_t first = layout->label_alone, at = 0, want = first ? 2 * INDENT : INDENT;

	for (size_t i = first; i < layout->short_n; i++) {
		const char *cell = text(ctx, i);
		size_t len = strlen(cell);
		size_t pad = table->columns[i].kind == DOC_NUMBER ? layout->width[i] - len : 0;

		if (len) {
			put_spaces(doc, want + pad - at);
			doc_form__put(doc, cell, len);
			at = want + pad + len;
		}
		want += layout->width[i] + 2;
	}
	return at;
}

struct row_text {
	const struct doc_table *table;
	size_t row;
};

static const char *row_text(const void *ctx, size_t column)
{
	const struct row_text *text = ctx;

	return cell_of(text->table, text->row, column);
}

static const char *title_text(const void *ctx, size_t column)
{
	const struct doc_table *table = ctx;

	return table->columns[column].title;
}

static void put_plain_row(const struct doc *doc, const struct doc_table *table,
			  const struct layout *layout, size_t row)
{
	struct row_text text = { table, row };
	const char *note = layout->short_n < table->n ? cell_of(table, row, table->n - 1) : "";
	const char *label = cell_of(table, row, 0);
	size_t at;

	if (layout->label_alone && (!row || !streq(label, cell_of(table, row - 1, 0)))) {
		put_spaces(doc, INDENT);
		doc_form__wrap(doc, label, INDENT, 3 * INDENT);
	}
	at = put_cells(doc, table, layout, row_text, &text);
	if (*note && layout->note_at) {
		put_spaces(doc, layout->note_at - at);
		doc_form__wrap(doc, note, layout->note_at, layout->note_at);
		return;
	}
	fputc('\n', doc->out);
	if (*note) {
		put_spaces(doc, 3 * INDENT);
		doc_form__wrap(doc, note, 3 * INDENT, 3 * INDENT);
	}
}

static void put_plain(const struct doc *doc, const struct doc_table *table)
{
	size_t width[table->n];
	struct layout layout = { .width = width };

	layout__find(&layout, table);
	if (has_titles(table)) {
		put_cells(doc, table, &layout, title_text, table);
		fputc('\n', doc->out);
	}
	for (size_t row = 0; row < doc_table__rows(table); row++)
		put_plain_row(doc, table, &layout, row);
}

/* ---- Markdown ---------------------------------------------------------------- */

static void put_markdown(const struct doc *doc, const struct doc_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		fputs("| ", doc->out);
		doc_form__put(doc, table->columns[i].title, strlen(table->columns[i].title));
		fputc(' ', doc->out);
	}
	fputs("|\n", doc->out);
	for (size_t i = 0; i < table->n; i++)
		fputs(table->columns[i].kind == DOC_NUMBER ? "|--:" : "|---", doc->out);
	fputs("|\n", doc->out);
	for (size_t row = 0; row < doc_table__rows(table); row++) {
		for (size_t i = 0; i < table->n; i++) {
			const char *cell = cell_of(table, row, i);

			fputs("| ", doc->out);
			doc_form__put(doc, cell, strlen(cell));
			fputc(' ', doc->out);
		}
		fputs("|\n", doc->out);
	}
}

/* ---- HTML -------------------------------------------------------------------- */

static const char *const classes[] = {
	[DOC_LABEL] = "label",	   [DOC_NUMBER] = "number", [DOC_WORD] = "word",
	[DOC_VERDICT] = "verdict", [DOC_NOTE] = "note",
};

/* "verdict not-worse": letters and dashes only, whatever the words are. */
static void put_class(const struct doc *doc, enum doc_column_kind kind, const char *text)
{
	fprintf(doc->out, " class=\"%s", classes[kind]);
	if (kind == DOC_VERDICT) {
		fputs(" v-", doc->out);
		for (; *text; text++)
			fputc(isalpha((unsigned char)*text) ? *text : '-', doc->out);
	}
	fputc('"', doc->out);
}

static void put_html_cell(const struct doc *doc, const char *tag, enum doc_column_kind kind,
			  const char *text)
{
	fprintf(doc->out, "<%s", tag);
	put_class(doc, kind, text);
	fputc('>', doc->out);
	doc_form__put(doc, text, strlen(text));
	fprintf(doc->out, "</%s>", tag);
}

static void put_html_table(const struct doc *doc, const struct doc_table *table)
{
	fputs("<div class=\"wide\"><table class=\"told\">\n", doc->out);
	if (has_titles(table)) {
		fputs("<thead><tr>", doc->out);
		for (size_t i = 0; i < table->n; i++)
			put_html_cell(doc, "th",
				      table->columns[i].kind == DOC_VERDICT
					      ? DOC_WORD
					      : table->columns[i].kind,
				      table->columns[i].title);
		fputs("</tr></thead>\n", doc->out);
	}
	fputs("<tbody>\n", doc->out);
	for (size_t row = 0; row < doc_table__rows(table); row++) {
		fputs("<tr>", doc->out);
		for (size_t i = 0; i < table->n; i++)
			put_html_cell(doc, "td", table->columns[i].kind, cell_of(table, row, i));
		fputs("</tr>\n", doc->out);
	}
	fputs("</tbody></table></div>\n", doc->out);
}

void doc__table(struct doc *doc, const struct doc_table *table)
{
	static void (*const put[])(const struct doc *, const struct doc_table *) = {
		[DOC_PLAIN] = put_plain,
		[DOC_MARKDOWN] = put_markdown,
		[DOC_HTML] = put_html_table,
	};

	if (!table->cells.n)
		return;
	doc_form__begin(doc);
	put[doc->form](doc, table);
}
