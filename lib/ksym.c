// SPDX-License-Identifier: GPL-2.0-only
#include "ksym.h"

#include <errno.h>
#include <stdio.h>

#include "cleanup.h"

struct line {
	uint64_t address;
	char type;
	const char *name;
	bool module;
};

/*
 * "ffffffff81609800 t alloc_vmap_area", a module's with a tab and "[name]"
 * behind it. By hand: there are 100,000 of them. Cuts text behind the name.
 */
static bool parse_line(char *text, struct line *line)
{
	char *end;

	line->address = strtoull(text, &end, 16);
	if (end == text || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	line->type = end[1];
	line->name = end + 3;
	end = strpbrk(line->name, "\t\n");
	line->module = end && *end == '\t';
	if (end)
		*end = '\0';
	return true;
}

static bool is_one_of(const char *symbol, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(names[i]);

		if (strncmp(symbol, names[i], len) == 0 && (!symbol[len] || symbol[len] == '.'))
			return true;
	}
	return false;
}

/* Symbols come sorted by address but for modules; several may share an address. */
struct scan {
	struct ksym_range *ranges;
	size_t n, max;
	size_t first_open; /* ranges from here on wait for their end */
	bool any_address;
};

static int scan_line(struct scan *s, const struct line *line, const char *const *names, size_t n)
{
	s->any_address = s->any_address || line->address;
	if (line->module || !line->address)
		return 0;
	while (s->first_open < s->n && line->address > s->ranges[s->first_open].from)
		s->ranges[s->first_open++].to = line->address;
	if ((line->type != 't' && line->type != 'T') || !is_one_of(line->name, names, n))
		return 0;
	if (s->n == s->max)
		return -ENOSPC;
	s->ranges[s->n++] = (struct ksym_range){ line->address, line->address };
	return 0;
}

int ksym__ranges(const char *path, const char *const *names, size_t n,
		 struct ksym_range *ret_ranges, size_t max)
{
	struct scan s = { .max = max };
	_cleanup_free_ struct ksym_range *ranges = NULL;
	_cleanup_free_ char *text = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	size_t cap = 0;
	int rc;

	ranges = calloc(max + 1, sizeof(*ranges));
	if (!ranges)
		return -ENOMEM;
	s.ranges = ranges;
	f = fopen(path, "re");
	if (!f)
		return -errno;
	while (getline(&text, &cap, f) > 0) {
		struct line line;

		if (!parse_line(text, &line))
			continue;
		rc = scan_line(&s, &line, names, n);
		if (rc < 0)
			return rc;
	}
	if (ferror(f))
		return -EIO;
	if (!s.any_address)
		return -EPERM;
	memcpy(ret_ranges, ranges, s.n * sizeof(*ranges));
	return s.n;
}

static bool is_function(const struct line *line)
{
	return strchr("tTwW", line->type);
}

/* best: where the function begins that place i is so far said to lie in. */
static void name_places(const struct line *line, struct ksym_place *places, uint64_t *best,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ksym_place *p = &places[i];

		/* Of several names for one address the first. */
		if (line->address > p->address || line->address <= best[i])
			continue;
		best[i] = line->address;
		p->offset = p->address - line->address;
		snprintf(p->name, sizeof(p->name), "%s", line->name);
	}
}

int ksym__name(const char *path, struct ksym_place *places, size_t n)
{
	_cleanup_free_ struct ksym_place *found = NULL;
	_cleanup_free_ uint64_t *best = NULL;
	_cleanup_free_ char *text = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	bool any_address = false;
	size_t cap = 0;

	found = calloc(n + 1, sizeof(*found));
	best = calloc(n + 1, sizeof(*best));
	if (!found || !best)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		found[i].address = places[i].address;
	f = fopen(path, "re");
	if (!f)
		return -errno;
	while (getline(&text, &cap, f) > 0) {
		struct line line;

		if (!parse_line(text, &line) || !is_function(&line))
			continue;
		any_address = any_address || line.address;
		name_places(&line, found, best, n);
	}
	if (ferror(f))
		return -EIO;
	if (!any_address)
		return -EPERM;
	memcpy(places, found, n * sizeof(*found));
	return 0;
}
