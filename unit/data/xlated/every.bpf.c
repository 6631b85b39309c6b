// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs whose dumps are recorded here; together they hold every kind of
 * instruction that a loaded program can show. See README.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#define __naked	     __attribute__((naked))
#define __arena	     __attribute__((address_space(1)))
#define noinline_sub static __attribute__((noinline))

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} array SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4);
	__type(key, __u32);
	__type(value, __u64);
} hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} percpu SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} tails SEC(".maps");

__u64 before, counter;

extern void bpf_rcu_read_lock(void) __ksym;
extern void bpf_rcu_read_unlock(void) __ksym;

/* Arithmetic on every operator, in both widths, with register and constant. */
SEC("socket")
__naked int alu(void)
{
	asm volatile("r1 = 7;"
		     "r2 = -7;"
		     "r3 = 0x1122334455667788 ll;"
		     "r4 = r3;"
		     "r4 += r1; r4 -= r1; r4 *= r1; r4 /= r1; r4 %%= r1;"
		     "r4 |= r1; r4 &= r1; r4 ^= r1; r4 <<= 3; r4 >>= 3; r4 s>>= 3;"
		     "r4 += 5; r4 -= 5; r4 *= 5; r4 /= 5; r4 %%= 5;"
		     "r4 |= 5; r4 &= 5; r4 ^= -5; r4 = -r4;"
		     "r4 s/= r2; r4 s%%= r2; r4 s/= -3; r4 s%%= -3;"
		     "w4 += w1; w4 -= w1; w4 *= w1; w4 /= w1; w4 %%= w1;"
		     "w4 |= w1; w4 &= w1; w4 ^= w1; w4 <<= 3; w4 >>= 3; w4 s>>= 3;"
		     "w4 += 5; w4 -= 5; w4 *= 5; w4 /= 5; w4 %%= 5;"
		     "w4 |= 5; w4 &= 5; w4 ^= 5; w4 = -w4; w4 = w1; w4 = -1;"
		     "w4 s/= w2; w4 s%%= w2; w4 s/= 3; w4 s%%= 3;"
		     "r5 = (s8)r4; r5 = (s16)r4; r5 = (s32)r4; w5 = (s8)w4; w5 = (s16)w4;"
		     "r1 &= 31; r4 <<= r1; r4 >>= r1; r4 s>>= r1; w4 <<= w1; w4 >>= w1; w4 s>>= w1;"
		     "r4 = le16 r4; r4 = le32 r4; r4 = le64 r4;"
		     "r4 = be16 r4; r4 = be32 r4; r4 = be64 r4;"
		     "r4 = bswap16 r4; r4 = bswap32 r4; r4 = bswap64 r4;"
		     "r0 = 0;"
		     "exit;" ::
			     : "memory");
}

/* Comparisons on values that the verifier doesn't know, and the other jumps. */
SEC("socket")
__naked int jumps(void)
{
	asm volatile("r6 = r1;"
		     "call %[bpf_get_prandom_u32];"
		     "r7 = r0;"
		     "call %[bpf_get_prandom_u32];"
		     "r8 = r0;"
		     "r0 = 0;"
		     "if r7 == r8 goto 1f; if r7 != r8 goto 1f;"
		     "1: if r7 > r8 goto 1f; r0 += 1;"
		     "1: if r7 >= r8 goto 1f; r0 += 1;"
		     "1: if r7 < r8 goto 1f; r0 += 1;"
		     "1: if r7 <= r8 goto 1f; r0 += 1;"
		     "1: if r7 s> r8 goto 1f; r0 += 1;"
		     "1: if r7 s>= r8 goto 1f; r0 += 1;"
		     "1: if r7 s< r8 goto 1f; r0 += 1;"
		     "1: if r7 s<= r8 goto 1f; r0 += 1;"
		     "1: if r7 & r8 goto 1f; r0 += 1;"
		     "1: if w7 == w8 goto 1f; r0 += 1;"
		     "1: if w7 != w8 goto 1f; r0 += 1;"
		     "1: if w7 > w8 goto 1f; r0 += 1;"
		     "1: if w7 >= w8 goto 1f; r0 += 1;"
		     "1: if w7 < w8 goto 1f; r0 += 1;"
		     "1: if w7 <= w8 goto 1f; r0 += 1;"
		     "1: if w7 s> w8 goto 1f; r0 += 1;"
		     "1: if w7 s>= w8 goto 1f; r0 += 1;"
		     "1: if w7 s< w8 goto 1f; r0 += 1;"
		     "1: if w7 s<= w8 goto 1f; r0 += 1;"
		     "1: if w7 & w8 goto 1f; r0 += 1;"
		     "1: if r7 == 100 goto 1f; r0 += 1;"
		     "1: if r8 > 200 goto 1f; r0 += 1;"
		     "1: if r7 s> -5 goto 1f; r0 += 1;"
		     "1: if r8 & 0x80 goto 1f; r0 += 1;"
		     "1: if w7 != 300 goto 1f; r0 += 1;"
		     "1: if w8 <= 0x1000 goto 1f; r0 += 1;"
		     "1: if w7 s< 7 goto 1f; gotol 2f;"
		     "1: r0 += 1;"
		     "2: if r8 == 1 goto 1f; goto 3f;"
		     "1: r0 += 2;"
		     "3: may_goto 4f;"
		     "r0 += 1;"
		     "if r0 < 100 goto 3b;"
		     "4: exit;" ::[bpf_get_prandom_u32] "i"(bpf_get_prandom_u32)
		     : "memory");
}

/* Packet loads of the classic kind. */
SEC("socket")
__naked int packet(void)
{
	asm volatile("r6 = r1;"
		     "r7 = 4;"
		     "r0 = *(u8 *)skb[0];"
		     "r0 = *(u16 *)skb[12];"
		     "r0 = *(u32 *)skb[16];"
		     "r0 = *(u8 *)skb[r7];"
		     "r0 = *(u16 *)skb[r7];"
		     "r0 = *(u32 *)skb[r7];"
		     "r1 = *(u32 *)(r6 + 0);"
		     "r2 = *(u32 *)(r6 + 16);"
		     "r0 = 0;"
		     "exit;" ::
			     : "memory");
}

SEC("socket")
__naked int memory(void)
{
	asm volatile("r1 = 1;"
		     "*(u64 *)(r10 - 8) = 1; *(u32 *)(r10 - 12) = -2; *(u16 *)(r10 - 14) = 3;"
		     "*(u8 *)(r10 - 15) = 4; *(u8 *)(r10 - 16) = 4;"
		     "*(u64 *)(r10 - 24) = r1; *(u32 *)(r10 - 28) = r1; *(u16 *)(r10 - 30) = r1;"
		     "*(u8 *)(r10 - 31) = r1; *(u8 *)(r10 - 32) = r1;"
		     "r2 = *(u64 *)(r10 - 8); r2 = *(u32 *)(r10 - 12); r2 = *(u16 *)(r10 - 14);"
		     "r2 = *(u8 *)(r10 - 15);"
		     "r2 = *(s32 *)(r10 - 12); r2 = *(s16 *)(r10 - 14); r2 = *(s8 *)(r10 - 15);"
		     "lock *(u64 *)(r10 - 8) += r1; lock *(u64 *)(r10 - 8) &= r1;"
		     "lock *(u64 *)(r10 - 8) |= r1; lock *(u64 *)(r10 - 8) ^= r1;"
		     "lock *(u32 *)(r10 - 28) += w1; lock *(u32 *)(r10 - 28) &= w1;"
		     "lock *(u32 *)(r10 - 28) |= w1; lock *(u32 *)(r10 - 28) ^= w1;"
		     "r3 = 3; r3 = atomic_fetch_add((u64 *)(r10 - 8), r3);"
		     "r3 = atomic_fetch_and((u64 *)(r10 - 8), r3);"
		     "r3 = atomic_fetch_or((u64 *)(r10 - 8), r3);"
		     "r3 = atomic_fetch_xor((u64 *)(r10 - 8), r3);"
		     "w3 = atomic_fetch_add((u32 *)(r10 - 28), w3);"
		     "w3 = atomic_fetch_and((u32 *)(r10 - 28), w3);"
		     "w3 = atomic_fetch_or((u32 *)(r10 - 28), w3);"
		     "w3 = atomic_fetch_xor((u32 *)(r10 - 28), w3);"
		     "r3 = xchg_64(r10 - 8, r3); w3 = xchg32_32(r10 - 28, w3);"
		     "r0 = 0; r0 = cmpxchg_64(r10 - 8, r0, r3);"
		     "w0 = cmpxchg32_32(r10 - 28, w0, w3);"
		     "r4 = load_acquire((u64 *)(r10 - 8)); w4 = load_acquire((u32 *)(r10 - 28));"
		     "w4 = load_acquire((u16 *)(r10 - 30)); w4 = load_acquire((u8 *)(r10 - 31));"
		     "store_release((u64 *)(r10 - 8), r4); store_release((u32 *)(r10 - 28), w4);"
		     "store_release((u16 *)(r10 - 30), w4); store_release((u8 *)(r10 - 31), w4);"
		     "r0 = 0;"
		     "exit;" ::
			     : "memory");
}

noinline_sub int twice(int x)
{
	return x * 2 + (int)bpf_get_prandom_u32();
}

noinline_sub int each(__u32 i, void *sum)
{
	*(int *)sum += twice(i);
	return 0;
}

/* What the verifier makes of calls, maps and per-CPU data. */
SEC("raw_tp/sys_enter")
int calls(void *ctx)
{
	__u32 key = 1, zero = 0;
	__u64 *value, sum = 0;
	int n = 0;

	value = bpf_map_lookup_elem(&array, &key);
	if (value)
		sum += *value;
	value = bpf_map_lookup_elem(&hash, &key);
	if (value)
		sum += *value;
	value = bpf_map_lookup_elem(&percpu, &zero);
	if (value)
		*value += 1;
	bpf_map_update_elem(&hash, &key, &sum, BPF_ANY);
	bpf_rcu_read_lock();
	sum += bpf_get_smp_processor_id() + bpf_jiffies64() + bpf_ktime_get_ns();
	sum += bpf_get_current_task() != 0;
	bpf_rcu_read_unlock();
	bpf_loop(twice(3), each, &n, 0);
	counter += sum + n;
	bpf_tail_call(ctx, &tails, 0);
	bpf_tail_call(ctx, &tails, n & 1);
	return twice(n);
}

struct {
	__uint(type, BPF_MAP_TYPE_ARENA);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
} arena SEC(".maps");

__u64 __arena first;
__u32 __arena *second;

SEC("syscall")
int in_arena(void *ctx)
{
	__u64 __arena *p = &first;

	__sync_fetch_and_add(p, 7);
	counter = __sync_val_compare_and_swap(p, 7, 8);
	*p = *p + 1;
	second = (__u32 __arena *)p + 1;
	*second = 3;
	asm volatile("" ::"r"(&arena)); /* the program's arena is the one that it mentions */
	return 0;
}

#ifdef GOTOX
SEC("socket")
int jump_table(struct __sk_buff *skb)
{
	switch (skb->len & 7) {
	case 0:
		return counter++;
	case 1:
		return before++;
	case 2:
		return skb->protocol;
	case 3:
		return bpf_get_prandom_u32();
	case 4:
		return skb->mark + 4;
	case 5:
		return skb->ifindex;
	default:
		return 0;
	}
}
#endif

char _license[] SEC("license") = "GPL";
