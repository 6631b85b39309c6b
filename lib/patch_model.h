/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the verifier of a 64-bit x86 kernel makes of a program's instructions,
 * predicted: a second opinion on the code that rewrites them. The model knows
 * jumps by the places that they go to, replaces one instruction at a time and
 * moves all places behind it. It is slow on purpose and has nothing in common
 * with the way in which the kernel adjusts offsets.
 *
 * The program is one that a privileged user loads on a kernel whose JIT is on,
 * and that loads. The model does not follow values, so it has to be told of
 * dead code. It must have no 32-bit compare and exchange, no pairs of spill and
 * fill around a call that could spare them (bpf_fastcall), no writes through
 * packet pointers, no bpf_throw().
 *
 * Seen in the instruction itself, whose fact is PATCH_NONE:
 *
 * - division and modulo by a register, 32 and 64 bits, signed and unsigned,
 *   and signed by the constant -1
 * - LD_ABS and LD_IND (r6 is the context)
 * - may_goto (its fact tells the stack depth)
 * - address space casts to 0, those to 1 only with no_user_conv
 * - 64-bit immediates of maps (by fd or index), map values, functions; others
 *   stay as they are
 * - calls of subprograms; of helpers, also bpf_tail_call, bpf_jiffies64,
 *   bpf_get_smp_processor_id, bpf_get_current_task(_btf), bpf_kptr_xchg,
 *   bpf_timer_set_callback; of kfuncs that are not rewritten
 * - jumps of all kinds with 16 and with 32 bits, gotox; "goto +0" and
 *   "may_goto +0", which are removed
 *
 * All else that is not in enum patch_kind stays as it is.
 */
#ifndef BPF_AB_PATCH_MODEL_H
#define BPF_AB_PATCH_MODEL_H

#include <linux/bpf.h>

#include "err.h"
#include "patch.h"

enum patch_kind {
	PATCH_NONE,
	/* Call of bpf_map_lookup_elem whose r1 is always the same map, of fact.map. */
	PATCH_LOOKUP,
	/*
	 * Call of bpf_loop whose r2 is always the same function and whose r4 is always
	 * 0; fact.callback and fact.stack_depth. Other calls are PATCH_NONE.
	 */
	PATCH_LOOP,
	/* Load or store through a struct __sk_buff that patch_model__field_known(). */
	PATCH_CTX,
	PATCH_KFUNC_CAST,	  /* call of bpf_rdonly_cast, bpf_cast_to_kern_ctx */
	PATCH_KFUNC_NEW,	  /* bpf_obj_new, bpf_percpu_obj_new, of fact.size bytes */
	PATCH_KFUNC_META2,	  /* bpf_obj_drop, bpf_percpu_obj_drop, bpf_refcount_acquire */
	PATCH_KFUNC_ITER_NEW,	  /* bpf_iter_num_new */
	PATCH_KFUNC_ITER_NEXT,	  /* bpf_iter_num_next */
	PATCH_KFUNC_ITER_DESTROY, /* bpf_iter_num_destroy */
	/* 64-bit immediate of a value in a map of type PERCPU_ARRAY, at its first half. */
	PATCH_PERCPU_VALUE,
	/* 64-bit addition or subtraction whose result the verifier takes for an arena pointer. */
	PATCH_ARENA_ALU,
	/*
	 * A conditional jump that always goes to its target, the next instruction
	 * being dead; one that never does, its target being dead.
	 */
	PATCH_TAKEN,
	PATCH_NOT_TAKEN,
	/* Never reached; the verifier takes it out. */
	PATCH_DEAD,
};

/* What cannot be seen in an instruction, one for each of them. */
struct patch_fact {
	enum patch_kind kind;
	struct {
		/* HASH, LRU_HASH, PERCPU_HASH, HASH_OF_MAPS, ARRAY, PERCPU_ARRAY, ARRAY_OF_MAPS */
		enum bpf_map_type type;
		uint32_t key_size, value_size, max_entries;
		/* Created by somebody without CAP_PERFMON: indices of arrays are masked. */
		bool masked;
	} map;
	size_t callback; /* index of the first instruction of the function */
	/*
	 * PATCH_LOOP and may_goto: bytes of stack that the subprogram of this
	 * instruction uses itself, a multiple of 8; the same in all of them.
	 */
	uint32_t stack_depth;
	uint32_t size;
};

/*
 * What depends on the kernel and its configuration. An offset into one of its
 * structures is -1 where it isn't known, and is then not compared.
 */
struct patch_env {
	uint8_t ax;	       /* number of the hidden register: 11 or 12 */
	bool smp;	       /* CONFIG_SMP */
	bool timed_may_goto;   /* may_goto is by time (x86 since 6.15), not by count alone */
	bool task_inlined;     /* bpf_get_current_task and _btf are, given smp */
	bool iter_num_inlined; /* bpf_iter_num_* are */
	bool no_user_conv;     /* the program's arena has BPF_F_NO_USER_CONV */
	int32_t array_value;   /* struct bpf_array: value, pptrs */
	int32_t htab_key;      /* struct htab_elem: key */
	int32_t htab_lru_ref;  /* struct htab_elem: lru_node.ref */
	struct {
		int32_t len, protocol, vlan_proto, priority, skb_iif, dev, hash, mark, pkt_type;
		int32_t queue_mapping, vlan_all, vlan_tci, cb_data;
		int32_t netdev_ifindex; /* struct net_device: ifindex */
	} skb;
};

/* -1 for every offset, false for all else, and 11. */
extern const struct patch_env patch_env_unknown;

/*
 * That of the running kernel, by loading programs of a few instructions and by
 * its BTF. Offsets that its BTF does not tell are -1; no_user_conv is false.
 * Returns 0; -EOPNOTSUPP if this is no x86-64, if there is no JIT, or if it blinds
 * constants; -errno if one of the programs did not load; with err set.
 */
int patch_env__read(struct patch_env *ret_env, struct err *err);

/*
 * Whether the running kernel blinds the constants of this process's programs, which
 * makes more instructions of them than the model knows of (net.core.bpf_jit_harden).
 * Returns 1 or 0; otherwise as patch_env__read().
 */
int patch_env__blinds(struct err *err);

struct patch_model {
	/* Owned: n instructions as BPF_OBJ_GET_INFO_BY_FD shows them, PATCH_ANY_* for each. */
	struct bpf_insn *insns;
	uint8_t *any;
	size_t n;
	/*
	 * Owned, n_in + 1: the first instruction that came of the i-th of the input,
	 * where jumps to it go. That of one that was removed is the next one's;
	 * first[n_in] is n. Calls of a subprogram that begins with the i-th, line and
	 * function infos of it are at entry[i], which is in front of first[i] by what
	 * is put at the beginning of a subprogram; elsewhere they are equal.
	 */
	size_t *first, *entry;
	size_t n_in;
};

/* Whether the model knows what becomes of an access to the offset of struct __sk_buff. */
bool patch_model__field_known(uint32_t offset);

/*
 * Fills *ret_model, which patch_model__free() empties; facts is of n, too, NULL
 * if all are PATCH_NONE. Returns 0; -ERANGE if a jump's 16 bits don't hold its
 * new distance, which the kernel must find, too; -EINVAL if a fact does not
 * fit its instruction, a jump leaves the program, or the model does not know
 * the instruction; -ENOMEM; with err set.
 */
int patch_model__expand(const struct bpf_insn *insns, size_t n, const struct patch_fact *facts,
			const struct patch_env *env, struct patch_model *ret_model,
			struct err *err);
/* An all-zero one is fine. */
void patch_model__free(struct patch_model *model);

/*
 * Compares with what the kernel has made. Returns 0 if all n are as expected,
 * 1 if not, with the index of the first that is not in *ret_first_diff (may be
 * NULL); where one of them is a beginning of the other, its length.
 */
int patch_model__compare(const struct patch_model *model, const struct bpf_insn *xlated, size_t n,
			 size_t *ret_first_diff);

#endif
