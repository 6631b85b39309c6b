// SPDX-License-Identifier: GPL-2.0-only
#include "objset.h"

#include <elf.h>
#include <fcntl.h>
#include <glob.h>

#include "cleanup.h"
#include "lines.h"

bool objset__is_object(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr head;

	if (fd < 0 || read(fd, &head, sizeof(head)) != sizeof(head))
		return false;
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	/* Old compilers left the machine empty. */
	return head.e_type == ET_REL && (head.e_machine == EM_BPF || head.e_machine == EM_NONE);
}

/* Text only: two links to one file are two objects for whoever named them. */
static void path__tidy(char *path)
{
	char *to = path, *from = path;

	while (*from) {
		bool at_start = to == path || to[-1] == '/';

		if (at_start && from[0] == '.' && from[1] == '/')
			from += 1 + strspn(from + 1, "/");
		else if (to > path && at_start && *from == '/')
			from++;
		else
			*to++ = *from++;
	}
	*to = '\0';
}

static int add_path(struct objset *set, const char *path)
{
	_cleanup_free_ char *copy = strdup(path);
	int rc;

	if (!copy)
		return -ENOMEM;
	path__tidy(copy);
	for (size_t i = 0; i < set->objects.n; i++)
		if (streq(set->objects.v[i].path, copy))
			return 0;
	rc = vec_push(&set->objects, (struct objset_object){ .path = copy });
	if (rc == 0)
		TAKE_PTR(copy);
	return rc;
}

static int add_pattern(struct objset *set, const char *pattern, struct err *err)
{
	size_t found = 0;
	glob_t matches;
	int rc = 0;

	switch (glob(pattern, 0, NULL, &matches)) {
	case 0:
		break;
	case GLOB_NOSPACE:
		return -ENOMEM;
	default:
		return err__set(err, -ESRCH, "%s: no such file, and no file matches", pattern);
	}
	for (size_t i = 0; rc == 0 && i < matches.gl_pathc; i++) {
		if (!objset__is_object(matches.gl_pathv[i]))
			continue;
		found++;
		rc = add_path(set, matches.gl_pathv[i]);
	}
	globfree(&matches);
	if (rc == 0 && !found)
		rc = err__set(err, -ESRCH, "%s: no BPF object among the files that match", pattern);
	return rc;
}

static int add_one(struct objset *set, const char *arg, struct err *err)
{
	/* A file may well have a name that looks like a pattern. */
	if (strpbrk(arg, "*?[") && access(arg, F_OK) < 0)
		return add_pattern(set, arg, err);
	return add_path(set, arg);
}

static int add_list(struct objset *set, const char *path, struct err *err)
{
	_cleanup_lines_ struct lines lines = {};
	char *line;
	int rc;

	rc = lines__read(path, "the list of objects", &lines, err);
	while (rc == 0 && (line = lines__next(&lines))) {
		struct err why = {};

		if (*line == '@')
			return err__set(err, -EINVAL,
					"%s:%zu:1: expected a path or a pattern, not another list",
					path, lines.number);
		rc = add_one(set, line, &why);
		if (rc < 0 && why.text[0])
			return err__set(err, rc, "%s:%zu:1: %s", path, lines.number, why.text);
	}
	return rc;
}

int objset__add(struct objset *set, const char *arg, struct err *err)
{
	if (*arg != '@')
		return add_one(set, arg, err);
	if (!arg[1])
		return err__set(err, -EINVAL, "@ wants the name of a file behind it");
	return add_list(set, arg + 1, err);
}

/* One folder more; the whole path if there is none. */
static const char *widen(const struct objset_object *object)
{
	const char *p = object->name;

	if (p == object->path)
		return p;
	p--; /* the slash */
	while (p > object->path && p[-1] != '/')
		p--;
	return p;
}

void objset__name(struct objset *set)
{
	size_t n = set->objects.n;
	bool clash = true;

	for (size_t i = 0; i < n; i++)
		set->objects.v[i].name = path_base(set->objects.v[i].path);
	while (clash) {
		clash = false;
		for (size_t i = 0; i < n; i++) {
			struct objset_object *a = &set->objects.v[i];
			bool same = false;

			for (size_t j = i + 1; j < n; j++) {
				struct objset_object *b = &set->objects.v[j];

				if (!streq(a->name, b->name))
					continue;
				b->name = widen(b);
				same = true;
			}
			if (same) {
				a->name = widen(a);
				clash = true;
			}
		}
	}
}

void objset__clear(struct objset *set)
{
	for (size_t i = 0; i < set->objects.n; i++)
		free(set->objects.v[i].path);
	vec_free(&set->objects);
}
