// SPDX-License-Identifier: GPL-2.0-only
/* Needs a kernel function that no kernel has. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int bpf_ab_no_such_kfunc(void) __ksym;

SEC("tc")
int without_kfunc(struct __sk_buff *skb)
{
	return bpf_ab_no_such_kfunc() & skb->len;
}

char _license[] SEC("license") = "GPL";
