// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates local storage for each owner that the benchmark makes. One program
 * per way of being told of a new owner; the benchmark loads the one that it
 * attaches, so that what this kernel refuses hurts no other.
 */
#include <stdbool.h>
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct sock {
	int dummy;
};

struct socket {
	struct sock *sk;
} __attribute__((preserve_access_index));

struct task_struct {
	int tgid;
} __attribute__((preserve_access_index));

struct super_block {
	__u32 s_dev;
} __attribute__((preserve_access_index));

struct inode {
	struct super_block *i_sb;
} __attribute__((preserve_access_index));

struct file {
	struct inode *f_inode;
} __attribute__((preserve_access_index));

struct cgroup {
	int dummy;
};

/*
 * Stand-ins: the benchmark makes the maps, of the type and size that it is
 * asked for, and puts them here.
 */
#define STORAGE_MAP(n)                                 \
	struct {                                       \
		__uint(type, BPF_MAP_TYPE_SK_STORAGE); \
		__uint(map_flags, BPF_F_NO_PREALLOC);  \
		__type(key, int);                      \
		__type(value, int);                    \
	} storage_##n SEC(".maps")

STORAGE_MAP(0);
STORAGE_MAP(1);
STORAGE_MAP(2);
STORAGE_MAP(3);
STORAGE_MAP(4);
STORAGE_MAP(5);
STORAGE_MAP(6);
STORAGE_MAP(7);

/* How many of the maps each owner gets an element of. */
const volatile __u32 n_maps = 1;
/* The elements are deleted at once, not at the end of their owner. */
const volatile bool deletes = false;
/* The file system whose inodes are owners; the same bits of a number of a device. */
const volatile __u32 fs_minor = 0;

__u32 bench_tgid = 0;
/* Owners get no storage: what is left is what they cost themselves. */
bool bare = false;

/* Apart, so that producers on different CPUs don't share a cache line. */
#define SLOTS 64
__u64 created[SLOTS][16] = {};
__u64 failed = 0;

static __always_inline int count(bool ok)
{
	if (ok)
		__sync_fetch_and_add(&created[bpf_get_smp_processor_id() % SLOTS][0], 1);
	else
		__sync_fetch_and_add(&failed, 1);
	return 0;
}

static __always_inline bool is_bench(void)
{
	return bpf_get_current_pid_tgid() >> 32 == bench_tgid;
}

#define CREATE_ONE(n, type, owner)                                      \
	if ((n) < n_maps && !bpf_##type##_storage_get(&storage_##n, owner, NULL, \
						      BPF_LOCAL_STORAGE_GET_F_CREATE)) \
		ok = false

#define DELETE_ONE(n, type, owner)                                                    \
	if (deletes && (n) < n_maps && bpf_##type##_storage_delete(&storage_##n, owner)) \
		ok = false

#define EACH(what, type, owner)     \
	do {                        \
		what(0, type, owner); \
		what(1, type, owner); \
		what(2, type, owner); \
		what(3, type, owner); \
		what(4, type, owner); \
		what(5, type, owner); \
		what(6, type, owner); \
		what(7, type, owner); \
	} while (0)

#define CREATE(type, owner)                              \
	({                                               \
		bool ok = true;                          \
                                                         \
		if (!bare) {                             \
			EACH(CREATE_ONE, type, owner);   \
			EACH(DELETE_ONE, type, owner);   \
		}                                        \
		count(ok);                               \
	})

SEC("lsm.s/socket_post_create")
int BPF_PROG(socket_by_lsm, struct socket *sock, int family, int type, int protocol, int kern)
{
	struct sock *sk = sock->sk;

	if (!is_bench() || !sk)
		return 0;
	return CREATE(sk, sk);
}

SEC("cgroup/sock_create")
int socket_by_cgroup(struct bpf_sock *sk)
{
	if (is_bench())
		CREATE(sk, sk);
	return 1;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(task_by_fork, struct task_struct *parent, struct task_struct *child)
{
	if (parent->tgid != bench_tgid)
		return 0;
	return CREATE(task, child);
}

SEC("lsm/task_alloc")
int BPF_PROG(task_by_lsm, struct task_struct *task, unsigned long clone_flags)
{
	if (!is_bench())
		return 0;
	return CREATE(task, task);
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(cgroup_by_mkdir, struct cgroup *cgrp, const char *path)
{
	if (!is_bench())
		return 0;
	return CREATE(cgrp, cgrp);
}

/* Low bits of a device are its minor number where the major one is 0. */
SEC("lsm.s/file_open")
int BPF_PROG(inode_by_lsm, struct file *file)
{
	struct inode *inode = file->f_inode;

	if (!is_bench() || inode->i_sb->s_dev != fs_minor)
		return 0;
	return CREATE(inode, inode);
}

/* Run once by the benchmark: in a PID namespace it doesn't know its own number. */
SEC("syscall")
int learn_tgid(void *ctx)
{
	bench_tgid = bpf_get_current_pid_tgid() >> 32;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
