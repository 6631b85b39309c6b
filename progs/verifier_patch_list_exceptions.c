// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exceptions behind what the verifier rewrites: it appends a handler, or calls one of
 * the program's own. See verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long one = 1;

extern void bpf_throw(__u64 cookie) __weak __ksym;

/* The compiler tells of the types of functions that C calls, not of those that assembly does. */
__used static void kfuncs(void)
{
	bpf_throw(0);
}

/* Guards an exception's default handler, which the verifier appends to a program that grows. */
SEC("tc")
__description("exception behind a division")
__success __retval(19) __arch_x86_64 __load_if_JITed()
__xlated("0: r8 = 0x")
__xlated("2: r8 = *(u64 *)(r8 +0)")
__xlated("3: r9 = 19{{$}}")
__xlated("4: if r8 == 0x0 goto pc+6{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("9: r1 = r9")
__xlated("10: call {{.*}}")
__xlated("11: r0 = 3{{$}}")
__xlated("12: exit")
__xlated("13: r0 = r1")
__xlated("14: exit")
__naked void exception(void)
{
	asm volatile (ONE
		      "r9 = 19;"
		      "if r8 == 0 goto 1f;"
		      "r9 /= r8;"
		      "r1 = r9;"
		      "call %[bpf_throw];"
		      "1: r0 = 3;"
		      "exit;"
		      :
		      : __imm_addr(one), __imm(bpf_throw)
		      : __clobber_all);
}

/*
 * Handles an exception by a division of its cookie. This is C, because the
 * kernel wants the parameter of a global function to have a name.
 */
__noinline int handler(__u64 cookie)
{
	return cookie / one + 2;
}

static __naked __noinline __used int throws(void)
{
	asm volatile ("r1 /= r2;"
		      "call %[bpf_throw];"
		      "r0 = 3;"
		      "exit;"
		      :
		      : __imm(bpf_throw)
		      : __clobber_all);
}

/* Guards the start of a handler of one's own, thrown to from a subprogram behind divisions. */
SEC("tc")
__description("exception's own handler behind divisions")
__success __retval(21) __arch_x86_64 __load_if_JITed()
__attribute__((btf_decl_tag("exception_callback:handler")))
__xlated("0: r8 = 0x")
__xlated("2: r8 = *(u64 *)(r8 +0)")
__xlated("3: r9 = 19{{$}}")
XLATED_MOD64("r9", "r8")
__xlated("6: r9 += 19{{$}}")
__xlated("7: r1 = r9")
__xlated("8: r2 = r8")
__xlated("9: call pc+0{{$}}")
XLATED_DIV64("r1", "r2")
__xlated("14: call {{.*}}")
__xlated("...")
__xlated("if r{{[0-9]}} != 0x0 goto pc+2{{$}}")
__xlated("^= w")
__xlated("goto pc+1{{$}}")
__xlated("r{{[0-9]}} /= r")
__naked void exception_handled(void)
{
	asm volatile (ONE
		      "r9 = 19;"
		      "r9 %%= r8;"
		      "r9 += 19;"
		      "r1 = r9;"
		      "r2 = r8;"
		      "call throws;"
		      "r0 = r9;"
		      "exit;"
		      :
		      : __imm_addr(one), __imm(bpf_throw)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
