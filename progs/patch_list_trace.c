// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps around what tracing programs ask of the function that they trace, and
 * around the current task: all of that is inlined. This needs a kernel that
 * inlines the latter and lets programs attach to functions;
 * prog_tests/patch_list_trace.c sees whether it does, and runs what cannot be
 * run without being attached. See verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

/* What the traced programs found, each at its place; prog_tests/patch_list_trace.c knows. */
long results[5] SEC(".data.results") = { -1, -1, -1, -1, -1 };

#define STORE(place) "r1 = %[results] ll; *(u64 *)(r1 + 8 * " #place ") = r6; r0 = 0; exit;"

#define XLATED_STORE(at, off)                                                                      \
	__xlated("r1 = 0x")                                                                        \
	__xlated("*(u64 *)(r1 +" #off ") = r6")                                                    \
	__xlated("r0 = 0{{$}}")                                                                    \
	__xlated(#at ": exit")
/* In front of the arguments there is their number, in its lowest byte. */
#define XLATED_COUNT                                                                               \
	__xlated("r0 = *(u64 *)(r1 -8)")                                                           \
	__xlated("r0 &= 255{{$}}")
#define XLATED_ARG                                                                                 \
	XLATED_COUNT                                                                               \
	__xlated("if w2 >= w0 goto pc+6{{$}}")                                                     \
	__xlated("r2 <<= 3{{$}}")                                                                  \
	__xlated("r2 += r1")                                                                       \
	__xlated("r0 = *(u64 *)(r2 +0)")                                                           \
	__xlated("*(u64 *)(r3 +0) = r0")                                                           \
	__xlated("r0 = 0{{$}}")                                                                    \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated("r0 = -22{{$}}")
#define XLATED_TASK                                                                                \
	__xlated("r0 = {{-?[0-9]+$}}")                                                             \
	__xlated("r0 = &(void __percpu *)(r0)")                                                    \
	__xlated("r0 = *(u64 *)(r0 +0)")

/* Guards a jump over the inlined argument, of which there are branches. */
SEC("fentry/bpf_fentry_test3")
__description("forward over an argument of a traced function")
__success __arch_x86_64
__xlated("0: r9 = r1")
__xlated("1: r6 = 1{{$}}")
__xlated("2: *(u64 *)(r10 -8) = r6")
__xlated("3: r7 = 0x")
__xlated("5: r7 = *(u64 *)(r7 +0)")
__xlated("6: r1 = r9")
__xlated("7: r2 = 2{{$}}")
__xlated("8: r3 = r10")
__xlated("9: r3 += -8{{$}}")
__xlated("10: if r7 != 0x0 goto pc+11{{$}}")
XLATED_ARG
__xlated("21: r6 += r0")
__xlated("22: r2 = *(u64 *)(r10 -8)")
__xlated("23: r6 += r2")
XLATED_STORE(28, 0)
__naked void forward_over_arg(void)
{
	asm volatile ("r9 = r1;"
		      "r6 = 1;"
		      "*(u64 *)(r10 - 8) = r6;" UNKNOWN
		      "r1 = r9;"
		      "r2 = 2;"
		      "r3 = r10;"
		      "r3 += -8;"
		      "if r7 != 0 goto 1f;"
		      "call %[bpf_get_func_arg];"
		      "r6 += r0;"
		      "1: r2 = *(u64 *)(r10 - 8);"
		      "r6 += r2;" STORE(0)
		      :
		      : __imm_addr(unknown), __imm_addr(results), __imm(bpf_get_func_arg)
		      : __clobber_all);
}

/* Guards a back edge over all arguments and one too many, whose error is the last. */
SEC("fentry/bpf_fentry_test3")
__description("backward over an argument of a traced function")
__success __arch_x86_64
__xlated("0: r9 = r1")
__xlated("1: r6 = 1{{$}}")
__xlated("2: r7 = 0{{$}}")
__xlated("3: *(u64 *)(r10 -8) = r7")
__xlated("4: r1 = r9")
__xlated("5: r2 = r7")
__xlated("6: r3 = r10")
__xlated("7: r3 += -8{{$}}")
XLATED_ARG
__xlated("18: r6 += r0")
__xlated("19: r2 = *(u64 *)(r10 -8)")
__xlated("20: r6 += r2")
__xlated("21: r7 += 1{{$}}")
__xlated("22: if r7 < 0x4 goto pc-20{{$}}")
XLATED_STORE(27, 8)
__naked void backward_over_arg(void)
{
	asm volatile ("r9 = r1;"
		      "r6 = 1;"
		      "r7 = 0;"
		      "1: *(u64 *)(r10 - 8) = r7;"
		      "r1 = r9;"
		      "r2 = r7;"
		      "r3 = r10;"
		      "r3 += -8;"
		      "call %[bpf_get_func_arg];"
		      "r6 += r0;"
		      "r2 = *(u64 *)(r10 - 8);"
		      "r6 += r2;"
		      "r7 += 1;"
		      "if r7 < 4 goto 1b;" STORE(1)
		      :
		      : __imm_addr(results), __imm(bpf_get_func_arg)
		      : __clobber_all);
}

/* Guards a jump onto the number of arguments, and one over it and a division. */
SEC("fentry/bpf_fentry_test5")
__description("onto the number of arguments, and over it and a division")
__success __arch_x86_64
__xlated("0: r9 = r1")
__xlated("1: r6 = 1{{$}}")
__xlated("2: r7 = 0x")
__xlated("4: r7 = *(u64 *)(r7 +0)")
__xlated("5: r8 = 0x")
__xlated("7: r8 = *(u64 *)(r8 +0)")
__xlated("8: r1 = r9")
__xlated("9: if r7 == 0x0 goto pc+2{{$}}")
__xlated("10: if r8 != 0x0 goto pc+8{{$}}")
__xlated("11: r6 += 64{{$}}")
XLATED_COUNT
XLATED_DIV64("r0", "r8")
__xlated("18: r6 += r0")
__xlated("19: r6 += 8{{$}}")
__xlated("20: r1 = 0x")
__xlated("22: *(u64 *)(r1 +16) = r6")
__xlated("23: r0 = 0{{$}}")
__xlated("24: exit")
__naked void onto_arg_cnt(void)
{
	asm volatile ("r9 = r1;"
		      "r6 = 1;" UNKNOWN ONE
		      "r1 = r9;"
		      "if r7 == 0 goto 1f;"
		      "if r8 != 0 goto 2f;"
		      "r6 += 64;"
		      "1: call %[bpf_get_func_arg_cnt];"
		      "r0 /= r8;"
		      "r6 += r0;"
		      "2: r6 += 8;" STORE(2)
		      :
		      : __imm_addr(unknown), __imm_addr(one), __imm_addr(results),
			__imm(bpf_get_func_arg_cnt)
		      : __clobber_all);
}

/* Guards a back edge over what the traced function returned. */
SEC("fexit/bpf_fentry_test3")
__description("backward over what a traced function returned")
__success __arch_x86_64
__xlated("0: r9 = r1")
__xlated("1: r6 = 1{{$}}")
__xlated("2: r7 = 0{{$}}")
__xlated("3: *(u64 *)(r10 -8) = r7")
__xlated("4: r1 = r9")
__xlated("5: r2 = r10")
__xlated("6: r2 += -8{{$}}")
XLATED_COUNT
__xlated("9: r0 <<= 3{{$}}")
__xlated("10: r0 += r1")
__xlated("11: r3 = *(u64 *)(r0 +0)")
__xlated("12: *(u64 *)(r2 +0) = r3")
__xlated("13: r0 = 0{{$}}")
__xlated("14: r6 += r0")
__xlated("15: r2 = *(u64 *)(r10 -8)")
__xlated("16: r6 += r2")
__xlated("17: r7 += 1{{$}}")
__xlated("18: if r7 < 0x2 goto pc-16{{$}}")
XLATED_STORE(23, 24)
__naked void backward_over_ret(void)
{
	asm volatile ("r9 = r1;"
		      "r6 = 1;"
		      "r7 = 0;"
		      "1: *(u64 *)(r10 - 8) = r7;"
		      "r1 = r9;"
		      "r2 = r10;"
		      "r2 += -8;"
		      "call %[bpf_get_func_ret];"
		      "r6 += r0;"
		      "r2 = *(u64 *)(r10 - 8);"
		      "r6 += r2;"
		      "r7 += 1;"
		      "if r7 < 2 goto 1b;" STORE(3)
		      :
		      : __imm_addr(results), __imm(bpf_get_func_ret)
		      : __clobber_all);
}

/* Guards a jump over the function's address, which is one instruction, and a remainder. */
SEC("fentry/bpf_fentry_test1")
__description("forward over the address of a traced function and a remainder")
__success __arch_x86_64
__xlated("0: r9 = r1")
__xlated("1: r6 = 1{{$}}")
__xlated("2: r8 = 0x")
__xlated("4: r8 = *(u64 *)(r8 +0)")
__xlated("5: r1 = r9")
__xlated("6: if r8 == 0x0 goto pc+6{{$}}")
__xlated("7: r0 = *(u64 *)(r1 -16)")
__xlated("8: if r0 == 0x0 goto pc+4{{$}}")
XLATED_MOD64("r0", "r8")
__xlated("11: r6 += r0")
__xlated("12: r6 += 2{{$}}")
XLATED_STORE(17, 32)
__naked void forward_over_ip(void)
{
	asm volatile ("r9 = r1;"
		      "r6 = 1;" ONE
		      "r1 = r9;"
		      "if r8 == 0 goto 1f;"
		      "call %[bpf_get_func_ip];"
		      "if r0 == 0 goto 1f;"
		      "r0 %%= r8;"
		      "r6 += r0;"
		      "r6 += 2;"
		      "1: " STORE(4)
		      :
		      : __imm_addr(one), __imm_addr(results), __imm(bpf_get_func_ip)
		      : __clobber_all);
}

/* Guards a jump over the current task, and one onto it. */
SEC("socket")
__description("forward over and onto the current task")
__success __retval(7) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: if r7 == 0x0 goto pc+4{{$}}")
XLATED_TASK
__xlated("8: r6 += 64{{$}}")
__xlated("9: if r7 == 0x0 goto pc+1{{$}}")
__xlated("10: r6 += 64{{$}}")
XLATED_TASK
__xlated("14: if r0 == 0x0 goto pc+1{{$}}")
__xlated("15: r6 += 6{{$}}")
__xlated("16: r0 = r6")
__xlated("17: exit")
__naked void forward_over_task(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "call %[bpf_get_current_task];"
		      "r6 += 64;"
		      "1: if r7 == 0 goto 2f;"
		      "r6 += 64;"
		      "2: call %[bpf_get_current_task];"
		      "if r0 == 0 goto 3f;"
		      "r6 += 6;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm(bpf_get_current_task)
		      : __clobber_all);
}

/* Guards a back edge onto the current task, over the number of the CPU. */
SEC("socket")
__description("backward onto the current task, over the number of the CPU")
__success __retval(7) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0{{$}}")
XLATED_TASK
__xlated("5: if r0 == 0x0 goto pc+1{{$}}")
__xlated("6: r6 += 2{{$}}")
XLATED_CPU
__xlated("10: r7 += 1{{$}}")
__xlated("11: if r7 < 0x3 goto pc-10{{$}}")
__xlated("12: r0 = r6")
__xlated("13: exit")
__naked void backward_onto_task(void)
{
	asm volatile ("r6 = 1;"
		      "r7 = 0;"
		      "1: call %[bpf_get_current_task];"
		      "if r0 == 0 goto 2f;"
		      "r6 += 2;"
		      "2: call %[bpf_get_smp_processor_id];"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm(bpf_get_current_task), __imm(bpf_get_smp_processor_id)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
