// SPDX-License-Identifier: GPL-2.0-only
#include "match.h"

#include <stdio.h>

#include "cleanup.h"

#define GAP "..."

/* Where a pattern was found: byte offsets into the text; line counts from 0. */
struct match {
	bool found;
	size_t start, end;
	size_t line;
};

/* Pattern to regular expression: what is outside of the braces is quoted. */
static int pattern_to_regex(const char *pattern, char **ret_regex, struct err *err)
{
	_cleanup_free_ char *out = malloc(2 * strlen(pattern) + 1);
	const char *in = pattern;
	bool inside = false;
	size_t n = 0;

	if (!out)
		return -ENOMEM;
	while (*in) {
		if (str_starts(in, inside ? "}}" : "{{")) {
			inside = !inside;
			in += 2;
			continue;
		}
		if (!inside && strchr("\\.[]()*+?{}|^$", *in))
			out[n++] = '\\';
		out[n++] = *in++;
	}
	out[n] = '\0';
	if (inside)
		return err__set(err, -EINVAL, "pattern '%s': expected }} after {{", pattern);
	*ret_regex = TAKE_PTR(out);
	return 0;
}

static int pattern_compile(struct match_pattern *p, struct err *err)
{
	_cleanup_free_ char *regex = NULL;
	char why[128];
	int rc;

	rc = pattern_to_regex(p->text, &regex, err);
	if (rc < 0)
		return rc;
	rc = regcomp(&p->regex, regex, REG_EXTENDED | REG_NEWLINE);
	if (rc) {
		regerror(rc, &p->regex, why, sizeof(why));
		return err__set(err, -EINVAL, "pattern '%s': %s", p->text, why);
	}
	p->is_regex = true;
	return 0;
}

static void pattern_clear(struct match_pattern *p)
{
	if (p->is_regex)
		regfree(&p->regex);
	free(p->text);
}

int match_list__add(struct match_list *list, const char *text, enum match_kind kind,
		    struct err *err)
{
	struct match_pattern p = { .kind = kind };
	int rc = 0;

	p.text = strdup(text);
	if (!p.text)
		return -ENOMEM;
	if (strstr(text, "{{"))
		rc = pattern_compile(&p, err);
	if (rc == 0)
		rc = vec_push(&list->patterns, p);
	if (rc < 0)
		pattern_clear(&p);
	return rc;
}

int match_list__add_line(struct match_list *list, const char *text, struct err *err)
{
	int rc;

	if (streq(text, GAP)) {
		list->on_next_line = false;
		return 0;
	}
	rc = match_list__add(list, text, list->on_next_line ? MATCH_NEXT_LINE : MATCH_ANYWHERE,
			     err);
	if (rc == 0)
		list->on_next_line = true;
	return rc;
}

void match_list__new_listing(struct match_list *list)
{
	list->on_next_line = false;
}

void match_list__clear(struct match_list *list)
{
	for (size_t i = 0; i < list->patterns.n; i++)
		pattern_clear(&list->patterns.v[i]);
	vec_free(&list->patterns);
	list->on_next_line = false;
}

/* First occurrence at or behind from; offsets are those of the whole text. */
static struct match pattern_find(const struct match_pattern *p, const char *text, size_t from)
{
	struct match m = {};
	int flags = from && text[from - 1] != '\n' ? REG_NOTBOL : 0;
	const char *hit;
	regmatch_t reg;

	if (p->is_regex) {
		if (regexec(&p->regex, text + from, 1, &reg, flags) == 0)
			m = (struct match){ .found = true,
					    .start = from + reg.rm_so,
					    .end = from + reg.rm_eo };
		return m;
	}
	hit = strstr(text + from, p->text);
	if (hit)
		m = (struct match){ .found = true,
				    .start = hit - text,
				    .end = hit - text + strlen(p->text) };
	return m;
}

bool match_pattern__on_line(const struct match_pattern *p, const char *line)
{
	return pattern_find(p, line, 0).found;
}

static size_t count_lines(const char *text, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += text[i] == '\n';
	return n;
}

/* Positive patterns, each behind the last that was found. */
static void find_positive(const struct match_list *list, const char *text, struct match *matches)
{
	size_t from = 0, counted = 0, line = 0;

	for (size_t i = 0; i < list->patterns.n; i++) {
		const struct match_pattern *p = &list->patterns.v[i];

		if (p->kind == MATCH_ABSENT)
			continue;
		matches[i] = pattern_find(p, text, from);
		if (!matches[i].found)
			continue;
		line += count_lines(text, counted, matches[i].start);
		matches[i].line = line;
		counted = matches[i].start;
		from = matches[i].end;
	}
}

/* Negative patterns, each between the positive ones around it. */
static void find_negative(const struct match_list *list, const char *text, struct match *matches)
{
	size_t from = 0, to, n = list->patterns.n;

	for (size_t i = 0; i < n; i++) {
		const struct match_pattern *p = &list->patterns.v[i];
		struct match m;
		size_t next;

		if (p->kind != MATCH_ABSENT) {
			if (matches[i].found)
				from = matches[i].end;
			continue;
		}
		next = i + 1;
		while (next < n &&
		       (list->patterns.v[next].kind == MATCH_ABSENT || !matches[next].found))
			next++;
		to = next < n ? matches[next].start : strlen(text);
		m = pattern_find(p, text, from);
		if (m.found && m.end <= to)
			matches[i] = m;
	}
}

/* Line number line (from 0) of the text, without its end; "%.*s". */
static const char *line_at(const char *text, size_t line, int *ret_len)
{
	while (line > 0 && (text = strchr(text, '\n'))) {
		text++;
		line--;
	}
	if (!text || !*text)
		return NULL;
	*ret_len = strcspn(text, "\n");
	return text;
}

enum verdict { HELD, MISSING, WRONG_LINE, UNEXPECTED };

static enum verdict pattern_verdict(const struct match_pattern *p, const struct match *m,
				    const struct match *prev)
{
	if (p->kind == MATCH_ABSENT)
		return m->found ? UNEXPECTED : HELD;
	if (p->kind == MATCH_NEXT_LINE && prev)
		return m->found && m->line == prev->line + 1 ? HELD
		       : m->found			     ? WRONG_LINE
							     : MISSING;
	return m->found ? HELD : MISSING;
}

static void report_failed(FILE *out, const struct match_list *list, const char *text, size_t failed,
			  enum verdict verdict, const struct match *m, const struct match *prev)
{
	static const char *const words[] = {
		[HELD] = "found",
		[MISSING] = "not found",
		[WRONG_LINE] = "wrong line",
		[UNEXPECTED] = "unexpected",
	};
	const struct match_pattern *p = &list->patterns.v[failed];
	const char *line;
	int len;

	for (size_t i = 0; i <= failed; i++) {
		const struct match_pattern *q = &list->patterns.v[i];
		const char *word = i == failed		     ? words[verdict]
				   : q->kind == MATCH_ABSENT ? "absent"
							     : words[HELD];

		fprintf(out, "  %-10s '%s'\n", word, q->text);
	}
	if (verdict == UNEXPECTED) {
		line = line_at(text, count_lines(text, 0, m->start), &len);
		fprintf(out, "expected: nowhere here\nactual:   '%.*s'\n", line ? len : 0, line);
	} else if (p->kind == MATCH_NEXT_LINE && prev) {
		line = line_at(text, prev->line + 1, &len);
		fprintf(out, "expected: '%s' on line %zu\nactual:   ", p->text, prev->line + 2);
		if (line)
			fprintf(out, "'%.*s'\n", len, line);
		else
			fprintf(out, "the text ends before it\n");
		if (verdict == WRONG_LINE)
			fprintf(out, "found on line %zu instead\n", m->line + 1);
	} else {
		fprintf(out, "expected: '%s' behind line %zu\nactual:   it is not there\n", p->text,
			prev ? prev->line + 1 : 0);
	}
}

int match_list__check(const struct match_list *list, const char *text, char **ret_report)
{
	_cleanup_free_ struct match *matches = calloc(list->patterns.n + 1, sizeof(*matches));
	_cleanup_free_ char *report = NULL;
	const struct match *prev = NULL;
	size_t len;
	FILE *out;

	if (!matches)
		return -ENOMEM;
	find_positive(list, text, matches);
	find_negative(list, text, matches);
	for (size_t i = 0; i < list->patterns.n; i++) {
		const struct match_pattern *p = &list->patterns.v[i];
		enum verdict verdict = pattern_verdict(p, &matches[i], prev);

		if (verdict != HELD) {
			out = open_memstream(&report, &len);
			if (!out)
				return -ENOMEM;
			report_failed(out, list, text, i, verdict, &matches[i], prev);
			if (fclose(out))
				return -ENOMEM;
			*ret_report = TAKE_PTR(report);
			return 1;
		}
		if (p->kind != MATCH_ABSENT)
			prev = &matches[i];
	}
	return 0;
}
