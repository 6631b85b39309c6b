// SPDX-License-Identifier: GPL-2.0-only
#include "folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "cleanup.h"

static bool is_entry(const char *name)
{
	return *name && !strchr(name, '/') && !streq(name, ".") && !streq(name, "..");
}

int folder__open(const char *path, int *ret_fd)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

int folder__enter(int fd, const char *name, int *ret_fd)
{
	int entered;

	if (!is_entry(name))
		return -EINVAL;
	entered = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (entered < 0)
		return -errno;
	*ret_fd = entered;
	return 0;
}

int folder__read(int fd, const char *name, size_t most, char **ret_text, size_t *ret_len)
{
	_cleanup_close_ int file = -1;
	struct stat st;

	if (!is_entry(name))
		return -EINVAL;
	/* A pipe would wait for a writer. */
	file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (file < 0 || fstat(file, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return fd__read(file, most, ret_text, ret_len);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int list_entries(DIR *dir, struct folder_names *names)
{
	struct dirent *entry;

	while ((errno = 0, entry = readdir(dir))) {
		char *name;

		if (entry->d_name[0] == '.')
			continue;
		name = strdup(entry->d_name);
		if (!name || vec_push(&names->list, name)) {
			free(name);
			return -ENOMEM;
		}
	}
	return -errno;
}

int folder__list(int fd, struct folder_names *ret_names)
{
	_cleanup_(folder_names__reset) struct folder_names names = {};
	_cleanup_closedir_ DIR *dir = NULL;
	/* A descriptor of its own: the position in the folder is not ours to move. */
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int err;

	if (again < 0)
		return -errno;
	dir = fdopendir(again);
	if (!dir) {
		err = -errno;
		close(again);
		return err;
	}
	err = list_entries(dir, &names);
	if (err)
		return err;
	if (names.list.n)
		qsort(names.list.v, names.list.n, sizeof(char *), by_version);
	*ret_names = names;
	names = (struct folder_names){};
	return 0;
}

void folder_names__reset(struct folder_names *names)
{
	for (size_t i = 0; i < names->list.n; i++)
		free(names->list.v[i]);
	vec_free(&names->list);
}
