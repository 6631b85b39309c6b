// SPDX-License-Identifier: GPL-2.0-only
#include "listing.h"

#include <ctype.h>
#include <stdio.h>

#include "cleanup.h"

#define TEXT_WIDTH   40
#define NUMBER_WIDTH 5
#define CONTEXT	     3		/* lines of the text behind the last pair */
#define MAX_CELLS    (4u << 20) /* of the table of costs: what is behind it is not looked at */
/* Two lines that differ beside each other are better than one alone, not than two alone. */
#define COST_DIFFERS 10
#define COST_ALONE   11
#define NONE	     SIZE_MAX /* no pattern, or no line */
#define NO_NUMBER    UINT64_MAX

/* Patterns and lines by their indices. */
struct row {
	size_t pattern, line;
	bool differs;
	bool gap;	 /* "..." in place of a pattern or line that is NONE */
	uint64_t number; /* of the pattern's instruction */
};

struct listing {
	const struct match_list *list;
	char *text; /* owned: the lines, each ended by a NUL */
	VEC(char *) lines;
	VEC(struct row) rows;
};

static void listing_clear(struct listing *l)
{
	free(l->text);
	vec_free(&l->lines);
	vec_free(&l->rows);
}

static int split_lines(struct listing *l, const char *text)
{
	char *line, *rest;
	int rc = 0;

	l->text = strdup(text);
	if (!l->text)
		return -ENOMEM;
	rest = l->text;
	while (rc == 0 && *rest) {
		line = rest;
		rest += strcspn(rest, "\n");
		if (*rest)
			*rest++ = '\0';
		rc = vec_push(&l->lines, line);
	}
	return rc;
}

static bool holds(const struct listing *l, size_t pattern, size_t line)
{
	return match_pattern__on_line(&l->list->patterns.v[pattern], l->lines.v[line]);
}

static int add_row(struct listing *l, size_t pattern, size_t line, bool differs)
{
	return vec_push(&l->rows,
			(struct row){ .pattern = pattern, .line = line, .differs = differs });
}

static int add_gap(struct listing *l)
{
	return vec_push(&l->rows, (struct row){ .pattern = NONE, .line = NONE, .gap = true });
}

/* ---- which patterns stand beside which lines -------------------------------- */

/* m patterns from first on, against n lines from start on. */
struct alignment {
	size_t first, m, start, n;
	bool anywhere;	 /* lines in front of the first pattern cost nothing */
	uint32_t *costs; /* owned: (m + 1) x (n + 1), of the patterns and lines before */
	bool *equal;	 /* owned: m x n */
};

static void alignment_clear(struct alignment *a)
{
	free(a->costs);
	free(a->equal);
}

static uint32_t *cost(const struct alignment *a, size_t i, size_t j)
{
	return &a->costs[i * (a->n + 1) + j];
}

static uint32_t pair_cost(const struct alignment *a, size_t i, size_t j)
{
	bool equal = a->equal[(i - 1) * a->n + j - 1];

	return *cost(a, i - 1, j - 1) + (equal ? 0 : COST_DIFFERS);
}

static int alignment_fill(const struct listing *l, struct alignment *a)
{
	a->costs = calloc((a->m + 1) * (a->n + 1), sizeof(*a->costs));
	a->equal = calloc(a->m * a->n + 1, sizeof(*a->equal));
	if (!a->costs || !a->equal)
		return -ENOMEM;
	for (size_t i = 0; i < a->m; i++) {
		for (size_t j = 0; j < a->n; j++)
			a->equal[i * a->n + j] = holds(l, a->first + i, a->start + j);
	}
	for (size_t j = 0; j <= a->n; j++)
		*cost(a, 0, j) = a->anywhere ? 0 : j * COST_ALONE;
	for (size_t i = 1; i <= a->m; i++) {
		*cost(a, i, 0) = i * COST_ALONE;
		for (size_t j = 1; j <= a->n; j++) {
			uint32_t least = pair_cost(a, i, j);

			if (*cost(a, i - 1, j) + COST_ALONE < least)
				least = *cost(a, i - 1, j) + COST_ALONE;
			if (*cost(a, i, j - 1) + COST_ALONE < least)
				least = *cost(a, i, j - 1) + COST_ALONE;
			*cost(a, i, j) = least;
		}
	}
	return 0;
}

static void reverse(struct row *rows, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct row row = rows[i];

		rows[i] = rows[n - 1 - i];
		rows[n - 1 - i] = row;
	}
}

/* From the end of the cheapest way back to where it begins; ret_end: the line behind it. */
static int alignment_rows(struct listing *l, const struct alignment *a, size_t *ret_end)
{
	size_t before = l->rows.n, i = a->m, j = 0;
	int rc = 0;

	for (size_t k = 0; k <= a->n; k++) {
		if (*cost(a, a->m, k) < *cost(a, a->m, j))
			j = k;
	}
	*ret_end = a->start + j;
	while (rc == 0 && (i > 0 || (j > 0 && !a->anywhere))) {
		if (i > 0 && j > 0 && *cost(a, i, j) == pair_cost(a, i, j)) {
			i--, j--;
			rc = add_row(l, a->first + i, a->start + j, !a->equal[i * a->n + j]);
		} else if (i > 0 && *cost(a, i, j) == *cost(a, i - 1, j) + COST_ALONE) {
			i--;
			rc = add_row(l, a->first + i, NONE, true);
		} else {
			j--;
			rc = add_row(l, NONE, a->start + j, true);
		}
	}
	if (rc == 0 && j > 0)
		rc = add_gap(l);
	reverse(l->rows.v + before, l->rows.n - before);
	return rc;
}

/* ---- the listing that is not as expected ------------------------------------ */

/* The lines behind the last pair, and whether more is expected. */
static int add_context(struct listing *l, size_t pattern, size_t line)
{
	size_t end = line + CONTEXT < l->lines.n ? line + CONTEXT : l->lines.n;
	int rc = 0;

	for (; rc == 0 && line < end; line++)
		rc = add_row(l, NONE, line, false);
	if (rc == 0 && (pattern < l->list->patterns.n || end < l->lines.n))
		rc = add_gap(l);
	return rc;
}

static int align(struct listing *l, size_t pattern, size_t line)
{
	_cleanup_(alignment_clear) struct alignment a = {
		.first = pattern,
		.start = line,
		.n = l->lines.n - line,
		.m = 1,
		.anywhere = l->list->patterns.v[pattern].kind == MATCH_ANYWHERE,
	};
	size_t end;
	int rc;

	while (pattern + a.m < l->list->patterns.n &&
	       l->list->patterns.v[pattern + a.m].kind == MATCH_NEXT_LINE)
		a.m++;
	if (a.n > MAX_CELLS / a.m)
		a.n = MAX_CELLS / a.m;
	rc = alignment_fill(l, &a);
	if (rc == 0)
		rc = alignment_rows(l, &a, &end);
	if (rc == 0)
		rc = add_context(l, pattern + a.m, end);
	return rc;
}

/* Rows for all up to the end of the listing that differs. 1: one does; 0: none. */
static int find_rows(struct listing *l)
{
	size_t line = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < l->list->patterns.n; i++) {
		bool anywhere = l->list->patterns.v[i].kind == MATCH_ANYWHERE || i == 0;
		size_t at = line;

		while (anywhere && at < l->lines.n && !holds(l, i, at))
			at++;
		if (at >= l->lines.n || !holds(l, i, at)) {
			rc = align(l, i, line);
			return rc < 0 ? rc : 1;
		}
		if (at > line)
			rc = add_gap(l);
		if (rc == 0)
			rc = add_row(l, i, at, false);
		line = at + 1;
	}
	return rc;
}

/* ---- numbers and text --------------------------------------------------------- */

/* "7: exit" is instruction 7, "exit"; ret_text is the line itself if it has no number. */
static uint64_t split_number(const char *line, const char **ret_text)
{
	const char *p = line;
	uint64_t number = 0;

	while (isspace((unsigned char)*p))
		p++;
	*ret_text = line;
	if (!isdigit((unsigned char)*p))
		return NO_NUMBER;
	while (isdigit((unsigned char)*p))
		number = 10 * number + (*p++ - '0');
	if (*p != ':')
		return NO_NUMBER;
	*ret_text = p + 1 + (p[1] == ' ');
	return number;
}

static uint64_t line_number(const struct listing *l, size_t line)
{
	const char *text;

	return line < l->lines.n ? split_number(l->lines.v[line], &text) : NO_NUMBER;
}

/* How many instructions a line is: 64-bit immediates are two. */
static uint64_t line_width(const struct listing *l, const struct row *row)
{
	uint64_t from, to;

	if (row->line == NONE || row->differs)
		return 1;
	from = line_number(l, row->line);
	to = line_number(l, row->line + 1);
	return to != NO_NUMBER && to > from ? to - from : 1;
}

static void number_patterns(struct listing *l)
{
	uint64_t next = NO_NUMBER;

	for (size_t i = 0; i < l->rows.n; i++) {
		struct row *row = &l->rows.v[i];
		const char *text;

		row->number = NO_NUMBER;
		if (row->pattern == NONE)
			continue;
		if (l->list->patterns.v[row->pattern].kind == MATCH_ANYWHERE)
			next = row->line == NONE ? NO_NUMBER : line_number(l, row->line);
		row->number = split_number(l->list->patterns.v[row->pattern].text, &text);
		if (row->number == NO_NUMBER)
			row->number = next;
		if (row->number != NO_NUMBER)
			next = row->number + line_width(l, row);
	}
}

/* One side of a row, of which width columns are filled; what does not fit is left in *text. */
static void print_side(const char **text, uint64_t number, int width, FILE *out)
{
	int len = strnlen(*text, TEXT_WIDTH);

	if (number == NO_NUMBER)
		fprintf(out, "%*s ", NUMBER_WIDTH, "");
	else
		fprintf(out, "%*llu ", NUMBER_WIDTH, (unsigned long long)number);
	fprintf(out, "%-*.*s", width, len, *text);
	*text += len;
}

static void print_row(const struct listing *l, const struct row *row, bool first, FILE *out)
{
	const char *left = row->gap ? "..." : "", *right = left, *mark = first ? "-->" : "";
	uint64_t left_number = row->number, right_number = NO_NUMBER;
	char sign = ' ';

	if (row->pattern != NONE)
		split_number(l->list->patterns.v[row->pattern].text, &left);
	if (row->line != NONE)
		right_number = split_number(l->lines.v[row->line], &right);
	if (row->differs)
		sign = row->pattern == NONE ? '>' : row->line == NONE ? '<' : '|';
	do {
		fprintf(out, "%-3s ", mark);
		print_side(&left, left_number, TEXT_WIDTH, out);
		fprintf(out, " %c", sign);
		if (*right) {
			fputc(' ', out);
			print_side(&right, right_number, 0, out);
		}
		fputc('\n', out);
		mark = "";
		left_number = right_number = NO_NUMBER;
	} while (*left || *right);
}

static int print_rows(const struct listing *l, char **ret_text)
{
	bool seen = false;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	fprintf(out, "%*s%-*s   %*s%s\n", NUMBER_WIDTH + 5, "", TEXT_WIDTH, "expected",
		NUMBER_WIDTH + 1, "", "actual");
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct row *row = &l->rows.v[i];

		print_row(l, row, row->differs && !seen, out);
		seen |= row->differs;
	}
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	*ret_text = text;
	return 0;
}

int listing__compare(const struct match_list *list, const char *text, char **ret_text)
{
	_cleanup_(listing_clear) struct listing l = { .list = list };
	int rc;

	for (size_t i = 0; i < list->patterns.n; i++) {
		if (list->patterns.v[i].kind == MATCH_ABSENT)
			return 0;
	}
	rc = split_lines(&l, text);
	if (rc == 0)
		rc = find_rows(&l);
	if (rc <= 0)
		return rc;
	number_patterns(&l);
	rc = print_rows(&l, ret_text);
	return rc < 0 ? rc : 1;
}
