// SPDX-License-Identifier: GPL-2.0-only
#include "placelist.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "cleanup.h"

/* How many have more allocations than this one. */
static size_t rank_by_allocs(const struct kmem_listed *places, size_t n, size_t i)
{
	size_t rank = 0;

	for (size_t j = 0; j < n; j++)
		rank += places[j].allocs > places[i].allocs;
	return rank;
}

static void print_place(FILE *f, const struct kmem_listed *place, bool first)
{
	fputs(first ? "" : "; ", f);
	for (const char *c = place->name; *c; c++)
		fputc(*c == ';' || iscntrl((unsigned char)*c) ? '?' : *c, f);
	fprintf(f, " %" PRIu64 " %" PRIu64, place->allocs, place->bytes);
}

int placelist__print(const struct kmem_listed *places, size_t n, size_t top, char **ret_text)
{
	_cleanup_free_ char *text = NULL;
	bool first = true, failed;
	size_t len;
	FILE *f;

	f = open_memstream(&text, &len);
	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (top && i >= top && rank_by_allocs(places, n, i) >= top)
			continue;
		print_place(f, &places[i], first);
		first = false;
	}
	failed = ferror(f);
	if (fclose(f) != 0 || failed)
		return -ENOMEM;
	*ret_text = TAKE_PTR(text);
	return 0;
}

/* A number that is the last word before end, which then stands before its space. */
static bool take_number(const char *begin, const char **end, uint64_t *ret)
{
	const char *digits = *end;
	uint64_t number = 0;

	while (digits > begin && isdigit((unsigned char)digits[-1]))
		digits--;
	/* 19 digits always fit. */
	if (digits == *end || *end - digits > 19 || digits == begin || digits[-1] != ' ')
		return false;
	for (const char *c = digits; c < *end; c++)
		number = number * 10 + (*c - '0');
	*ret = number;
	*end = digits - 1;
	return true;
}

int placelist__next(const char **at, struct kmem_listed *ret_place)
{
	struct kmem_listed place = {};
	const char *begin = *at, *end;

	if (!*begin)
		return 0;
	end = begin + strcspn(begin, ";");
	*at = *end ? end + 1 : end;
	while (**at == ' ')
		++*at;
	if (!take_number(begin, &end, &place.bytes) || !take_number(begin, &end, &place.allocs) ||
	    end == begin || (size_t)(end - begin) >= sizeof(place.name))
		return -EINVAL;
	memcpy(place.name, begin, end - begin);
	*ret_place = place;
	return 1;
}

bool placelist__is_one(const char *text)
{
	struct kmem_listed place;
	int rc;

	do
		rc = placelist__next(&text, &place);
	while (rc > 0);
	return rc == 0;
}
