// SPDX-License-Identifier: GPL-2.0-only
/* Two need kernel functions that no kernel has, their sibling needs nothing. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int bpf_ab_no_such_kfunc(void) __ksym;
extern int bpf_ab_no_other_kfunc(void) __ksym;

SEC("tc")
int without_kfunc(struct __sk_buff *skb)
{
	return bpf_ab_no_such_kfunc() & skb->len;
}

SEC("tc")
int without_another(struct __sk_buff *skb)
{
	return bpf_ab_no_other_kfunc() & skb->len;
}

SEC("tc")
int sibling(struct __sk_buff *skb)
{
	return skb->len & 1;
}

char _license[] SEC("license") = "GPL";
