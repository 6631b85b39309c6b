// SPDX-License-Identifier: GPL-2.0-only
/* patch_work__drop(): what is in the program and not in what becomes of it. */
#include "patch_work.h"

#include <errno.h>

static int drop(struct patch_work *work, size_t i)
{
	const size_t n_old = patch_work__is_wide(&work->insns[i]) ? 2 : 1;
	struct patch none = {};

	work->removed[i] = true;
	return patch_work__replace(work, work->first[i], n_old, &none, 0);
}

/* What has one way only becomes a goto. */
static int hard_wire(struct patch_work *work)
{
	static const struct bpf_insn jump = { .code = BPF_JMP | BPF_JA };

	for (size_t i = 0; i < work->n; i++) {
		const enum patch_kind kind = patch_work__fact(work, i)->kind;
		struct patch_slot *slot = &work->slots.v[i];

		if (kind != PATCH_TAKEN && kind != PATCH_NOT_TAKEN)
			continue;
		if (slot->to_kind != PATCH_TO_JUMP || BPF_OP(slot->insn.code) == BPF_JA)
			return err__set(work->err, -EINVAL,
					"instruction %zu: a branch was expected, not code 0x%02x",
					i, slot->insn.code);
		slot->insn = jump;
		if (kind == PATCH_NOT_TAKEN)
			slot->to = i + 1;
	}
	return 0;
}

static int drop_dead(struct patch_work *work)
{
	int rc = 0;

	for (size_t i = 0; i < work->n && rc == 0; i++)
		if (patch_work__fact(work, i)->kind == PATCH_DEAD &&
		    !patch_work__is_second_half(work, i))
			rc = drop(work, i);
	return rc;
}

static bool goes_nowhere(const struct patch_work *work, size_t pos)
{
	const struct patch_slot *slot = &work->slots.v[pos];

	return slot->to_kind == PATCH_TO_JUMP && slot->to == pos + 1 &&
	       (slot->insn.code == (BPF_JMP | BPF_JA) || patch_kind__is_may_goto(&slot->insn));
}

/*
 * Jumps to the next instruction go. One that comes to be such by that is not
 * looked at again, unless a may_goto went right behind it.
 */
static int drop_nops(struct patch_work *work)
{
	size_t i = 0;

	while (i < work->n) {
		bool again;
		int rc;

		if (work->removed[i] || !goes_nowhere(work, work->first[i])) {
			i++;
			continue;
		}
		again = patch_kind__is_may_goto(&work->insns[i]);
		rc = drop(work, i);
		if (rc < 0)
			return rc;
		while (again && i > 0 && work->removed[i])
			i--;
	}
	return 0;
}

int patch_work__drop(struct patch_work *work)
{
	int rc = hard_wire(work);

	if (rc == 0)
		rc = drop_dead(work);
	if (rc == 0)
		rc = drop_nops(work);
	return rc;
}
