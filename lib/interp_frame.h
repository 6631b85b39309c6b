/* SPDX-License-Identifier: GPL-2.0-only */
/* What the two files of the interpreter share: its state, and what they call of each other. */
#ifndef BPF_AB_INTERP_FRAME_H
#define BPF_AB_INTERP_FRAME_H

#include "interp.h"

#define STACK_LEN	   512
#define CALLER_SAVED_FIRST 1
#define CALLER_SAVED_LAST  5

struct interp {
	const struct interp_env *env;
	const struct bpf_insn *insns;
	size_t n;
	uint64_t steps;
	unsigned int depth;
	struct __sk_buff skb; /* a copy, which the program may write to */
	struct err *err;
};

struct frame {
	uint64_t r[MAX_BPF_REG];
	unsigned int known; /* a bit for each register that was written */
	size_t pc;
	uint8_t stack[STACK_LEN] __attribute__((aligned(8)));
};

static inline void frame__set(struct frame *f, unsigned int reg, uint64_t value)
{
	f->r[reg] = value;
	f->known |= 1u << reg;
}

static inline bool frame__knows(const struct frame *f, unsigned int reg)
{
	return reg < MAX_BPF_REG && f->known & 1u << reg;
}

static inline size_t interp__width(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return 1;
	case BPF_H:
		return 2;
	case BPF_W:
		return 4;
	default:
		return 8;
	}
}

static inline uint64_t interp__read(uint64_t addr, size_t len)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)(uintptr_t)addr, len);
	return value;
}

static inline void interp__write(uint64_t addr, size_t len, uint64_t value)
{
	memcpy((void *)(uintptr_t)addr, &value, len);
}

/* Leaves the words behind the place of the instruction; returns code. */
int interp__fail(const struct interp *in, const struct frame *f, int code, const char *what);
/* Where the program may read, or also write. */
bool interp__may_access(const struct interp *in, const struct frame *f, uint64_t addr, size_t len,
			bool write);
/* Runs a function up to its end, which may be in the one that it calls. */
int interp__function(struct interp *in, size_t pc, const uint64_t *args, unsigned int n_args,
		     uint64_t *ret_r0);

/* Those of interp_call.c. The first three return 1 if the function is over. */
int interp__load_packet(struct interp *in, struct frame *f, const struct bpf_insn *insn);
int interp__call_helper(struct interp *in, struct frame *f, const struct bpf_insn *insn,
			uint64_t *ret_r0);
int interp__call_subprog(struct interp *in, struct frame *f, const struct bpf_insn *insn,
			 uint64_t *ret_r0);
int interp__call_kfunc(struct interp *in, struct frame *f, const struct bpf_insn *insn,
		       uint64_t *ret_r0);
const struct interp_map *interp__map_of_fd(const struct interp *in, int fd);

#endif
