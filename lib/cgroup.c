// SPDX-License-Identifier: GPL-2.0-only
#include "cgroup.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>

/* Is word one of the words of text, separated by blanks, commas or newlines? */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (*text) {
		size_t n = strcspn(text, " ,\n");

		if (n == len && strncmp(text, word, len) == 0)
			return true;
		text += n;
		text += strspn(text, " ,\n");
	}
	return false;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/* Lines "id:controllers:path" of /proc/self/cgroup; v2 has id 0 and no controllers. */
static int find_own(const char *text, const char *controller, char **ret_path)
{
	for (const char *line = text; *line; line = next_line(line)) {
		char controllers[256] = "", path[PATH_MAX];

		if (sscanf(line, "%*u::%4095[^\n]", path) != 1 &&
		    sscanf(line, "%*u:%255[^:\n]:%4095[^\n]", controllers, path) != 2)
			continue;
		if (controller ? has_word(controllers, controller) : !*controllers) {
			*ret_path = strdup(path);
			return *ret_path ? 0 : -ENOMEM;
		}
	}
	return -ENOENT;
}

struct mount {
	char root[PATH_MAX]; /* the part of the hierarchy that is mounted */
	char at[PATH_MAX];
};

/*
 * A line of mountinfo: "id parent dev ROOT AT options fields... - TYPE source
 * SUPEROPTIONS". True if it is the hierarchy that is looked for.
 */
static bool parse_mount(const char *line, const char *controller, struct mount *mount)
{
	char type[64], super[1024];
	const char *dash;

	if (sscanf(line, "%*d %*d %*s %4095s %4095s", mount->root, mount->at) != 2)
		return false;
	dash = memmem(line, next_line(line) - line, " - ", 3);
	if (!dash || sscanf(dash, " - %63s %*s %1023s", type, super) != 2)
		return false;
	if (!controller)
		return streq(type, "cgroup2");
	return streq(type, "cgroup") && has_word(super, controller);
}

static int place_set(struct cgroup_place *place, const char *root, const struct mount *mount,
		     const char *own)
{
	size_t skip = 0;

	/* Where only a part is mounted, our path still starts at the top of the whole. */
	if (!streq(mount->root, "/") && str_starts(own, mount->root))
		skip = strlen(mount->root);
	if (streq(own + skip, "/"))
		skip++;
	if (str__printf(&place->mount, "%s%s", root, mount->at) < 0 ||
	    str__printf(&place->own, "%s", own + skip) < 0)
		return -ENOMEM;
	return 0;
}

static int read_self(const char *root, const char *name, char **ret_text, struct err *err)
{
	_cleanup_free_ char *path = NULL;
	int rc;

	if (str__printf(&path, "%s/proc/self/%s", root, name) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	rc = file__read(path, ret_text, NULL);
	return rc < 0 ? err__set(err, rc, "%s: %s", path, strerror(-rc)) : 0;
}

int cgroup_place__find(const char *root, const char *controller, struct cgroup_place *ret_place,
		       struct err *err)
{
	_cleanup_place_ struct cgroup_place place = {};
	_cleanup_free_ char *mounts = NULL, *cgroups = NULL, *own = NULL;
	_cleanup_free_ struct mount *mount = NULL;
	int rc;

	mount = malloc(sizeof(*mount));
	if (!mount)
		return err__set(err, -ENOMEM, "out of memory");
	rc = read_self(root, "mountinfo", &mounts, err);
	if (rc == 0)
		rc = read_self(root, "cgroup", &cgroups, err);
	if (rc < 0 && rc != -ENOENT)
		return rc;
	if (rc == 0)
		rc = find_own(cgroups, controller, &own);
	for (const char *line = mounts; rc == 0 && *line; line = next_line(line)) {
		if (!parse_mount(line, controller, mount))
			continue;
		rc = place_set(&place, root, mount, own);
		place.version = controller ? CGROUP_V1 : CGROUP_V2;
		break;
	}
	if (rc < 0 && rc != -ENOENT)
		return err__set(err, rc, "out of memory");
	*ret_place = place;
	place = (struct cgroup_place){};
	return 0;
}

void cgroup_place__clear(struct cgroup_place *place)
{
	free(place->mount);
	free(place->own);
	*place = (struct cgroup_place){};
}

int cgroup__file_has(const char *dir, const char *name, const char *word)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	int rc;

	if (str__printf(&path, "%s/%s", dir, name) < 0)
		return -ENOMEM;
	rc = file__read(path, &text, NULL);
	return rc < 0 ? rc : has_word(text, word);
}

int cgroup__enter(const char *dir)
{
	_cleanup_free_ char *path = NULL;

	if (str__printf(&path, "%s/cgroup.procs", dir) < 0)
		return -ENOMEM;
	return file__write(path, "0");
}
