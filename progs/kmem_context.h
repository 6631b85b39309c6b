/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which context an allocator's tracepoint fires, whether for anything, and
 * what is given for what was asked for.
 *
 * These are raw tracepoints: with types, Linux 6.12 lets no program
 * read arguments that are const void *.
 */
#ifndef BPF_AB_KMEM_CONTEXT_H
#define BPF_AB_KMEM_CONTEXT_H

#include <stdbool.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

struct task_struct {
	void *stack;
} __attribute__((preserve_access_index));

extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;

/* The low half of an address, as a number that the verifier lets us compare. */
static __always_inline __u32 address_low(const void *p)
{
	__u32 low;

	asm volatile("%0 = %1" : "=w"(low) : "w"((__u32)(unsigned long)p));
	return low;
}

/*
 * Interrupts that hit a thread inside the kernel have stacks of their own, and
 * the arguments of a tracepoint (ctx) lie on the stack of whoever fires it.
 */
static __always_inline bool in_interrupt(const void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 bottom = address_low(task->stack);
	__u32 top = address_low((void *)bpf_task_pt_regs(task));

	return address_low(ctx) - bottom >= top - bottom;
}

/* Allocations that failed, and kfree(NULL) and kfree(ZERO_SIZE_PTR). */
static __always_inline bool no_object(const void *ptr)
{
	return (unsigned long)ptr <= 16;
}

/* The smallest general cache that an object fits in. */
static __always_inline __u64 size_class(__u64 size)
{
	__u64 class = 8;

	if (size > 64 && size <= 96)
		return 96;
	if (size > 128 && size <= 192)
		return 192;
	for (int i = 0; i < 10 && class < size; i++)
		class <<= 1;
	return class;
}

#endif
