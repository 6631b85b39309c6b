/* SPDX-License-Identifier: GPL-2.0-only */
/* Units of random programs as instructions: what randemit.c puts together. */
#ifndef BPF_AB_RANDUNIT_H
#define BPF_AB_RANDUNIT_H

#include "interp.h"
#include "randemit.h"

/* Registers: of the context, the two numbers and the data they are always the same. */
enum { R0, R1, R2, R3, R4, R5, CTX, NUM, NUM2, DATA, FP };

#define INSN(code_, dst_, src_, off_, imm_)    \
	((struct bpf_insn){ .code = (code_),   \
			    .dst_reg = (dst_), \
			    .src_reg = (src_), \
			    .off = (off_),     \
			    .imm = (imm_) })

/* Places on the stack, below r10, and what must be set before it is read. */
#define RAND_SLOT_A	(-8)
#define RAND_SLOT_B	(-16)
#define RAND_SLOT_KEY	(-32)
#define RAND_SLOT_KEY2	(-24)
#define RAND_SLOT_COUNT (-40)
#define RAND_SLOT_ITER	(-48)

enum randunit_target { RAND_TO_UNIT, RAND_TO_FUNC };

/* An instruction that has to know where another one is. */
struct randunit_fixup {
	size_t insn;
	enum randunit_target kind;
	size_t target; /* unit of the function, or function */
};

struct emitter {
	const struct randprog *prog;
	const struct randemit_opts *opts;
	const struct rand_func *func; /* that is being written */
	uint32_t stack_depth;	      /* of it */
	struct randcode *code;
	VEC(struct randunit_fixup) fixups;
	int rc; /* the first error; nothing is written after it */
};

void emitter__put(struct emitter *e, struct bpf_insn insn);
/* Adds what is known of the instruction that was put last. */
void emitter__fact(struct emitter *e, struct patch_fact fact);

/* The lowest byte of the stack that the unit uses, 0 if none: RAND_SLOT_*. */
int randunit__stack(const struct rand_unit *unit);
void randunit__emit(struct emitter *e, const struct rand_unit *unit);
/* What a function begins with. */
void randunit__emit_head(struct emitter *e);

/* ---- of the two files that write units ---- */

#define LDX(size, dst, src, off) INSN(BPF_LDX | BPF_MEM | (size), dst, src, off, 0)
#define STX(size, dst, off, src) INSN(BPF_STX | BPF_MEM | (size), dst, src, off, 0)
#define ST(size, dst, off, imm)	 INSN(BPF_ST | BPF_MEM | (size), dst, 0, off, imm)
#define MOV_REG(dst, src)	 INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define MOV_IMM(dst, imm)	 INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define ALU_REG(op, dst, src)	 INSN(BPF_ALU64 | (op) | BPF_X, dst, src, 0, 0)
#define ALU_IMM(op, dst, imm)	 INSN(BPF_ALU64 | (op) | BPF_K, dst, 0, 0, imm)
#define JMP_IMM(op, dst, imm, n) INSN(BPF_JMP | (op) | BPF_K, dst, 0, n, imm)
#define CALL_HELPER(id)		 INSN(BPF_JMP | BPF_CALL, 0, 0, 0, id)
#define EXIT			 INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* A register with a number that is kept, and the other one of the two. */
static inline uint8_t randunit__num(uint32_t param)
{
	return param & 1 ? NUM2 : NUM;
}

static inline uint8_t randunit__other(uint8_t reg)
{
	return reg == NUM ? NUM2 : NUM;
}

/* A division or modulo, mostly by a register, whatever the parameter. */
struct bpf_insn randunit__divide(uint32_t param, uint8_t dst, uint8_t src);
/* Loads a number that the verifier knows nothing of. */
void randunit__fresh(struct emitter *e, uint8_t reg, uint32_t param);
/* Lets a kept number depend on a register. */
void randunit__mix(struct emitter *e, uint8_t reg, uint32_t param);
void randunit__imm64(struct emitter *e, uint8_t dst, uint8_t src, int32_t low, int32_t high);
/* The instruction put last, or the one of which that is the second half, leads somewhere. */
void randunit__to(struct emitter *e, enum randunit_target kind, size_t target);
void randunit__ctx_access(struct emitter *e, struct bpf_insn insn);

/* Those of randpatch.c: what the verifier rewrites. */
void randpatch__lookup(struct emitter *e, const struct rand_unit *unit);
void randpatch__lookup_nested(struct emitter *e, const struct rand_unit *unit);
void randpatch__packet(struct emitter *e, const struct rand_unit *unit);
void randpatch__packet_at(struct emitter *e, const struct rand_unit *unit);
void randpatch__ctx_read(struct emitter *e, const struct rand_unit *unit);
void randpatch__ctx_write(struct emitter *e, const struct rand_unit *unit);
void randpatch__jiffies(struct emitter *e, const struct rand_unit *unit);
void randpatch__cpu(struct emitter *e, const struct rand_unit *unit);
void randpatch__tail_call(struct emitter *e, const struct rand_unit *unit);
void randpatch__cast(struct emitter *e, const struct rand_unit *unit);
void randpatch__iterate(struct emitter *e, const struct rand_unit *unit);
void randpatch__call(struct emitter *e, const struct rand_unit *unit);
void randpatch__loop(struct emitter *e, const struct rand_unit *unit);

#endif
