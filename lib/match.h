/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A text (a verifier log, a disassembly) against an ordered list of patterns.
 *
 * A pattern is plain text; what stands between {{ and }} is a POSIX extended
 * regular expression, so "R{{[0-9]}}=scalar" matches "R1=scalar". A plain
 * pattern may span lines, a regular expression does not leave its line.
 *
 * Each positive pattern is looked for behind the end of the one before it,
 * and its first occurrence there is the one that counts. The empty pattern is
 * found everywhere (tests of the kernel have it).
 */
#ifndef BPF_AB_MATCH_H
#define BPF_AB_MATCH_H

#include <regex.h>

#include "err.h"
#include "vec.h"

enum match_kind {
	MATCH_ANYWHERE,	 /* somewhere behind the previous match */
	MATCH_NEXT_LINE, /* on the line after the previous match; as the first one: anywhere */
	MATCH_ABSENT,	 /* nowhere between the positive patterns around it */
};

struct match_pattern {
	char *text; /* owned, as it was given */
	enum match_kind kind;
	bool is_regex;
	regex_t regex; /* if is_regex */
};

/* Zero-initialised: an empty list, which every text satisfies. */
struct match_list {
	VEC(struct match_pattern) patterns;
	bool on_next_line; /* what match_list__add_line() adds next */
};

/* Returns 0, -ENOMEM, or -EINVAL with err saying what is wrong with the pattern. */
int match_list__add(struct match_list *list, const char *text, enum match_kind kind,
		    struct err *err);

/*
 * One line of a listing. Lines follow each other without a gap, unless "..."
 * stands between them; the first may be anywhere.
 */
int match_list__add_line(struct match_list *list, const char *text, struct err *err);

/* What is added next starts a new listing: it may be anywhere. */
void match_list__new_listing(struct match_list *list);

/*
 * Returns 0 if all patterns hold; 1 if not, with ret_report (the caller
 * frees) listing the patterns up to the one that doesn't, one a line, and
 * what stands in the text instead; -ENOMEM.
 */
int match_list__check(const struct match_list *list, const char *text, char **ret_report);

/* Whether the pattern is found in one line, given without its end. */
bool match_pattern__on_line(const struct match_pattern *p, const char *line);

void match_list__clear(struct match_list *list);

#endif
