// SPDX-License-Identifier: GPL-2.0-only
/* Replaces a function of a program that is not there: the type has to be guessed. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("freplace/some_function")
int of_a_packet(struct __sk_buff *skb)
{
	return skb->len & 1;
}

SEC("freplace/some_function")
int of_a_number(int number)
{
	return number & 1;
}

char _license[] SEC("license") = "GPL";
