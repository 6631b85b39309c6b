// SPDX-License-Identifier: GPL-2.0-only
#include "patch.h"

/* In the place of an offset of a move: add the base of this CPU's data. */
#define OFF_PERCPU -1

struct patch_slot *patch__copy(struct patch *patch, const struct bpf_insn *insn)
{
	struct patch_slot *slot = &patch->slots[patch->n++];

	*slot = (struct patch_slot){ .insn = *insn };
	return slot;
}

struct patch_slot *patch__emit(struct patch *patch, uint8_t code, uint8_t dst, uint8_t src,
			       int32_t imm)
{
	const struct bpf_insn insn = { .code = code, .dst_reg = dst, .src_reg = src, .imm = imm };

	return patch__copy(patch, &insn);
}

struct patch_slot *patch__move(struct patch *patch, uint8_t dst, uint8_t src)
{
	return patch__emit(patch, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0);
}

struct patch_slot *patch__set(struct patch *patch, uint8_t dst, int32_t imm)
{
	return patch__emit(patch, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, imm);
}

static struct patch_slot *at_offset(struct patch_slot *slot, int32_t off)
{
	if (off == -1)
		slot->any |= PATCH_ANY_OFF;
	else
		slot->insn.off = off;
	return slot;
}

struct patch_slot *patch__load(struct patch *patch, uint8_t size, uint8_t dst, uint8_t src,
			       int32_t off)
{
	return at_offset(patch__emit(patch, BPF_LDX | BPF_MEM | size, dst, src, 0), off);
}

struct patch_slot *patch__store(struct patch *patch, uint8_t size, uint8_t dst, uint8_t src,
				int32_t off)
{
	return at_offset(patch__emit(patch, BPF_STX | BPF_MEM | size, dst, src, 0), off);
}

struct patch_slot *patch__store_imm(struct patch *patch, uint8_t size, uint8_t dst, int32_t off,
				    int32_t imm)
{
	return at_offset(patch__emit(patch, BPF_ST | BPF_MEM | size, dst, 0, imm), off);
}

struct patch_slot *patch__jump(struct patch *patch, uint8_t code, uint8_t dst, int32_t imm,
			       size_t to)
{
	struct patch_slot *slot = patch__emit(patch, code, dst, 0, imm);

	slot->to_kind = PATCH_TO_JUMP;
	slot->to = to;
	return slot;
}

struct patch_slot *patch__goto(struct patch *patch, size_t to)
{
	return patch__jump(patch, BPF_JMP | BPF_JA, 0, 0, to);
}

struct patch_slot *patch__percpu(struct patch *patch, uint8_t reg)
{
	struct patch_slot *slot = patch__move(patch, reg, reg);

	slot->insn.off = OFF_PERCPU;
	return slot;
}

struct patch_slot *patch__call_any(struct patch *patch)
{
	struct patch_slot *slot = patch__emit(patch, BPF_JMP | BPF_CALL, 0, 0, 0);

	slot->any = PATCH_ANY_IMM;
	return slot;
}

struct patch_slot *patch__wide_any(struct patch *patch, uint8_t dst)
{
	struct patch_slot *slot = patch__emit(patch, BPF_LD | BPF_IMM | BPF_DW, dst, 0, 0);

	slot->any = PATCH_ANY_IMM;
	patch__emit(patch, 0, 0, 0, 0)->any = PATCH_ANY_IMM;
	return slot;
}
