/* SPDX-License-Identifier: GPL-2.0-only */
/* Arithmetic and comparisons of BPF (RFC 9669), on plain numbers. */
#ifndef BPF_AB_INTERP_ALU_H
#define BPF_AB_INTERP_ALU_H

#include <linux/bpf.h>

#include "util.h"

/*
 * op: BPF_ADD to BPF_ARSH. off 1: signed division and modulo; 8, 16, 32: a move
 * that extends the sign. Division by 0 is 0, the rest of it the dividend; the
 * lowest number divided by -1 is itself. The 32-bit result has zeroes above.
 */
uint64_t interp_alu__64(uint8_t op, uint64_t dst, uint64_t src, int16_t off);
uint32_t interp_alu__32(uint8_t op, uint32_t dst, uint32_t src, int16_t off);

uint64_t interp_alu__sign_extend(uint64_t value, unsigned int bits);

/* A whole instruction of class ALU or ALU64; src is used if it names a register. Or -EINVAL. */
int interp_alu__insn(const struct bpf_insn *insn, uint64_t dst, uint64_t src, uint64_t *ret_value);

/* Whether a conditional jump is taken: 1, 0, or -EINVAL. wide: 64 bits, else 32. */
int interp_alu__compare(uint8_t op, uint64_t dst, uint64_t src, bool wide);

#endif
