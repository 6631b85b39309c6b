// SPDX-License-Identifier: GPL-2.0-only
/* Two programs of one struct: the verdict on one is not the verdict on the other. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct sock;

/* The members that are used; libbpf finds them in the kernel's struct by name. */
struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	__u32 (*undo_cwnd)(struct sock *sk);
	char name[16];
};

SEC("struct_ops")
__u32 BPF_PROG(taken, struct sock *sk)
{
	return 2;
}

SEC("struct_ops")
__u32 BPF_PROG(rejected, struct sock *sk)
{
	return *(volatile __u32 *)0;
}

SEC(".struct_ops")
struct tcp_congestion_ops bpf_ab_congestion = {
	.ssthresh = (void *)taken,
	.undo_cwnd = (void *)rejected,
	.name = "bpf_ab",
};

char _license[] SEC("license") = "GPL";
