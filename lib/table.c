// SPDX-License-Identifier: GPL-2.0-only
#include "table.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>

#include "cleanup.h"

struct table {
	struct libscols_table *scols;
	size_t columns;
};

int table__new(const struct table_column *columns, size_t n, struct table **ret_table)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return -ENOMEM;
	table->columns = n;
	table->scols = scols_new_table();
	if (!table->scols)
		goto no_memory;
	/* Else a pipe would get the width of the terminal behind it. */
	scols_table_set_termforce(table->scols, SCOLS_TERMFORCE_NEVER);
	if (scols_table_set_column_separator(table->scols, "  "))
		goto no_memory;
	for (size_t i = 0; i < n; i++)
		if (!scols_table_new_column(table->scols, columns[i].title, 0,
					    columns[i].right ? SCOLS_FL_RIGHT : 0))
			goto no_memory;
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
	for (size_t i = 0; i < table->columns; i++)
		if (cells[i] && scols_line_set_data(line, i, cells[i]))
			return -ENOMEM;
	return 0;
}

size_t table__rows(const struct table *table)
{
	return scols_table_get_nlines(table->scols);
}

int table__print(struct table *table, FILE *out)
{
	_cleanup_free_ char *text = NULL;
	int err = scols_print_table_to_string(table->scols, &text);

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
