// SPDX-License-Identifier: GPL-2.0-only
/* As every.bpf.c, for what only programs of unprivileged users get. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define __naked __attribute__((naked))

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} array SEC(".maps");

/* Loaded without privileges: masked pointer arithmetic, barriers. */
SEC("socket")
__naked int speculation(void)
{
	asm volatile("*(u64 *)(r10 - 8) = r1;"
		     "*(u64 *)(r10 - 8) = 0;"
		     "r2 = r10;"
		     "r2 += -8;"
		     "r1 = %[array] ll;"
		     "call %[bpf_map_lookup_elem];"
		     "if r0 == 0 goto 1f;"
		     "r1 = *(u32 *)(r0 + 0);"
		     "r1 &= 7;"
		     "r0 += r1;"
		     "r0 = *(u8 *)(r0 + 0);"
		     "1: r0 = 0;"
		     "exit;" ::[array] "i"(&array),
		     [bpf_map_lookup_elem] "i"(bpf_map_lookup_elem)
		     : "memory");
}

char _license[] SEC("license") = "GPL";
