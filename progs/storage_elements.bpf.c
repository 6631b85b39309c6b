// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the elements of a local storage map, which no system call can: walks
 * the map's table of lists. Elements that come or go meanwhile may be missed.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

struct hlist_node {
	struct hlist_node *next;
} __attribute__((preserve_access_index));

struct hlist_head {
	struct hlist_node *first;
} __attribute__((preserve_access_index));

struct bpf_local_storage_map_bucket {
	struct hlist_head list;
} __attribute__((preserve_access_index));

struct bpf_local_storage_map {
	struct bpf_local_storage_map_bucket *buckets;
	__u32 bucket_log;
} __attribute__((preserve_access_index));

/* A stand-in: the map to count takes its place. */
struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, int);
} storage SEC(".maps");

__u64 elements = 0;

struct list {
	struct hlist_node *node;
};

static long count_one(__u32 nth, struct list *list)
{
	struct hlist_node *node = list->node;

	if (!node)
		return 1;
	elements++;
	list->node = BPF_CORE_READ(node, next);
	return 0;
}

static long count_bucket(__u32 nth, void **buckets)
{
	struct bpf_local_storage_map_bucket *bucket;
	struct list list;

	bucket = *buckets + nth * bpf_core_type_size(struct bpf_local_storage_map_bucket);
	list.node = BPF_CORE_READ(bucket, list.first);
	bpf_loop(1 << 20, count_one, &list, 0);
	return 0;
}

SEC("syscall")
int count_elements(void *ctx)
{
	struct bpf_local_storage_map *map = (void *)&storage;
	void *buckets = map->buckets;

	elements = 0;
	bpf_loop(1 << (map->bucket_log & 31), count_bucket, &buckets, 0);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
