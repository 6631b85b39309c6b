// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a program costs that is rewritten in -DK=N places. Straight-line code,
 * so that verifying it is linear, and one kind of rewriting for each program:
 * whatever grows faster than K is the rewriting.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "bpf_misc.h"

#ifndef K
#define K 64
#endif

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} array SEC(".maps");

#define AGAIN(text) ".rept %[k];" text ".endr;"

/* Inlined into calls of the map's own function, and of arithmetic. */
SEC("tc")
__naked int hash_lookups(void)
{
	asm volatile("*(u32 *)(r10 - 4) = 0;"
		     AGAIN("r2 = r10;"
			   "r2 += -4;"
			   "r1 = %[hash] ll;"
			   "call %[bpf_map_lookup_elem];")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K), __imm_addr(hash), __imm(bpf_map_lookup_elem)
		     : __clobber_all);
}

#ifndef HASH_LOOKUPS_ONLY

SEC("tc")
__naked int array_lookups(void)
{
	asm volatile("*(u32 *)(r10 - 4) = 0;"
		     AGAIN("r2 = r10;"
			   "r2 += -4;"
			   "r1 = %[array] ll;"
			   "call %[bpf_map_lookup_elem];")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K), __imm_addr(array), __imm(bpf_map_lookup_elem)
		     : __clobber_all);
}

/* A helper that is replaced by what it does. */
SEC("tc")
__naked int calls(void)
{
	asm volatile(AGAIN("call %[bpf_jiffies64];")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K), __imm(bpf_jiffies64)
		     : __clobber_all);
}

/* Guarded against zero. */
SEC("tc")
__naked int divisions(void)
{
	asm volatile("r2 = *(u32 *)(r1 + %[mark]);"
		     "r3 = 1000000 ll;"
		     AGAIN("r3 /= r2;")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K), [mark]"i"(__builtin_offsetof(struct __sk_buff, mark))
		     : __clobber_all);
}

/* The old packet loads. */
SEC("socket")
__naked int packet_loads(void)
{
	asm volatile("r6 = r1;"
		     AGAIN("r0 = *(u8 *)skb[0];")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K)
		     : __clobber_all);
}

/* A field of the context that takes more than one load. */
SEC("tc")
__naked int ctx_loads(void)
{
	asm volatile(AGAIN("r2 = *(u32 *)(r1 + %[ifindex]);")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K), [ifindex]"i"(__builtin_offsetof(struct __sk_buff, ifindex))
		     : __clobber_all);
}

/* The one instruction that every machine has extended to 64 bits behind it. */
SEC("tc")
__naked int extensions(void)
{
	asm volatile("r2 = 1;"
		     "*(u64 *)(r10 - 8) = 0;"
		     AGAIN("r0 = 0;"
			   "w0 = cmpxchg32_32(r10 - 8, w0, w2);"
			   "r3 = r0;")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K)
		     : __clobber_all);
}

/* Branches that are never taken go, and what they jump over. */
SEC("tc")
__naked int dead_code(void)
{
	asm volatile("r2 = 0;"
		     AGAIN("if r2 == 0 goto +1;"
			   "r3 = 1;"
			   "r4 = 1;")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K)
		     : __clobber_all);
}

static __naked __noinline __used int nothing(void)
{
	asm volatile("r0 = 0;"
		     "exit;"
		     ::: __clobber_all);
}

/* Each becomes a loop of its own, of nineteen instructions. */
SEC("tc")
__naked int loops(void)
{
	asm volatile(AGAIN("r1 = 1;"
			   "r2 = nothing ll;"
			   "r3 = 0;"
			   "r4 = 0;"
			   "call %[bpf_loop];")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K), __imm(bpf_loop)
		     : __clobber_all);
}

/* Rewritten by the JIT, where that blinds them. */
SEC("tc")
__naked int constants(void)
{
	asm volatile("r0 = 0;"
		     AGAIN("r0 ^= 0x12345678;")
		     "r0 = 0;"
		     "exit;"
		     :: [k]"i"(K)
		     : __clobber_all);
}

#endif

char _license[] SEC("license") = "GPL";
