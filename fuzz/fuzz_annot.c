// SPDX-License-Identifier: GPL-2.0-only
/* Tags of a function, one a line, and behind an empty line a text to hold against them. */
#include "annot.h"
#include "cleanup.h"
#include "fuzz.h"
#include "listing.h"

#define TAGS_MAX    64
#define PATTERN_MAX 64

/* C's regular expressions may take time and memory without bounds: a few small ones will do. */
static bool is_tame(const char *tag)
{
	const char *open = strstr(tag, "{{");

	return !open || (strlen(open) < PATTERN_MAX && !strpbrk(open + 2, "*+?{\\"));
}

static size_t split_tags(char *tags, const char *ret_tags[TAGS_MAX])
{
	size_t n = 0;
	char *tag;

	while (n < TAGS_MAX && (tag = strsep(&tags, "\n")))
		if (is_tame(tag))
			ret_tags[n++] = tag;
	return n;
}

static void check(const struct annot *annot, enum annot_mode mode, const char *text)
{
	for (int i = 0; i < ANNOT_TEXTS; i++) {
		const struct match_list *list = annot__texts(annot, mode, i);
		_cleanup_free_ char *report = NULL, *compared = NULL;
		int rc = match_list__check(list, text, &report), lines = 0;

		fuzz_require(rc == 0 || (rc == 1 && report));
		fuzz_require(list->patterns.n || rc == 0);
		/* Asked for only what a check has found. */
		if (rc == 1)
			lines = listing__compare(list, text, &compared);
		fuzz_require(lines == (compared != NULL));
	}
}

void fuzz_annot(const uint8_t *data, size_t len)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;
	_cleanup_free_ char *tags = fuzz_text(data, len);
	char *text = strstr(tags, "\n\n");
	const char *list[TAGS_MAX];
	struct err err = {};
	size_t n;

	if (text) {
		*text = '\0';
		text += 2;
	}
	n = split_tags(tags, list);
	if (annot__read(list, n, &annot, &err) < 0) {
		fuzz_require(err.text[0] && !annot);
		return;
	}
	for (int mode = 0; mode < ANNOT_MODES; mode++)
		check(annot, mode, text ?: "");
}
