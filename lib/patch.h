/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions that replace one: a short list that is written from its
 * beginning to its end. Jumps say where they go by index, so that nobody counts
 * distances. For patch_model; see there.
 */
#ifndef BPF_AB_PATCH_H
#define BPF_AB_PATCH_H

#include <linux/bpf.h>

#include "util.h"

/* What is not compared of an instruction: addresses, ids, offsets that nobody knows. */
#define PATCH_ANY_IMM 0x1
#define PATCH_ANY_OFF 0x2

enum patch_to {
	PATCH_TO_NONE,
	PATCH_TO_JUMP,
	PATCH_TO_ENTRY, /* a call or the address of a subprogram */
};

/* An instruction that knows where it goes, so that it can be moved. */
struct patch_slot {
	struct bpf_insn insn;
	uint8_t any; /* PATCH_ANY_* */
	enum patch_to to_kind;
	/*
	 * In a patch: the index in the patch, its n being what is behind it; or
	 * PATCH_TO_OLD: where the replaced instruction went.
	 */
	size_t to;
};

#define PATCH_TO_OLD SIZE_MAX
#define PATCH_MAX    24

struct patch {
	struct patch_slot slots[PATCH_MAX];
	size_t n;
};

/* Each appends one instruction (wide_any: two) and returns the (first) slot. */
struct patch_slot *patch__emit(struct patch *patch, uint8_t code, uint8_t dst, uint8_t src,
			       int32_t imm);
/* dst = src, dst = imm, in 64 bits */
struct patch_slot *patch__move(struct patch *patch, uint8_t dst, uint8_t src);
struct patch_slot *patch__set(struct patch *patch, uint8_t dst, int32_t imm);
/* BPF_B, BPF_H, BPF_W or BPF_DW at src + off, at dst + off; an off of -1 is not compared. */
struct patch_slot *patch__load(struct patch *patch, uint8_t size, uint8_t dst, uint8_t src,
			       int32_t off);
struct patch_slot *patch__store(struct patch *patch, uint8_t size, uint8_t dst, uint8_t src,
				int32_t off);
struct patch_slot *patch__store_imm(struct patch *patch, uint8_t size, uint8_t dst, int32_t off,
				    int32_t imm);
/* code is BPF_JMP | BPF_JEQ | BPF_K and the like */
struct patch_slot *patch__jump(struct patch *patch, uint8_t code, uint8_t dst, int32_t imm,
			       size_t to);
struct patch_slot *patch__goto(struct patch *patch, size_t to);
/* reg = the address on this CPU of what reg is the offset of */
struct patch_slot *patch__percpu(struct patch *patch, uint8_t reg);
/* A call of, and a 64-bit immediate that is, some address. */
struct patch_slot *patch__call_any(struct patch *patch);
struct patch_slot *patch__wide_any(struct patch *patch, uint8_t dst);
struct patch_slot *patch__copy(struct patch *patch, const struct bpf_insn *insn);

#endif
