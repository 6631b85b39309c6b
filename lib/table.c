// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>

#include "cleanup.h"
#include "terminal.h"

/* Lines that a title may take. */
#define HEAD_LINES 4
/* Columns of text that a cell keeps at least where it has to take several lines. */
#define NARROWEST 8
#define BETWEEN	  "  "

struct table_head {
	char *title; /* owned */
	bool wrap, right, flexible, verdicts;
	size_t width; /* of the cells, and once it is set of the title */
};

struct table {
	struct libscols_table *scols;
	size_t columns;
	struct table_head *heads;
	/* The first lines of the table, so that titles are laid out as cells are. */
	struct libscols_line *head[HEAD_LINES];
	size_t head_lines;
	bool has_heads; /* set and cut to what is needed */
};

int table__new(const struct table_column *columns, size_t n, struct table **ret_table)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return -ENOMEM;
	table->columns = n;
	table->scols = scols_new_table();
	table->heads = calloc(n ?: 1, sizeof(*table->heads));
	if (!table->scols || !table->heads)
		goto no_memory;
	/* Else a pipe would get the width of the terminal behind it. */
	scols_table_set_termforce(table->scols, SCOLS_TERMFORCE_NEVER);
	if (scols_table_set_column_separator(table->scols, BETWEEN))
		goto no_memory;
	scols_table_enable_noheadings(table->scols, 1);
	for (size_t i = 0; i < n; i++) {
		table->heads[i] = (struct table_head){
			.title = strdup(columns[i].title),
			.wrap = columns[i].wrap,
			.right = columns[i].right,
			.flexible = columns[i].flexible,
			.verdicts = columns[i].verdicts,
		};
		if (!table->heads[i].title ||
		    !scols_table_new_column(table->scols, NULL, 0,
					    columns[i].right ? SCOLS_FL_RIGHT : 0))
			goto no_memory;
	}
	for (size_t i = 0; i < HEAD_LINES; i++) {
		table->head[i] = scols_table_new_line(table->scols, NULL);
		if (!table->head[i])
			goto no_memory;
		table->head_lines++;
	}
	*ret_table = table;
	return 0;

no_memory:
	table__free(table);
	return -ENOMEM;
}

void table__free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	for (size_t i = 0; table->heads && i < table->columns; i++)
		free(table->heads[i].title);
	free(table->heads);
	free(table);
}

void table__freep(struct table **table)
{
	table__free(*table);
}

int table__add(struct table *table, const char *const *cells)
{
	struct libscols_line *line = scols_table_new_line(table->scols, NULL);

	if (!line)
		return -ENOMEM;
	for (size_t i = 0; i < table->columns; i++) {
		size_t len = cells[i] ? strlen(cells[i]) : 0;

		if (cells[i] && scols_line_set_data(line, i, cells[i]))
			return -ENOMEM;
		if (len > table->heads[i].width)
			table->heads[i].width = len;
	}
	return 0;
}

size_t table__rows(const struct table *table)
{
	return scols_table_get_nlines(table->scols) - table->head_lines;
}

/* ---- titles ----------------------------------------------------------------- */

/* What stays on one line: a word, or all that is between parentheses. */
static size_t piece_len(const char *text)
{
	size_t len = 0;
	int depth = 0;

	for (; text[len] && (text[len] != ' ' || depth > 0); len++)
		depth += (text[len] == '(') - (text[len] == ')');
	return len;
}

static size_t widest_piece(const char *text)
{
	size_t widest = 0;

	while (*text) {
		size_t len = piece_len(text);

		if (len > widest)
			widest = len;
		text += len + (text[len] == ' ');
	}
	return widest;
}

/* As many pieces as fit, one at least. */
static size_t line_len(const char *text, size_t width)
{
	size_t len = piece_len(text);

	while (text[len]) {
		size_t more = len + 1 + piece_len(text + len + 1);

		if (more > width)
			break;
		len = more;
	}
	return len;
}

/* Breaks a title in place; what does not fit into HEAD_LINES makes the last one longer. */
static size_t table_head__split(struct table_head *head, const char *lines[HEAD_LINES])
{
	size_t width = widest_piece(head->title), n = 0;
	char *text = head->title;

	if (head->width > width)
		width = head->width;
	do {
		bool last = !head->wrap || n == HEAD_LINES - 1;
		size_t len = last ? strlen(text) : line_len(text, width);
		bool more = text[len];

		lines[n++] = text;
		text[len] = '\0';
		text += len + more;
	} while (*text);
	return n;
}

/* Titles end on the line above the first row; head lines that none reaches are taken out. */
static int table__set_heads(struct table *table)
{
	size_t used = 0;

	if (table->has_heads)
		return 0;
	table->has_heads = true;
	for (size_t i = 0; i < table->columns; i++) {
		const char *lines[HEAD_LINES];
		size_t n = table_head__split(&table->heads[i], lines);

		for (size_t j = 0; j < n; j++) {
			size_t len = strlen(lines[j]);

			if (scols_line_set_data(table->head[HEAD_LINES - n + j], i, lines[j]))
				return -ENOMEM;
			if (len > table->heads[i].width)
				table->heads[i].width = len;
		}
		used = n > used ? n : used;
	}
	for (size_t i = 0; i < HEAD_LINES - used; i++) {
		scols_table_remove_line(table->scols, table->head[i]);
		table->head_lines--;
	}
	return 0;
}

/* ---- terminals --------------------------------------------------------------- */

/* The widest of the flexible columns that can do with less; NULL: none can. */
static struct table_head *table__widest(struct table *table)
{
	struct table_head *widest = NULL;

	for (size_t i = 0; i < table->columns; i++) {
		struct table_head *head = &table->heads[i];

		if (head->flexible && head->width > NARROWEST &&
		    (!widest || head->width > widest->width))
			widest = head;
	}
	return widest;
}

/* Makes flexible columns narrower. False: that is not enough. */
static bool table__narrow(struct table *table, size_t width)
{
	size_t wanted = (table->columns - 1) * strlen(BETWEEN);
	struct table_head *widest;

	for (size_t i = 0; i < table->columns; i++)
		wanted += table->heads[i].width;
	while (wanted > width && (widest = table__widest(table))) {
		widest->width--;
		wanted--;
	}
	return wanted <= width;
}

/* How much of a text longer than the width goes on one line: to the end of a word, if that is
 * not too little. */
static size_t chunk_len(const char *text, size_t width)
{
	size_t len = width;

	while (len > width / 2 && !strchr(" _-./,", text[len - 1]) && text[len] != ' ')
		len--;
	if (len <= width / 2)
		len = width;
	/* Not within a character of several bytes. */
	while (len > 1 && (text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* The text with line ends, so that no line is longer than the width. */
static int break_text(const char *text, size_t width, char **ret_text)
{
	char *to = malloc(2 * strlen(text) + 1);

	if (!to)
		return -ENOMEM;
	*ret_text = to;
	while (strlen(text) > width) {
		size_t len = chunk_len(text, width);

		to = mempcpy(to, text, len);
		*to++ = '\n';
		text += len;
		text += strspn(text, " ");
	}
	strcpy(to, text);
	return 0;
}

static int table__break_column(struct table *table, size_t i)
{
	struct libscols_column *column = scols_table_get_column(table->scols, i);
	struct libscols_iter *lines = scols_new_iter(SCOLS_ITER_FORWARD);
	struct libscols_line *line;
	int err;

	if (!lines)
		return -ENOMEM;
	err = scols_column_set_flags(column, SCOLS_FL_WRAP)
		      ?: scols_column_set_safechars(column, "\n")
		      ?: scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
						   scols_wrapnl_nextchunk, NULL);
	while (!err && scols_table_next_line(table->scols, lines, &line) == 0) {
		const char *text = scols_cell_get_data(scols_line_get_cell(line, i));
		char *broken = NULL;

		if (!text || strlen(text) <= table->heads[i].width)
			continue;
		err = break_text(text, table->heads[i].width, &broken)
			      ?: scols_line_refer_data(line, i, broken);
		if (err)
			free(broken);
	}
	scols_free_iter(lines);
	return err;
}

static int table__colour_line(const struct table *table, struct libscols_line *line)
{
	int err = 0;

	for (size_t i = 0; i < table->columns && !err; i++) {
		struct libscols_cell *cell = scols_line_get_cell(line, i);
		const char *text = cell ? scols_cell_get_data(cell) : NULL;
		const char *colour = text ? terminal__colour_of(text) : NULL;

		if (colour && table->heads[i].verdicts)
			err = scols_cell_set_color(cell, colour);
	}
	return err;
}

static int table__colour(struct table *table)
{
	struct libscols_iter *lines = scols_new_iter(SCOLS_ITER_FORWARD);
	struct libscols_line *line;
	int err;

	if (!lines)
		return -ENOMEM;
	err = scols_table_enable_colors(table->scols, 1);
	while (!err && scols_table_next_line(table->scols, lines, &line) == 0)
		err = table__colour_line(table, line);
	scols_free_iter(lines);
	return err;
}

/* On one that is too narrow anyway a table is broken as the terminal likes. */
static int table__fit(struct table *table, const struct terminal *terminal)
{
	bool fits = table__narrow(table, terminal->width);
	int err = terminal->colours ? table__colour(table) : 0;

	scols_table_set_termforce(table->scols, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(table->scols, terminal->width);
	for (size_t i = 0; i < table->columns && !err && fits; i++)
		if (table->heads[i].flexible)
			err = table__break_column(table, i);
	return err;
}

int table__print(struct table *table, FILE *out)
{
	_cleanup_free_ char *text = NULL;
	struct terminal terminal;
	int err = table__set_heads(table);

	if (!err && terminal__of(out, &terminal))
		err = table__fit(table, &terminal);

	if (err)
		return err;
	err = scols_print_table_to_string(table->scols, &text);
	if (err)
		return err < 0 ? err : -err;
	/* Empty cells at the end of a line are padded; nobody wants that in a file. */
	for (char *line = text, *next; line && *line; line = next) {
		size_t len = strcspn(line, "\n");

		next = line[len] ? line + len + 1 : NULL;
		while (len > 0 && line[len - 1] == ' ')
			len--;
		fprintf(out, "%.*s\n", (int)len, line);
	}
	return ferror(out) ? -EIO : 0;
}

/* ---- Markdown ---------------------------------------------------------------- */

static void print_escaped(const char *text, FILE *out)
{
	for (; text && *text; text++) {
		if (strchr("|\\`*_<>", *text))
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
}

int table__print_markdown(const struct table *table, FILE *out)
{
	size_t lines = scols_table_get_nlines(table->scols);

	for (size_t i = 0; i < table->columns; i++) {
		fputs(i ? " | " : "| ", out);
		print_escaped(table->heads[i].title, out);
	}
	fputs(" |\n", out);
	for (size_t i = 0; i < table->columns; i++)
		fputs(table->heads[i].right ? "|--:" : "|---", out);
	fputs("|\n", out);
	for (size_t n = table->head_lines; n < lines; n++) {
		struct libscols_line *line = scols_table_get_line(table->scols, n);

		for (size_t i = 0; i < table->columns; i++) {
			struct libscols_cell *cell = scols_line_get_cell(line, i);

			fputs(i ? " | " : "| ", out);
			print_escaped(cell ? scols_cell_get_data(cell) : NULL, out);
		}
		fputs(" |\n", out);
	}
	return ferror(out) ? -EIO : 0;
}
