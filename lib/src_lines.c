// SPDX-License-Identifier: GPL-2.0-only
#include "src_lines.h"

#include "vec.h"

/* Lines are sorted and counted whole, and taken apart afterwards. */
static int compare_bytes(const struct src_line *a, const struct src_line *b)
{
	size_t n = a->len < b->len ? a->len : b->len;

	return memcmp(a->text, b->text, n) ?: (a->len > b->len) - (a->len < b->len);
}

static int by_text(const void *a, const void *b)
{
	return compare_bytes(a, b);
}

static int by_number(const void *pa, const void *pb)
{
	const struct src_line *a = pa, *b = pb;

	return (a->n < b->n) - (a->n > b->n) ?: compare_bytes(a, b);
}

static size_t merge(struct src_line *v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (kept && compare_bytes(&v[kept - 1], &v[i]) == 0)
			v[kept - 1].n++;
		else
			v[kept++] = v[i];
	}
	return kept;
}

static void split(struct src_line *line)
{
	const char *at = memrchr(line->text, '@', line->len);
	const char *end = line->text + line->len;

	if (!at)
		return;
	line->place = at + 1;
	while (line->place < end && *line->place == ' ')
		line->place++;
	line->place_len = end - line->place;
	line->len = at - line->text;
	while (line->len && line->text[line->len - 1] == ' ')
		line->len--;
}

int src_lines__count(const char *log, struct src_lines *ret_lines)
{
	VEC(struct src_line) lines = {};

	while (*log) {
		const char *end = strchrnul(log, '\n');

		if (str_starts(log, "; ") &&
		    vec_push(&lines, (struct src_line){
					     .text = log + 2, .len = end - log - 2, .n = 1 }) < 0) {
			vec_free(&lines);
			return -ENOMEM;
		}
		log = *end ? end + 1 : end;
	}
	if (lines.n) {
		qsort(lines.v, lines.n, sizeof(*lines.v), by_text);
		lines.n = merge(lines.v, lines.n);
		qsort(lines.v, lines.n, sizeof(*lines.v), by_number);
	}
	for (size_t i = 0; i < lines.n; i++)
		split(&lines.v[i]);
	*ret_lines = (struct src_lines){ .v = lines.v, .n = lines.n };
	return 0;
}

void src_lines__clear(struct src_lines *lines)
{
	free(lines->v);
	*lines = (struct src_lines){};
}
