// SPDX-License-Identifier: GPL-2.0-only
/*
 * BTF that the kernel refuses, for a tag without a name, in an object that
 * cannot do without: it has a struct of operations.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct sock;

struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	char name[16];
};

int tagged __attribute__((btf_decl_tag("")));

SEC("struct_ops")
__u32 BPF_PROG(needs_btf, struct sock *sk)
{
	return tagged;
}

SEC(".struct_ops")
struct tcp_congestion_ops bpf_ab_untaggable = {
	.ssthresh = (void *)needs_btf,
	.name = "bpf_ab",
};

char _license[] SEC("license") = "GPL";
