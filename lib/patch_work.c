// SPDX-License-Identifier: GPL-2.0-only
#include "patch_work.h"

#include <errno.h>
#include <stdlib.h>

int patch_work__init(struct patch_work *work)
{
	work->first = calloc(work->n + 1, sizeof(*work->first));
	work->entry = calloc(work->n + 1, sizeof(*work->entry));
	work->removed = calloc(work->n, sizeof(*work->removed));
	return work->first && work->entry && work->removed ? 0 : -ENOMEM;
}

void patch_work__free(struct patch_work *work)
{
	vec_free(&work->slots);
	free(work->first);
	free(work->entry);
	free(work->removed);
	free(work->subprogs);
}

const struct patch_fact *patch_work__fact(const struct patch_work *work, size_t i)
{
	static const struct patch_fact none;

	return work->facts ? &work->facts[i] : &none;
}

bool patch_work__is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* In programs that load, nothing but a second half has the code 0. */
bool patch_work__is_second_half(const struct patch_work *work, size_t i)
{
	return work->insns[i].code == 0;
}

void patch_work__shift(struct patch_work *work, size_t jumps_from, size_t calls_from, ssize_t by)
{
	for (size_t i = 0; i < work->slots.n; i++) {
		struct patch_slot *slot = &work->slots.v[i];

		if ((slot->to_kind == PATCH_TO_JUMP && slot->to >= jumps_from) ||
		    (slot->to_kind == PATCH_TO_ENTRY && slot->to >= calls_from))
			slot->to += by;
	}
	for (size_t i = 0; i <= work->n; i++) {
		if (work->first[i] >= jumps_from)
			work->first[i] += by;
		if (work->entry[i] >= calls_from)
			work->entry[i] += by;
	}
}

int patch_work__splice(struct patch_work *work, size_t pos, size_t n_old,
		       const struct patch_slot *slots, size_t n)
{
	const size_t behind = work->slots.n - pos - n_old;

	for (size_t i = n_old; i < n; i++)
		if (vec_push(&work->slots, (struct patch_slot){}) < 0)
			return -ENOMEM;
	memmove(&work->slots.v[pos + n], &work->slots.v[pos + n_old], behind * sizeof(*slots));
	memcpy(&work->slots.v[pos], slots, n * sizeof(*slots));
	work->slots.n = pos + n + behind;
	return 0;
}

int patch_work__replace(struct patch_work *work, size_t pos, size_t n_old, struct patch *patch,
			size_t callback)
{
	patch_work__shift(work, pos + 1, pos + 1, (ssize_t)patch->n - (ssize_t)n_old);
	for (size_t i = 0; i < patch->n; i++) {
		struct patch_slot *slot = &patch->slots[i];

		if (slot->to_kind == PATCH_TO_NONE)
			continue;
		if (slot->to != PATCH_TO_OLD)
			slot->to += pos;
		else if (slot->to_kind == PATCH_TO_ENTRY)
			slot->to = work->entry[callback];
		else
			slot->to = work->slots.v[pos].to;
	}
	return patch_work__splice(work, pos, n_old, patch->slots, patch->n);
}
