// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps around objects that programs allocate: the verifier writes sizes and
 * types in front of the calls that make, count, link and free them. See
 * verifier_patch_list.c.
 *
 * The number of a type is known only when the object is loaded, and assembly
 * has no word for it: it is an operand that the compiler loads into a register.
 */
#include <linux/bpf.h>
#include <stddef.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"
#include "verifier_patch_list.h"

long unknown = 0;
long one = 1;

struct counted {
	long number;
	struct bpf_refcount refs;
};

struct plain {
	long number;
};

struct linked {
	long number;
	struct bpf_list_node link;
};

#define OWN_SECTION SEC(".data.list") __attribute__((visibility("hidden"), aligned(8)))

struct bpf_spin_lock lock OWN_SECTION;
struct bpf_list_head head OWN_SECTION
	__attribute__((btf_decl_tag("contains:linked:link")));

struct in_tree {
	long number;
	struct bpf_rb_node node;
};

#define TREE_SECTION SEC(".data.tree") __attribute__((visibility("hidden"), aligned(8)))

struct bpf_spin_lock tree_lock TREE_SECTION;
struct bpf_rb_root root TREE_SECTION __attribute__((btf_decl_tag("contains:in_tree:node")));

extern void *bpf_obj_new_impl(__u64 type, void *meta) __weak __ksym;
extern void bpf_obj_drop_impl(void *object, void *meta) __weak __ksym;
extern void *bpf_refcount_acquire_impl(void *object, void *meta) __weak __ksym;
extern int bpf_list_push_front_impl(struct bpf_list_head *head, struct bpf_list_node *node,
				    void *meta, __u64 off) __weak __ksym;
extern int bpf_rbtree_add_impl(struct bpf_rb_root *root, struct bpf_rb_node *node,
			       _Bool (less)(struct bpf_rb_node *a, const struct bpf_rb_node *b),
			       void *meta, __u64 off) __weak __ksym;
extern void *bpf_percpu_obj_new_impl(__u64 type, void *meta) __weak __ksym;
extern void bpf_percpu_obj_drop_impl(void *object, void *meta) __weak __ksym;

/* What is only in assembly, the compiler tells no types of. */
__used static void kfuncs(struct counted *counted, struct plain *plain, struct linked *linked,
			   struct in_tree *in_tree)
{
	bpf_obj_new_impl(0, NULL);
	bpf_obj_drop_impl(plain, NULL);
	bpf_refcount_acquire_impl(counted, NULL);
	bpf_list_push_front_impl(&head, &linked->link, NULL, 0);
	bpf_rbtree_add_impl(&root, &in_tree->node, NULL, NULL, 0);
	bpf_percpu_obj_new_impl(0, NULL);
	bpf_percpu_obj_drop_impl(plain, NULL);
}

/* The operand is in r1, the only register that is left, and so is the result. */
#define CLOBBERS "r0", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "memory"
#define TYPE(type) [type] "r"(bpf_core_type_id_local(struct type))
#define RESULT [result] "=r"(result)
#define END "%[result] = r6;"

#define NEW "r1 = r9; r2 = 0; call %[bpf_obj_new_impl];"
#define DROP "r2 = 0; call %[bpf_obj_drop_impl];"

/* Size and type are written in front of the call, over what the program said of them. */
#define XLATED_NEW(size)                                                                           \
	__xlated("r1 = r9")                                                                        \
	__xlated("r2 = 0{{$}}")                                                                    \
	__xlated("r1 = " #size "{{$}}")                                                            \
	__xlated("r2 = 0x")                                                                        \
	__xlated("call {{.*}}")
#define XLATED_META                                                                                \
	__xlated("r2 = 0{{$}}")                                                                    \
	__xlated("r2 = 0x")                                                                        \
	__xlated("call {{.*}}")

/* Guards a forward jump over an object's beginning and its end, and one onto its end. */
SEC("tc")
__description("forward over a new object, and onto its release")
__success __retval(23) __load_if_JITed()
__xlated("0: r1 = 0x")
__xlated("2: r9 = r1")
__xlated("3: r6 = 1{{$}}")
__xlated("4: r7 = 0x")
__xlated("6: r7 = *(u64 *)(r7 +0)")
__xlated("7: r8 = 0x")
__xlated("9: r8 = *(u64 *)(r8 +0)")
__xlated("10: if r7 != 0x0 goto pc+15{{$}}")
XLATED_NEW(8)
__xlated("17: if r0 == 0x0 goto pc+8{{$}}")
__xlated("18: r6 += 2{{$}}")
__xlated("19: r1 = r0")
__xlated("20: if r8 != 0x0 goto pc+1{{$}}")
__xlated("21: r6 += 64{{$}}")
XLATED_META
__xlated("26: r6 += 20{{$}}")
__xlated("27: r1 = r6")
__xlated("28: r0 = r1")
__xlated("29: exit")
long forward_over_object(void *ctx)
{
	long result;

	asm volatile ("r9 = %[plain];"
		      "r6 = 1;" UNKNOWN ONE
		      "if r7 != 0 goto 2f;" NEW
		      "if r0 == 0 goto 2f;"
		      "r6 += 2;"
		      "r1 = r0;"
		      "if r8 != 0 goto 1f;"
		      "r6 += 64;"
		      "1: " DROP
		      "2: r6 += 20;" END
		      : RESULT
		      : TYPE(plain), __imm_addr(unknown), __imm_addr(one),
			__imm(bpf_obj_new_impl), __imm(bpf_obj_drop_impl)
		      : CLOBBERS);
	return result;
}

/* Guards a back edge over three calls that were rewritten, one behind the other. */
SEC("tc")
__description("backward over an object, a reference to it and two releases")
__success __retval(13) __load_if_JITed()
__xlated("0: r1 = 0x")
__xlated("2: r9 = r1")
__xlated("3: r6 = 1{{$}}")
__xlated("4: r7 = 0{{$}}")
XLATED_NEW(16)
__xlated("11: if r0 == 0x0 goto pc+20{{$}}")
__xlated("12: r8 = r0")
__xlated("13: r1 = r0")
XLATED_META
__xlated("18: r6 += 2{{$}}")
__xlated("19: r1 = r0")
XLATED_META
__xlated("24: r1 = r8")
XLATED_META
__xlated("29: r6 += 2{{$}}")
__xlated("30: r7 += 1{{$}}")
__xlated("31: if r7 < 0x3 goto pc-27{{$}}")
__xlated("32: r1 = r6")
__xlated("33: r0 = r1")
__xlated("34: exit")
long backward_over_counted(void *ctx)
{
	long result;

	asm volatile ("r9 = %[counted];"
		      "r6 = 1;"
		      "r7 = 0;"
		      "1: " NEW
		      "if r0 == 0 goto 2f;"
		      "r8 = r0;"
		      "r1 = r0;"
		      "r2 = 0;"
		      "call %[bpf_refcount_acquire_impl];"
		      "r6 += 2;"
		      "r1 = r0;" DROP
		      "r1 = r8;" DROP
		      "r6 += 2;"
		      "r7 += 1;"
		      "if r7 < 3 goto 1b;"
		      "2: " END
		      : RESULT
		      : TYPE(counted), __imm(bpf_obj_new_impl), __imm(bpf_obj_drop_impl),
			__imm(bpf_refcount_acquire_impl)
		      : CLOBBERS);
	return result;
}

/* Guards a back edge onto a division, and a jump over it onto the release behind it. */
SEC("tc")
__description("over a division onto the release of an object")
__success __retval(24) __load_if_JITed()
__xlated("0: r1 = 0x")
__xlated("2: r9 = r1")
__xlated("3: r6 = 1{{$}}")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r7 = 42{{$}}")
XLATED_NEW(8)
__xlated("14: if r0 == 0x0 goto pc+14{{$}}")
__xlated("15: r1 = r0")
__xlated("16: if r8 == 0x0 goto pc+7{{$}}")
XLATED_DIV64("r7", "r8")
__xlated("21: r8 += 1{{$}}")
__xlated("22: if r8 < 0x3 goto pc-6{{$}}")
__xlated("23: r6 += r7")
XLATED_META
__xlated("28: r6 += 2{{$}}")
__xlated("29: r1 = r6")
__xlated("30: r0 = r1")
__xlated("31: exit")
long division_and_release(void *ctx)
{
	long result;

	asm volatile ("r9 = %[plain];"
		      "r6 = 1;" ONE
		      "r7 = 42;" NEW
		      "if r0 == 0 goto 3f;"
		      "r1 = r0;"
		      "if r8 == 0 goto 2f;"
		      "1: r7 /= r8;"
		      "r8 += 1;"
		      "if r8 < 3 goto 1b;"
		      "r6 += r7;"
		      "2: " DROP
		      "r6 += 2;"
		      "3: " END
		      : RESULT
		      : TYPE(plain), __imm_addr(one), __imm(bpf_obj_new_impl),
			__imm(bpf_obj_drop_impl)
		      : CLOBBERS);
	return result;
}

/* Guards jumps over and onto the call that gets a third and a fourth argument written in front. */
SEC("tc")
__description("onto and over the linking of an object into a list")
__success __retval(9) __load_if_JITed()
__xlated("0: r1 = 0x")
__xlated("2: r9 = r1")
__xlated("3: r6 = 1{{$}}")
__xlated("4: r7 = 0x")
__xlated("6: r7 = *(u64 *)(r7 +0)")
XLATED_NEW(32)
__xlated("13: if r0 == 0x0 goto pc+22{{$}}")
__xlated("14: r9 = r0")
__xlated("15: r1 = 0x")
__xlated("17: call {{.*}}")
__xlated("18: r1 = 0x")
__xlated("20: r2 = r9")
__xlated("21: r2 += 8{{$}}")
__xlated("22: r3 = 0{{$}}")
__xlated("23: r4 = 0{{$}}")
__xlated("24: if r7 == 0x0 goto pc+1{{$}}")
__xlated("25: r6 += 64{{$}}")
__xlated("26: r3 = 0x")
__xlated("28: r4 = 8{{$}}")
__xlated("29: call {{.*}}")
__xlated("30: if r7 == 0x0 goto pc+1{{$}}")
__xlated("31: r6 += 64{{$}}")
__xlated("32: r6 += 8{{$}}")
__xlated("33: r1 = 0x")
__xlated("35: call {{.*}}")
__xlated("36: r1 = r6")
__xlated("37: r0 = r1")
__xlated("38: exit")
long link_object(void *ctx)
{
	long result;

	asm volatile ("r9 = %[linked];"
		      "r6 = 1;" UNKNOWN NEW
		      "if r0 == 0 goto 3f;"
		      "r9 = r0;"
		      "r1 = %[lock] ll;"
		      "call %[bpf_spin_lock];"
		      "r1 = %[head] ll;"
		      "r2 = r9;"
		      "r2 += %[link];"
		      "r3 = 0;"
		      "r4 = 0;"
		      "if r7 == 0 goto 1f;"
		      "r6 += 64;"
		      "1: call %[bpf_list_push_front_impl];"
		      "if r7 == 0 goto 2f;"
		      "r6 += 64;"
		      "2: r6 += 8;"
		      "r1 = %[lock] ll;"
		      "call %[bpf_spin_unlock];"
		      "3: " END
		      : RESULT
		      : TYPE(linked), __imm_addr(unknown), __imm_addr(lock), __imm_addr(head),
			__imm_const(link, offsetof(struct linked, link)),
			__imm(bpf_obj_new_impl), __imm(bpf_list_push_front_impl),
			__imm(bpf_spin_lock), __imm(bpf_spin_unlock)
		      : CLOBBERS);
	return result;
}

static __naked __noinline __used int divides(void)
{
	asm volatile ("r0 = r1;"
		      "r0 /= r2;"
		      "exit;"
		      ::: __clobber_all);
}

/* Guards calls forward across an object's beginning and its end. */
SEC("tc")
__description("calls of a division across a new object and its release")
__success __retval(17) __load_if_JITed()
__xlated("0: r1 = 0x")
__xlated("2: r9 = r1")
__xlated("3: r6 = 1{{$}}")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r1 = 7{{$}}")
__xlated("8: r2 = r8")
__xlated("9: call pc+20{{$}}")
__xlated("10: r6 += r0")
XLATED_NEW(8)
__xlated("17: if r0 == 0x0 goto pc+9{{$}}")
__xlated("18: r1 = r0")
XLATED_META
__xlated("23: r1 = 9{{$}}")
__xlated("24: r2 = r8")
__xlated("25: call pc+4{{$}}")
__xlated("26: r6 += r0")
__xlated("27: r1 = r6")
__xlated("28: r0 = r1")
__xlated("29: exit")
__xlated("30: r0 = r1")
XLATED_DIV64("r0", "r2")
__xlated("35: exit")
long calls_across_object(void *ctx)
{
	long result;

	asm volatile ("r9 = %[plain];"
		      "r6 = 1;" ONE
		      "r1 = 7;"
		      "r2 = r8;"
		      "call divides;"
		      "r6 += r0;" NEW
		      "if r0 == 0 goto 1f;"
		      "r1 = r0;" DROP
		      "r1 = 9;"
		      "r2 = r8;"
		      "call divides;"
		      "r6 += r0;"
		      "1: " END
		      : RESULT
		      : TYPE(plain), __imm_addr(one), __imm(bpf_obj_new_impl),
			__imm(bpf_obj_drop_impl)
		      : CLOBBERS);
	return result;
}

/* Orders nodes by a remainder, which is the same of all. */
static __naked __noinline __used _Bool less(void)
{
	asm volatile ("r1 = %[one] ll;"
		      "r1 = *(u64 *)(r1 + 0);"
		      "r0 = 7;"
		      "r0 %%= r1;"
		      "r0 &= 1;"
		      "exit;"
		      :
		      : __imm_addr(one)
		      : __clobber_all);
}

/* Guards the function that orders a tree, whose address and whose code lie behind patches. */
SEC("tc")
__description("tree whose order is behind new objects and a remainder")
__success __retval(5) __load_if_JITed()
__xlated("0: r1 = 0x")
__xlated("2: r9 = r1")
__xlated("3: r6 = 1{{$}}")
__xlated("4: r7 = 0{{$}}")
XLATED_NEW(40)
__xlated("11: if r0 == 0x0 goto pc+22{{$}}")
__xlated("12: r8 = r0")
__xlated("13: r1 = 0x")
__xlated("15: call {{.*}}")
__xlated("16: r1 = 0x")
__xlated("18: r2 = r8")
__xlated("19: r2 += 8{{$}}")
__xlated("20: r3 = 0x100000010{{$}}")
__xlated("22: r4 = 0{{$}}")
__xlated("23: r5 = 0{{$}}")
__xlated("24: r4 = 0x")
__xlated("26: r5 = 8{{$}}")
__xlated("27: call {{.*}}")
__xlated("28: r1 = 0x")
__xlated("30: call {{.*}}")
__xlated("31: r6 += 2{{$}}")
__xlated("32: r7 += 1{{$}}")
__xlated("33: if r7 < 0x2 goto pc-29{{$}}")
__xlated("34: r1 = r6")
__xlated("35: r0 = r1")
__xlated("36: exit")
__xlated("37: r1 = 0x")
__xlated("39: r1 = *(u64 *)(r1 +0)")
__xlated("40: r0 = 7{{$}}")
XLATED_MOD64("r0", "r1")
__xlated("43: r0 &= 1{{$}}")
__xlated("44: exit")
long order_of_tree(void *ctx)
{
	long result;

	asm volatile ("r9 = %[in_tree];"
		      "r6 = 1;"
		      "r7 = 0;"
		      "1: " NEW
		      "if r0 == 0 goto 2f;"
		      "r8 = r0;"
		      "r1 = %[tree_lock] ll;"
		      "call %[bpf_spin_lock];"
		      "r1 = %[root] ll;"
		      "r2 = r8;"
		      "r2 += %[node];"
		      "r3 = less ll;"
		      "r4 = 0;"
		      "r5 = 0;"
		      "call %[bpf_rbtree_add_impl];"
		      "r1 = %[tree_lock] ll;"
		      "call %[bpf_spin_unlock];"
		      "r6 += 2;"
		      "r7 += 1;"
		      "if r7 < 2 goto 1b;"
		      "2: " END
		      : RESULT
		      : TYPE(in_tree), __imm_addr(tree_lock), __imm_addr(root),
			__imm_const(node, offsetof(struct in_tree, node)),
			__imm(bpf_obj_new_impl), __imm(bpf_rbtree_add_impl),
			__imm(bpf_spin_lock), __imm(bpf_spin_unlock)
		      : CLOBBERS);
	return result;
}

/* Guards jumps over an object of each CPU, which has no type but is given one. */
SEC("tc")
__description("over an object of each CPU, both ways")
__success __retval(9) __load_if_JITed()
__xlated("0: r1 = 0x")
__xlated("2: r9 = r1")
__xlated("3: r6 = 1{{$}}")
__xlated("4: r8 = 0x")
__xlated("6: r8 = *(u64 *)(r8 +0)")
__xlated("7: r7 = 0{{$}}")
__xlated("8: if r8 == 0x0 goto pc+13{{$}}")
XLATED_NEW(8)
__xlated("15: if r0 == 0x0 goto pc+6{{$}}")
__xlated("16: r1 = r0")
XLATED_META
__xlated("21: r6 += 2{{$}}")
__xlated("22: r6 += 2{{$}}")
__xlated("23: r7 += 1{{$}}")
__xlated("24: if r7 < 0x2 goto pc-17{{$}}")
__xlated("25: r1 = r6")
__xlated("26: r0 = r1")
__xlated("27: exit")
long object_of_each_cpu(void *ctx)
{
	long result;

	asm volatile ("r9 = %[plain];"
		      "r6 = 1;" ONE
		      "r7 = 0;"
		      "1: if r8 == 0 goto 2f;"
		      "r1 = r9;"
		      "r2 = 0;"
		      "call %[bpf_percpu_obj_new_impl];"
		      "if r0 == 0 goto 2f;"
		      "r1 = r0;"
		      "r2 = 0;"
		      "call %[bpf_percpu_obj_drop_impl];"
		      "r6 += 2;"
		      "2: r6 += 2;"
		      "r7 += 1;"
		      "if r7 < 2 goto 1b;" END
		      : RESULT
		      : TYPE(plain), __imm_addr(one), __imm(bpf_percpu_obj_new_impl),
			__imm(bpf_percpu_obj_drop_impl)
		      : CLOBBERS);
	return result;
}

char _license[] SEC("license") = "GPL";
