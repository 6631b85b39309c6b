// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int CONFIG_BPF_AB_NO_SUCH_OPTION __kconfig;

SEC("tc")
int reads_it(struct __sk_buff *skb)
{
	return CONFIG_BPF_AB_NO_SUCH_OPTION & skb->len;
}

char _license[] SEC("license") = "GPL";
