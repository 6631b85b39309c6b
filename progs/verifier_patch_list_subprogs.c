// SPDX-License-Identifier: GPL-2.0-only
/*
 * Patches in subprograms, at their beginnings and at their ends, and code that
 * is taken out around patches that stay; see verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <stddef.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, long);
} map_hash SEC(".maps");

/* A load of the packet, up to the value; data behind its end makes the function return 0. */
#define XLATED_ABS(offset)                                                                         \
	__xlated("r2 = " #offset "{{$}}")                                                          \
	__xlated("r1 = r6")                                                                        \
	__xlated("call {{.*}}")                                                                    \
	__xlated("if r0 s>= 0x0 goto pc+2{{$}}")                                                   \
	__xlated("w0 ^= w0")                                                                       \
	__xlated("exit")

static __naked __noinline __used int loads_first(void)
{
	asm volatile ("r6 = r1;"
		      "r0 = *(u8 *)skb[3];"
		      "r0 += 2;"
		      "exit;"
		      ::: __clobber_all);
}

static __naked __noinline __used int loads_behind(void)
{
	asm volatile ("r6 = r1;"
		      "r0 = *(u8 *)skb[100000];"
		      "r0 = 64;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards calls across packet loads, which return from the subprogram alone if they fail. */
SEC("socket")
__description("packet loads in two subprograms, one of which fails")
__success __retval(7)
__xlated("0: r7 = r1")
__xlated("1: r8 = 1{{$}}")
__xlated("2: r1 = r7")
__xlated("3: call pc+7{{$}}")
__xlated("4: r8 += r0")
__xlated("5: r1 = r7")
__xlated("6: call pc+13{{$}}")
__xlated("7: r8 += r0")
__xlated("8: r8 += 4{{$}}")
__xlated("9: r0 = r8")
__xlated("10: exit")
__xlated("11: r6 = r1")
XLATED_ABS(3)
__xlated("18: r0 += 2{{$}}")
__xlated("19: exit")
__xlated("20: r6 = r1")
XLATED_ABS(100000)
__xlated("27: r0 = 64{{$}}")
__xlated("28: exit")
__naked void call_packet_loads(void)
{
	asm volatile ("r7 = r1;"
		      "r8 = 1;"
		      "r1 = r7;"
		      "call loads_first;"
		      "r8 += r0;"
		      "r1 = r7;"
		      "call loads_behind;"
		      "r8 += r0;"
		      "r8 += 4;"
		      "r0 = r8;"
		      "exit;"
		      ::: __clobber_all);
}

static __naked __noinline __used int divides_first(void)
{
	asm volatile ("1: r1 /= r2;"
		      "r3 += 1;"
		      "if r3 < 3 goto 1b;"
		      "r0 = r1;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards a call of, and a jump back to, a division that is a subprogram's first instruction. */
SEC("socket")
__description("subprogram whose first instruction is a division, and a jump back to it")
__success __retval(11)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r2 = r8")
__xlated("5: r2 += 1{{$}}")
__xlated("6: r2 &= 2{{$}}")
__xlated("7: r1 = 85{{$}}")
__xlated("8: r3 = 0{{$}}")
__xlated("9: call pc+3{{$}}")
__xlated("10: r6 += r0")
__xlated("11: r0 = r6")
__xlated("12: exit")
XLATED_DIV64("r1", "r2")
__xlated("17: r3 += 1{{$}}")
__xlated("18: if r3 < 0x3 goto pc-6{{$}}")
__xlated("19: r0 = r1")
__xlated("20: exit")
__naked void call_division_first(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r2 = r8;"
		      "r2 += 1;"
		      "r2 &= 2;"
		      "r1 = 85;"
		      "r3 = 0;"
		      "call divides_first;"
		      "r6 += r0;"
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

static __naked __noinline __used int ends_with_remainder(void)
{
	asm volatile ("r0 = r1;"
		      "if r2 == 1 goto 1f;"
		      "r0 += 8;"
		      "1: w0 %%= w2;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards a jump onto the remainder that ends a subprogram, and the call of what is behind. */
SEC("socket")
__description("subprogram that ends with a 32-bit remainder, and a jump onto it")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r2 = r7")
__xlated("5: r1 = 4{{$}}")
__xlated("6: if r7 == 0x0 goto pc+2{{$}}")
__xlated("7: r1 += 32{{$}}")
__xlated("8: r2 = 1{{$}}")
__xlated("9: call pc+4{{$}}")
__xlated("10: r0 -= 8{{$}}")
__xlated("11: r6 += r0")
__xlated("12: r0 = r6")
__xlated("13: exit")
__xlated("14: r0 = r1")
__xlated("15: if r2 == 0x1 goto pc+1{{$}}")
__xlated("16: r0 += 8{{$}}")
XLATED_MOD32("w0", "w2")
__xlated("21: exit")
__naked void call_remainder_last(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r2 = r7;"
		      "r1 = 4;"
		      "if r7 == 0 goto 1f;"
		      "r1 += 32;"
		      "r2 = 1;"
		      "1: call ends_with_remainder;"
		      "r0 -= 8;"
		      "r6 += r0;"
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

/* Guards a branch one way of which is at a packet load, the other one at a lookup behind it. */
SEC("socket")
__description("conditional between a packet load and a hash lookup")
__success __retval(19) __load_if_JITed()
__xlated("0: r6 = r1")
XLATED_KEYS
__xlated("5: r9 = 3{{$}}")
__xlated("6: r7 = 0x")
__xlated("8: r7 = *(u64 *)(r7 +0)")
XLATED_ABS(1)
__xlated("15: r2 = r10")
__xlated("16: r2 += -8{{$}}")
__xlated("17: r1 = 0x")
__xlated("19: if r7 == 0x0 goto pc+8{{$}}")
XLATED_ABS(2)
__xlated("26: r9 += 64{{$}}")
__xlated("27: goto pc+4{{$}}")
XLATED_HASH
__xlated("31: r9 += 16{{$}}")
__xlated("32: r0 = r9")
__xlated("33: exit")
__naked void load_or_lookup(void)
{
	asm volatile ("r6 = r1;" KEYS
		      "r9 = 3;" UNKNOWN
		      "r0 = *(u8 *)skb[1];" HASH
		      "if r7 == 0 goto 1f;"
		      "r0 = *(u8 *)skb[2];"
		      "r9 += 64;"
		      "goto 2f;"
		      "1: " LOOKUP
		      "r9 += 16;"
		      "2: r0 = r9;"
		      "exit;"
		      :
		      : __imm_addr(unknown), __imm_addr(map_hash), __imm(bpf_map_lookup_elem)
		      : __clobber_all);
}

/* Guards a jump over a division behind which, in front of which and in which code is dead. */
SEC("socket")
__description("forward over a live division between dead ones")
__success __retval(27)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r9 = 42{{$}}")
__xlated("8: if r7 != 0x0 goto pc+5{{$}}")
XLATED_DIV64("r9", "r8")
__xlated("13: r6 += 2{{$}}")
__xlated("14: r6 += 24{{$}}")
__xlated("15: r0 = r6")
__xlated("16: exit")
__naked void forward_over_dead_divisions(void)
{
	asm volatile ("r6 = 1;" UNKNOWN ONE
		      "r9 = 42;"
		      "if r7 != 0 goto 3f;"
		      "if r9 == 42 goto 1f;"
		      "r9 /= r7;"
		      "r9 %%= r7;"
		      "1: r9 /= r8;"
		      "if r6 < 2 goto 2f;"
		      "w9 s/= w7;"
		      "2: r6 += 2;"
		      "if r6 != 3 goto 4f;"
		      "3: r6 += 24;"
		      RETURN
		      "4: r9 s%%= r7;"
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(one)
		      : __clobber_all);
}

/* Guards a back edge onto a packet load from behind code that goes and a field of the context. */
SEC("socket")
__description("backward onto a packet load, over dead code and a context field")
__success __retval(7)
__xlated("0: r6 = r1")
__xlated("1: r9 = 1{{$}}")
__xlated("2: r7 = 0{{$}}")
XLATED_ABS(0)
__xlated("9: r9 += 2{{$}}")
__xlated("10: r1 = *(u16 *)(r6 +{{[0-9]+}})")
__xlated("11: r7 += 1{{$}}")
__xlated("12: if r7 < 0x3 goto pc-10{{$}}")
__xlated("13: r0 = r9")
__xlated("14: exit")
__naked void backward_over_dead_field(void)
{
	asm volatile ("r6 = r1;"
		      "r9 = 1;"
		      "r7 = 0;"
		      "1: r0 = *(u8 *)skb[0];"
		      "r9 += 2;"
		      "if r7 < 9 goto 2f;"
		      "r1 = *(u32 *)(r6 + %[pkt_type]);"
		      "r9 += 64;"
		      "2: r1 = *(u32 *)(r6 + %[protocol]);"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      "r0 = r9;"
		      "exit;"
		      :
		      : __imm_const(pkt_type, offsetof(struct __sk_buff, pkt_type)),
			__imm_const(protocol, offsetof(struct __sk_buff, protocol))
		      : __clobber_all);
}

static __naked __noinline __used int never_called(void)
{
	asm volatile ("r0 = 3;"
		      "r0 /= r1;"
		      "exit;"
		      ::: __clobber_all);
}

static __naked __noinline __used int called(void)
{
	asm volatile ("r0 = 7;"
		      "r0 /= r1;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards a call over a subprogram that nobody calls any more, which is taken out. */
SEC("socket")
__description("call over a dead subprogram with a division")
__success __retval(8)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r8 = 0x")
__xlated("3: r8 = *(u64 *)(r8 +0)")
__xlated("4: r1 = r8")
__xlated("5: call pc+3{{$}}")
__xlated("6: r6 += r0")
__xlated("7: r0 = r6")
__xlated("8: exit")
__xlated("9: r0 = 7{{$}}")
XLATED_DIV64("r0", "r1")
__xlated("14: exit")
__naked void call_over_dead(void)
{
	asm volatile ("r6 = 1;" ONE
		      "r1 = r8;"
		      "if r6 == 1 goto 1f;"
		      "call never_called;"
		      "1: call called;"
		      "r6 += r0;"
		      RETURN
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards jumps over and onto an exchange whose result has to be cleared in its upper half. */
SEC("socket")
__description("over and onto a 32-bit compare and exchange")
__success __retval(11) __arch_x86_64 __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r9 = 5{{$}}")
__xlated("5: *(u64 *)(r10 -8) = r9")
__xlated("6: r8 = 0{{$}}")
__xlated("7: r0 = 5{{$}}")
__xlated("8: if r7 == 0x0 goto pc+1{{$}}")
__xlated("9: r0 = 4{{$}}")
__xlated("10: r0 = atomic_cmpxchg((u32 *)(r10 -8), r0, r9)")
__xlated("11: w0 = w0")
__xlated("12: r6 += r0")
__xlated("13: r8 += 1{{$}}")
__xlated("14: if r8 < 0x2 goto pc-5{{$}}")
__xlated("15: r0 = r6")
__xlated("16: exit")
__naked void around_exchange(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r9 = 5;"
		      "*(u64 *)(r10 - 8) = r9;"
		      "r8 = 0;"
		      "r0 = 5;"
		      "if r7 == 0 goto 1f;"
		      "r0 = 4;"
		      "1: w0 = cmpxchg32_32(r10 - 8, w0, w9);"
		      "r6 += r0;"
		      "r8 += 1;"
		      "if r8 < 2 goto 1b;"
		      RETURN
		      :
		      : __imm_addr(unknown)
		      : __clobber_all);
}

#ifdef CAN_USE_GOTOL
/* Guards a jump with 32 bits over, and one onto, a packet load and a field of the context. */
SEC("socket")
__description("gotol over and onto packet loads and context fields")
__success __retval(9)
__xlated("0: r6 = r1")
__xlated("1: r9 = 1{{$}}")
__xlated("2: r7 = 0x")
__xlated("4: r7 = *(u64 *)(r7 +0)")
__xlated("5: if r7 != 0x0 goto pc+1{{$}}")
__xlated("6: gotol pc+9{{$}}")
XLATED_ABS(5)
__xlated("13: r1 = *(u8 *)(r6 +{{[0-9]+}})")
__xlated("14: w1 &= 7{{$}}")
__xlated("15: r9 += 64{{$}}")
XLATED_ABS(6)
__xlated("22: r9 += 8{{$}}")
__xlated("23: if r7 != 0x0 goto pc+1{{$}}")
__xlated("24: gotol pc+2{{$}}")
__xlated("25: r1 = *(u8 *)(r6 +{{[0-9]+}})")
__xlated("26: w1 &= 7{{$}}")
__xlated("27: r0 = r9")
__xlated("28: exit")
__naked void gotol_packet_load(void)
{
	asm volatile ("r6 = r1;"
		      "r9 = 1;" UNKNOWN
		      "if r7 != 0 goto 1f;"
		      "gotol 2f;"
		      "1: r0 = *(u8 *)skb[5];"
		      "r1 = *(u32 *)(r6 + %[pkt_type]);"
		      "r9 += 64;"
		      "2: r0 = *(u8 *)skb[6];"
		      "r9 += 8;"
		      "if r7 != 0 goto 3f;"
		      "gotol 4f;"
		      "3: r1 = *(u32 *)(r6 + %[pkt_type]);"
		      "4: r0 = r9;"
		      "exit;"
		      :
		      : __imm_addr(unknown),
			__imm_const(pkt_type, offsetof(struct __sk_buff, pkt_type))
		      : __clobber_all);
}
#endif

char _license[] SEC("license") = "GPL";
