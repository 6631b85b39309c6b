// SPDX-License-Identifier: GPL-2.0-only
#include "storage_source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>

#include "cgroup.h"
#include "kfeat.h"

struct storage_source {
	const char *hook;
	enum kfeat needs;
	const char *prog;
	int (*attach)(struct bpf_program *prog, struct bpf_link **ret_link, struct err *err);
	bool inet_only; /* sockets of other families are not told of */
	bool no_delete; /* such programs may not delete storage */
};

static int attach_plain(struct bpf_program *prog, struct bpf_link **ret_link, struct err *err)
{
	struct bpf_link *link = bpf_program__attach(prog);

	if (!link)
		return err__set(err, -errno, "attaching: %s", strerror(errno));
	*ret_link = link;
	return 0;
}

/* To our own cgroup: nobody else's sockets run the program. */
static int attach_cgroup(struct bpf_program *prog, struct bpf_link **ret_link, struct err *err)
{
	_cleanup_place_ struct cgroup_place place = {};
	_cleanup_free_ char *dir = NULL;
	_cleanup_close_ int fd = -1;
	struct bpf_link *link;
	int rc;

	rc = cgroup_place__find("", NULL, &place, err);
	if (rc < 0)
		return rc;
	if (str__printf(&dir, "%s%s", place.mount, place.own) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err__set(err, -errno, "%s: %s", dir, strerror(errno));
	link = bpf_program__attach_cgroup(prog, fd);
	if (!link)
		return err__set(err, -errno, "attaching: %s", strerror(errno));
	*ret_link = link;
	return 0;
}

static const struct storage_type {
	enum bpf_map_type map_type;
	struct storage_source sources[3]; /* best first; prog NULL ends */
} types[OWNER_MAX] = {
	[OWNER_SOCKET] = {
		BPF_MAP_TYPE_SK_STORAGE,
		{ { "lsm", KFEAT_LSM, "socket_by_lsm", attach_plain, false, false },
		  { "cgroup", KFEAT_CGROUP_SOCK_CREATE, "socket_by_cgroup", attach_cgroup, true,
		    true } },
	},
	[OWNER_TASK] = {
		BPF_MAP_TYPE_TASK_STORAGE,
		{ { "tp", KFEAT_TP_BTF, "task_by_fork", attach_plain, false, false },
		  { "lsm", KFEAT_LSM, "task_by_lsm", attach_plain, false, false } },
	},
	[OWNER_CGROUP] = {
		BPF_MAP_TYPE_CGRP_STORAGE,
		{ { "tp", KFEAT_TP_BTF, "cgroup_by_mkdir", attach_plain, false, false } },
	},
	[OWNER_INODE] = {
		BPF_MAP_TYPE_INODE_STORAGE,
		{ { "lsm", KFEAT_LSM, "inode_by_lsm", attach_plain, false, false } },
	},
};

static bool fits(const struct storage_source *source, const struct storage_wish *wish,
		 struct err *why)
{
	if (source->inet_only && wish->family == AF_UNIX) {
		err__set(why, 0, "%s is not told of sockets of family unix", source->hook);
		return false;
	}
	if (source->no_delete && wish->deletes) {
		err__set(why, 0, "%s programs may not delete storage", source->hook);
		return false;
	}
	return kfeat__probe(source->needs, why);
}

static bool is_wished(const struct storage_source *source, const struct storage_wish *wish)
{
	return streq(wish->hook, "auto") || streq(wish->hook, source->hook);
}

/* The first of those wished for that this kernel has, or NULL; whynot: of those before it. */
static const struct storage_source *find_fitting(const struct storage_wish *wish, FILE *whynot)
{
	for (const struct storage_source *s = types[wish->type].sources; s->prog; s++) {
		struct err why = {};

		if (!is_wished(s, wish))
			continue;
		if (fits(s, wish, &why))
			return s;
		fprintf(whynot, "%s%s", ftell(whynot) > 0 ? "; " : "", why.text);
	}
	return NULL;
}

static int check_hook(const struct storage_wish *wish, struct err *err)
{
	char hooks[64] = "";

	for (const struct storage_source *s = types[wish->type].sources; s->prog; s++) {
		size_t len = strlen(hooks);

		if (is_wished(s, wish))
			return 0;
		snprintf(hooks + len, sizeof(hooks) - len, "%s%s", len ? " or " : "", s->hook);
	}
	return err__set(err, -EINVAL, "--hook for --storage-type %s is auto or %s, not '%s'",
			owner__name(wish->type), hooks, wish->hook);
}

static int explain(const struct storage_wish *wish, const struct storage_source *source,
		   const char *whynot, char **ret_note)
{
	if (*whynot)
		return str__printf(ret_note, "hook %s, because: %s", source->hook, whynot);
	return str__printf(ret_note, "hook %s, %s", source->hook,
			   streq(wish->hook, "auto") ? "the first choice" : "as asked for");
}

int storage_source__find(const struct storage_wish *wish, const struct storage_source **ret_source,
			 char **ret_note, struct err *err)
{
	const struct storage_source *source;
	_cleanup_free_ char *whynot = NULL;
	size_t len;
	FILE *out;
	int rc;

	rc = check_hook(wish, err);
	if (rc < 0)
		return rc;
	out = open_memstream(&whynot, &len);
	if (!out)
		return err__set(err, -ENOMEM, "out of memory");
	source = find_fitting(wish, out);
	if (fclose(out))
		return err__set(err, -ENOMEM, "out of memory");
	if (!source)
		return err__set(err, -EOPNOTSUPP, "%s storage: %s", owner__name(wish->type),
				whynot);
	if (explain(wish, source, whynot, ret_note) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	*ret_source = source;
	return 0;
}

const char *storage_source__hook(const struct storage_source *source)
{
	return source->hook;
}

const char *storage_source__prog(const struct storage_source *source)
{
	return source->prog;
}

int storage_source__attach(const struct storage_source *source, struct bpf_program *prog,
			   struct bpf_link **ret_link, struct err *err)
{
	return source->attach(prog, ret_link, err);
}

enum bpf_map_type storage_source__map_type(enum owner_type type)
{
	return types[type].map_type;
}
