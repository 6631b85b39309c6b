// SPDX-License-Identifier: GPL-2.0-only
#include "owner.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <linux/magic.h>

#include "cgroup.h"
#include "janitor.h"

enum {
	SPARE_FDS = 128, /* for everything but owners */
	TASK_STACK = 32 * 1024,
};

struct slot {
	bool made;
	int fd;		  /* socket, inode */
	pthread_t thread; /* task */
};

struct owners {
	const struct kind *kind;
	struct owner_opts opts;
	int dir_fd; /* cgroups and inodes are made in it */
	char *dir;  /* that of the cgroups */
	int fs_minor;
	char *stacks; /* of tasks, one a slot */
	struct janitor *janitor;
	struct slot slots[];
};

struct kind {
	const char *name;
	int (*open)(struct owners *owners, struct err *err);
	size_t (*make)(struct owners *owners, size_t first, size_t end);
	void (*end)(struct owners *owners, size_t first, size_t end);
};

/*
 * Each kind has loops of its own, so that a call by a pointer for each owner is no
 * part of what is measured.
 */
static __always_inline size_t make_each(struct owners *owners, size_t first, size_t end,
					bool (*make)(struct owners *owners, struct slot *slot))
{
	size_t n = 0;

	for (struct slot *s = &owners->slots[first]; s < &owners->slots[end]; s++) {
		s->made = make(owners, s);
		n += s->made;
	}
	return n;
}

static __always_inline void end_each(struct owners *owners, size_t first, size_t end,
				     void (*end_one)(struct owners *owners, struct slot *slot))
{
	for (struct slot *s = &owners->slots[first]; s < &owners->slots[end]; s++)
		if (s->made)
			end_one(owners, s);
}

/* ---- sockets and what they share with inodes ---------------------------------- */

static int raise_fd_limit(uint64_t need, struct err *err)
{
	struct rlimit lim;
	rlim_t had;

	if (getrlimit(RLIMIT_NOFILE, &lim) < 0)
		return err__set(err, -errno, "getrlimit: %s", strerror(errno));
	had = lim.rlim_max;
	if (lim.rlim_cur >= need)
		return 0;
	lim.rlim_cur = need;
	if (lim.rlim_max < need)
		lim.rlim_max = need;
	if (setrlimit(RLIMIT_NOFILE, &lim) < 0)
		return err__set(err, -errno,
				"%lu owners at one time need more descriptors than this process "
				"may have (%lu, see ulimit -Hn): lower --batch-size or -p",
				need - SPARE_FDS, had);
	return 0;
}

static int open_sockets(struct owners *owners, struct err *err)
{
	return raise_fd_limit(owners->opts.slots + SPARE_FDS, err);
}

static bool make_socket(struct owners *owners, struct slot *slot)
{
	slot->fd = socket(owners->opts.family, owners->opts.sock_type | SOCK_CLOEXEC, 0);
	return slot->fd >= 0;
}

static size_t make_sockets(struct owners *owners, size_t first, size_t end)
{
	return make_each(owners, first, end, make_socket);
}

static void end_fd(struct owners *owners, struct slot *slot)
{
	(void)owners;
	close(slot->fd);
}

static void end_fds(struct owners *owners, size_t first, size_t end)
{
	end_each(owners, first, end, end_fd);
}

/* ---- tasks --------------------------------------------------------------------- */

/*
 * Stacks of our own: the C library keeps some for the next threads, but not those of
 * thousands, and to map and unmap them costs more than all the rest.
 */
static int open_tasks(struct owners *owners, struct err *err)
{
	void *stacks = mmap(NULL, owners->opts.slots * TASK_STACK, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (stacks == MAP_FAILED)
		return err__set(err, -errno, "stacks of %zu threads: %s", owners->opts.slots,
				strerror(errno));
	owners->stacks = stacks;
	return 0;
}

static void *do_nothing(void *arg)
{
	return arg;
}

static bool make_task(struct owners *owners, struct slot *slot)
{
	char *stack = owners->stacks + (slot - owners->slots) * TASK_STACK;
	pthread_attr_t attr;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, TASK_STACK);
	rc = pthread_create(&slot->thread, &attr, do_nothing, NULL);
	pthread_attr_destroy(&attr);
	if (rc)
		errno = rc;
	return rc == 0;
}

static size_t make_tasks(struct owners *owners, size_t first, size_t end)
{
	return make_each(owners, first, end, make_task);
}

static void end_task(struct owners *owners, struct slot *slot)
{
	(void)owners;
	pthread_join(slot->thread, NULL);
}

static void end_tasks(struct owners *owners, size_t first, size_t end)
{
	end_each(owners, first, end, end_task);
}

/* ---- control groups ------------------------------------------------------------ */

static int open_cgroups(struct owners *owners, struct err *err)
{
	_cleanup_place_ struct cgroup_place place = {};
	int rc;

	rc = cgroup_place__find("", NULL, &place, err);
	if (rc < 0)
		return rc;
	if (!place.version)
		return err__set(err, -EOPNOTSUPP, "no cgroup2 is mounted");
	if (str__printf(&owners->dir, "%s%s/bpf-ab.%d", place.mount, place.own, getpid()) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	rc = janitor__start(&owners->janitor, err);
	if (rc < 0)
		return rc;
	rc = janitor__add_tree(owners->janitor, owners->dir);
	if (rc < 0)
		return err__set(err, rc, "%s: %s", owners->dir, strerror(-rc));
	if (mkdir(owners->dir, 0755) < 0)
		return err__set(err, -errno, "%s: %s", owners->dir, strerror(errno));
	owners->dir_fd = open(owners->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (owners->dir_fd < 0)
		return err__set(err, -errno, "%s: %s", owners->dir, strerror(errno));
	return 0;
}

static void name_cgroup(struct owners *owners, const struct slot *slot, char *name, size_t size)
{
	snprintf(name, size, "%zu", (size_t)(slot - owners->slots));
}

static bool make_cgroup(struct owners *owners, struct slot *slot)
{
	char name[24];

	name_cgroup(owners, slot, name, sizeof(name));
	return mkdirat(owners->dir_fd, name, 0755) == 0;
}

static size_t make_cgroups(struct owners *owners, size_t first, size_t end)
{
	return make_each(owners, first, end, make_cgroup);
}

static void end_cgroup(struct owners *owners, struct slot *slot)
{
	char name[24];

	name_cgroup(owners, slot, name, sizeof(name));
	unlinkat(owners->dir_fd, name, AT_REMOVEDIR);
}

static void end_cgroups(struct owners *owners, size_t first, size_t end)
{
	end_each(owners, first, end, end_cgroup);
}

/* ---- inodes -------------------------------------------------------------------- */

/* The first place where a file without a name can be made in memory. */
static int open_inodes(struct owners *owners, struct err *err)
{
	static const char *const dirs[] = { "/dev/shm", "/run", "/tmp" };

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		_cleanup_close_ int fd = open(dirs[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		struct statfs fs;
		struct stat st;

		if (fd < 0 || fstatfs(fd, &fs) < 0 || fs.f_type != TMPFS_MAGIC ||
		    fstat(fd, &st) < 0 || faccessat(fd, ".", W_OK, 0) < 0)
			continue;
		owners->fs_minor = minor(st.st_dev);
		owners->dir_fd = TAKE_FD(fd);
		return raise_fd_limit(owners->opts.slots + SPARE_FDS, err);
	}
	return err__set(err, -EOPNOTSUPP, "none of /dev/shm, /run and /tmp is a tmpfs to write to");
}

/* Without a name: there is nothing to remove, even if we are killed. */
static bool make_inode(struct owners *owners, struct slot *slot)
{
	slot->fd = openat(owners->dir_fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return slot->fd >= 0;
}

static size_t make_inodes(struct owners *owners, size_t first, size_t end)
{
	return make_each(owners, first, end, make_inode);
}

/* ---- all of them ---------------------------------------------------------------- */

static const struct kind kinds[OWNER_MAX] = {
	[OWNER_SOCKET] = { "socket", open_sockets, make_sockets, end_fds },
	[OWNER_TASK] = { "task", open_tasks, make_tasks, end_tasks },
	[OWNER_CGROUP] = { "cgroup", open_cgroups, make_cgroups, end_cgroups },
	[OWNER_INODE] = { "inode", open_inodes, make_inodes, end_fds },
};

const char *owner__name(enum owner_type type)
{
	return kinds[type].name;
}

int owner__find(const char *name, enum owner_type *ret_type, struct err *err)
{
	for (enum owner_type type = 0; type < OWNER_MAX; type++) {
		if (streq(kinds[type].name, name)) {
			*ret_type = type;
			return 0;
		}
	}
	return err__set(err, -EINVAL,
			"--storage-type wants socket, task, cgroup or inode, not '%s'", name);
}

static int try_one(struct owners *owners, struct err *err)
{
	if (!owners__make(owners, 0, 1))
		return err__set(err, -errno, "making a %s: %s", owners->kind->name,
				strerror(errno));
	owners__end(owners, 0, 1);
	return 0;
}

int owners__open(const struct owner_opts *opts, struct owners **ret_owners, struct err *err)
{
	_cleanup_owners_ struct owners *owners = NULL;
	int rc;

	owners = calloc(1, sizeof(*owners) + opts->slots * sizeof(owners->slots[0]));
	if (!owners)
		return err__set(err, -ENOMEM, "out of memory");
	owners->kind = &kinds[opts->type];
	owners->opts = *opts;
	owners->dir_fd = -1;
	owners->fs_minor = -1;
	rc = owners->kind->open(owners, err);
	if (rc == 0)
		rc = try_one(owners, err);
	if (rc == 0)
		*ret_owners = TAKE_PTR(owners);
	return rc;
}

void owners__free(struct owners *owners)
{
	if (!owners)
		return;
	if (owners->dir_fd >= 0)
		close(owners->dir_fd);
	janitor__free(owners->janitor);
	if (owners->stacks)
		munmap(owners->stacks, owners->opts.slots * TASK_STACK);
	free(owners->dir);
	free(owners);
}

size_t owners__make(struct owners *owners, size_t first, size_t end)
{
	return owners->kind->make(owners, first, end);
}

void owners__end(struct owners *owners, size_t first, size_t end)
{
	owners->kind->end(owners, first, end);
}

int owners__fs_minor(const struct owners *owners)
{
	return owners->fs_minor;
}
