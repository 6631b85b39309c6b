// SPDX-License-Identifier: GPL-2.0-only
#include "interp_alu.h"

#include <endian.h>
#include <errno.h>
#include <byteswap.h>

uint64_t interp_alu__sign_extend(uint64_t value, unsigned int bits)
{
	uint64_t sign = 1ULL << (bits - 1);

	if (bits < 64)
		value &= (1ULL << bits) - 1;
	return (value ^ sign) - sign;
}

static uint64_t divide(uint64_t dst, uint64_t src, bool is_signed)
{
	if (!src)
		return 0;
	if (!is_signed)
		return dst / src;
	/* The one quotient that has no place in 64 bits. */
	if (src == UINT64_MAX)
		return -dst;
	return (int64_t)dst / (int64_t)src;
}

static uint64_t modulo(uint64_t dst, uint64_t src, bool is_signed)
{
	if (!src)
		return dst;
	if (!is_signed)
		return dst % src;
	if (src == UINT64_MAX)
		return 0;
	return (int64_t)dst % (int64_t)src;
}

uint64_t interp_alu__64(uint8_t op, uint64_t dst, uint64_t src, int16_t off)
{
	switch (op) {
	case BPF_ADD:
		return dst + src;
	case BPF_SUB:
		return dst - src;
	case BPF_MUL:
		return dst * src;
	case BPF_DIV:
		return divide(dst, src, off == 1);
	case BPF_MOD:
		return modulo(dst, src, off == 1);
	case BPF_OR:
		return dst | src;
	case BPF_AND:
		return dst & src;
	case BPF_XOR:
		return dst ^ src;
	case BPF_LSH:
		return dst << (src & 63);
	case BPF_RSH:
		return dst >> (src & 63);
	case BPF_ARSH:
		return (int64_t)dst >> (src & 63);
	case BPF_NEG:
		return -dst;
	default: /* BPF_MOV */
		return off ? interp_alu__sign_extend(src, off) : src;
	}
}

uint32_t interp_alu__32(uint8_t op, uint32_t dst, uint32_t src, int16_t off)
{
	bool is_signed = off == 1 && (op == BPF_DIV || op == BPF_MOD);

	switch (op) {
	case BPF_LSH:
		return dst << (src & 31);
	case BPF_RSH:
		return dst >> (src & 31);
	case BPF_ARSH:
		return (int32_t)dst >> (src & 31);
	}
	/* All else is the lower half of what 64 bits make of the extended operands. */
	return interp_alu__64(op, is_signed ? interp_alu__sign_extend(dst, 32) : dst,
			      is_signed ? interp_alu__sign_extend(src, 32) : src, off);
}

static int swap_bytes(const struct bpf_insn *insn, uint64_t dst, uint64_t *ret_value)
{
	bool is_bswap = BPF_CLASS(insn->code) == BPF_ALU64;
	bool to_be = BPF_SRC(insn->code) == BPF_TO_BE;

	switch (insn->imm) {
	case 16:
		*ret_value = is_bswap ? bswap_16(dst) : to_be ? htobe16(dst) : htole16(dst);
		return 0;
	case 32:
		*ret_value = is_bswap ? bswap_32(dst) : to_be ? htobe32(dst) : htole32(dst);
		return 0;
	case 64:
		*ret_value = is_bswap ? bswap_64(dst) : to_be ? htobe64(dst) : htole64(dst);
		return 0;
	}
	return -EINVAL;
}

int interp_alu__insn(const struct bpf_insn *insn, uint64_t dst, uint64_t src, uint64_t *ret_value)
{
	bool wide = BPF_CLASS(insn->code) == BPF_ALU64;
	uint8_t op = BPF_OP(insn->code);

	if (op == BPF_END)
		return swap_bytes(insn, dst, ret_value);
	if (op > BPF_ARSH)
		return -EINVAL;
	if (BPF_SRC(insn->code) == BPF_K)
		src = (int64_t)insn->imm;
	*ret_value = wide ? interp_alu__64(op, dst, src, insn->off)
			  : interp_alu__32(op, dst, src, insn->off);
	return 0;
}

int interp_alu__compare(uint8_t op, uint64_t dst, uint64_t src, bool wide)
{
	uint64_t d = wide ? dst : (uint32_t)dst, s = wide ? src : (uint32_t)src;
	int64_t sd = wide ? (int64_t)dst : (int32_t)dst, ss = wide ? (int64_t)src : (int32_t)src;

	switch (op) {
	case BPF_JEQ:
		return d == s;
	case BPF_JNE:
		return d != s;
	case BPF_JGT:
		return d > s;
	case BPF_JGE:
		return d >= s;
	case BPF_JLT:
		return d < s;
	case BPF_JLE:
		return d <= s;
	case BPF_JSET:
		return (d & s) != 0;
	case BPF_JSGT:
		return sd > ss;
	case BPF_JSGE:
		return sd >= ss;
	case BPF_JSLT:
		return sd < ss;
	case BPF_JSLE:
		return sd <= ss;
	}
	return -EINVAL;
}
