// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program type that most kernels are built without: they refuse it before
 * the verifier sees it. Its sibling is of a type that all have.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("lirc_mode2")
int of_a_remote_control(unsigned int *sample)
{
	return *sample & 1;
}

SEC("tc")
int sibling(struct __sk_buff *skb)
{
	return skb->len & 1;
}

char _license[] SEC("license") = "GPL";
