// SPDX-License-Identifier: GPL-2.0-only
#include "selector.h"

#include <limits.h>

#include "cleanup.h"
#include "lines.h"

static bool glob_matches(const char *glob, const char *name)
{
	for (; *glob != '*'; glob++, name++) {
		if (*glob != *name)
			return false;
		if (!*glob)
			return true;
	}
	while (*glob == '*')
		glob++;
	if (!*glob)
		return true;
	for (; *name; name++) {
		if (glob_matches(glob, name))
			return true;
	}
	return false;
}

/* A rule's part as a glob that the whole name has to match. */
static char *part_glob(const char *part, size_t len, enum selector_syntax syntax)
{
	const char *star = syntax == SELECTOR_SUBSTRING ? "*" : "";
	char *glob = NULL;

	if (str__printf(&glob, "%s%.*s%s", star, (int)len, part, star) < 0)
		return NULL;
	return glob;
}

static void rule_clear(struct selector_rule *rule)
{
	free(rule->test);
	free(rule->subtest);
}

static int add_rule(struct selector *sel, enum selector_list list, enum selector_syntax syntax,
		    const char *text, struct err *err)
{
	struct selector_rule rule = {};
	size_t len = strcspn(text, "/");
	int rc;

	if (!len || (text[len] && !text[len + 1]))
		return err__set(err, -EINVAL, "'%s': expected TEST or TEST/SUBTEST", text);
	rule.test = part_glob(text, len, syntax);
	if (text[len])
		rule.subtest = part_glob(text + len + 1, strlen(text + len + 1), syntax);
	if (!rule.test || (text[len] && !rule.subtest))
		rc = -ENOMEM;
	else if (list == SELECTOR_ALLOW)
		rc = vec_push(&sel->allow, rule);
	else
		rc = vec_push(&sel->deny, rule);
	if (rc < 0)
		rule_clear(&rule);
	return rc;
}

static int add_file(struct selector *sel, enum selector_list list, enum selector_syntax syntax,
		    const char *path, struct err *err)
{
	_cleanup_lines_ struct lines lines = {};
	char *line;
	int rc;

	rc = lines__read(path, "the list of tests", &lines, err);
	while (rc == 0 && (line = lines__next(&lines)))
		rc = add_rule(sel, list, syntax, line, err);
	return rc;
}

int selector__add(struct selector *sel, enum selector_list list, enum selector_syntax syntax,
		  const char *names, struct err *err)
{
	_cleanup_free_ char *copy = NULL;
	char *rest, *name;
	int rc = 0;

	if (*names == '@')
		return add_file(sel, list, syntax, names + 1, err);
	copy = strdup(names);
	if (!copy)
		return -ENOMEM;
	rest = copy;
	while (rc == 0 && (name = strsep(&rest, ",")))
		rc = add_rule(sel, list, syntax, name, err);
	return rc;
}

static int range_read(char *text, struct selector_range *ret_range)
{
	char *dash = strchr(text, '-');
	uint64_t first, last;

	if (dash)
		*dash = '\0';
	if (str__to_u64(text, 10, &first) < 0)
		return -EINVAL;
	last = first;
	if (dash && str__to_u64(dash + 1, 10, &last) < 0)
		return -EINVAL;
	if (!first || last < first || last > UINT_MAX)
		return -EINVAL;
	*ret_range = (struct selector_range){ first, last };
	return 0;
}

static int add_ranges(struct selector_ranges *ranges, bool subtests, char *text)
{
	struct selector_range range;
	char *item;
	int rc = 0;

	while (rc == 0 && (item = strsep(&text, ","))) {
		rc = range_read(item, &range);
		if (rc == 0)
			rc = subtests ? vec_push(&ranges->subtests, range)
				      : vec_push(&ranges->tests, range);
	}
	return rc;
}

static void ranges_clear(struct selector_ranges *ranges)
{
	vec_free(&ranges->tests);
	vec_free(&ranges->subtests);
}

int selector__add_numbers(struct selector *sel, const char *numbers, struct err *err)
{
	_cleanup_free_ char *copy = strdup(numbers);
	struct selector_ranges ranges = {};
	char *subtests;
	int rc;

	if (!copy)
		return -ENOMEM;
	subtests = strchr(copy, '/');
	if (subtests)
		*subtests++ = '\0';
	rc = add_ranges(&ranges, false, copy);
	if (rc == 0 && subtests)
		rc = add_ranges(&ranges, true, subtests);
	if (rc == 0)
		rc = vec_push(&sel->numbers, ranges);
	if (rc < 0)
		ranges_clear(&ranges);
	if (rc == -EINVAL)
		err__set(err, rc, "'%s': expected numbers from 1, as in 4, 2-5 or 7/1-3", numbers);
	return rc;
}

static bool in_ranges(const struct selector_range *v, size_t n, unsigned int number)
{
	for (size_t i = 0; i < n; i++) {
		if (number >= v[i].first && number <= v[i].last)
			return true;
	}
	return false;
}

static bool rule_has_subtest(const struct selector_rule *rule, const char *test, const char *name,
			     const char *desc)
{
	if (!glob_matches(rule->test, test))
		return false;
	return !rule->subtest || glob_matches(rule->subtest, name) ||
	       (desc && glob_matches(rule->subtest, desc));
}

static bool selects_all(const struct selector *sel)
{
	return !sel->allow.n && !sel->numbers.n;
}

bool selector__test(const struct selector *sel, unsigned int number, const char *name)
{
	for (size_t i = 0; i < sel->deny.n; i++) {
		const struct selector_rule *rule = &sel->deny.v[i];

		if (!rule->subtest && glob_matches(rule->test, name))
			return false;
	}
	for (size_t i = 0; i < sel->allow.n; i++) {
		if (glob_matches(sel->allow.v[i].test, name))
			return true;
	}
	for (size_t i = 0; i < sel->numbers.n; i++) {
		const struct selector_ranges *r = &sel->numbers.v[i];

		if (in_ranges(r->tests.v, r->tests.n, number))
			return true;
	}
	return selects_all(sel);
}

bool selector__subtest(const struct selector *sel, unsigned int test_number, const char *test,
		       unsigned int number, const char *name, const char *desc)
{
	for (size_t i = 0; i < sel->deny.n; i++) {
		if (rule_has_subtest(&sel->deny.v[i], test, name, desc))
			return false;
	}
	for (size_t i = 0; i < sel->allow.n; i++) {
		if (rule_has_subtest(&sel->allow.v[i], test, name, desc))
			return true;
	}
	for (size_t i = 0; i < sel->numbers.n; i++) {
		const struct selector_ranges *r = &sel->numbers.v[i];

		if (in_ranges(r->tests.v, r->tests.n, test_number) &&
		    (!r->subtests.n || in_ranges(r->subtests.v, r->subtests.n, number)))
			return true;
	}
	return selects_all(sel);
}

void selector__clear(struct selector *sel)
{
	for (size_t i = 0; i < sel->allow.n; i++)
		rule_clear(&sel->allow.v[i]);
	for (size_t i = 0; i < sel->deny.n; i++)
		rule_clear(&sel->deny.v[i]);
	for (size_t i = 0; i < sel->numbers.n; i++)
		ranges_clear(&sel->numbers.v[i]);
	vec_free(&sel->allow);
	vec_free(&sel->deny);
	vec_free(&sel->numbers);
}
