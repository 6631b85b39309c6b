// SPDX-License-Identifier: GPL-2.0-only
#include "prog_info.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>

#include "cleanup.h"
#include "disasm.h"
#include "vec.h"

#define OFF_ADDR_PERCPU (-1)

void prog_info__free(struct prog_info *info)
{
	free(info->map_ids);
	free(info->funcs);
	free(info->lines);
	free(info->insns);
	*info = (struct prog_info){};
}

static int query(int prog_fd, struct bpf_prog_info *raw, struct err *err)
{
	uint32_t len = sizeof(*raw);
	int ret = bpf_prog_get_info_by_fd(prog_fd, raw, &len);

	return ret ? err__set(err, ret, "program info of fd %d: %s", prog_fd, strerror(-ret)) : 0;
}

/* Takes n elements of room for an array; none for n == 0. */
static int take_room(void *ret_array, size_t *ret_n, size_t n, size_t size, struct err *err)
{
	void *array = n ? calloc(n, size) : NULL;

	if (n && !array)
		return err__set(err, -ENOMEM, "program info: out of memory");
	memcpy(ret_array, &array, sizeof(array));
	*ret_n = n;
	return 0;
}

/*
 * Room for what the first query has counted. The kernel refuses a record size
 * that is not its own, so records of another size are not asked for.
 */
static int take_rooms(struct prog_info *info, const struct bpf_prog_info *sizes, struct err *err)
{
	bool funcs = sizes->func_info_rec_size == sizeof(*info->funcs);
	bool lines = sizes->line_info_rec_size == sizeof(*info->lines);
	int ret;

	if (!sizes->xlated_prog_len)
		info->infos_hidden = "shown only with CAP_BPF";
	else if (!funcs || !lines)
		info->infos_hidden = "records of a size that is not known here";
	ret = take_room(&info->map_ids, &info->n_map_ids, sizes->nr_map_ids, sizeof(*info->map_ids),
			err);
	if (!ret)
		ret = take_room(&info->funcs, &info->n_funcs, funcs ? sizes->nr_func_info : 0,
				sizeof(*info->funcs), err);
	if (!ret)
		ret = take_room(&info->lines, &info->n_lines, lines ? sizes->nr_line_info : 0,
				sizeof(*info->lines), err);
	if (!ret)
		ret = take_room(&info->insns, &info->n_insns,
				sizes->xlated_prog_len / sizeof(*info->insns), sizeof(*info->insns),
				err);
	return ret;
}

static void point_at_rooms(const struct prog_info *info, struct bpf_prog_info *ret_raw)
{
	*ret_raw = (struct bpf_prog_info){
		.map_ids = (uintptr_t)info->map_ids,
		.nr_map_ids = info->n_map_ids,
		.func_info = (uintptr_t)info->funcs,
		.nr_func_info = info->n_funcs,
		.func_info_rec_size = info->n_funcs ? sizeof(*info->funcs) : 0,
		.line_info = (uintptr_t)info->lines,
		.nr_line_info = info->n_lines,
		.line_info_rec_size = info->n_lines ? sizeof(*info->lines) : 0,
		.xlated_prog_insns = (uintptr_t)info->insns,
		.xlated_prog_len = info->n_insns * sizeof(*info->insns),
	};
}

static void take_facts(struct prog_info *info, const struct bpf_prog_info *raw)
{
	info->id = raw->id;
	info->type = raw->type;
	info->btf_id = raw->btf_id;
	memcpy(info->name, raw->name, sizeof(info->name));
	memcpy(info->tag, raw->tag, sizeof(info->tag));

	/* A map can be bound to the program at any time, so also between the queries. */
	if (raw->nr_map_ids < info->n_map_ids)
		info->n_map_ids = raw->nr_map_ids;

	if (!info->insns) {
		info->insns_hidden = "shown only with CAP_BPF";
	} else if (!raw->xlated_prog_insns) {
		free(info->insns);
		info->insns = NULL;
		info->n_insns = 0;
		info->insns_hidden = "constants are blinded and kernel addresses are hidden";
	}

	info->jited_len = raw->jited_prog_len;
	if (!raw->xlated_prog_len)
		info->jited_hidden = "shown only with CAP_BPF";
	else if (!raw->jited_prog_len)
		info->jited_hidden = "interpreted, there is no machine code";
}

int prog_info__read(int prog_fd, struct prog_info *ret_info, struct err *err)
{
	_cleanup_(prog_info__free) struct prog_info info = {};
	struct bpf_prog_info raw = {};
	int ret;

	ret = query(prog_fd, &raw, err);
	if (!ret)
		ret = take_rooms(&info, &raw, err);
	if (ret)
		return ret;
	point_at_rooms(&info, &raw);
	ret = query(prog_fd, &raw, err);
	if (ret)
		return ret;
	take_facts(&info, &raw);
	*ret_info = info;
	info = (struct prog_info){};
	return 0;
}

int prog_info__need_insns(const struct prog_info *info, struct err *err)
{
	if (info->insns)
		return 0;
	return err__set(err, -EPERM, "instructions of program %.*s (id %u): %s",
			(int)sizeof(info->name), info->name, info->id, info->insns_hidden);
}

/* ---- masking ---- */

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

/* One instruction of the n that are left. */
static int mask__insn(struct mask *mask, struct bpf_insn *insn, size_t n)
{
	uint8_t class = BPF_CLASS(insn->code);

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

static uint64_t fnv1a(uint64_t hash, const uint8_t *bytes, size_t n)
{
	while (n--)
		hash = (hash ^ *bytes++) * 0x100000001b3ULL;
	return hash;
}

int prog_info__hash(const struct bpf_insn *insns, size_t n, uint64_t *ret_hash)
{
	_cleanup_free_ struct bpf_insn *masked = NULL;
	uint64_t hash = 0xcbf29ce484222325ULL;
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
