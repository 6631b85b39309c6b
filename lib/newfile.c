// SPDX-License-Identifier: GPL-2.0-only
#include "newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "cleanup.h"

int newfile__clear(const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st)) {
		if (errno == ENOENT)
			return 0;
		return err__set(err, -errno, "%s: %s", path, strerror(errno));
	}
	if (!S_ISREG(st.st_mode))
		return err__set(err, -EINVAL, "%s: expected a regular file or none", path);
	if (unlink(path))
		return err__set(err, -errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int newfile__fill(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= n;
	}
	return 0;
}

static int newfile__folder(const char *path, char **ret_folder)
{
	const char *base = path_base(path);

	if (base == path)
		return str__printf(ret_folder, ".");
	return str__printf(ret_folder, "%.*s", (int)(base - path), path);
}

/* -EOPNOTSUPP where there are no nameless files. */
static int newfile__nameless(const char *path, const char *folder, const char *text, size_t len)
{
	_cleanup_close_ int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644);
	char proc[64];
	int err;

	if (fd < 0)
		return errno == EISDIR || errno == EINVAL || errno == ENOENT ? -EOPNOTSUPP : -errno;
	err = newfile__fill(fd, text, len);
	if (err)
		return err;
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	if (linkat(AT_FDCWD, proc, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
		/* EXDEV and ENOENT: nothing is mounted on /proc, or not our own. */
		return errno == ENOENT || errno == EXDEV ? -EOPNOTSUPP : -errno;
	return 0;
}

static int newfile__renamed(const char *path, const char *folder, const char *text, size_t len)
{
	_cleanup_free_ char *temp = NULL;
	_cleanup_close_ int fd = -1;
	int err = str__printf(&temp, "%s/.%s.part", folder, path_base(path));

	if (err)
		return err;
	fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	err = newfile__fill(fd, text, len);
	if (!err && rename(temp, path))
		err = -errno;
	if (err)
		unlink(temp);
	return err;
}

int newfile__write(const char *path, const char *text, size_t len, struct err *err)
{
	_cleanup_free_ char *folder = NULL;
	sigset_t all, old;
	int ret = newfile__folder(path, &folder);

	if (ret)
		return ret;
	/* SIGKILL apart, nothing comes between the write and the name. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ret = newfile__nameless(path, folder, text, len);
	if (ret == -EOPNOTSUPP)
		ret = newfile__renamed(path, folder, text, len);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret ? err__set(err, ret, "%s: %s", path, strerror(-ret)) : 0;
}
