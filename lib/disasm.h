/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BPF instructions as text, in the syntax of the kernel (kernel/bpf/disasm.c
 * of Linux 7.3): what the verifier's log, "bpftool prog dump xlated" and the
 * __xlated annotations show. Which of the three is an option set away.
 *
 * Any bytes are valid input. What is no instruction prints as the kernel
 * prints it: BUG_xx, BUG_ld_xx, BUG_ldx_xx or BUG_st_xx with xx the opcode, or
 * an operator "(null)". This includes loads that the kernel itself makes of
 * others and does not turn back for a dump (LDX of mode PROBE_MEMSX: BUG_ldx).
 */
#ifndef BPF_AB_DISASM_H
#define BPF_AB_DISASM_H

#include <linux/bpf.h>

#include "util.h"

/* Room for any instruction as long as the hooks return less than 64 characters. */
#define DISASM_LEN 160

struct disasm_opts {
	bool opcode;   /* "(b7) " in front; not in front of BUG_xx */
	bool call_imm; /* "#IMM" behind the name of a called helper or kfunc */
	/*
	 * Where a call of a subprogram has its distance: in off, as in the
	 * instructions of a loaded program (bpf_prog_get_info_by_fd), or in imm, as
	 * in those of an object file.
	 */
	bool call_off;
	bool map_ids;	 /* "map[id:7]", "subprog[+3]" instead of the number in hex */
	int index_width; /* disasm__text(): least width of the number in front of a line */

	/*
	 * Names from elsewhere; NULL hooks know none, and so does a hook that returns
	 * NULL. call is asked for whatever is no helper by number: a helper's address
	 * relative to __bpf_call_base (loaded programs), a kfunc, a subprogram (its
	 * name goes behind the distance: "call pc+3#name"). imm is asked for every
	 * 64-bit immediate and overrides map_ids. The text must stay valid until the
	 * next call of a hook.
	 */
	const char *(*call)(void *ctx, const struct bpf_insn *insn);
	const char *(*imm)(void *ctx, const struct bpf_insn *insn, uint64_t value);
	void *ctx;
};

/* "(85) call bpf_map_lookup_elem#1": the verifier's log, of instructions not yet loaded. */
extern const struct disasm_opts disasm_kernel;
/* "call bpf_map_lookup_elem", "call pc+1", "r1 = 0x7": what __xlated is matched with. */
extern const struct disasm_opts disasm_xlated;
/* "(18) r1 = map[id:7]": bpftool's dump without line and function information. */
extern const struct disasm_opts disasm_bpftool;

/*
 * The first instruction of the n at insn, without a newline. ret_used (may be
 * NULL): how many of them it took, 1 or 2 (a 64-bit immediate).
 *
 * Returns 0, -EINVAL if n is 0, or -ENOSPC if buf is too small; it then holds
 * the beginning of the text.
 */
int disasm__insn(const struct bpf_insn *insn, size_t n, const struct disasm_opts *opts, char *buf,
		 size_t len, size_t *ret_used);

/*
 * All n instructions, one "INDEX: TEXT\n" each; the second half of a 64-bit
 * immediate has an index and no line. The caller frees. Returns 0, -ENOMEM, or
 * -ENOSPC if a hook's name was too long.
 */
int disasm__text(const struct bpf_insn *insns, size_t n, const struct disasm_opts *opts,
		 char **ret_text);

/* "bpf_map_lookup_elem" for 1; NULL if there is no such helper. */
const char *disasm__helper(int32_t id);

#endif
