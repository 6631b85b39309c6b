// SPDX-License-Identifier: GPL-2.0-only
#include "patch_kind.h"

#include <errno.h>

#define ITERATIONS_OF_A_CLOCK 0xffff /* of may_goto, before it looks at the clock */

typedef int (*expand_fn)(const struct patch_job *job, struct patch *patch, struct err *err);

/* ---- arithmetic -------------------------------------------------------------- */

static bool is_divmod(const struct bpf_insn *insn)
{
	const uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	return (class == BPF_ALU || class == BPF_ALU64) && (op == BPF_DIV || op == BPF_MOD);
}

/* x % 0 is x: what is left to do is to clear the upper half in 32 bits. */
static void end_of_modulo(const struct bpf_insn *insn, struct patch *patch)
{
	if (BPF_CLASS(insn->code) == BPF_ALU64)
		return;
	patch__goto(patch, patch->n + 2);
	patch__emit(patch, BPF_ALU | BPF_MOV | BPF_X, insn->dst_reg, insn->dst_reg, 0);
}

static void divide_unsigned(const struct bpf_insn *insn, uint8_t jmp, struct patch *patch)
{
	const uint8_t dst = insn->dst_reg, src = insn->src_reg;

	if (BPF_OP(insn->code) == BPF_DIV) {
		patch__jump(patch, jmp | BPF_JNE | BPF_K, src, 0, 3);
		patch__emit(patch, BPF_ALU | BPF_XOR | BPF_X, dst, dst, 0);
		patch__goto(patch, 4);
		patch__copy(patch, insn);
	} else {
		patch__jump(patch, jmp | BPF_JEQ | BPF_K, src, 0, jmp == BPF_JMP32 ? 3 : 2);
		patch__copy(patch, insn);
		end_of_modulo(insn, patch);
	}
}

/* The hidden register is the divisor and 1: 0 for -1, 1 for 0. */
static void divide_signed(const struct patch_job *job, uint8_t jmp, struct patch *patch)
{
	const struct bpf_insn *insn = job->insn;
	const uint8_t dst = insn->dst_reg, ax = job->env->ax, alu = BPF_CLASS(insn->code);

	patch__move(patch, ax, insn->src_reg);
	patch__emit(patch, alu | BPF_ADD | BPF_K, ax, 0, 1);
	if (BPF_OP(insn->code) == BPF_DIV) {
		patch__jump(patch, jmp | BPF_JGT | BPF_K, ax, 1, 7);
		patch__jump(patch, jmp | BPF_JEQ | BPF_K, ax, 0, 5);
		patch__emit(patch, alu | BPF_MOV | BPF_K, dst, 0, 0);
		patch__emit(patch, alu | BPF_NEG | BPF_K, dst, 0, 0);
		patch__goto(patch, 8);
		patch__copy(patch, insn);
	} else {
		patch__jump(patch, jmp | BPF_JGT | BPF_K, ax, 1, 6);
		patch__jump(patch, jmp | BPF_JEQ | BPF_K, ax, 1, jmp == BPF_JMP32 ? 8 : 7);
		patch__emit(patch, BPF_ALU | BPF_MOV | BPF_K, dst, 0, 0);
		patch__goto(patch, 7);
		patch__copy(patch, insn);
		end_of_modulo(insn, patch);
	}
}

static int expand_divmod(const struct patch_job *job, struct patch *patch,
			 struct err *err __unused_arg)
{
	const struct bpf_insn *insn = job->insn;
	const uint8_t jmp = BPF_CLASS(insn->code) == BPF_ALU64 ? BPF_JMP : BPF_JMP32;

	if (BPF_SRC(insn->code) == BPF_K) {
		if (insn->off != 1 || insn->imm != -1)
			return 0;
		if (BPF_OP(insn->code) == BPF_DIV)
			patch__emit(patch, BPF_CLASS(insn->code) | BPF_NEG | BPF_K, insn->dst_reg,
				    0, 0);
		else
			patch__emit(patch, BPF_ALU | BPF_MOV | BPF_K, insn->dst_reg, 0, 0);
		return 1;
	}
	if (insn->off == 1)
		divide_signed(job, jmp, patch);
	else
		divide_unsigned(insn, jmp, patch);
	return 1;
}

#define CAST_OFF  1
#define CAST_TO_0 1
#define CAST_TO_1 (1 << 16)

static bool is_cast(const struct bpf_insn *insn)
{
	return insn->code == (BPF_ALU64 | BPF_MOV | BPF_X) && insn->off == CAST_OFF;
}

static int expand_cast(const struct patch_job *job, struct patch *patch,
		       struct err *err __unused_arg)
{
	if (job->insn->imm == CAST_TO_1 && !job->env->no_user_conv)
		return 0;
	patch__emit(patch, BPF_ALU | BPF_MOV | BPF_X, job->insn->dst_reg, job->insn->src_reg, 0);
	return 1;
}

static bool is_add_sub64(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_ALU64 &&
	       (BPF_OP(insn->code) == BPF_ADD || BPF_OP(insn->code) == BPF_SUB);
}

static int expand_arena_alu(const struct patch_job *job, struct patch *patch,
			    struct err *err __unused_arg)
{
	const uint8_t code = job->insn->code;

	patch__copy(patch, job->insn)->insn.code = BPF_ALU | BPF_OP(code) | BPF_SRC(code);
	return 1;
}

/* ---- packets ----------------------------------------------------------------- */

static bool is_packet_load(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_LD &&
	       (BPF_MODE(insn->code) == BPF_ABS || BPF_MODE(insn->code) == BPF_IND);
}

static int expand_packet_load(const struct patch_job *job, struct patch *patch,
			      struct err *err __unused_arg)
{
	const struct bpf_insn *insn = job->insn;

	if (BPF_MODE(insn->code) == BPF_ABS) {
		patch__set(patch, BPF_REG_2, insn->imm);
	} else {
		patch__move(patch, BPF_REG_2, insn->src_reg);
		if (insn->imm)
			patch__emit(patch, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, insn->imm);
	}
	patch__move(patch, BPF_REG_1, BPF_REG_6);
	patch__call_any(patch);
	patch__jump(patch, BPF_JMP | BPF_JSGE | BPF_K, BPF_REG_0, 0, patch->n + 3);
	patch__emit(patch, BPF_ALU | BPF_XOR | BPF_X, BPF_REG_0, BPF_REG_0, 0);
	patch__emit(patch, BPF_JMP | BPF_EXIT, 0, 0, 0);
	return 1;
}

static bool is_load_store(const struct bpf_insn *insn)
{
	const uint8_t class = BPF_CLASS(insn->code), mode = BPF_MODE(insn->code);

	return (class == BPF_LDX && (mode == BPF_MEM || mode == BPF_MEMSX)) ||
	       ((class == BPF_ST || class == BPF_STX) && mode == BPF_MEM);
}

/* ---- loops ------------------------------------------------------------------- */

bool patch_kind__is_may_goto(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_JCOND) && insn->src_reg == 0;
}

/* The count; the time, if there is a clock, is behind it. */
static int32_t slot_of_count(const struct patch_env *env, uint32_t stack)
{
	return -(int32_t)stack - (env->timed_may_goto ? 16 : 8);
}

static int expand_may_goto(const struct patch_job *job, struct patch *patch,
			   struct err *err __unused_arg)
{
	const uint8_t ax = job->env->ax;
	const int32_t slot = slot_of_count(job->env, job->stack);

	patch__load(patch, BPF_DW, ax, BPF_REG_10, slot);
	patch__jump(patch, BPF_JMP | BPF_JEQ | BPF_K, ax, 0, PATCH_TO_OLD);
	patch__emit(patch, BPF_ALU64 | BPF_SUB | BPF_K, ax, 0, 1);
	if (job->env->timed_may_goto) {
		patch__jump(patch, BPF_JMP | BPF_JNE | BPF_K, ax, 0, 6);
		patch__set(patch, ax, slot);
		patch__call_any(patch);
	}
	patch__store(patch, BPF_DW, BPF_REG_10, ax, slot);
	return 1;
}

static int expand_loop(const struct patch_job *job, struct patch *patch,
		       struct err *err __unused_arg)
{
	const int32_t saved = -(int32_t)(job->stack + PATCH_LOOP_STACK);
	enum { HEAD = 9, OUT = 15, END = 19 };
	struct patch_slot *call;

	patch__jump(patch, BPF_JMP | BPF_JLE | BPF_K, BPF_REG_1, PATCH_MOST_ITERATIONS, 3);
	patch__emit(patch, BPF_ALU | BPF_MOV | BPF_K, BPF_REG_0, 0, -E2BIG);
	patch__goto(patch, END);
	for (uint8_t i = 0; i < 3; i++)
		patch__store(patch, BPF_DW, BPF_REG_10, BPF_REG_6 + i, saved + 8 * i);
	patch__move(patch, BPF_REG_6, BPF_REG_1);
	patch__emit(patch, BPF_ALU | BPF_MOV | BPF_K, BPF_REG_7, 0, 0);
	patch__move(patch, BPF_REG_8, BPF_REG_3);
	patch__jump(patch, BPF_JMP | BPF_JGE | BPF_X, BPF_REG_7, 0, OUT)->insn.src_reg = BPF_REG_6;
	patch__move(patch, BPF_REG_1, BPF_REG_7);
	patch__move(patch, BPF_REG_2, BPF_REG_8);
	call = patch__emit(patch, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0);
	call->to_kind = PATCH_TO_ENTRY;
	call->to = PATCH_TO_OLD;
	patch__emit(patch, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_7, 0, 1);
	patch__jump(patch, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, HEAD);
	patch__move(patch, BPF_REG_0, BPF_REG_7);
	for (uint8_t i = 0; i < 3; i++)
		patch__load(patch, BPF_DW, BPF_REG_6 + i, BPF_REG_10, saved + 8 * i);
	return 1;
}

void patch_kind__prologue(const struct patch_env *env, uint32_t stack, struct patch *patch)
{
	const int32_t slot = slot_of_count(env, stack);

	if (env->timed_may_goto) {
		patch__store_imm(patch, BPF_DW, BPF_REG_10, slot, ITERATIONS_OF_A_CLOCK);
		patch__store_imm(patch, BPF_DW, BPF_REG_10, slot + 8, 0);
	} else {
		patch__store_imm(patch, BPF_DW, BPF_REG_10, slot, PATCH_MOST_ITERATIONS);
	}
}

/* ---- helpers ----------------------------------------------------------------- */

static bool is_helper_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == 0;
}

/* r0 = what is at a place of this CPU */
static int expand_percpu_load(struct patch *patch, uint8_t size)
{
	patch__set(patch, BPF_REG_0, 0)->any = PATCH_ANY_IMM;
	patch__percpu(patch, BPF_REG_0);
	patch__load(patch, size, BPF_REG_0, BPF_REG_0, 0);
	return 1;
}

static int expand_helper(const struct patch_job *job, struct patch *patch,
			 struct err *err __unused_arg)
{
	switch (job->insn->imm) {
	case BPF_FUNC_tail_call:
		return 0;
	case BPF_FUNC_jiffies64:
		patch__wide_any(patch, BPF_REG_0);
		patch__load(patch, BPF_DW, BPF_REG_0, BPF_REG_0, 0);
		return 1;
	case BPF_FUNC_get_smp_processor_id:
		if (job->env->smp)
			return expand_percpu_load(patch, BPF_W);
		patch__emit(patch, BPF_ALU | BPF_XOR | BPF_X, BPF_REG_0, BPF_REG_0, 0);
		return 1;
	case BPF_FUNC_get_current_task:
	case BPF_FUNC_get_current_task_btf:
		if (job->env->smp && job->env->task_inlined)
			return expand_percpu_load(patch, BPF_DW);
		break;
	case BPF_FUNC_kptr_xchg:
		patch__move(patch, BPF_REG_0, BPF_REG_2);
		patch__emit(patch, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_1, BPF_REG_0, BPF_XCHG);
		return 1;
	case BPF_FUNC_timer_set_callback:
		patch__wide_any(patch, BPF_REG_3);
		break;
	}
	patch__call_any(patch);
	return 1;
}

static bool is_lookup(const struct bpf_insn *insn)
{
	return is_helper_call(insn) && insn->imm == BPF_FUNC_map_lookup_elem;
}

static bool is_loop(const struct bpf_insn *insn)
{
	return is_helper_call(insn) && insn->imm == BPF_FUNC_loop;
}

/* ---- kfuncs ------------------------------------------------------------------ */

static bool is_kfunc_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_KFUNC_CALL;
}

/* ---- 64-bit immediates ------------------------------------------------------- */

static bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* Maps are named by id, however they were. */
static int expand_wide(const struct patch_job *job, struct patch *patch,
		       struct err *err __unused_arg)
{
	const struct bpf_insn *insn = job->insn;
	struct patch_slot *slot;

	switch (insn->src_reg) {
	case BPF_PSEUDO_MAP_FD:
	case BPF_PSEUDO_MAP_IDX:
	case BPF_PSEUDO_MAP_VALUE:
	case BPF_PSEUDO_MAP_IDX_VALUE:
		break;
	default:
		return 0;
	}
	slot = patch__copy(patch, insn);
	slot->any = PATCH_ANY_IMM;
	if (insn->src_reg == BPF_PSEUDO_MAP_IDX)
		slot->insn.src_reg = BPF_PSEUDO_MAP_FD;
	else if (insn->src_reg == BPF_PSEUDO_MAP_IDX_VALUE)
		slot->insn.src_reg = BPF_PSEUDO_MAP_VALUE;
	patch__copy(patch, &insn[1]);
	if (job->fact->kind == PATCH_PERCPU_VALUE)
		patch__percpu(patch, insn->dst_reg);
	return 1;
}

/* ---- the table --------------------------------------------------------------- */

static const struct {
	enum patch_kind kind;
	bool (*fits)(const struct bpf_insn *insn);
	expand_fn expand;
} kinds[] = {
	{ PATCH_NONE, is_divmod, expand_divmod },
	{ PATCH_NONE, is_cast, expand_cast },
	{ PATCH_NONE, is_packet_load, expand_packet_load },
	{ PATCH_NONE, patch_kind__is_may_goto, expand_may_goto },
	{ PATCH_NONE, is_helper_call, expand_helper },
	{ PATCH_NONE, is_kfunc_call, patch_kfunc__expand },
	{ PATCH_NONE, is_wide, expand_wide },
	{ PATCH_LOOKUP, is_lookup, patch_access__lookup },
	{ PATCH_LOOP, is_loop, expand_loop },
	{ PATCH_CTX, is_load_store, patch_access__ctx },
	{ PATCH_KFUNC_CAST, is_kfunc_call, patch_kfunc__expand },
	{ PATCH_KFUNC_NEW, is_kfunc_call, patch_kfunc__expand },
	{ PATCH_KFUNC_META2, is_kfunc_call, patch_kfunc__expand },
	{ PATCH_KFUNC_ITER_NEW, is_kfunc_call, patch_kfunc__expand },
	{ PATCH_KFUNC_ITER_NEXT, is_kfunc_call, patch_kfunc__expand },
	{ PATCH_KFUNC_ITER_DESTROY, is_kfunc_call, patch_kfunc__expand },
	{ PATCH_PERCPU_VALUE, is_wide, expand_wide },
	{ PATCH_ARENA_ALU, is_add_sub64, expand_arena_alu },
};

int patch_kind__expand(const struct patch_job *job, struct patch *patch, struct err *err)
{
	patch->n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].kind == job->fact->kind && kinds[i].fits(job->insn))
			return kinds[i].expand(job, patch, err);
	if (job->fact->kind == PATCH_NONE || job->fact->kind >= PATCH_TAKEN)
		return 0;
	return err__set(err, -EINVAL, "the model knows no instruction of code 0x%02x for fact %d",
			job->insn->code, job->fact->kind);
}
