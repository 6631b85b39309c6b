// SPDX-License-Identifier: GPL-2.0-only
#include "filter.h"

#include <errno.h>
#include <fnmatch.h>

#include "lines.h"

struct filter_rule {
	bool deny;
	char *either;		/* owned; for the object's or the program's name, or NULL: */
	char *object, *program; /* owned; NULL: any */
};

struct filter_condition {
	bool deny;
	struct expr expr;
};

struct filter {
	VEC(struct filter_rule) rules;
	VEC(struct filter_condition) conditions;
	bool selective; /* a rule allows */
};

static bool fits(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, 0) == 0;
}

static int rule_set(struct filter_rule *rule, const char *text)
{
	const char *slash = strchr(text, '/');

	if (!slash) {
		rule->either = strdup(text);
		return rule->either ? 0 : -ENOMEM;
	}
	if (slash > text) {
		rule->object = strndup(text, slash - text);
		if (!rule->object)
			return -ENOMEM;
	}
	if (slash[1]) {
		rule->program = strdup(slash + 1);
		if (!rule->program)
			return -ENOMEM;
	}
	return 0;
}

static void rule_clear(struct filter_rule *rule)
{
	free(rule->either);
	free(rule->object);
	free(rule->program);
}

static int add_condition(struct filter *filter, const char *text, bool deny, struct err *err)
{
	struct filter_condition condition = { .deny = deny };
	int rc;

	rc = expr__parse(SUITE_VERISTAT, text, &condition.expr, err);
	if (rc < 0)
		return rc;
	rc = vec_push(&filter->conditions, condition);
	if (rc < 0)
		expr__clear(&condition.expr);
	return rc;
}

static int add_rule(struct filter *filter, const char *text, struct err *err)
{
	struct filter_rule rule = { .deny = *text == '!' };
	int rc;

	text += rule.deny;
	if (expr__looks_like(text))
		return add_condition(filter, text, rule.deny, err);
	if (!*text || streq(text, "/"))
		return err__set(err, -EINVAL,
				"an empty filter: expected OBJECT, OBJECT/, "
				"/PROGRAM or OBJECT/PROGRAM");
	rc = rule_set(&rule, text);
	if (rc == 0)
		rc = vec_push(&filter->rules, rule);
	if (rc < 0) {
		rule_clear(&rule);
		return rc;
	}
	filter->selective |= !rule.deny;
	return 0;
}

static int add_file(struct filter *filter, const char *path, struct err *err)
{
	_cleanup_lines_ struct lines lines = {};
	char *line;
	int rc;

	rc = lines__read(path, "the filters", &lines, err);
	while (rc == 0 && (line = lines__next(&lines))) {
		struct err why = {};

		rc = add_rule(filter, line, &why);
		if (rc < 0 && why.text[0])
			return err__set(err, rc, "%s:%zu: %s", path, lines.number, why.text);
	}
	return rc;
}

int filter__new(const struct opt_list *expressions, struct filter **ret_filter, struct err *err)
{
	_cleanup_filter_ struct filter *filter = calloc(1, sizeof(*filter));
	int rc;

	if (!filter)
		return -ENOMEM;
	for (size_t i = 0; i < expressions->n; i++) {
		const char *text = expressions->v[i];

		rc = *text == '@' ? add_file(filter, text + 1, err) : add_rule(filter, text, err);
		if (rc < 0)
			return rc;
	}
	*ret_filter = TAKE_PTR(filter);
	return 0;
}

void filter__free(struct filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->rules.n; i++)
		rule_clear(&filter->rules.v[i]);
	vec_free(&filter->rules);
	for (size_t i = 0; i < filter->conditions.n; i++)
		expr__clear(&filter->conditions.v[i].expr);
	vec_free(&filter->conditions);
	free(filter);
}

const struct expr *filter__condition(const struct filter *filter, size_t i)
{
	return i < filter->conditions.n ? &filter->conditions.v[i].expr : NULL;
}

bool filter__shows(const struct filter *filter, bool (*holds)(void *ctx, const struct expr *expr),
		   void *ctx)
{
	bool selective = false, shown = false;

	for (size_t i = 0; i < filter->conditions.n; i++) {
		const struct filter_condition *condition = &filter->conditions.v[i];
		bool held = holds(ctx, &condition->expr);

		if (condition->deny && held)
			return false;
		selective |= !condition->deny;
		shown |= !condition->deny && held;
	}
	return shown || !selective;
}

static bool rule_fits(const struct filter_rule *rule, const char *object, const char *program)
{
	if (rule->either)
		return fits(rule->either, object) || fits(rule->either, program);
	return (!rule->object || fits(rule->object, object)) &&
	       (!rule->program || fits(rule->program, program));
}

bool filter__takes(const struct filter *filter, const char *object, const char *program)
{
	bool allowed = !filter->selective;

	for (size_t i = 0; i < filter->rules.n; i++) {
		const struct filter_rule *rule = &filter->rules.v[i];

		if (!rule_fits(rule, object, program))
			continue;
		if (rule->deny)
			return false;
		allowed = true;
	}
	return allowed;
}

bool filter__may_take(const struct filter *filter, const char *object)
{
	bool allowed = !filter->selective;

	for (size_t i = 0; i < filter->rules.n; i++) {
		const struct filter_rule *rule = &filter->rules.v[i];
		const char *pattern = rule->either ? rule->either : rule->object;
		bool any_program = rule->either || !rule->program;

		if (rule->deny && any_program && (!pattern || fits(pattern, object)))
			return false;
		/* A pattern for either may still fit a program's name. */
		if (!rule->deny && (rule->either || !pattern || fits(pattern, object)))
			allowed = true;
	}
	return allowed;
}
