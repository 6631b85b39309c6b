// SPDX-License-Identifier: GPL-2.0-only
#include "manifest.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "lines.h"
#include "vec.h"

struct expectation {
	char *object;  /* owned, a pattern */
	char *program; /* points into object; NULL: the object is not opened */
	enum load_cause cause;
};

struct manifest {
	VEC(struct expectation) list;
};

int manifest__new(struct manifest **ret_manifest)
{
	struct manifest *manifest = calloc(1, sizeof(*manifest));

	if (!manifest)
		return -ENOMEM;
	*ret_manifest = manifest;
	return 0;
}

void manifest__free(struct manifest *manifest)
{
	if (!manifest)
		return;
	for (size_t i = 0; i < manifest->list.n; i++)
		free(manifest->list.v[i].object);
	vec_free(&manifest->list);
	free(manifest);
}

/* LOAD_OK: these are not the words of a failure. */
static enum load_cause cause_of(const char *words)
{
	for (int cause = LOAD_OK + 1; cause < LOAD_CAUSES; cause++)
		if (streq(load_cause__words(cause), words))
			return cause;
	return LOAD_OK;
}

static int wrong(const struct lines *lines, const char *path, const char *at, const char *expected,
		 struct err *err)
{
	return err__set(err, -EINVAL, "%s:%zu:%zu: expected %s", path, lines->number,
			at - lines->line + 1, expected);
}

static int add(struct manifest *manifest, const char *names, enum load_cause cause)
{
	struct expectation expectation = { .object = strdup(names), .cause = cause };
	int rc;

	if (!expectation.object)
		return -ENOMEM;
	expectation.program = strchr(expectation.object, '/');
	if (expectation.program)
		*expectation.program++ = '\0';
	rc = vec_push(&manifest->list, expectation);
	if (rc < 0)
		free(expectation.object);
	return rc;
}

static int read_line(struct manifest *manifest, const struct lines *lines, const char *path,
		     char *line, struct err *err)
{
	char *end = line + strcspn(line, " \t"), *words = end + strspn(end, " \t"), *slash;
	enum load_cause cause = cause_of(words);

	*end = '\0';
	slash = strchr(line, '/');
	if (slash == line || (slash && (!slash[1] || strchr(slash + 1, '/'))))
		return wrong(lines, path, line, "OBJECT or OBJECT/PROGRAM", err);
	if (!slash && !streq(words, "not opened"))
		return wrong(lines, path, words, "'not opened', or a program behind the object",
			     err);
	if (slash && cause == LOAD_OK)
		return wrong(lines, path, words,
			     "why it does not load: 'rejected', 'map create', 'kfunc missing', "
			     "... (the words of -e cause)",
			     err);
	return add(manifest, line, cause);
}

int manifest__read(struct manifest *manifest, const char *path, struct err *err)
{
	_cleanup_lines_ struct lines lines = {};
	char *line;
	int rc;

	rc = lines__read(path, "a manifest", &lines, err);
	while (rc == 0 && (line = lines__next(&lines)))
		rc = read_line(manifest, &lines, path, line, err);
	return rc;
}

/* Most are no patterns, and there may be thousands of both. */
static bool matches(const char *pattern, const char *name)
{
	return streq(pattern, name) || fnmatch(pattern, name, 0) == 0;
}

enum load_cause manifest__expects(const struct manifest *manifest, const char *object,
				  const char *program)
{
	for (size_t i = 0; i < manifest->list.n; i++) {
		const struct expectation *line = &manifest->list.v[i];

		if (line->program && matches(line->object, object) &&
		    matches(line->program, program))
			return line->cause;
	}
	return LOAD_OK;
}

bool manifest__expects_unopened(const struct manifest *manifest, const char *object)
{
	for (size_t i = 0; i < manifest->list.n; i++) {
		const struct expectation *line = &manifest->list.v[i];

		if (!line->program && matches(line->object, object))
			return true;
	}
	return false;
}
