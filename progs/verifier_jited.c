// SPDX-License-Identifier: GPL-2.0-only
/* Guards that __jited reads machine code: instructions, labels, subprograms. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"

SEC("socket")
__description("jited: a constant is returned")
__success __retval(7) __load_if_JITed()
__arch_x86_64
__jited("	movl	$0x7, %eax")
__jited("	leave")
__jited("	{{(retq|jmp	0x)}}")
__naked void constant(void)
{
	asm volatile("r0 = 7;"
		     "exit;" ::
			     : __clobber_all);
}

SEC("socket")
__description("jited: a jump has a label")
__success __load_if_JITed()
__arch_x86_64
__jited("	callq	0x{{.*}}")
__jited("	andq	$0x1, %rax")
__jited("	testq	%rax, %rax")
__jited("	je	L0")
__jited("	movl	$0x9, %eax")
__jited("L0:	leave")
__naked void jump(void)
{
	asm volatile("call %[bpf_get_prandom_u32];"
		     "r0 &= 1;"
		     "if r0 == 0 goto l0_%=;"
		     "r0 = 9;"
		     "l0_%=: exit;" ::__imm(bpf_get_prandom_u32)
		     : __clobber_all);
}

static __naked __noinline __used unsigned long long subprogram(void)
{
	asm volatile("r0 = 5;"
		     "exit;" ::
			     : __clobber_all);
}

SEC("socket")
__description("jited: subprograms follow")
__success __retval(5) __load_if_JITed()
__arch_x86_64
__jited("func #0:")
__jited("...")
__jited("	callq	0x{{.*}}")
__jited("	leave")
__jited("...")
__jited("func #1:")
__jited("...")
__jited("	movl	$0x5, %eax")
__jited("	leave")
__naked void call(void)
{
	asm volatile("call subprogram;"
		     "exit;" ::
			     : __clobber_all);
}

char _license[] SEC("license") = "GPL";
