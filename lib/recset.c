// SPDX-License-Identifier: GPL-2.0-only
/* Recordings of one side: a file, a folder with one per boot, or a list of both. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "envdiff.h"
#include "recfile.h"

static int recset__cmp_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

struct name_list {
	VEC(char *) names;
};

static void name_list__reset(struct name_list *list)
{
	for (size_t i = 0; i < list->names.n; i++)
		free(list->names.v[i]);
	vec_free(&list->names);
}

/* Takes the name over. */
static int name_list__add_if_there(struct name_list *list, char *file)
{
	int err = 0;

	if (!access(file, F_OK)) {
		err = vec_push(&list->names, file);
		if (!err)
			return 0;
	}
	free(file);
	return err;
}

/* DIR/SUITE.csv first, then those of its folders by name. */
static int recset__list(const char *path, enum suite suite, struct name_list *list)
{
	const char *name = suite_keys[suite].name;
	_cleanup_closedir_ DIR *dir = opendir(path);
	struct dirent *entry;
	size_t top;
	char *file;
	int err;

	if (!dir)
		return -errno;
	err = str__printf(&file, "%s/%s.csv", path, name) ?: name_list__add_if_there(list, file);
	top = list->names.n;
	while (!err && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || str_ends(entry->d_name, ".part") ||
		    str_ends(entry->d_name, ".failed"))
			continue;
		err = str__printf(&file, "%s/%s/%s.csv", path, entry->d_name, name)
			      ?: name_list__add_if_there(list, file);
	}
	if (list->names.n > top)
		qsort(list->names.v + top, list->names.n - top, sizeof(char *), recset__cmp_names);
	return err;
}

/* Joins what was read before and the next boot or boots. */
static int recset__join(struct recording **rec, struct recording *next)
{
	int ret;

	if (!*rec) {
		*rec = next;
		return 0;
	}
	ret = env_diff__join(*rec, next) ?: recording__append(*rec, next);
	recording__free(next);
	return ret;
}

static int recset__read_folder(const char *path, enum suite suite, FILE *notes,
			       struct recording **rec, struct err *err)
{
	_cleanup_(name_list__reset) struct name_list list = {};
	int ret = recset__list(path, suite, &list);

	if (ret)
		return err__set(err, ret, "%s: %s", path, strerror(-ret));
	if (!list.names.n)
		return err__set(err, -ENOENT, "%s: expected %s.csv in it or in its folders", path,
				suite_keys[suite].name);
	for (size_t i = 0; i < list.names.n && !ret; i++) {
		struct recording *boot;

		ret = recfile__read_one(list.names.v[i], suite, notes, &boot, err)
			      ?: recset__join(rec, boot);
	}
	return ret;
}

static int recset__read_path(const char *path, enum suite suite, FILE *notes,
			     struct recording **rec, struct err *err)
{
	struct recording *boot;
	struct stat st;

	if (stat(path, &st))
		return err__set(err, -errno, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return recset__read_folder(path, suite, notes, rec, err);
	return recfile__read_one(path, suite, notes, &boot, err) ?: recset__join(rec, boot);
}

static int recset__read(const char *path, enum suite suite, FILE *notes, struct recording **rec,
			struct err *err)
{
	_cleanup_free_ char *list = NULL;
	char *rest, *one;
	int ret = 0;

	/* A file may well have a comma in its name. */
	if (!strchr(path, ',') || !access(path, F_OK))
		return recset__read_path(path, suite, notes, rec, err);
	list = rest = strdup(path);
	if (!list)
		return -ENOMEM;
	while (!ret && (one = strsep(&rest, ",")))
		if (*one)
			ret = recset__read_path(one, suite, notes, rec, err);
	return ret || *rec ? ret : err__set(err, -ENOENT, "%s: expected a recording", path);
}

int recfile__read(const char *path, enum suite suite, struct recording **ret_rec, char **ret_notes,
		  struct err *err)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_free_ char *text = NULL;
	FILE *notes;
	size_t len;
	int ret;

	notes = open_memstream(&text, &len);
	if (!notes)
		return -ENOMEM;
	ret = recset__read(path, suite, notes, &rec, err);
	if (fclose(notes) && !ret)
		ret = -ENOMEM;
	if (ret)
		return ret;
	*ret_rec = TAKE_PTR(rec);
	if (ret_notes)
		*ret_notes = TAKE_PTR(text);
	return 0;
}
