// SPDX-License-Identifier: GPL-2.0-only
#include "patch_model.h"

#include <errno.h>
#include <stdlib.h>

#include "cleanup.h"
#include "patch_kind.h"
#include "patch_work.h"

/* Reads where the instruction goes to as a distance from the next one. */
static enum patch_to target_of(const struct bpf_insn *insn, int64_t *ret_distance)
{
	const uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	*ret_distance = insn->imm;
	if (patch_work__is_wide(insn))
		return insn->src_reg == BPF_PSEUDO_FUNC ? PATCH_TO_ENTRY : PATCH_TO_NONE;
	if (insn->code == (BPF_JMP | BPF_CALL))
		return insn->src_reg == BPF_PSEUDO_CALL ? PATCH_TO_ENTRY : PATCH_TO_NONE;
	if (class != BPF_JMP && class != BPF_JMP32)
		return PATCH_TO_NONE;
	if (op == BPF_CALL || op == BPF_EXIT || insn->code == (BPF_JMP | BPF_JA | BPF_X))
		return PATCH_TO_NONE;
	if (insn->code != (BPF_JMP32 | BPF_JA))
		*ret_distance = insn->off;
	return PATCH_TO_JUMP;
}

static int read_insns(struct patch_work *work)
{
	for (size_t i = 0; i < work->n; i++) {
		struct patch_slot slot = { .insn = work->insns[i] };
		int64_t distance;

		slot.to_kind = target_of(&slot.insn, &distance);
		slot.to = i + 1 + distance;
		if (slot.to_kind != PATCH_TO_NONE && slot.to >= work->n)
			return err__set(work->err, -EINVAL,
					"instruction %zu goes out of the program", i);
		if (slot.insn.code == (BPF_STX | BPF_ATOMIC | BPF_W) &&
		    slot.insn.imm == BPF_CMPXCHG)
			return err__set(work->err, -EINVAL,
					"instruction %zu: the model knows no 32-bit cmpxchg", i);
		if (vec_push(&work->slots, slot) < 0)
			return -ENOMEM;
		if (!patch_work__is_wide(&slot.insn))
			continue;
		if (++i >= work->n)
			return err__set(work->err, -EINVAL,
					"the last instruction is half a 64-bit immediate");
		if (vec_push(&work->slots, (struct patch_slot){ .insn = work->insns[i] }) < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i <= work->n; i++)
		work->first[i] = work->entry[i] = i;
	return 0;
}

/* ---- subprograms ------------------------------------------------------------- */

/* Whatever is called, in the order of their beginnings; the program itself is first. */
static int find_subprogs(struct patch_work *work)
{
	_cleanup_free_ bool *starts = calloc(work->n, sizeof(*starts));

	if (!starts)
		return -ENOMEM;
	starts[0] = true;
	for (size_t i = 0; i < work->n; i++)
		if (work->slots.v[i].to_kind == PATCH_TO_ENTRY &&
		    patch_work__fact(work, i)->kind != PATCH_DEAD)
			starts[work->slots.v[i].to] = true;
	for (size_t i = 0; i < work->n; i++)
		work->n_subprogs += starts[i];
	work->subprogs = calloc(work->n_subprogs, sizeof(*work->subprogs));
	if (!work->subprogs)
		return -ENOMEM;
	for (size_t i = 0, k = 0; i < work->n; i++)
		if (starts[i])
			work->subprogs[k++].start = i;
	return 0;
}

static struct patch_subprog *subprog_of(const struct patch_work *work, size_t i)
{
	size_t k = work->n_subprogs - 1;

	while (work->subprogs[k].start > i)
		k--;
	return &work->subprogs[k];
}

/* Which subprograms use their stack for loops. */
static int measure_stacks(struct patch_work *work)
{
	for (size_t i = 0; i < work->n; i++) {
		const struct patch_fact *fact = patch_work__fact(work, i);
		const bool loops = fact->kind == PATCH_LOOP;
		const bool counts = patch_kind__is_may_goto(&work->insns[i]);
		struct patch_subprog *subprog = subprog_of(work, i);

		if (patch_work__is_second_half(work, i) || work->removed[i] || (!loops && !counts))
			continue;
		if (fact->stack_depth % 8)
			return err__set(work->err, -EINVAL, "instruction %zu: a stack of %u bytes",
					i, fact->stack_depth);
		if ((subprog->counts || subprog->loops) && subprog->stack != fact->stack_depth)
			return err__set(work->err, -EINVAL,
					"instruction %zu: a stack of %u bytes, and of %u before", i,
					fact->stack_depth, subprog->stack);
		subprog->stack = fact->stack_depth;
		subprog->loops |= loops;
		subprog->counts |= counts;
	}
	return 0;
}

/* What is taken before may_gotos take theirs. */
static uint32_t stack_with_loops(const struct patch_subprog *subprog)
{
	return subprog->stack + (subprog->loops ? PATCH_LOOP_STACK : 0);
}

/* ---- passes ------------------------------------------------------------------ */

static int expand(struct patch_work *work)
{
	for (size_t i = 0; i < work->n; i++) {
		const size_t n_old = patch_work__is_wide(&work->insns[i]) ? 2 : 1;
		const struct patch_subprog *subprog = subprog_of(work, i);
		struct patch_job job = { .insn = &work->insns[i],
					 .fact = patch_work__fact(work, i),
					 .env = work->env };
		struct patch patch;
		int rc = 0;

		job.stack =
			job.fact->kind == PATCH_LOOP ? subprog->stack : stack_with_loops(subprog);
		if (!work->removed[i])
			rc = patch_kind__expand(&job, &patch, work->err);
		if (rc > 0 && job.fact->kind == PATCH_LOOP &&
		    subprog_of(work, job.fact->callback)->start != job.fact->callback)
			rc = err__set(work->err, -EINVAL,
				      "instruction %zu: no function begins at %zu", i,
				      job.fact->callback);
		if (rc > 0)
			rc = patch_work__replace(work, work->first[i], n_old, &patch,
						 job.fact->callback);
		if (rc < 0)
			return rc;
		i += n_old - 1;
	}
	return 0;
}

static int add_prologues(struct patch_work *work)
{
	for (size_t k = 0; k < work->n_subprogs; k++) {
		const struct patch_subprog *subprog = &work->subprogs[k];
		const size_t at = work->entry[subprog->start];
		struct patch patch = {};
		int rc;

		if (!subprog->counts)
			continue;
		patch_kind__prologue(work->env, stack_with_loops(subprog), &patch);
		patch_work__shift(work, at, at + 1, patch.n);
		rc = patch_work__splice(work, at, 0, patch.slots, patch.n);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* ---- the result -------------------------------------------------------------- */

static size_t input_of(const struct patch_work *work, size_t pos)
{
	size_t i = work->n - 1;

	while (i > 0 && work->entry[i] > pos)
		i--;
	return i;
}

static int32_t number_of(const struct patch_work *work, size_t entry)
{
	for (size_t k = 0; k < work->n_subprogs; k++)
		if (work->entry[work->subprogs[k].start] == entry)
			return k;
	return -1;
}

static void write_entry(const struct patch_work *work, struct patch_slot *slot, int64_t distance)
{
	const int32_t number = number_of(work, slot->to);

	if (patch_work__is_wide(&slot->insn)) {
		slot->insn.imm = distance;
		slot[1].insn.imm = number;
		return;
	}
	slot->insn.imm = number;
	slot->insn.off = distance;
	/* There is no room for it, and what is shown then depends on the kernel. */
	if (slot->insn.off != distance)
		slot->any |= PATCH_ANY_OFF;
}

static int write_distances(struct patch_work *work)
{
	for (size_t i = 0; i < work->slots.n; i++) {
		struct patch_slot *slot = &work->slots.v[i];
		const int64_t distance = (int64_t)slot->to - (int64_t)i - 1;

		if (slot->to_kind == PATCH_TO_NONE)
			continue;
		if (slot->to_kind == PATCH_TO_ENTRY) {
			write_entry(work, slot, distance);
			continue;
		}
		if (slot->insn.code == (BPF_JMP32 | BPF_JA)) {
			slot->insn.imm = distance;
			continue;
		}
		if (distance < INT16_MIN || distance > INT16_MAX)
			return err__set(work->err, -ERANGE,
					"instruction %zu jumps by %lld, which 16 bits don't hold",
					input_of(work, i), (long long)distance);
		slot->insn.off = distance;
	}
	return 0;
}

static int take_model(struct patch_work *work, struct patch_model *ret_model)
{
	_cleanup_free_ struct bpf_insn *insns = calloc(work->slots.n, sizeof(*insns));
	_cleanup_free_ uint8_t *any = calloc(work->slots.n, sizeof(*any));

	if (!insns || !any)
		return -ENOMEM;
	for (size_t i = 0; i < work->slots.n; i++) {
		insns[i] = work->slots.v[i].insn;
		any[i] = work->slots.v[i].any;
	}
	*ret_model = (struct patch_model){
		.insns = TAKE_PTR(insns),
		.any = TAKE_PTR(any),
		.n = work->slots.n,
		.first = TAKE_PTR(work->first),
		.entry = TAKE_PTR(work->entry),
		.n_in = work->n,
	};
	return 0;
}

int patch_model__expand(const struct bpf_insn *insns, size_t n, const struct patch_fact *facts,
			const struct patch_env *env, struct patch_model *ret_model, struct err *err)
{
	static int (*const passes[])(struct patch_work *) = {
		read_insns, find_subprogs, patch_work__drop, measure_stacks,
		expand,	    add_prologues, write_distances,
	};
	_cleanup_(patch_work__free) struct patch_work work = {
		.insns = insns, .n = n, .facts = facts, .env = env, .err = err
	};
	int rc;

	if (!n)
		return err__set(err, -EINVAL, "a program without instructions");
	rc = patch_work__init(&work);
	for (size_t i = 0; i < ARRAY_SIZE(passes) && rc == 0; i++)
		rc = passes[i](&work);
	if (rc == 0)
		rc = take_model(&work, ret_model);
	return rc == -ENOMEM ? err__set(err, rc, "out of memory") : rc;
}

void patch_model__free(struct patch_model *model)
{
	free(model->insns);
	free(model->any);
	free(model->first);
	free(model->entry);
	*model = (struct patch_model){};
}

int patch_model__compare(const struct patch_model *model, const struct bpf_insn *xlated, size_t n,
			 size_t *ret_first_diff)
{
	const size_t common = n < model->n ? n : model->n;
	size_t i;

	for (i = 0; i < common; i++) {
		struct bpf_insn want = model->insns[i];

		if (model->any[i] & PATCH_ANY_IMM)
			want.imm = xlated[i].imm;
		if (model->any[i] & PATCH_ANY_OFF)
			want.off = xlated[i].off;
		if (memcmp(&want, &xlated[i], sizeof(want)) != 0)
			break;
	}
	if (i == n && i == model->n)
		return 0;
	if (ret_first_diff)
		*ret_first_diff = i;
	return 1;
}
