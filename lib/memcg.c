// SPDX-License-Identifier: GPL-2.0-only
#include "memcg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cgroup.h"

/* The kernel charges MEMCG_CHARGE_BATCH pages at a time to a CPU's stock. */
enum { CHARGE_BATCH_PAGES = 64 };

struct memcg {
	struct cgroup_place place;
	char *parent; /* of the cgroups made here, with mount in front */
	char *dir;    /* the current one, or NULL */
	int peak_fd;
	bool resets; /* writing to peak_fd starts it anew */
	unsigned int made;
	uint64_t base;
	struct janitor *janitor;
};

/* The hierarchy of the memory controller: v1's where there is one, else v2's. */
static int place_find(const char *root, struct cgroup_place *place, struct err *err)
{
	int rc = cgroup_place__find(root, "memory", place, err);

	if (rc == 0 && !place->version)
		rc = cgroup_place__find(root, NULL, place, err);
	if (rc == 0 && !place->version)
		rc = err__set(err, -EOPNOTSUPP,
			      "no cgroup hierarchy with the memory controller is mounted");
	return rc;
}

/* The nearest of our cgroup and its ancestors that gives its children the memory controller. */
static int parent_find_v2(const struct cgroup_place *place, char **ret_parent, struct err *err)
{
	_cleanup_free_ char *dir = NULL;
	int rc;

	if (cgroup__file_has(place->mount, "cgroup.controllers", "memory") == 0)
		return err__set(err, -EOPNOTSUPP, "%s has no memory controller (cgroup v2)",
				place->mount);
	if (str__printf(&dir, "%s%s", place->mount, place->own) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	for (;;) {
		rc = cgroup__file_has(dir, "cgroup.subtree_control", "memory");
		if (rc > 0)
			break;
		if (rc < 0 && rc != -ENOENT)
			return err__set(err, rc, "%s/cgroup.subtree_control: %s", dir,
					strerror(-rc));
		if (strlen(dir) <= strlen(place->mount))
			return err__set(err, -EOPNOTSUPP,
					"no cgroup above us hands the memory controller down: "
					"echo +memory > %s/cgroup.subtree_control",
					place->mount);
		*strrchr(dir, '/') = '\0';
	}
	*ret_parent = TAKE_PTR(dir);
	return 0;
}

static int parent_find(struct memcg *memcg, struct err *err)
{
	const struct cgroup_place *place = &memcg->place;

	if (place->version == CGROUP_V2)
		return parent_find_v2(place, &memcg->parent, err);
	if (str__printf(&memcg->parent, "%s%s", place->mount, place->own) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	return 0;
}

static int open_peak(struct memcg *memcg, const char *dir, int *ret_fd, struct err *err)
{
	const char *name =
		memcg->place.version == CGROUP_V2 ? "memory.peak" : "memory.max_usage_in_bytes";
	_cleanup_free_ char *path = NULL;
	int fd;

	if (str__printf(&path, "%s/%s", dir, name) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == EACCES)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return err__set(err, -EOPNOTSUPP, "this kernel has no %s (cgroup v%d)", name,
				memcg->place.version);
	if (fd < 0)
		return err__set(err, -errno, "%s: %s", path, strerror(errno));
	*ret_fd = fd;
	return 0;
}

/* A cgroup of ours, with this process in it; the one before goes. */
static int renew(struct memcg *memcg, struct err *err)
{
	_cleanup_free_ char *dir = NULL;
	_cleanup_close_ int fd = -1;
	int rc;

	if (str__printf(&dir, "%s/bpf-ab-%d.%u", memcg->parent, getpid(), memcg->made++) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	if (memcg->janitor) {
		rc = janitor__add_dir(memcg->janitor, dir);
		if (rc < 0)
			return err__set(err, rc, "janitor: %s: %s", dir, strerror(-rc));
	}
	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return err__set(err, -errno, "mkdir %s: %s", dir, strerror(errno));
	rc = open_peak(memcg, dir, &fd, err);
	if (rc == 0) {
		rc = cgroup__enter(dir);
		if (rc < 0)
			err__set(err, rc, "entering %s: %s", dir, strerror(-rc));
	}
	if (rc < 0) {
		rmdir(dir);
		return rc;
	}
	cleanup_closep(&memcg->peak_fd);
	memcg->peak_fd = TAKE_FD(fd);
	if (memcg->dir)
		rmdir(memcg->dir);
	free(memcg->dir);
	memcg->dir = TAKE_PTR(dir);
	return 0;
}

int memcg__open(const char *root, struct janitor *janitor, struct memcg **ret_memcg,
		struct err *err)
{
	_cleanup_memcg_ struct memcg *memcg = NULL;
	int rc;

	memcg = calloc(1, sizeof(*memcg));
	if (!memcg)
		return err__set(err, -ENOMEM, "out of memory");
	memcg->peak_fd = -1;
	memcg->janitor = janitor;
	rc = place_find(root, &memcg->place, err);
	if (rc < 0)
		return rc;
	rc = parent_find(memcg, err);
	if (rc < 0)
		return rc;
	rc = renew(memcg, err);
	if (rc < 0)
		return rc;
	memcg->resets = pwrite(memcg->peak_fd, "0", 1, 0) == 1;
	*ret_memcg = TAKE_PTR(memcg);
	return 0;
}

void memcg__free(struct memcg *memcg)
{
	_cleanup_free_ char *home = NULL;

	if (!memcg)
		return;
	if (memcg->dir && str__printf(&home, "%s%s", memcg->place.mount, memcg->place.own) == 0) {
		cgroup__enter(home);
		rmdir(memcg->dir);
	}
	cleanup_closep(&memcg->peak_fd);
	cgroup_place__clear(&memcg->place);
	free(memcg->parent);
	free(memcg->dir);
	free(memcg);
}

const char *memcg__source(const struct memcg *memcg)
{
	if (memcg->place.version != CGROUP_V2)
		return "memory.max_usage_in_bytes of cgroup v1";
	return memcg->resets ? "memory.peak of cgroup v2"
			     : "memory.peak of cgroup v2, of a new group each time";
}

static int read_peak(const struct memcg *memcg, uint64_t *ret_bytes)
{
	char text[32];
	ssize_t n = pread(memcg->peak_fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return -errno;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return str__to_u64(text, 10, ret_bytes);
}

int memcg__reset(struct memcg *memcg)
{
	int rc;

	if (!memcg->resets) {
		rc = renew(memcg, NULL);
		if (rc < 0)
			return rc;
	} else if (pwrite(memcg->peak_fd, "0", 1, 0) < 0) {
		return -errno;
	}
	return read_peak(memcg, &memcg->base);
}

int memcg__peak(struct memcg *memcg, uint64_t *ret_bytes)
{
	uint64_t peak = 0;
	int rc = read_peak(memcg, &peak);

	if (rc < 0)
		return rc;
	if (peak < memcg->base)
		return -ERANGE;
	*ret_bytes = peak - memcg->base;
	return 0;
}

uint64_t memcg__quantum(unsigned int cpus)
{
	return (uint64_t)cpus * CHARGE_BATCH_PAGES * sysconf(_SC_PAGESIZE);
}

int memcg__charges_verifier(const char *release)
{
	unsigned int major, minor;

	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return -EINVAL;
	return major > 6 || (major == 6 && minor >= 17);
}
