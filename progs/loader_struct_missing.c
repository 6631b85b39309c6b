// SPDX-License-Identifier: GPL-2.0-only
/* A program for a struct of operations that no kernel has. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct bpf_ab_no_such_ops {
	int (*act)(void *ctx);
};

SEC("struct_ops")
int act(void *ctx)
{
	return 0;
}

SEC(".struct_ops")
struct bpf_ab_no_such_ops none = {
	.act = (void *)act,
};

char _license[] SEC("license") = "GPL";
