// SPDX-License-Identifier: GPL-2.0-only
#include "places.h"

#include <inttypes.h>

#include "placelist.h"
#include "table.h"

static const char *text_of(const struct group *program, size_t column)
{
	for (size_t i = 0; i < program->n; i++) {
		const struct cell *cell = &program->rows[i]->cells[column];

		if (cell->state == CELL_OK)
			return cell->text;
	}
	return "";
}

static int add_places(struct table *table, const struct group *program, const char *text)
{
	struct kmem_listed place;
	int rc;

	while ((rc = placelist__next(&text, &place)) > 0) {
		char allocs[24], bytes[24];
		const char *cells[] = { program->object, program->program, place.name, allocs,
					bytes };

		snprintf(allocs, sizeof(allocs), "%" PRIu64, place.allocs);
		snprintf(bytes, sizeof(bytes), "%" PRIu64, place.bytes);
		rc = table__add(table, cells);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static int show_list(const struct listing *listing, size_t n, size_t column, bool markdown,
		     FILE *out)
{
	const struct suite_key *key = &suite_keys[listing->rec->suite];
	const struct table_column columns[] = {
		{ .title = key->titles[0] },
		{ .title = key->titles[1] },
		{ .title = listing->rec->columns.v[column]->title },
		{ .title = "Allocs", .right = true },
		{ .title = "Bytes", .right = true },
	};
	_cleanup_(table__freep) struct table *table = NULL;
	int rc;

	rc = table__new(columns, ARRAY_SIZE(columns), &table);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = add_places(table, &listing->groups.v[i],
				text_of(&listing->groups.v[i], column));
	if (rc < 0 || !table__rows(table))
		return rc;
	fputc('\n', out);
	return markdown ? table__print_markdown(table, out) : table__print(table, out);
}

int places__show(const struct listing *listing, size_t n, bool markdown, FILE *out)
{
	const struct recording *rec = listing->rec;
	int rc = 0;

	for (size_t c = 0; rc == 0 && c < rec->columns.n; c++)
		if (rec->columns.v[c]->flags & METRIC_LIST)
			rc = show_list(listing, n, c, markdown, out);
	return rc;
}

void places__put(struct json *json, const char *key, const char *text)
{
	struct kmem_listed place;

	json__begin(json, key, '[');
	while (placelist__next(&text, &place) > 0) {
		json__begin(json, NULL, '{');
		json__string(json, "name", place.name, strlen(place.name));
		json__u64(json, "allocs", place.allocs);
		json__u64(json, "bytes", place.bytes);
		json__end(json, '}');
	}
	json__end(json, ']');
}
