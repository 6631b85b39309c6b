// SPDX-License-Identifier: GPL-2.0-only
#include "memcg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

/* The kernel charges MEMCG_CHARGE_BATCH pages at a time to a CPU's stock. */
enum { CHARGE_BATCH_PAGES = 64 };

enum { VERSION_1 = 1, VERSION_2 = 2 };

/* A hierarchy that has, or could have, the memory controller. */
struct hierarchy {
	int version;
	char *mount; /* with root in front */
	char *own;   /* our cgroup in it: a path below mount, "" or starting with '/' */
};

struct memcg {
	struct hierarchy h;
	char *parent; /* of the cgroups made here, with mount in front */
	char *dir;    /* the current one, or NULL */
	int peak_fd;
	bool resets; /* writing to peak_fd starts it anew */
	unsigned int made;
	uint64_t base;
	struct janitor *janitor;
};

static void hierarchy_free(struct hierarchy *h)
{
	free(h->mount);
	free(h->own);
	*h = (struct hierarchy){};
}

/* Is word one of the words of text, separated by blanks or commas? */
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

/* Our cgroup by /proc/self/cgroup: lines "id:controllers:path"; v2 has id 0 and no controllers. */
static int own_cgroup(const char *text, int version, char **ret_path)
{
	char controllers[256], path[4096];

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		int id;

		if (sscanf(line, "%d::%4095[^\n]", &id, path) == 2) {
			if (version == VERSION_2 && id == 0)
				goto found;
		} else if (sscanf(line, "%d:%255[^:]:%4095[^\n]", &id, controllers, path) == 3) {
			if (version == VERSION_1 && has_word(controllers, "memory"))
				goto found;
		}
	}
	return -ENOENT;
found:
	*ret_path = strdup(path);
	return *ret_path ? 0 : -ENOMEM;
}

/*
 * A line of mountinfo: "id parent dev ROOT MOUNT options fields... - TYPE
 * source SUPEROPTIONS". Returns the version of the hierarchy or 0.
 */
static int parse_mount(const char *line, char mount_root[4096], char mount[4096])
{
	char type[64], super[1024];
	const char *dash;

	if (sscanf(line, "%*d %*d %*s %4095s %4095s", mount_root, mount) != 2)
		return 0;
	dash = strstr(line, " - ");
	if (!dash || sscanf(dash, " - %63s %*s %1023s", type, super) != 2)
		return 0;
	if (streq(type, "cgroup2"))
		return VERSION_2;
	return streq(type, "cgroup") && has_word(super, "memory") ? VERSION_1 : 0;
}

static int hierarchy_set(struct hierarchy *h, int version, const char *root, const char *mount_root,
			 const char *mount, const char *cgroups)
{
	_cleanup_free_ char *own = NULL;
	const char *below;
	int rc;

	rc = own_cgroup(cgroups, version, &own);
	if (rc < 0)
		return rc;
	/* A part of the hierarchy may be mounted: what we see starts at mount_root. */
	below = own;
	if (!streq(mount_root, "/") && str_starts(own, mount_root))
		below += strlen(mount_root);
	hierarchy_free(h);
	h->version = version;
	if (str__printf(&h->mount, "%s%s", root, mount) < 0 ||
	    str__printf(&h->own, "%s", streq(below, "/") ? "" : below) < 0)
		return -ENOMEM;
	return 0;
}

/* The hierarchy of the memory controller: v1's where there is one, else v2's. */
static int hierarchy_find(const char *root, struct hierarchy *h, struct err *err)
{
	_cleanup_free_ char *mounts_path = NULL, *mounts = NULL, *cgroups_path = NULL,
			    *cgroups = NULL;
	char *line, *next;
	int rc;

	if (str__printf(&mounts_path, "%s/proc/self/mountinfo", root) < 0 ||
	    str__printf(&cgroups_path, "%s/proc/self/cgroup", root) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	rc = file__read(mounts_path, &mounts, NULL);
	if (rc < 0)
		return err__set(err, rc, "%s: %s", mounts_path, strerror(-rc));
	rc = file__read(cgroups_path, &cgroups, NULL);
	if (rc < 0)
		return err__set(err, -EOPNOTSUPP, "this kernel has no cgroups (%s: %s)",
				cgroups_path, strerror(-rc));
	for (line = mounts; *line; line = next) {
		char mount_root[4096], mount[4096];
		int version;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		version = parse_mount(line, mount_root, mount);
		if (!version || (h->version && h->version <= version))
			continue;
		rc = hierarchy_set(h, version, root, mount_root, mount, cgroups);
		if (rc == -ENOMEM)
			return err__set(err, rc, "out of memory");
	}
	if (!h->version)
		return err__set(err, -EOPNOTSUPP,
				"no cgroup hierarchy with the memory controller is mounted");
	return 0;
}

static int file_has_word(const char *dir, const char *name, const char *word)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	int rc;

	if (str__printf(&path, "%s/%s", dir, name) < 0)
		return -ENOMEM;
	rc = file__read(path, &text, NULL);
	return rc < 0 ? rc : has_word(text, word);
}

/* The nearest of our cgroup and its ancestors that gives its children the memory controller. */
static int parent_find_v2(const struct hierarchy *h, char **ret_parent, struct err *err)
{
	_cleanup_free_ char *dir = NULL;
	int rc;

	if (file_has_word(h->mount, "cgroup.controllers", "memory") == 0)
		return err__set(err, -EOPNOTSUPP, "%s has no memory controller (cgroup v2)",
				h->mount);
	if (str__printf(&dir, "%s%s", h->mount, h->own) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	for (;;) {
		rc = file_has_word(dir, "cgroup.subtree_control", "memory");
		if (rc > 0)
			break;
		if (rc < 0 && rc != -ENOENT)
			return err__set(err, rc, "%s/cgroup.subtree_control: %s", dir,
					strerror(-rc));
		if (strlen(dir) <= strlen(h->mount))
			return err__set(err, -EOPNOTSUPP,
					"no cgroup above us hands the memory controller down: "
					"echo +memory > %s/cgroup.subtree_control",
					h->mount);
		*strrchr(dir, '/') = '\0';
	}
	*ret_parent = TAKE_PTR(dir);
	return 0;
}

static int parent_find(struct memcg *memcg, struct err *err)
{
	const struct hierarchy *h = &memcg->h;

	if (h->version == VERSION_2)
		return parent_find_v2(h, &memcg->parent, err);
	if (str__printf(&memcg->parent, "%s%s", h->mount, h->own) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	return 0;
}

/* Moves this process. */
static int enter(const char *dir)
{
	_cleanup_free_ char *path = NULL;

	if (str__printf(&path, "%s/cgroup.procs", dir) < 0)
		return -ENOMEM;
	return file__write(path, "0");
}

static int open_peak(struct memcg *memcg, const char *dir, int *ret_fd, struct err *err)
{
	const char *name =
		memcg->h.version == VERSION_2 ? "memory.peak" : "memory.max_usage_in_bytes";
	_cleanup_free_ char *path = NULL;
	int fd;

	if (str__printf(&path, "%s/%s", dir, name) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && errno == EACCES)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return err__set(err, -EOPNOTSUPP, "this kernel has no %s (cgroup v%d)", name,
				memcg->h.version);
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
		rc = enter(dir);
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
	rc = hierarchy_find(root, &memcg->h, err);
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
	if (memcg->dir && str__printf(&home, "%s%s", memcg->h.mount, memcg->h.own) == 0) {
		enter(home);
		rmdir(memcg->dir);
	}
	cleanup_closep(&memcg->peak_fd);
	hierarchy_free(&memcg->h);
	free(memcg->parent);
	free(memcg->dir);
	free(memcg);
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
	uint64_t peak;
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
