// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps around accesses to packets and their context: fields that take several
 * instructions, packet loads of the old kind, which can leave the program from
 * inside of their code, and a prologue. See verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <stddef.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

long unknown = 0;
long one = 1;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_array SEC(".maps");

/* Guards a forward jump over a body with an exit in it. R6 is the packet here, R9 the sum. */
SEC("socket")
__description("forward over a packet load")
__success __retval(5)
__xlated("0: r6 = r1")
__xlated("1: r9 = 1{{$}}")
__xlated("2: r7 = 0x")
__xlated("4: r7 = *(u64 *)(r7 +0)")
__xlated("5: if r7 == 0x0 goto pc+7{{$}}")
__xlated("6: r2 = 0{{$}}")
__xlated("7: r1 = r6")
__xlated("8: call {{.*}}")
__xlated("9: if r0 s>= 0x0 goto pc+2{{$}}")
__xlated("10: w0 ^= w0")
__xlated("11: exit")
__xlated("12: r9 += 2{{$}}")
__xlated("13: r9 += 4{{$}}")
__xlated("14: r0 = r9")
__xlated("15: exit")
__naked void forward_over_abs(void)
{
	asm volatile ("r6 = r1;"
		      "r9 = 1;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "r0 = *(u8 *)skb[0];"
		      "r9 += 2;"
		      "1: r9 += 4;"
		      "r0 = r9; exit;"
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards a forward jump onto the first of the arguments that are set up for the load. */
SEC("socket")
__description("forward onto a packet load")
__success __retval(5)
__xlated("0: r6 = r1")
__xlated("1: r9 = 1{{$}}")
__xlated("2: r7 = 0x")
__xlated("4: r7 = *(u64 *)(r7 +0)")
__xlated("5: if r7 == 0x0 goto pc+1{{$}}")
__xlated("6: r9 += 2{{$}}")
__xlated("7: r2 = 2{{$}}")
__xlated("8: r1 = r6")
__xlated("9: call {{.*}}")
__xlated("10: if r0 s>= 0x0 goto pc+2{{$}}")
__xlated("11: w0 ^= w0")
__xlated("12: exit")
__xlated("13: if r0 != 0x0 goto pc+1{{$}}")
__xlated("14: r9 += 4{{$}}")
__xlated("15: r0 = r9")
__xlated("16: exit")
__naked void forward_onto_abs(void)
{
	asm volatile ("r6 = r1;"
		      "r9 = 1;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "r9 += 2;"
		      "1: r0 = *(u16 *)skb[2];"
		      "if r0 != 0 goto 2f;"
		      "r9 += 4;"
		      "2: r0 = r9; exit;"
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards a back edge over a load at a register's offset. */
SEC("socket")
__description("backward over an indirect packet load")
__success __retval(7)
__xlated("0: r6 = r1")
__xlated("1: r9 = 1{{$}}")
__xlated("2: r7 = 0{{$}}")
__xlated("3: r2 = r7")
__xlated("4: r1 = r6")
__xlated("5: call {{.*}}")
__xlated("6: if r0 s>= 0x0 goto pc+2{{$}}")
__xlated("7: w0 ^= w0")
__xlated("8: exit")
__xlated("9: r9 += r0")
__xlated("10: r9 += 2{{$}}")
__xlated("11: r7 += 1{{$}}")
__xlated("12: if r7 < 0x3 goto pc-10{{$}}")
__xlated("13: r0 = r9")
__xlated("14: exit")
__naked void backward_over_ind(void)
{
	asm volatile ("r6 = r1;"
		      "r9 = 1;"
		      "r7 = 0;"
		      "1: r0 = *(u32 *)skb[r7];"
		      "r9 += r0;"
		      "r9 += 2;"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      "r0 = r9; exit;"
		      ::: __clobber_all);
}

/* Guards the way out of a body's middle, taken at the second of two loads: zero, not the sum. */
SEC("socket")
__description("out of the middle of a packet load")
__success __retval(0)
__xlated("0: r6 = r1")
__xlated("1: r9 = 1{{$}}")
__xlated("2: r8 = 0x")
__xlated("4: r8 = *(u64 *)(r8 +0)")
__xlated("5: r8 *= 4000{{$}}")
__xlated("6: if r8 == 0x0 goto pc+7{{$}}")
__xlated("7: r2 = 1{{$}}")
__xlated("8: r1 = r6")
__xlated("9: call {{.*}}")
__xlated("10: if r0 s>= 0x0 goto pc+2{{$}}")
__xlated("11: w0 ^= w0")
__xlated("12: exit")
__xlated("13: r9 += 2{{$}}")
__xlated("14: r2 = r8")
__xlated("15: r1 = r6")
__xlated("16: call {{.*}}")
__xlated("17: if r0 s>= 0x0 goto pc+2{{$}}")
__xlated("18: w0 ^= w0")
__xlated("19: exit")
__xlated("20: r9 += 4{{$}}")
__xlated("21: r0 = r9")
__xlated("22: exit")
__naked void out_of_middle(void)
{
	asm volatile ("r6 = r1;"
		      "r9 = 1;" ONE
		      "r8 *= 4000;"
		      "if r8 == 0 goto 1f;"
		      "r0 = *(u8 *)skb[1];"
		      "r9 += 2;"
		      "1: r0 = *(u8 *)skb[r8];"
		      "r9 += 4;"
		      "r0 = r9; exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards the seam of two loads that follow each other, reached from in front and from behind. */
SEC("socket")
__description("onto the seam of two packet loads")
__success __retval(21)
__xlated("0: r6 = r1")
__xlated("1: r9 = 1{{$}}")
__xlated("2: r7 = 0x")
__xlated("4: r7 = *(u64 *)(r7 +0)")
__xlated("5: if r7 == 0x0 goto pc+6{{$}}")
__xlated("6: r2 = 0{{$}}")
__xlated("7: r1 = r6")
__xlated("8: call {{.*}}")
__xlated("9: if r0 s>= 0x0 goto pc+2{{$}}")
__xlated("10: w0 ^= w0")
__xlated("11: exit")
__xlated("12: r2 = r7")
__xlated("13: r1 = r6")
__xlated("14: call {{.*}}")
__xlated("15: if r0 s>= 0x0 goto pc+2{{$}}")
__xlated("16: w0 ^= w0")
__xlated("17: exit")
__xlated("18: if r0 != 0x0 goto pc+3{{$}}")
__xlated("19: r9 += 4{{$}}")
__xlated("20: r7 += 1{{$}}")
__xlated("21: if r7 < 0x5 goto pc-10{{$}}")
__xlated("22: r0 = r9")
__xlated("23: exit")
__naked void seam_of_loads(void)
{
	asm volatile ("r6 = r1;"
		      "r9 = 1;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "r0 = *(u32 *)skb[0];"
		      "1: r0 = *(u16 *)skb[r7];"
		      "if r0 != 0 goto 2f;"
		      "r9 += 4;"
		      "r7 += 1;"
		      "if r7 < 5 goto 1b;"
		      "2: r0 = r9; exit;"
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* A subprogram that starts with a field of two instructions, and returns to it. */
static __naked __noinline __used void field_first(void)
{
	asm volatile ("1: r0 = *(u32 *)(r1 + %[pkt_type]);"
		      "if r0 != 0 goto 2f;"
		      "r2 += -1;"
		      "if r2 != 0 goto 1b;"
		      "2: r0 = r2;"
		      "exit;"
		      :
		      : __imm_const(pkt_type, offsetof(struct __sk_buff, pkt_type))
		      : __clobber_all);
}

/* Guards a subprogram's start that is a patch: its caller and its own loop arrive there. */
SEC("socket")
__description("subprogram whose first instruction is a context field")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r9 = *(u8 *)(r1 +{{[0-9]+}})")
__xlated("5: w9 &= 7{{$}}")
__xlated("6: if r9 != 0x0 goto pc+4{{$}}")
__xlated("7: r2 = 3{{$}}")
__xlated("8: call pc+4{{$}}")
__xlated("9: if r0 != 0x0 goto pc+1{{$}}")
__xlated("10: r6 += 4{{$}}")
__xlated("11: r0 = r6")
__xlated("12: exit")
__xlated("13: r0 = *(u8 *)(r1 +{{[0-9]+}})")
__xlated("14: w0 &= 7{{$}}")
__xlated("15: if r0 != 0x0 goto pc+2{{$}}")
__xlated("16: r2 += -1{{$}}")
__xlated("17: if r2 != 0x0 goto pc-5{{$}}")
__xlated("18: r0 = r2")
__xlated("19: exit")
__naked void call_field_first(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r9 = *(u32 *)(r1 + %[pkt_type]);"
		      "if r9 != 0 goto 1f;"
		      "r2 = 3;"
		      "call field_first;"
		      "if r0 != 0 goto 1f;"
		      "r6 += 4;"
		      "1: "
		      RETURN
		      :
		      : __imm_const(pkt_type, offsetof(struct __sk_buff, pkt_type)),
			__imm_addr(one)
		      : __clobber_all);
}

/*
 * Guards a jump back to the program's first instruction, which is a patch. The
 * mark on the stack, of which nothing is known at first, ends the second round.
 */
SEC("socket")
__description("context field as the program's first instruction, and a jump back to it")
__success __retval(9)
__xlated("0: r0 = *(u8 *)(r1 +{{[0-9]+}})")
__xlated("1: w0 &= 7{{$}}")
__xlated("2: r8 = *(u64 *)(r10 -8)")
__xlated("3: if r8 == 0x5eed goto pc+4{{$}}")
__xlated("4: if r0 != 0x0 goto pc+3{{$}}")
__xlated("5: r8 = 24301{{$}}")
__xlated("6: *(u64 *)(r10 -8) = r8")
__xlated("7: goto pc-8{{$}}")
__xlated("8: r0 += 9{{$}}")
__xlated("9: exit")
__naked void first_insn(void)
{
	asm volatile ("1: r0 = *(u32 *)(r1 + %[pkt_type]);"
		      "r8 = *(u64 *)(r10 - 8);"
		      "if r8 == 0x5eed goto 2f;"
		      "if r0 != 0 goto 2f;"
		      "r8 = 0x5eed;"
		      "*(u64 *)(r10 - 8) = r8;"
		      "goto 1b;"
		      "2: r0 += 9;"
		      "exit;"
		      :
		      : __imm_const(pkt_type, offsetof(struct __sk_buff, pkt_type))
		      : __clobber_all);
}

/* Guards a jump back to the first instruction from behind a prologue, which runs only once. */
SEC("tc")
__description("jump back to the first instruction, behind a prologue")
__success __retval(7)
__xlated("0: r6 = *(u8 *)(r1 +{{[0-9]+}})")
__xlated("1: w6 &= 1{{$}}")
__xlated("2: if r6 == 0x0 goto pc+7{{$}}")
__xlated("3: r6 = r1")
__xlated("4: r2 ^= r2")
__xlated("5: call {{.*}}")
__xlated("6: if r0 == 0x0 goto pc+2{{$}}")
__xlated("7: w0 = 2{{$}}")
__xlated("8: exit")
__xlated("9: r1 = r6")
__xlated("10: r2 = *(u64 *)(r1 +{{[0-9]+}})")
__xlated("11: r3 = *(u64 *)(r1 +{{[0-9]+}})")
__xlated("12: r8 = *(u64 *)(r10 -8)")
__xlated("13: if r8 == 0x5eed goto pc+3{{$}}")
__xlated("14: r8 = 24301{{$}}")
__xlated("15: *(u64 *)(r10 -8) = r8")
__xlated("16: goto pc-7{{$}}")
__xlated("17: r0 = 0{{$}}")
__xlated("18: r4 = r2")
__xlated("19: r4 += 8{{$}}")
__xlated("20: if r4 > r3 goto pc+2{{$}}")
__xlated("21: *(u8 *)(r2 +0) = r0")
__xlated("22: r0 += 4{{$}}")
__xlated("23: r0 += 3{{$}}")
__xlated("24: exit")
__naked void behind_prologue(void)
{
	asm volatile ("1: r2 = *(u32 *)(r1 + %[data]);"
		      "r3 = *(u32 *)(r1 + %[data_end]);"
		      "r8 = *(u64 *)(r10 - 8);"
		      "if r8 == 0x5eed goto 2f;"
		      "r8 = 0x5eed;"
		      "*(u64 *)(r10 - 8) = r8;"
		      "goto 1b;"
		      "2: r0 = 0;"
		      "r4 = r2;"
		      "r4 += 8;"
		      "if r4 > r3 goto 3f;"
		      "*(u8 *)(r2 + 0) = r0;"
		      "r0 += 4;"
		      "3: r0 += 3;"
		      "exit;"
		      :
		      : __imm_const(data, offsetof(struct __sk_buff, data)),
			__imm_const(data_end, offsetof(struct __sk_buff, data_end))
		      : __clobber_all);
}

/* Guards a back edge over a byte of a field, for which a shift and a mask are added. */
SEC("socket")
__description("backward over a narrow load of a context field")
__success __retval(7)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r9 = 0{{$}}")
__xlated("2: r0 = *(u32 *)(r1 +{{[0-9]+}})")
__xlated("3: w0 >>= 8{{$}}")
__xlated("4: w0 &= 255{{$}}")
__xlated("5: r6 += r0")
__xlated("6: r6 += 2{{$}}")
__xlated("7: r9 += 1{{$}}")
__xlated("8: if r9 < 0x3 goto pc-7{{$}}")
__xlated("9: r0 = r6")
__xlated("10: exit")
__naked void backward_over_narrow(void)
{
	asm volatile ("r6 = 1;"
		      "r9 = 0;"
		      "1: r0 = *(u8 *)(r1 + %[mark_2nd]);"
		      "r6 += r0;"
		      "r6 += 2;"
		      "r9 += 1;"
		      "if r9 < 3 goto 1b;"
		      RETURN
		      :
		      : __imm_const(mark_2nd, offsetof(struct __sk_buff, mark) + 1)
		      : __clobber_all);
}

/* Guards jumps around a field whose code jumps by itself. */
SEC("socket")
__description("forward over and backward onto a context field behind a pointer")
__success __retval(13)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 1{{$}}")
__xlated("5: if r7 == 0x0 goto pc+4{{$}}")
__xlated("6: r9 = *(u64 *)(r1 +{{[0-9]+}})")
__xlated("7: if r9 == 0x0 goto pc+1{{$}}")
__xlated("8: r9 = *(u32 *)(r9 +{{[0-9]+}})")
__xlated("9: r6 += 2{{$}}")
__xlated("10: r6 += 4{{$}}")
__xlated("11: r7 += 1{{$}}")
__xlated("12: if r9 == 0x0 goto pc+2{{$}}")
__xlated("13: if r7 < 0x2 goto pc-8{{$}}")
__xlated("14: r6 += 2{{$}}")
__xlated("15: r0 = r6")
__xlated("16: exit")
__naked void field_behind_pointer(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 1;"
		      "if r7 == 0 goto 2f;"
		      "1: r9 = *(u32 *)(r1 + %[ifindex]);"
		      "r6 += 2;"
		      "2: r6 += 4;"
		      "r7 += 1;"
		      "if r9 == 0 goto 3f;"
		      "if r7 < 2 goto 1b;"
		      "r6 += 2;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown),
			__imm_const(ifindex, offsetof(struct __sk_buff, ifindex))
		      : __clobber_all);
}

/* Guards a jump onto the context field of another program type, three loads in a row. */
SEC("xdp")
__description("forward onto a context field of XDP")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: if r7 == 0x0 goto pc+1{{$}}")
__xlated("5: r6 += 2{{$}}")
__xlated("6: r0 = *(u64 *)(r1 +{{[0-9]+}})")
__xlated("7: r0 = *(u64 *)(r0 +0)")
__xlated("8: r0 = *(u32 *)(r0 +{{[0-9]+}})")
__xlated("9: if r0 == 0x0 goto pc+1{{$}}")
__xlated("10: r6 += 4{{$}}")
__xlated("11: r0 = r6")
__xlated("12: exit")
__naked void xdp_onto(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "if r7 == 0 goto 1f;"
		      "r6 += 2;"
		      "1: r0 = *(u32 *)(r1 + %[ifindex]);"
		      "if r0 == 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown),
			__imm_const(ifindex, offsetof(struct xdp_md, ingress_ifindex))
		      : __clobber_all);
}

/* Guards jumps that two passes move: fields are converted first, lookups are inlined later. */
SEC("socket")
__description("over a context field and a lookup, both ways")
__success __retval(31) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r8 = r1")
__xlated("9: r9 = *(u8 *)(r8 +{{[0-9]+}})")
__xlated("10: w9 &= 7{{$}}")
__xlated("11: if r9 != 0x0 goto pc+20{{$}}")
__xlated("12: r2 = r10")
__xlated("13: r2 += -8{{$}}")
__xlated("14: r1 = 0x")
XLATED_ARRAY
__xlated("23: if r0 == 0x0 goto pc+8{{$}}")
__xlated("24: if r7 == 0x2 goto pc+3{{$}}")
__xlated("25: r9 = *(u8 *)(r8 +{{[0-9]+}})")
__xlated("26: w9 &= 7{{$}}")
__xlated("27: r6 += 2{{$}}")
__xlated("28: r6 += 8{{$}}")
__xlated("29: r7 += 1{{$}}")
__xlated("30: if r7 < 0x3 goto pc-22{{$}}")
__xlated("31: r6 += 2{{$}}")
__xlated("32: r0 = r6")
__xlated("33: exit")
__naked void field_and_lookup(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN
		      "r8 = r1;"
		      "1: r9 = *(u32 *)(r8 + %[pkt_type]);"
		      "if r9 != 0 goto 3f;" ARRAY
		      LOOKUP
		      "if r0 == 0 goto 3f;"
		      "if r7 == 2 goto 2f;"
		      "r9 = *(u32 *)(r8 + %[pkt_type]);"
		      "r6 += 2;"
		      "2: r6 += 8;"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      "r6 += 2;"
		      "3: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_array), __imm(bpf_map_lookup_elem),
			__imm_const(pkt_type, offsetof(struct __sk_buff, pkt_type))
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
