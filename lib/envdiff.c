// SPDX-License-Identifier: GPL-2.0-only
#include "envdiff.h"

#include "cleanup.h"
#include "env.h"

enum env_weight {
	ENV_KERNEL, /* what is meant to differ */
	ENV_MATTERS,
	ENV_MATTERS_TO_TIME, /* not where the clock counts instructions */
	ENV_NO_ACCOUNT,
};

/* In the order in which differences are told. Keys that are not here matter and come last. */
static const struct env_key {
	const char *name; /* ends in '.': a prefix */
	enum env_weight weight;
} env_keys[] = {
	{ "kernel", ENV_KERNEL },	 { "build_id", ENV_KERNEL },
	{ "series", ENV_KERNEL },	 { "clock", ENV_MATTERS },
	{ "mitigations", ENV_MATTERS },	 { "config", ENV_MATTERS },
	{ "compiler", ENV_MATTERS },	 { "cmdline", ENV_MATTERS },
	{ "sysctl.", ENV_MATTERS },	 { "cgroup", ENV_MATTERS },
	{ "cpu", ENV_MATTERS },		 { "vcpus", ENV_MATTERS },
	{ "memory", ENV_MATTERS },	 { "revision", ENV_MATTERS },
	{ "host", ENV_MATTERS_TO_TIME }, { "program", ENV_NO_ACCOUNT },
	{ "date", ENV_NO_ACCOUNT },
};

static size_t env_key__place(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(env_keys); i++) {
		const char *key = env_keys[i].name;

		if (str_ends(key, ".") ? str_starts(name, key) : streq(name, key))
			break;
	}
	return i;
}

static enum env_weight env_key__weight(const char *name)
{
	size_t i = env_key__place(name);

	return i < ARRAY_SIZE(env_keys) ? env_keys[i].weight : ENV_MATTERS;
}

#define ENV_NOT_SAID "(not recorded)"
#define ENV_BETWEEN  " | "

static struct record_env *env_diff__find(const struct recording *rec, const char *key)
{
	for (size_t i = 0; i < rec->env.n; i++)
		if (streq(rec->env.v[i].key, key))
			return &rec->env.v[i];
	return NULL;
}

/* Whether a value is one of those in "x | y | z". */
static bool env_diff__lists(const char *list, const char *value)
{
	size_t len = strlen(value);

	while (list) {
		const char *end = strstr(list, ENV_BETWEEN);

		if (end ? (size_t)(end - list) == len && !memcmp(list, value, len)
			: streq(list, value))
			return true;
		list = end ? end + strlen(ENV_BETWEEN) : NULL;
	}
	return false;
}

static int env_diff__add_value(struct recording *rec, const char *key, const char *value)
{
	struct record_env *entry = env_diff__find(rec, key);
	char *list;
	int err;

	if (!entry) {
		err = recording__set_env(rec, key, ENV_NOT_SAID);
		if (err)
			return err;
		entry = env_diff__find(rec, key);
	}
	/* What boots agree on is one value, whatever is in it. */
	if (entry->varies ? env_diff__lists(entry->value, value) : streq(entry->value, value))
		return 0;
	if (str__printf(&list, "%s" ENV_BETWEEN "%s", entry->value, value))
		return -ENOMEM;
	free(entry->value);
	entry->value = list;
	entry->varies = true;
	return 0;
}

int env_diff__join(struct recording *rec, const struct recording *boot)
{
	size_t before = rec->env.n;
	int err;

	for (size_t i = 0; i < boot->env.n; i++) {
		const struct record_env *entry = &boot->env.v[i];

		if (env_key__weight(entry->key) == ENV_NO_ACCOUNT)
			continue;
		err = env_diff__add_value(rec, entry->key, entry->value);
		if (err)
			return err;
	}
	for (size_t i = 0; i < before; i++) {
		const char *key = rec->env.v[i].key;

		if (env_key__weight(key) == ENV_NO_ACCOUNT || env_diff__find(boot, key))
			continue;
		err = env_diff__add_value(rec, key, ENV_NOT_SAID);
		if (err)
			return err;
	}
	return 0;
}

static int env_diff__cmp(const void *x, const void *y)
{
	const struct env_diff *a = x, *b = y;
	size_t i = env_key__place(a->key), j = env_key__place(b->key);

	if (i != j)
		return i < j ? -1 : 1;
	return strcmp(a->key, b->key);
}

int env_diff__list(const struct recording *a, const struct recording *b,
		   struct env_diff **ret_diffs, size_t *ret_n)
{
	bool timeless = env__clock(a) == ENV_CLOCK_ICOUNT && env__clock(b) == ENV_CLOCK_ICOUNT;
	const struct record_env *build_a = env_diff__find(a, "build_id");
	const struct record_env *build_b = env_diff__find(b, "build_id");
	bool same_build = build_a && build_b && !build_a->varies && !build_b->varies &&
			  streq(build_a->value, build_b->value);
	_cleanup_free_ struct env_diff *diffs = calloc(a->env.n + b->env.n + 1, sizeof(*diffs));
	size_t n = 0;

	if (!diffs)
		return -ENOMEM;
	for (size_t i = 0; a->env.n && b->env.n && i < a->env.n + b->env.n; i++) {
		bool second = i >= a->env.n;
		const char *key = second ? b->env.v[i - a->env.n].key : a->env.v[i].key;
		const struct record_env *in_a = env_diff__find(a, key);
		const struct record_env *in_b = env_diff__find(b, key);
		enum env_weight weight = env_key__weight(key);

		if (second && in_a)
			continue;
		/* The name of a series is a label; what was built of it is what ran. */
		if (streq(key, "series") && same_build)
			continue;
		if (weight == ENV_NO_ACCOUNT || (weight == ENV_MATTERS_TO_TIME && timeless))
			continue;
		if (in_a && in_b && !in_a->varies && !in_b->varies &&
		    streq(in_a->value, in_b->value))
			continue;
		diffs[n++] = (struct env_diff){
			.key = key,
			.a = in_a ? in_a->value : NULL,
			.b = in_b ? in_b->value : NULL,
			.kernel = weight == ENV_KERNEL,
		};
	}
	qsort(diffs, n, sizeof(*diffs), env_diff__cmp);
	*ret_diffs = TAKE_PTR(diffs);
	*ret_n = n;
	return 0;
}
