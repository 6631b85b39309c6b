// SPDX-License-Identifier: GPL-2.0-only
#include "codes.h"

#include "cleanup.h"
#include "folder.h"

#define MOST_BYTES   (32u << 20)
#define MOST_EDITS   2000 /* lines that differ; the work grows with their square */
#define CONTEXT	     4
#define MOST_PRINTED 2000

/* ---- reading ----------------------------------------------------------------- */

/* The same name as veristat gives the file. */
static int read_code(const struct results *side, const char *object, const char *program,
		     char **ret_text)
{
	_cleanup_free_ char *name = NULL;
	int ret = str__printf(&name, "%s.%s.txt", object, program);

	if (ret)
		return ret;
	for (char *c = name; *c; c++)
		*c = *c == '/' ? '_' : *c;
	for (size_t i = 0; i < side->boots.n; i++) {
		_cleanup_close_ int dir = -1;

		if (side->boots.v[i].class || folder__enter(side->boots.v[i].fd, "code", &dir))
			continue;
		ret = folder__read(dir, name, MOST_BYTES, ret_text, NULL);
		if (!ret || ret == -ENOMEM)
			return ret;
	}
	return -ENOENT;
}

struct text_lines {
	VEC(char *) v;
};

static void text_lines__reset(struct text_lines *lines)
{
	vec_free(&lines->v);
}

static int split(char *text, struct text_lines *lines)
{
	char *line;
	int err = 0;

	while (!err && (line = strsep(&text, "\n")))
		if (*line || text)
			err = vec_push(&lines->v, line);
	return err;
}

/*
 * "12: r0 = 1": behind one more instruction all numbers are others, so they do
 * not count in what is the same.
 */
static const char *without_number(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return digits && line[digits] == ':' ? line + digits : line;
}

static bool same_line(const char *a, const char *b)
{
	return streq(without_number(a), without_number(b));
}

/* ---- the shortest way from one to the other ---------------------------------- */

/*
 * Greedy, after Myers: far[d][k] is how far in A a way of d edits gets on the
 * diagonal k (place in A less place in B). Rows are kept to walk back.
 */
struct walk {
	char **a, **b;
	long n, m;
	long **far; /* owned; far[d] has 2 * d + 1 entries, from diagonal -d on */
	long edits;
};

static void walk__reset(struct walk *walk)
{
	for (long d = 0; walk->far && d <= MOST_EDITS; d++)
		free(walk->far[d]);
	free(walk->far);
}

static long far_of(const struct walk *walk, long d, long k)
{
	return d < 0 || k < -d || k > d ? -1 : walk->far[d][k + d];
}

/* Whether the last edit of a way to diagonal k took a line of B. */
static bool is_down(const struct walk *walk, long d, long k)
{
	return k == -d || (k != d && far_of(walk, d - 1, k - 1) < far_of(walk, d - 1, k + 1));
}

static long walk__start(const struct walk *walk, long d, long k)
{
	if (!d)
		return 0;
	return is_down(walk, d, k) ? far_of(walk, d - 1, k + 1) : far_of(walk, d - 1, k - 1) + 1;
}

static int walk__find(struct walk *walk)
{
	walk->far = calloc(MOST_EDITS + 1, sizeof(*walk->far));
	if (!walk->far)
		return -ENOMEM;
	for (long d = 0; d <= MOST_EDITS; d++) {
		walk->far[d] = calloc(2 * d + 1, sizeof(**walk->far));
		if (!walk->far[d])
			return -ENOMEM;
		for (long k = -d; k <= d; k += 2) {
			long x = walk__start(walk, d, k);

			while (x < walk->n && x - k < walk->m && x - k >= 0 &&
			       same_line(walk->a[x], walk->b[x - k]))
				x++;
			walk->far[d][k + d] = x;
			if (x >= walk->n && x - k >= walk->m) {
				walk->edits = d;
				return 0;
			}
		}
	}
	return -EFBIG;
}

/* Marks the lines that only one side has. */
static void walk__mark(const struct walk *walk, bool *only_a, bool *only_b)
{
	long k = walk->n - walk->m;

	for (long d = walk->edits; d > 0; d--) {
		long start = walk__start(walk, d, k);

		if (is_down(walk, d, k)) {
			if (start - k - 1 >= 0 && start - k - 1 < walk->m)
				only_b[start - k - 1] = true;
			k++;
		} else {
			if (start - 1 >= 0 && start - 1 < walk->n)
				only_a[start - 1] = true;
			k--;
		}
	}
}

/* ---- what is shown ----------------------------------------------------------- */

static int push(struct codes *codes, enum codes_kind kind, const char *text, size_t n)
{
	if (codes->lines.n >= MOST_PRINTED) {
		codes->cut = true;
		return 0;
	}
	return vec_push(&codes->lines, (struct codes_line){ kind, text, n });
}

/* Lines that both have; those far from any that differ are only counted. */
static int push_same(struct codes *codes, char *const *lines, size_t n, bool first, bool last)
{
	size_t head = first ? 0 : CONTEXT, tail = last ? 0 : CONTEXT;
	int err = 0;

	if (n <= head + tail + 1)
		head = n, tail = 0;
	for (size_t i = 0; i < head && !err; i++)
		err = push(codes, CODES_SAME, lines[i], 1);
	if (n > head + tail && !err)
		err = push(codes, CODES_LEFT_OUT, NULL, n - head - tail);
	for (size_t i = n - tail; i < n && !err; i++)
		err = push(codes, CODES_SAME, lines[i], 1);
	return err;
}

static int collect(struct codes *codes, const struct walk *walk, const bool *only_a,
		   const bool *only_b)
{
	long x = 0, y = 0;
	int err = 0;

	while ((x < walk->n || y < walk->m) && !err) {
		long from = x;

		while (x < walk->n && y < walk->m && !only_a[x] && !only_b[y])
			x++, y++;
		if (x > from)
			err = push_same(codes, walk->a + from, x - from, !from,
					x == walk->n && y == walk->m);
		for (; x < walk->n && only_a[x] && !err; x++)
			err = push(codes, CODES_A, walk->a[x], 1);
		for (; y < walk->m && only_b[y] && !err; y++)
			err = push(codes, CODES_B, walk->b[y], 1);
	}
	return err;
}

static int compare_texts(struct codes *codes)
{
	_cleanup_(text_lines__reset) struct text_lines a = {}, b = {};
	_cleanup_(walk__reset) struct walk walk = {};
	_cleanup_free_ bool *only_a = NULL, *only_b = NULL;
	int err = split(codes->text[0], &a) ?: split(codes->text[1], &b);

	if (err)
		return err;
	walk.a = a.v.v;
	walk.b = b.v.v;
	walk.n = a.v.n;
	walk.m = b.v.n;
	err = walk__find(&walk);
	if (err)
		return err;
	if (!walk.edits)
		return -ENODATA;
	only_a = calloc(walk.n + 1, sizeof(*only_a));
	only_b = calloc(walk.m + 1, sizeof(*only_b));
	if (!only_a || !only_b)
		return -ENOMEM;
	walk__mark(&walk, only_a, only_b);
	return collect(codes, &walk, only_a, only_b);
}

int codes__find(const struct results *a, const struct results *b, const char *object,
		const char *program, struct codes *ret_codes)
{
	_cleanup_(codes__reset) struct codes codes = {};
	int err = read_code(a, object, program, &codes.text[0])
			  ?: read_code(b, object, program, &codes.text[1])
			  ?: compare_texts(&codes);

	if (err)
		return err;
	*ret_codes = codes;
	codes = (struct codes){};
	return 0;
}

void codes__reset(struct codes *codes)
{
	free(codes->text[0]);
	free(codes->text[1]);
	vec_free(&codes->lines);
}
