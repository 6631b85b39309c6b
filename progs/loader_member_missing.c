// SPDX-License-Identifier: GPL-2.0-only
/* A struct of operations that kernels have, with one that none has. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct tcp_congestion_ops {
	int (*bpf_ab_no_such_operation)(void *ctx);
	char name[16];
};

SEC("struct_ops")
int act(void *ctx)
{
	return 0;
}

SEC(".struct_ops")
struct tcp_congestion_ops bpf_ab_odd = {
	.bpf_ab_no_such_operation = (void *)act,
	.name = "bpf_ab",
};

char _license[] SEC("license") = "GPL";
