/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel tells about a loaded program (BPF_OBJ_GET_INFO_BY_FD): its
 * instructions after the verifier has rewritten them, the size of its machine
 * code, its maps, functions and lines.
 */
#ifndef BPF_AB_PROG_INFO_H
#define BPF_AB_PROG_INFO_H

#include <linux/bpf.h>

#include "err.h"

struct prog_info {
	uint32_t id;
	uint32_t type;	 /* enum bpf_prog_type */
	uint32_t btf_id; /* 0: loaded without BTF */
	char name[BPF_OBJ_NAME_LEN];
	uint8_t tag[BPF_TAG_SIZE];

	/*
	 * Owned arrays, NULL when their count is 0. What the kernel has not shown is
	 * 0, too, with a static string that says why; it is NULL otherwise.
	 */
	uint32_t *map_ids;
	size_t n_map_ids;
	struct bpf_func_info *funcs;
	size_t n_funcs;
	struct bpf_line_info *lines;
	size_t n_lines;
	const char *infos_hidden; /* funcs and lines */
	struct bpf_insn *insns;
	size_t n_insns;
	const char *insns_hidden;
	uint32_t jited_len; /* bytes, all functions of the program */
	const char *jited_hidden;
};

/*
 * Fills *ret_info, which prog_info__free() empties. A caller without CAP_BPF
 * gets what the kernel shows to him, which is neither funcs, lines, insns nor
 * jited_len. Returns 0, -ENOMEM, or -errno of the system call with err set.
 */
int prog_info__read(int prog_fd, struct prog_info *ret_info, struct err *err);
/* Frees what *info owns and zeroes it; an all-zero one is fine. */
void prog_info__free(struct prog_info *info);

/* 0 if the instructions are there, else -EPERM with the reason in err. */
int prog_info__need_insns(const struct prog_info *info, struct err *err);

/*
 * Replaces in place what differs between two boots of one kernel, or between
 * two kernels, although the code is the same. Each kind has its own numbers,
 * given in the order of first appearance, 1 first, so that a program that
 * uses one map, function or address where it used two, or one of them in the
 * place of the other, still differs:
 *
 * - map ids (64-bit immediates of source 1 and 2): N; the offset into the
 *   map's value is kept. Indices into an fd array (5, 6) are kept, too.
 * - BTF ids (source 3), the id of a module's BTF with them: N.
 * - 64-bit immediates of source 0 that are addresses: 0xff00000000000000 + N.
 *   Kernel addresses are from 0xff00000000000000 up to the error pointers (the
 *   last 4095 values, which are kept); an arena is where mmap() has put it, at
 *   0x600000000000 to 0x7fffffffffff, on arm64 0xd00000000000 to
 *   0xffffffffffff. This takes constants of the program in these ranges for
 *   addresses, and knows no machines but x86, arm64 and riscv.
 * - 64-bit immediates of source 0 from 2 to 0xffffff: N + 1. Compilers load such
 *   constants in 32 bits, so these are CO-RE relocations; ids of kernel types
 *   change with any type that a patch adds, and sizes and enumerators can't be
 *   told from them.
 * - constants loaded into a register right in front of the instruction that
 *   adds the per-CPU base to that register: N.
 * - helpers by address (relative to __bpf_call_base): -N. Helpers by number,
 *   1 to the last one known, are kept.
 * - kfuncs, by address or BTF id, and the slot of the module's BTF: -N, slot 0.
 * - the immediate of a call of a subprogram (its index, or the address of an
 *   interpreter): N. The distance is kept.
 * - constants that the kernel has blinded (net.core.bpf_jit_harden), each the
 *   exclusive or of two moved by way of a register that only the kernel has
 *   (11; 12 since 7.3): the constant, masked as
 *   above, and 0.
 * - what the kernel puts at random into upper halves for a test
 *   (BPF_F_TEST_RND_HI32): 0.
 *
 * Not masked, because they are the code: offsets into kernel structures, sizes,
 * how a helper is inlined. Not recognised: what the loader has put into 32-bit
 * immediates.
 *
 * Returns 0 or -ENOMEM, with the instructions partly masked.
 */
int prog_info__mask(struct bpf_insn *insns, size_t n);

/*
 * FNV-1a, 64 bits, of the masked instructions, each as its eight bytes: opcode,
 * destination, source, offset and immediate with the low byte first, the
 * registers as one byte (destination + source * 16). insns is not changed.
 * Returns 0 or -ENOMEM.
 */
int prog_info__hash(const struct bpf_insn *insns, size_t n, uint64_t *ret_hash);

/*
 * The same hash of all fields of the records, each field as four bytes, the low
 * one first. They say where functions and lines begin among the rewritten
 * instructions; types and texts are offsets into the program's own BTF.
 */
uint64_t prog_info__hash_funcs(const struct bpf_func_info *funcs, size_t n);
uint64_t prog_info__hash_lines(const struct bpf_line_info *lines, size_t n);

#endif
