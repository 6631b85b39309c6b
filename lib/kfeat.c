// SPDX-License-Identifier: GPL-2.0-only
#include "kfeat.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <linux/filter.h>

#include "cgroup.h"
#include "cleanup.h"

struct probe {
	const char *name;
	enum bpf_prog_type type;
	enum bpf_attach_type attach_type;
	const char *target; /* what its BTF id is looked up by; NULL: it needs none */
	/* 0 if it attaches, or -errno with err set; NULL: loading is all. */
	int (*attach)(const struct probe *probe, int prog_fd, struct err *err);
	int ret; /* what its program returns; DENY_THREAD: -EPERM in this thread, else 0 */
};

enum { DENY_THREAD = -1000 };

static int load_prog(const struct probe *probe, int *ret_fd, struct err *err)
{
	const struct bpf_insn plain[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = probe->ret },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	const struct bpf_insn deny[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_pid_tgid },
		{ .code = BPF_ALU | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K,
		  .dst_reg = BPF_REG_1,
		  .off = 1,
		  .imm = gettid() },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = -EPERM },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = probe->attach_type);
	bool plainly = probe->ret != DENY_THREAD;
	int fd;

	if (probe->target) {
		int id = libbpf_find_vmlinux_btf_id(probe->target, probe->attach_type);

		if (id < 0)
			return err__set(err, id, "the kernel's BTF has no %s", probe->target);
		opts.attach_btf_id = id;
	}
	fd = bpf_prog_load(probe->type, NULL, "GPL", plainly ? plain : deny,
			   plainly ? ARRAY_SIZE(plain) : ARRAY_SIZE(deny), &opts);
	if (fd < 0)
		return err__set(err, fd, "loading: %s", strerror(-fd));
	*ret_fd = fd;
	return 0;
}

static int attach_raw_tp(const struct probe *probe, int prog_fd, struct err *err)
{
	_cleanup_close_ int fd = -1;

	fd = bpf_raw_tracepoint_open(probe->target ? NULL : "sys_enter", prog_fd);
	return fd < 0 ? err__set(err, fd, "attaching: %s", strerror(-fd)) : 0;
}

/* Attaching succeeds even where bpf is not among the active LSMs, so look for the effect. */
static int attach_lsm(const struct probe *probe, int prog_fd, struct err *err)
{
	_cleanup_close_ int fd = -1, sock = -1;

	(void)probe;
	fd = bpf_raw_tracepoint_open(NULL, prog_fd);
	if (fd < 0)
		return err__set(err, fd, "attaching: %s", strerror(-fd));
	sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (sock < 0 && errno == EPERM)
		return 0;
	return err__set(err, -EOPNOTSUPP,
			"the program attaches but is not called: bpf is not an active LSM "
			"(/sys/kernel/security/lsm, lsm= on the command line)");
}

static int attach_cgroup(const struct probe *probe, int prog_fd, struct err *err)
{
	_cleanup_place_ struct cgroup_place place = {};
	_cleanup_close_ int cgroup_fd = -1, fd = -1;
	_cleanup_free_ char *dir = NULL;
	int rc;

	rc = cgroup_place__find("", NULL, &place, err);
	if (rc < 0)
		return rc;
	if (!place.version)
		return err__set(err, -EOPNOTSUPP, "no cgroup2 is mounted");
	if (str__printf(&dir, "%s%s", place.mount, place.own) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	cgroup_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (cgroup_fd < 0)
		return err__set(err, -errno, "%s: %s", dir, strerror(errno));
	fd = bpf_link_create(prog_fd, cgroup_fd, probe->attach_type, NULL);
	return fd < 0 ? err__set(err, fd, "attaching to %s: %s", dir, strerror(-fd)) : 0;
}

static const struct probe probes[KFEAT_MAX] = {
	[KFEAT_LOAD] = { "load", BPF_PROG_TYPE_SOCKET_FILTER, 0, NULL, NULL, 0 },
	[KFEAT_RAW_TP] = { "raw_tp", BPF_PROG_TYPE_RAW_TRACEPOINT, 0, NULL, attach_raw_tp, 0 },
	[KFEAT_TP_BTF] = { "tp_btf", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sys_enter",
			   attach_raw_tp, 0 },
	[KFEAT_FENTRY] = { "fentry", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, "bpf_fentry_test1",
			   attach_raw_tp, 0 },
	[KFEAT_LSM] = { "lsm", BPF_PROG_TYPE_LSM, BPF_LSM_MAC, "socket_create", attach_lsm,
			DENY_THREAD },
	[KFEAT_CGROUP_SOCK_CREATE] = { "cgroup/sock_create", BPF_PROG_TYPE_CGROUP_SOCK,
				       BPF_CGROUP_INET_SOCK_CREATE, NULL, attach_cgroup, 1 },
};

const char *kfeat__name(enum kfeat feat)
{
	return probes[feat].name;
}

int kfeat__probe(enum kfeat feat, struct err *err)
{
	const struct probe *probe = &probes[feat];
	_cleanup_close_ int fd = -1;
	libbpf_print_fn_t print;
	struct err why = {};
	int rc;

	print = libbpf_set_print(NULL);
	rc = load_prog(probe, &fd, &why);
	if (rc == 0 && probe->attach)
		rc = probe->attach(probe, fd, &why);
	libbpf_set_print(print);
	if (rc < 0)
		err__set(err, rc, "%s programs: %s", probe->name, why.text);
	return rc == 0;
}

int kfeat__noise(struct err *err)
{
	/* Of the second register nobody reads the upper half. */
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = BPF_F_TEST_RND_HI32);
	struct bpf_prog_info info = {};
	_cleanup_close_ int fd = -1;
	__u32 len = sizeof(info);
	int rc;

	fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, NULL, "GPL", insns, ARRAY_SIZE(insns),
			   &opts);
	rc = fd < 0 ? fd : bpf_prog_get_info_by_fd(fd, &info, &len);
	if (rc < 0)
		return err__set(err, rc, "BPF_F_TEST_RND_HI32: %s", strerror(-rc));
	if (info.xlated_prog_len <= sizeof(insns))
		return err__set(err, -EOPNOTSUPP,
				"this kernel does nothing about BPF_F_TEST_RND_HI32");
	return 0;
}

int kfeat__arena(struct err *err)
{
	/* Where user space sees it has to be said. */
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE,
		    .map_extra = 1ULL << 44);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARENA, NULL, 0, 0, 1, &opts);
	bool refused = fd == -EPERM || fd == -EINVAL || fd == -EOPNOTSUPP;

	if (fd < 0)
		return err__set(err, refused ? -EOPNOTSUPP : fd, "arena maps: %s", strerror(-fd));
	return fd;
}
