// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps around calls of helpers and kfuncs that become a few instructions, or
 * the call of another function; see verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __weak __ksym;
extern void *bpf_cast_to_kern_ctx(void *ctx) __weak __ksym;
extern int bpf_dynptr_from_skb(struct __sk_buff *skb, __u64 flags,
			       struct bpf_dynptr *ptr) __weak __ksym;
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __weak __ksym;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __weak __ksym;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __weak __ksym;

/* The compiler tells of the types of functions that C calls, not of those that assembly does. */
__used static void kfuncs(void)
{
	struct bpf_iter_num it;
	struct bpf_dynptr ptr;

	bpf_rdonly_cast(NULL, 0);
	bpf_cast_to_kern_ctx(NULL);
	bpf_dynptr_from_skb(NULL, 0, &ptr);
	bpf_iter_num_new(&it, 0, 0);
	bpf_iter_num_next(&it);
	bpf_iter_num_destroy(&it);
}

/* Guards a forward jump over the time, which becomes a load of one address. */
SEC("socket")
__description("forward over jiffies")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: if r7 == 0x0 goto pc+4{{$}}")
XLATED_JIFFIES
__xlated("8: r6 += 2{{$}}")
__xlated("9: r6 += 4{{$}}")
__xlated("10: r0 = r6")
__xlated("11: exit")
__naked void forward_over_jiffies(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "call %[bpf_jiffies64];"
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm(bpf_jiffies64)
		      : __clobber_all);
}

/* Guards a back edge over an instruction of two halves that was one of one. */
SEC("socket")
__description("backward over jiffies")
__success __retval(7) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r9 = 0{{$}}")
__xlated("2: r6 += 2{{$}}")
XLATED_JIFFIES
__xlated("6: if r0 == 0x0 goto pc+2{{$}}")
__xlated("7: r9 += 1{{$}}")
__xlated("8: if r9 < 0x3 goto pc-7{{$}}")
__xlated("9: r0 = r6")
__xlated("10: exit")
__naked void backward_over_jiffies(void)
{
	asm volatile ("r6 = 1;"
		      "r9 = 0;"
		      "1: r6 += 2;"
		      "call %[bpf_jiffies64];"
		      "if r0 == 0 goto 2f;"
		      "r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm(bpf_jiffies64)
		      : __clobber_all);
}

/* Guards the program's first instruction, which jiffies replace, and the one they follow. */
SEC("socket")
__description("jiffies as the first instruction, and twice in a row")
__success __retval(13) __load_if_JITed()
XLATED_JIFFIES
__xlated("3: r6 = 1{{$}}")
__xlated("4: if r0 == 0x0 goto pc+14{{$}}")
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: if r7 == 0x0 goto pc+3{{$}}")
XLATED_JIFFIES
XLATED_JIFFIES
__xlated("15: if r0 == 0x0 goto pc+3{{$}}")
__xlated("16: r6 += 4{{$}}")
__xlated("17: r7 += 1{{$}}")
__xlated("18: if r7 < 0x3 goto pc-7{{$}}")
__xlated("19: r0 = r6")
__xlated("20: exit")
__naked void jiffies_first(void)
{
	asm volatile ("call %[bpf_jiffies64];"
		      "r6 = 1;"
		      "if r0 == 0 goto 2f;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "call %[bpf_jiffies64];"
		      "1: call %[bpf_jiffies64];"
		      "if r0 == 0 goto 2f;"
		      "r6 += 4;"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm(bpf_jiffies64)
		      : __clobber_all);
}

/* Guards a forward jump onto the number of the CPU, which becomes three instructions. */
SEC("socket")
__description("forward onto the number of the CPU")
__success __retval(5) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: if r7 == 0x0 goto pc+1{{$}}")
__xlated("5: r6 += 2{{$}}")
XLATED_CPU
__xlated("9: if r0 > 0xffff goto pc+1{{$}}")
__xlated("10: r6 += 4{{$}}")
__xlated("11: r0 = r6")
__xlated("12: exit")
__naked void forward_onto_cpu(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "r6 += 2;"
		      "1: call %[bpf_get_smp_processor_id];"
		      "if r0 > 0xffff goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm(bpf_get_smp_processor_id)
		      : __clobber_all);
}

/* Guards a back edge that arrives at those three. */
SEC("socket")
__description("backward onto the number of the CPU")
__success __retval(7) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r9 = 0{{$}}")
XLATED_CPU
__xlated("5: if r0 > 0xffff goto pc+3{{$}}")
__xlated("6: r6 += 2{{$}}")
__xlated("7: r9 += 1{{$}}")
__xlated("8: if r9 < 0x3 goto pc-7{{$}}")
__xlated("9: r0 = r6")
__xlated("10: exit")
__naked void backward_onto_cpu(void)
{
	asm volatile ("r6 = 1;"
		      "r9 = 0;"
		      "1: call %[bpf_get_smp_processor_id];"
		      "if r0 > 0xffff goto 2f;"
		      "r6 += 2;"
		      "r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm(bpf_get_smp_processor_id)
		      : __clobber_all);
}

/* Guards 32-bit conditions over the CPU's number, jiffies and a division in a row. */
SEC("socket")
__description("jmp32 over the number of the CPU, jiffies and a division")
__success __retval(10) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r9 = 3{{$}}")
__xlated("8: if w7 == 0x1 goto pc+11{{$}}")
XLATED_CPU
XLATED_JIFFIES
XLATED_DIV64("r9", "r8")
__xlated("19: r6 += r9")
__xlated("20: w7 += 1{{$}}")
__xlated("21: if w7 < 0x4 goto pc-14{{$}}")
__xlated("22: r0 = r6")
__xlated("23: exit")
__naked void jmp32_over_row(void)
{
	asm volatile ("r6 = 1;" UNKNOWN ONE
		      "r9 = 3;"
		      "1: if w7 == 1 goto 2f;"
		      "call %[bpf_get_smp_processor_id];"
		      "call %[bpf_jiffies64];"
		      "r9 /= r8;"
		      "r6 += r9;"
		      "2: w7 += 1;"
		      "if w7 < 4 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(one), __imm(bpf_get_smp_processor_id),
			__imm(bpf_jiffies64)
		      : __clobber_all);
}

/* Guards a kfunc's call that becomes a move: nothing grows, the division behind it does. */
SEC("socket")
__description("forward over a cast and a division")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 42{{$}}")
__xlated("5: if r7 == 0x0 goto pc+8{{$}}")
__xlated("6: r1 = 0{{$}}")
__xlated("7: r2 = 0{{$}}")
__xlated("8: r0 = r1")
XLATED_DIV64("r9", "r7")
__xlated("13: r6 += 2{{$}}")
__xlated("14: r6 += 4{{$}}")
__xlated("15: r0 = r6")
__xlated("16: exit")
__naked void over_cast(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 42;"
		      "if r7 == 0 goto 1f;"
		      "r1 = 0;"
		      "r2 = 0;"
		      "call %[bpf_rdonly_cast];"
		      "r9 /= r7;"
		      "r6 += 2;"
		      "1: r6 += 4;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm(bpf_rdonly_cast)
		      : __clobber_all);
}

/* Guards a back edge over the move, which takes no more room than the call did, and a division. */
SEC("socket")
__description("backward over a cast, a load through it and a division")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = 0{{$}}")
__xlated("5: r1 = 0{{$}}")
__xlated("6: r2 = 0{{$}}")
__xlated("7: r0 = r1")
__xlated("8: r0 = *(u64 *)(r0 +8)")
XLATED_DIV64("r0", "r8")
__xlated("13: if r0 != 0x0 goto pc+3{{$}}")
__xlated("14: r6 += 2{{$}}")
__xlated("15: r9 += 1{{$}}")
__xlated("16: if r9 < 0x2 goto pc-12{{$}}")
__xlated("17: r0 = r6")
__xlated("18: exit")
__naked void backward_over_cast(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = 0;"
		      "1: r1 = 0;"
		      "r2 = 0;"
		      "call %[bpf_rdonly_cast];"
		      "r0 = *(u64 *)(r0 + 8);"
		      "r0 /= r8;"
		      "if r0 != 0 goto 2f;"
		      "r6 += 2;"
		      "r9 += 1;"
		      "if r9 < 2 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(one), __imm(bpf_rdonly_cast)
		      : __clobber_all);
}

/* Guards a kfunc whose address depends on the program, between divisions that are jumped over. */
SEC("tc")
__description("dynptr of a packet between divisions, jumped over both ways")
__success __retval(25)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r7 = r1")
__xlated("5: r9 = 0{{$}}")
XLATED_MOD64("r8", "r8")
__xlated("8: if r9 == 0x1 goto pc+21{{$}}")
__xlated("9: r1 = r7")
__xlated("10: r2 = 0{{$}}")
__xlated("11: r3 = r10")
__xlated("12: r3 += -16{{$}}")
__xlated("13: call {{.*}}")
__xlated("14: if r0 != 0x0 goto pc+19{{$}}")
__xlated("15: r1 = r10")
__xlated("16: r1 += -24{{$}}")
__xlated("17: r2 = 8{{$}}")
__xlated("18: r3 = r10")
__xlated("19: r3 += -16{{$}}")
__xlated("20: r4 = 0{{$}}")
__xlated("21: r5 = 0{{$}}")
__xlated("22: call {{.*}}")
__xlated("23: if r0 != 0x0 goto pc+10{{$}}")
__xlated("24: r6 += 8{{$}}")
__xlated("25: r8 = 16{{$}}")
XLATED_DIV64("r8", "r9")
__xlated("30: r8 += 3{{$}}")
__xlated("31: r9 += 1{{$}}")
__xlated("32: if r9 < 0x3 goto pc-27{{$}}")
__xlated("33: r6 += 8{{$}}")
__xlated("34: r0 = r6")
__xlated("35: exit")
__naked void dynptr_between(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r7 = r1;"
		      "r9 = 0;"
		      "1: r8 %%= r8;"
		      "if r9 == 1 goto 2f;"
		      "r1 = r7;"
		      "r2 = 0;"
		      "r3 = r10;"
		      "r3 += -16;"
		      "call %[bpf_dynptr_from_skb];"
		      "if r0 != 0 goto 3f;"
		      "r1 = r10;"
		      "r1 += -24;"
		      "r2 = 8;"
		      "r3 = r10;"
		      "r3 += -16;"
		      "r4 = 0;"
		      "r5 = 0;"
		      "call %[bpf_dynptr_read];"
		      "if r0 != 0 goto 3f;"
		      "r6 += 8;"
		      "r8 = 16;"
		      "r8 /= r9;"
		      "2: r8 += 3;"
		      "r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      "r6 += 8;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(one), __imm(bpf_dynptr_from_skb), __imm(bpf_dynptr_read)
		      : __clobber_all);
}

/*
 * Guards a loop of an iterator, with a division in its body and one behind.
 * Newer kernels put the code of its kfuncs in the place of their calls.
 */
SEC("socket")
__description("iterator's loop over a division")
__success __retval(13)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r1 = r10")
__xlated("5: r1 += -8{{$}}")
__xlated("6: r2 = 0{{$}}")
__xlated("7: r3 = 4{{$}}")
__xlated("...")
__xlated("{{(12|33)}}: if r0 == 0x0 goto pc+8{{$}}")
__xlated("r9 = 3{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("r6 += r9")
__xlated("r6 &= 255{{$}}")
__xlated("{{(20: goto pc-12|41: goto pc-20)$}}")
__xlated("r1 = r10")
__xlated("r1 += -8{{$}}")
__xlated("{{(call .*|goto pc[+]0)$}}")
XLATED_DIV64("r6", "r8")
__xlated("{{(28|49)}}: r0 = r6")
__xlated("{{(29|50)}}: exit")
__naked void iterator(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r1 = r10;"
		      "r1 += -8;"
		      "r2 = 0;"
		      "r3 = 4;"
		      "call %[bpf_iter_num_new];"
		      "1: r1 = r10;"
		      "r1 += -8;"
		      "call %[bpf_iter_num_next];"
		      "if r0 == 0 goto 2f;"
		      "r9 = 3;"
		      "r9 /= r8;"
		      "r6 += r9;"
		      "r6 &= 0xff;"
		      "goto 1b;"
		      "2: r1 = r10;"
		      "r1 += -8;"
		      "call %[bpf_iter_num_destroy];"
		      "r6 /= r8;"
		      RETURN
		      :
		      : __imm_addr(one), __imm(bpf_iter_num_new), __imm(bpf_iter_num_next),
			__imm(bpf_iter_num_destroy)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
