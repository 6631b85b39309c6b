// SPDX-License-Identifier: GPL-2.0-only
/*
 * Maps that an application sizes at run time, or that have no size, and one
 * that is pinned by name: no program may fail for them.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define MAP(NAME, TYPE, KEY, VALUE)   \
	struct {                      \
		__uint(type, TYPE);   \
		__type(key, KEY);     \
		__type(value, VALUE); \
	} NAME SEC(".maps")

MAP(sized_at_run_time, BPF_MAP_TYPE_PERF_EVENT_ARRAY, int, int);
MAP(hash_sized_at_run_time, BPF_MAP_TYPE_HASH, int, long);
MAP(per_cgroup, BPF_MAP_TYPE_CGROUP_STORAGE, struct bpf_cgroup_storage_key, long);
MAP(per_cgroup_and_cpu, BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE, struct bpf_cgroup_storage_key, long);

#define STORAGE(NAME, TYPE)                            \
	struct {                                       \
		__uint(type, TYPE);                    \
		__uint(map_flags, BPF_F_NO_PREALLOC);  \
		__type(key, int);                      \
		__type(value, long);                   \
	} NAME SEC(".maps")

STORAGE(per_socket, BPF_MAP_TYPE_SK_STORAGE);
STORAGE(per_task, BPF_MAP_TYPE_TASK_STORAGE);
STORAGE(per_inode, BPF_MAP_TYPE_INODE_STORAGE);
STORAGE(per_group, BPF_MAP_TYPE_CGRP_STORAGE);

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1 << 28);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
	__type(key, int);
	__type(value, long[64]);
} bpf_ab_must_not_be_pinned SEC(".maps");

SEC("cgroup_skb/ingress")
int takes_all(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	int key = 0, sum = 0;
	long *value;

	sum += *(long *)bpf_get_local_storage(&per_cgroup, 0);
	sum += *(long *)bpf_get_local_storage(&per_cgroup_and_cpu, 0);
	value = bpf_map_lookup_elem(&hash_sized_at_run_time, &key);
	sum += value ? *value : 0;
	value = bpf_map_lookup_elem(&bpf_ab_must_not_be_pinned, &key);
	sum += value ? *value : 0;
	bpf_perf_event_output(skb, &sized_at_run_time, BPF_F_CURRENT_CPU, &sum, sizeof(sum));
	bpf_ringbuf_output(&ring, &sum, sizeof(sum), 0);
	sk = sk ? bpf_sk_fullsock(sk) : 0;
	value = sk ? bpf_sk_storage_get(&per_socket, sk, 0, BPF_SK_STORAGE_GET_F_CREATE) : 0;
	return (sum + (value ? *value : 0)) & 1;
}

char _license[] SEC("license") = "GPL";
