// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps around storage of sockets, and pointers that maps own, whose helpers
 * and kfuncs get hidden arguments; see verifier_patch_list.c.
 */
#include <linux/bpf.h>
#include <stddef.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, long);
} map_storage SEC(".maps");

struct owned {
	long number;
};

struct owner {
	struct owned __kptr *owned;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, struct owner);
} map_owner SEC(".maps");

extern void bpf_obj_drop_impl(void *object, void *meta) __weak __ksym;

/*
 * What is only in assembly, the compiler tells no types of: of the kfunc, and
 * of the object that the map points at.
 */
__used static void kfuncs(struct owned *owned)
{
	bpf_obj_drop_impl(owned, NULL);
}

/* Guards a jump onto a helper's call, in front of which some kernels put an argument. */
SEC("tc")
__description("forward onto the storage of a socket")
__success __retval(5)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r7 = 0x")
__xlated("3: r7 = *(u64 *)(r7 +0)")
__xlated("4: r2 = *(u64 *)(r1 +{{[0-9]+}})")
__xlated("5: if r2 == 0x0 goto pc+{{(9|10)$}}")
__xlated("6: r1 = 0x")
__xlated("8: r3 = 0{{$}}")
__xlated("9: r4 = 1{{$}}")
__xlated("10: if r7 == 0x0 goto pc+1{{$}}")
__xlated("11: r6 += 2{{$}}")
__xlated("...")
__xlated("{{1[23]}}: call ")
__xlated("if r0 == 0x0 goto pc+1{{$}}")
__xlated("r6 += 4{{$}}")
__xlated("r0 = r6")
__xlated("exit")
__naked void onto_storage(void)
{
	asm volatile ("r6 = 1;" UNKNOWN
		      "r2 = *(u64 *)(r1 + %[sk]);"
		      "if r2 == 0 goto 2f;"
		      "r1 = %[map_storage] ll;"
		      "r3 = 0;"
		      "r4 = 1;"
		      "if r7 == 0 goto 1f;"
		      "r6 += 2;"
		      "1: call %[bpf_sk_storage_get];"
		      "if r0 == 0 goto 2f;"
		      "r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_storage), __imm(bpf_sk_storage_get),
			__imm_const(sk, offsetof(struct __sk_buff, sk))
		      : __clobber_all);
}

/* Guards a back edge over the same, and a branch out of its loop. */
SEC("tc")
__description("backward over the storage of a socket")
__success __retval(7)
__xlated("0: r6 = 1{{$}}")
__xlated("1: r9 = r1")
__xlated("2: r7 = 0{{$}}")
__xlated("3: r2 = *(u64 *)(r9 +{{[0-9]+}})")
__xlated("4: if r2 == 0x0 goto pc+{{(9|10)$}}")
__xlated("5: r1 = 0x")
__xlated("7: r3 = 0{{$}}")
__xlated("8: r4 = 1{{$}}")
__xlated("...")
__xlated("{{(9|10)}}: call ")
__xlated("if r0 == 0x0 goto pc+3{{$}}")
__xlated("r6 += 2{{$}}")
__xlated("r7 += 1{{$}}")
__xlated("if r7 < 0x3 goto pc-{{1[12]$}}")
__xlated("r0 = r6")
__xlated("exit")
__naked void backward_over_storage(void)
{
	asm volatile ("r6 = 1;"
		      "r9 = r1;"
		      "r7 = 0;"
		      "1: r2 = *(u64 *)(r9 + %[sk]);"
		      "if r2 == 0 goto 2f;"
		      "r1 = %[map_storage] ll;"
		      "r3 = 0;"
		      "r4 = 1;"
		      "call %[bpf_sk_storage_get];"
		      "if r0 == 0 goto 2f;"
		      "r6 += 2;"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(map_storage), __imm(bpf_sk_storage_get),
			__imm_const(sk, offsetof(struct __sk_buff, sk))
		      : __clobber_all);
}

/* Guards branches over an exchange that becomes two instructions and a release that gets two. */
SEC("tc")
__description("over an exchange of pointers and a release")
__success __retval(5) __load_if_JITed()
__xlated("0: r6 = 1{{$}}")
XLATED_KEYS
__xlated("5: r7 = 0x")
__xlated("7: r7 = *(u64 *)(r7 +0)")
__xlated("8: r2 = r10")
__xlated("9: r2 += -8{{$}}")
__xlated("10: r1 = 0x")
XLATED_ARRAY
__xlated("19: if r0 == 0x0 goto pc+13{{$}}")
__xlated("20: if r7 != 0x0 goto pc+11{{$}}")
__xlated("21: r1 = r0")
__xlated("22: r2 = 0{{$}}")
__xlated("23: r0 = r2")
__xlated("24: r0 = atomic64_xchg((u64 *)(r1 +0), r0)")
__xlated("25: if r0 == 0x0 goto pc+6{{$}}")
__xlated("26: r1 = r0")
__xlated("27: r2 = 0{{$}}")
__xlated("28: r2 = 0x")
__xlated("30: call {{.*}}")
__xlated("31: r6 += 2{{$}}")
__xlated("32: r6 += 4{{$}}")
__xlated("33: r0 = r6")
__xlated("34: exit")
__naked void exchange(void)
{
	asm volatile ("r6 = 1;" KEYS UNKNOWN
		      "r2 = r10; r2 += -8; r1 = %[map_owner] ll;"
		      LOOKUP
		      "if r0 == 0 goto 2f;"
		      "if r7 != 0 goto 1f;"
		      "r1 = r0;"
		      "r2 = 0;"
		      "call %[bpf_kptr_xchg];"
		      "if r0 == 0 goto 1f;"
		      "r1 = r0;"
		      "r2 = 0;"
		      "call %[bpf_obj_drop_impl];"
		      "r6 += 2;"
		      "1: r6 += 4;"
		      "2: "
		      RETURN
		      :
		      : __imm_addr(unknown), __imm_addr(map_owner), __imm(bpf_map_lookup_elem),
			__imm(bpf_kptr_xchg), __imm(bpf_obj_drop_impl)
		      : __clobber_all);
}

char _license[] SEC("license") = "GPL";
