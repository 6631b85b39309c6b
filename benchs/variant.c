// SPDX-License-Identifier: GPL-2.0-only
#include "variant.h"

#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "group.h"

/* A setting of a variant: where its value lies in the text. */
struct setting {
	const char *key, *value;
	int key_len, value_len;
};

/* The setting that begins at text, or the hook behind the '/'. Returns what follows it. */
static const char *next_setting(const char *text, struct setting *ret_setting)
{
	size_t len = strcspn(text, ",");
	const char *equals = memchr(text, '=', len);
	struct setting s = { .key = "hook", .key_len = 4, .value = text, .value_len = len };

	if (equals) {
		s.key = text;
		s.key_len = equals - text;
		s.value = equals + 1;
		s.value_len = len - s.key_len - 1;
	}
	*ret_setting = s;
	return text[len] ? text + len + 1 : NULL;
}

static size_t kind_len(const char *variant)
{
	return strcspn(variant, "/,");
}

static const char *settings_of(const char *variant)
{
	size_t len = kind_len(variant);

	return variant[len] ? variant + len + 1 : NULL;
}

static bool find_setting(const char *variant, const struct setting *like,
			 struct setting *ret_setting)
{
	const char *p = settings_of(variant);

	while (p) {
		p = next_setting(p, ret_setting);
		if (ret_setting->key_len == like->key_len &&
		    !memcmp(ret_setting->key, like->key, like->key_len))
			return true;
	}
	return false;
}

static bool same_value(const struct setting *a, const struct setting *b)
{
	return a->value_len == b->value_len && !memcmp(a->value, b->value, a->value_len);
}

/* Settings of a that b has not, or has otherwise; missing_only: only those that b has not. */
static void print_difference(const char *a, const char *b, bool missing_only, bool swapped,
			     FILE *out)
{
	const char *p = settings_of(a);
	struct setting mine, theirs;

	while (p) {
		p = next_setting(p, &mine);
		if (!find_setting(b, &mine, &theirs))
			theirs = (struct setting){ .value = "default", .value_len = 7 };
		else if (missing_only || same_value(&mine, &theirs))
			continue;
		if (ftell(out) > 0)
			fputs(", ", out);
		fprintf(out, "%.*s: ", mine.key_len, mine.key);
		if (swapped)
			fprintf(out, "%.*s and %.*s", theirs.value_len, theirs.value,
				mine.value_len, mine.value);
		else
			fprintf(out, "%.*s and %.*s", mine.value_len, mine.value, theirs.value_len,
				theirs.value);
	}
}

int variant__difference(const char *a, const char *b, char **ret_text)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	print_difference(a, b, false, false, out);
	print_difference(b, a, true, true, out);
	if (fclose(out))
		return -ENOMEM;
	*ret_text = TAKE_PTR(text);
	return 0;
}

static bool same_kind(const struct group *a, const struct group *b)
{
	size_t len = kind_len(a->program);

	return streq(a->object, b->object) && kind_len(b->program) == len &&
	       !memcmp(a->program, b->program, len);
}

/* Of b, a variant of the same kind as one of a that a has not, if they share none; or NULL. */
static const struct group *find_stranger(const struct group *like, const struct groups *a,
					 const struct groups *b)
{
	const struct group *stranger = NULL;

	for (size_t i = 0; i < b->n; i++) {
		if (!same_kind(like, &b->v[i]))
			continue;
		if (groups__find(a, b->v[i].object, b->v[i].program))
			return NULL;
		stranger = stranger ?: &b->v[i];
	}
	return stranger;
}

static int check_clocks(const struct recording *a, const struct recording *b, struct err *err)
{
	const char *clock_a = recording__env(a, "clock"), *clock_b = recording__env(b, "clock");

	if (!clock_a || !clock_b || streq(clock_a, clock_b))
		return 0;
	return err__set(err, -EINVAL, "not compared: the clocks differ: %s and %s", clock_a,
			clock_b);
}

int variant__check(const struct recording *a, const struct recording *b, struct err *err)
{
	_cleanup_(groups__reset) struct groups groups_a = {}, groups_b = {};
	int rc = groups__make(a, &groups_a) ?: groups__make(b, &groups_b);

	if (rc == 0)
		rc = check_clocks(a, b, err);
	for (size_t i = 0; rc == 0 && i < groups_a.n; i++) {
		const struct group *mine = &groups_a.v[i];
		const struct group *other = find_stranger(mine, &groups_a, &groups_b);
		_cleanup_free_ char *difference = NULL;

		if (!other)
			continue;
		rc = variant__difference(mine->program, other->program, &difference);
		if (rc == 0)
			rc = err__set(err, -EINVAL, "not compared: %s %.*s: the runs differ in %s",
				      mine->object, (int)kind_len(mine->program), mine->program,
				      difference);
	}
	return rc;
}
