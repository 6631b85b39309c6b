// SPDX-License-Identifier: GPL-2.0-only
/*
 * Creates local storage for each socket or task that the benchmark makes. One
 * program per way of being told of a new owner; the benchmark loads the one
 * that it attaches, so that what this kernel refuses hurts no other.
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

/* The size that upstream's benchmark stores. */
struct storage {
	__u8 data[64];
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct storage);
} sockets SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct storage);
} tasks SEC(".maps");

__u32 bench_tgid = 0;

/* Apart, so that producers on different CPUs don't share a cache line. */
#define SLOTS 64
__u64 created[SLOTS][16] = {};
__u64 failed = 0;

static __always_inline int count(const void *storage)
{
	if (storage)
		__sync_fetch_and_add(&created[bpf_get_smp_processor_id() % SLOTS][0], 1);
	else
		__sync_fetch_and_add(&failed, 1);
	return 0;
}

static __always_inline bool is_bench(void)
{
	return bpf_get_current_pid_tgid() >> 32 == bench_tgid;
}

SEC("lsm.s/socket_post_create")
int BPF_PROG(socket_by_lsm, struct socket *sock, int family, int type, int protocol, int kern)
{
	struct sock *sk = sock->sk;

	if (!is_bench() || !sk)
		return 0;
	return count(bpf_sk_storage_get(&sockets, sk, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE));
}

SEC("cgroup/sock_create")
int socket_by_cgroup(struct bpf_sock *sk)
{
	if (is_bench())
		count(bpf_sk_storage_get(&sockets, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE));
	return 1;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(task_by_fork, struct task_struct *parent, struct task_struct *child)
{
	if (parent->tgid != bench_tgid)
		return 0;
	return count(bpf_task_storage_get(&tasks, child, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE));
}

char LICENSE[] SEC("license") = "GPL";
