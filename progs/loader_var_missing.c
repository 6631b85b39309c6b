// SPDX-License-Identifier: GPL-2.0-only
/* A variable that no kernel has, and one of its configuration. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern const int bpf_ab_no_such_variable __ksym;

SEC("tc")
int reads_it(struct __sk_buff *skb)
{
	return bpf_ab_no_such_variable & skb->len;
}

char _license[] SEC("license") = "GPL";
