// SPDX-License-Identifier: GPL-2.0-only
/* patch_kfunc__expand(): calls of kfuncs, which get more arguments or are inlined. */
#include "patch_kind.h"

#include <errno.h>

static void write_call(const struct patch_job *job, struct patch *patch)
{
	switch (job->fact->kind) {
	case PATCH_KFUNC_CAST:
		patch__move(patch, BPF_REG_0, BPF_REG_1);
		return;
	case PATCH_KFUNC_NEW:
		patch__set(patch, BPF_REG_1, job->fact->size);
		patch__wide_any(patch, BPF_REG_2);
		break;
	case PATCH_KFUNC_META2:
		patch__wide_any(patch, BPF_REG_2);
		break;
	default:
		break;
	}
	patch__copy(patch, job->insn)->any = PATCH_ANY_IMM;
}

/* Both are at r1: where it is, and where it ends. */
static void end_iterator(struct patch *patch, int32_t r0)
{
	patch__store_imm(patch, BPF_DW, BPF_REG_1, 0, 0);
	patch__set(patch, BPF_REG_0, r0);
}

static void begin_iterator(struct patch *patch)
{
	enum { INVALID = 9, TOO_BIG = 12, END = 14 };

	patch__jump(patch, BPF_JMP32 | BPF_JSGT | BPF_X, BPF_REG_2, 0, INVALID)->insn.src_reg =
		BPF_REG_3;
	patch__emit(patch, BPF_ALU | BPF_MOV | BPF_X, BPF_REG_0, BPF_REG_3, 0);
	patch__emit(patch, BPF_ALU | BPF_SUB | BPF_X, BPF_REG_0, BPF_REG_2, 0);
	patch__jump(patch, BPF_JMP | BPF_JGT | BPF_K, BPF_REG_0, PATCH_MOST_ITERATIONS, TOO_BIG);
	patch__emit(patch, BPF_ALU | BPF_ADD | BPF_K, BPF_REG_2, 0, -1);
	patch__store(patch, BPF_W, BPF_REG_1, BPF_REG_2, 0);
	patch__store(patch, BPF_W, BPF_REG_1, BPF_REG_3, 4);
	patch__set(patch, BPF_REG_0, 0);
	patch__goto(patch, END);
	end_iterator(patch, -EINVAL);
	patch__goto(patch, END);
	end_iterator(patch, -E2BIG);
}

static void step_iterator(struct patch *patch)
{
	enum { DONE = 7, END = 9 };

	patch__load(patch, BPF_W, BPF_REG_0, BPF_REG_1, 0);
	patch__emit(patch, BPF_ALU | BPF_ADD | BPF_K, BPF_REG_0, 0, 1);
	patch__load(patch, BPF_W, BPF_REG_2, BPF_REG_1, 4);
	patch__jump(patch, BPF_JMP32 | BPF_JSGE | BPF_X, BPF_REG_0, 0, DONE)->insn.src_reg =
		BPF_REG_2;
	patch__store(patch, BPF_W, BPF_REG_1, BPF_REG_0, 0);
	patch__move(patch, BPF_REG_0, BPF_REG_1);
	patch__goto(patch, END);
	end_iterator(patch, 0);
}

int patch_kfunc__expand(const struct patch_job *job, struct patch *patch,
			struct err *err __unused_arg)
{
	const enum patch_kind kind = job->fact->kind;

	if (kind == PATCH_KFUNC_ITER_NEW && job->env->iter_num_inlined)
		begin_iterator(patch);
	else if (kind == PATCH_KFUNC_ITER_NEXT && job->env->iter_num_inlined)
		step_iterator(patch);
	else if (kind == PATCH_KFUNC_ITER_DESTROY && job->env->iter_num_inlined)
		patch__goto(patch, 1);
	else
		write_call(job, patch);
	return 1;
}
