// SPDX-License-Identifier: GPL-2.0-only
/* What differs from boot to boot, or at random, in instructions: prog_info__mask(). */
#include <errno.h>
#include <stdlib.h>

#include "cleanup.h"
#include "disasm.h"
#include "prog_info.h"
#include "vec.h"

#define OFF_ADDR_PERCPU (-1)
/*
 * AX is behind all registers that programs have: 11, and since 7.3, where 11
 * points to arguments on the stack, 12.
 */
#define REG_AX_MIN 11

enum mask_kind {
	MASK_MAP,
	MASK_BTF,
	MASK_RELOC,
	MASK_ADDR,
	MASK_PERCPU,
	MASK_HELPER,
	MASK_KFUNC,
	MASK_SUBPROG
};

struct mask_seen {
	enum mask_kind kind;
	uint64_t value;
	int32_t number;
};

/* The header names them; the first two are where mmap() puts an arena, however random. */
static const struct {
	uint64_t first, last;
} addr_ranges[] = {
	{ 0x0000600000000000, 0x00007fffffffffff },
	{ 0x0000d00000000000, 0x0000ffffffffffff },
	{ 0xff00000000000000, 0xfffffffffffff000 },
};

#define MASKED_ADDR 0xff00000000000000ULL

/*
 * A compiler loads so small a constant with a 32-bit move: in 64 bits it is
 * what libbpf has put in. 0 and 1 answer whether a type exists.
 */
#define RELOC_MIN 2
#define RELOC_MAX 0xffffff

struct mask {
	VEC(struct mask_seen) seen;
	int32_t last[MASK_SUBPROG + 1];
};

static void mask__free(struct mask *mask)
{
	vec_free(&mask->seen);
}

/* The number of a value among those of its kind; a new one gets the next. */
static int mask__number(struct mask *mask, enum mask_kind kind, uint64_t value, int32_t *ret_number)
{
	struct mask_seen new = { .kind = kind, .value = value };
	int err;

	for (size_t i = 0; i < mask->seen.n; i++) {
		const struct mask_seen *seen = &mask->seen.v[i];

		if (seen->kind == kind && seen->value == value) {
			*ret_number = seen->number;
			return 0;
		}
	}
	new.number = mask->last[kind] + 1;
	err = vec_push(&mask->seen, new);
	if (err)
		return err;
	*ret_number = mask->last[kind] = new.number;
	return 0;
}

static uint64_t pair(int32_t low, int32_t high)
{
	return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

static bool is_addr(uint64_t value)
{
	for (size_t i = 0; i < ARRAY_SIZE(addr_ranges); i++) {
		if (value >= addr_ranges[i].first && value <= addr_ranges[i].last)
			return true;
	}
	return false;
}

static bool is_percpu_of(const struct bpf_insn *insn, uint8_t reg)
{
	return insn->code == (BPF_ALU64 | BPF_MOV | BPF_X) && insn->off == OFF_ADDR_PERCPU &&
	       insn->src_reg == reg;
}

/* insn[0] and insn[1] are the two halves; percpu: the per-CPU base is added next. */
static int mask__const64(struct mask *mask, struct bpf_insn *insn, bool percpu)
{
	uint64_t value = pair(insn[0].imm, insn[1].imm);
	int32_t number;
	int err;

	if (percpu) {
		insn[1].imm = 0;
		return mask__number(mask, MASK_PERCPU, value, &insn[0].imm);
	}
	if (is_addr(value)) {
		insn[1].imm = (int32_t)(MASKED_ADDR >> 32);
		return mask__number(mask, MASK_ADDR, value, &insn[0].imm);
	}
	if (value < RELOC_MIN || value > RELOC_MAX)
		return 0;
	err = mask__number(mask, MASK_RELOC, value, &number);
	if (!err)
		insn[0].imm = RELOC_MIN - 1 + number;
	return err;
}

static int mask__imm64(struct mask *mask, struct bpf_insn *insn, bool percpu)
{
	uint64_t value = pair(insn[0].imm, insn[1].imm);

	switch (insn->src_reg) {
	case BPF_PSEUDO_MAP_FD:
	case BPF_PSEUDO_MAP_VALUE:
		return mask__number(mask, MASK_MAP, insn->imm, &insn->imm);
	case BPF_PSEUDO_BTF_ID:
		insn[1].imm = 0;
		return mask__number(mask, MASK_BTF, value, &insn[0].imm);
	case 0:
		return mask__const64(mask, insn, percpu);
	}
	return 0;
}

static int mask__call(struct mask *mask, struct bpf_insn *insn)
{
	enum mask_kind kind = insn->src_reg ? MASK_KFUNC : MASK_HELPER;
	int32_t number;
	int err;

	if (insn->src_reg == BPF_PSEUDO_CALL)
		return mask__number(mask, MASK_SUBPROG, insn->imm, &insn->imm);
	if (kind == MASK_HELPER && insn->imm > 0 && disasm__helper(insn->imm))
		return 0;
	err = mask__number(mask, kind, pair(insn->imm, kind == MASK_KFUNC ? insn->off : 0),
			   &number);
	if (err)
		return err;
	insn->imm = -number;
	if (kind == MASK_KFUNC)
		insn->off = 0;
	return 0;
}

/* ---- what the kernel has drawn at random ---- */

/* One instruction of a shape: its opcode, and AX as its destination or its source. */
static bool is_ax(const struct bpf_insn *insn, uint8_t code)
{
	return insn->code == code &&
	       (BPF_SRC(code) == BPF_K ? insn->dst_reg : insn->src_reg) >= REG_AX_MIN;
}

/* AX = number ^ random; AX ^= random; of the class. */
static bool is_blinded(const struct bpf_insn *insn, uint8_t class)
{
	return is_ax(&insn[0], class | BPF_MOV | BPF_K) && is_ax(&insn[1], class | BPF_XOR | BPF_K);
}

static void unblind(struct bpf_insn *insn)
{
	insn[0].imm ^= insn[1].imm;
	insn[1].imm = 0;
}

/* A 64-bit immediate: its upper half by way of AX, then the lower one. */
enum { BLINDED64_HIGH = 0, BLINDED64_LOW = 4, BLINDED64_LEN = 7 };

static bool is_blinded64(const struct bpf_insn *insn)
{
	return is_blinded(&insn[BLINDED64_HIGH], BPF_ALU64) &&
	       is_ax(&insn[2], BPF_ALU64 | BPF_LSH | BPF_K) && insn[2].imm == 32 &&
	       is_ax(&insn[3], BPF_ALU64 | BPF_MOV | BPF_X) &&
	       is_blinded(&insn[BLINDED64_LOW], BPF_ALU) &&
	       is_ax(&insn[6], BPF_ALU64 | BPF_OR | BPF_X) && insn[6].dst_reg == insn[3].dst_reg;
}

static int mask__blinded64(struct mask *mask, struct bpf_insn *insn, bool percpu)
{
	struct bpf_insn halves[2] = {};
	int err;

	unblind(&insn[BLINDED64_HIGH]);
	unblind(&insn[BLINDED64_LOW]);
	halves[0].imm = insn[BLINDED64_LOW].imm;
	halves[1].imm = insn[BLINDED64_HIGH].imm;
	err = mask__const64(mask, halves, percpu);
	insn[BLINDED64_LOW].imm = halves[0].imm;
	insn[BLINDED64_HIGH].imm = halves[1].imm;
	return err;
}

/* An upper half that must not matter: AX = random; AX <<= 32; register |= AX. */
static bool is_poison(const struct bpf_insn *insn)
{
	return is_ax(&insn[0], BPF_ALU64 | BPF_MOV | BPF_K) &&
	       is_ax(&insn[1], BPF_ALU64 | BPF_LSH | BPF_K) && insn[1].imm == 32 &&
	       is_ax(&insn[2], BPF_ALU64 | BPF_OR | BPF_X);
}

/* n instructions are left; the first one sets AX to a number. */
static int mask__ax(struct mask *mask, struct bpf_insn *insn, size_t n)
{
	if (n >= BLINDED64_LEN && is_blinded64(insn))
		return mask__blinded64(mask, insn,
				       n > BLINDED64_LEN &&
					       is_percpu_of(&insn[BLINDED64_LEN], insn[3].dst_reg));
	if (n >= 3 && is_poison(insn)) {
		insn[0].imm = 0;
		return 0;
	}
	if (n < 2 || !is_blinded(insn, BPF_CLASS(insn->code)))
		return 0;
	unblind(insn);
	if (n > 3 && is_ax(&insn[2], BPF_CLASS(insn->code) | BPF_MOV | BPF_X) &&
	    is_percpu_of(&insn[3], insn[2].dst_reg))
		return mask__number(mask, MASK_PERCPU, (uint32_t)insn->imm, &insn->imm);
	return 0;
}

/* One instruction of the n that are left. */
static int mask__insn(struct mask *mask, struct bpf_insn *insn, size_t n)
{
	uint8_t class = BPF_CLASS(insn->code);

	if (is_ax(insn, BPF_ALU | BPF_MOV | BPF_K) || is_ax(insn, BPF_ALU64 | BPF_MOV | BPF_K))
		return mask__ax(mask, insn, n);
	if (insn->code == (BPF_LD | BPF_IMM | BPF_DW) && n > 1)
		return mask__imm64(mask, insn, n > 2 && is_percpu_of(&insn[2], insn->dst_reg));
	if (insn->code == (BPF_JMP | BPF_CALL))
		return mask__call(mask, insn);
	if ((class == BPF_ALU || class == BPF_ALU64) && BPF_OP(insn->code) == BPF_MOV &&
	    BPF_SRC(insn->code) == BPF_K && n > 1 && is_percpu_of(&insn[1], insn->dst_reg))
		return mask__number(mask, MASK_PERCPU, (uint32_t)insn->imm, &insn->imm);
	return 0;
}

int prog_info__mask(struct bpf_insn *insns, size_t n)
{
	_cleanup_(mask__free) struct mask mask = {};
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		err = mask__insn(&mask, insns + i, n - i);
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW))
			i++;
	}
	return err;
}

/* ---- hashes ---- */

#define FNV1A_EMPTY 0xcbf29ce484222325ULL

static uint64_t fnv1a(uint64_t hash, const uint8_t *bytes, size_t n)
{
	while (n--)
		hash = (hash ^ *bytes++) * 0x100000001b3ULL;
	return hash;
}

int prog_info__hash(const struct bpf_insn *insns, size_t n, uint64_t *ret_hash)
{
	_cleanup_free_ struct bpf_insn *masked = NULL;
	uint64_t hash = FNV1A_EMPTY;
	int err;

	masked = calloc(n ?: 1, sizeof(*masked));
	if (!masked)
		return -ENOMEM;
	if (n)
		memcpy(masked, insns, n * sizeof(*masked));
	err = prog_info__mask(masked, n);
	if (err)
		return err;
	for (size_t i = 0; i < n; i++) {
		uint32_t imm = masked[i].imm;
		uint16_t off = masked[i].off;
		uint8_t bytes[] = { masked[i].code,
				    masked[i].dst_reg | masked[i].src_reg << 4,
				    off,
				    off >> 8,
				    imm,
				    imm >> 8,
				    imm >> 16,
				    imm >> 24 };

		hash = fnv1a(hash, bytes, sizeof(bytes));
	}
	*ret_hash = hash;
	return 0;
}

static uint64_t fnv1a_u32(uint64_t hash, uint32_t value)
{
	uint8_t bytes[] = { value, value >> 8, value >> 16, value >> 24 };

	return fnv1a(hash, bytes, sizeof(bytes));
}

uint64_t prog_info__hash_funcs(const struct bpf_func_info *funcs, size_t n)
{
	uint64_t hash = FNV1A_EMPTY;

	for (size_t i = 0; i < n; i++) {
		hash = fnv1a_u32(hash, funcs[i].insn_off);
		hash = fnv1a_u32(hash, funcs[i].type_id);
	}
	return hash;
}

uint64_t prog_info__hash_lines(const struct bpf_line_info *lines, size_t n)
{
	uint64_t hash = FNV1A_EMPTY;

	for (size_t i = 0; i < n; i++) {
		hash = fnv1a_u32(hash, lines[i].insn_off);
		hash = fnv1a_u32(hash, lines[i].file_name_off);
		hash = fnv1a_u32(hash, lines[i].line_off);
		hash = fnv1a_u32(hash, lines[i].line_col);
	}
	return hash;
}
