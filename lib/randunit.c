// SPDX-License-Identifier: GPL-2.0-only
#include "randunit.h"

#include "randworld.h"

static const uint8_t sizes[] = { BPF_B, BPF_H, BPF_W, BPF_DW };

static unsigned int bytes_of(uint8_t size)
{
	return size == BPF_B ? 1 : size == BPF_H ? 2 : size == BPF_W ? 4 : 8;
}

static int scratch(uint32_t param)
{
	return 8 * (RAND_SCRATCH + param % RAND_SCRATCH_LEN);
}

void randunit__fresh(struct emitter *e, uint8_t reg, uint32_t param)
{
	emitter__put(e, LDX(BPF_DW, reg, DATA, 8 * (param % RAND_FUEL)));
}

void randunit__imm64(struct emitter *e, uint8_t dst, uint8_t src, int32_t low, int32_t high)
{
	emitter__put(e, INSN(BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, low));
	emitter__put(e, INSN(0, 0, 0, 0, high));
}

void randunit__to(struct emitter *e, enum randunit_target kind, size_t target)
{
	struct randunit_fixup fixup = { .kind = kind, .target = target };

	if (e->rc < 0)
		return;
	fixup.insn = e->code->insns.n - 1;
	if (!e->code->insns.v[fixup.insn].code)
		fixup.insn--;
	e->rc = vec_push(&e->fixups, fixup);
}

void randunit__mix(struct emitter *e, uint8_t reg, uint32_t param)
{
	static const uint8_t ops[] = { BPF_ADD, BPF_XOR, BPF_SUB, BPF_ADD };

	emitter__put(e, ALU_REG(ops[param >> 1 & 3], randunit__num(param), reg));
}

void randunit__ctx_access(struct emitter *e, struct bpf_insn insn)
{
	struct patch_fact fact = { .kind = PATCH_CTX };

	emitter__put(e, insn);
	emitter__fact(e, fact);
}

/* ---- numbers ---- */

struct bpf_insn randunit__divide(uint32_t p, uint8_t dst, uint8_t src)
{
	uint8_t class = p & 1 ? BPF_ALU : BPF_ALU64;
	uint8_t op = p & 2 ? BPF_DIV : BPF_MOD;
	int16_t is_signed = p >> 2 & 1;
	int32_t small = 1 + (p >> 7 & 63);

	if (p >> 3 & 7)
		return INSN(class | op | BPF_X, dst, src, is_signed, 0);
	/* By a constant, which is replaced if it is -1 and the division signed. */
	return INSN(class | op | BPF_K, dst, 0, is_signed, p >> 6 & 1 ? -1 : small);
}

static void emit_divide(struct emitter *e, const struct rand_unit *unit)
{
	uint8_t dst = randunit__num(unit->r[1]);
	uint8_t src = unit->r[1] >> 1 & 3 ? randunit__other(dst) : dst;

	emitter__put(e, randunit__divide(unit->r[0], dst, src));
}

static void emit_alu(struct emitter *e, const struct rand_unit *unit)
{
	static const uint8_t ops[] = { BPF_ADD, BPF_SUB, BPF_MUL, BPF_OR, BPF_AND, BPF_XOR };
	static const uint8_t shifts[] = { BPF_LSH, BPF_RSH, BPF_ARSH };
	uint8_t class = unit->r[0] & 1 ? BPF_ALU : BPF_ALU64;
	uint8_t dst = randunit__num(unit->r[0] >> 1), src = randunit__other(dst);
	uint8_t op = ops[unit->r[1] % ARRAY_SIZE(ops)];
	uint8_t shift = shifts[unit->r[1] % ARRAY_SIZE(shifts)];
	int32_t imm = unit->r[2];

	switch (unit->r[3] % 9) {
	case 0:
	case 1:
	case 2:
		emitter__put(e, INSN(class | op | BPF_X, dst, src, 0, 0));
		break;
	case 3:
	case 4:
		emitter__put(e, INSN(class | op | BPF_K, dst, 0, 0, imm));
		break;
	case 5:
		emitter__put(e, INSN(class | shift | BPF_K, dst, 0, 0, imm & 31));
		break;
	case 6:
		emitter__put(e, INSN(class | BPF_NEG, dst, 0, 0, 0));
		break;
	case 7: /* a move that extends the sign of 8 or 16 bits */
		emitter__put(e, INSN(class | BPF_MOV | BPF_X, dst, src, imm & 1 ? 8 : 16, 0));
		break;
	default: /* bytes swapped, or not and cut off */
		emitter__put(e,
			     INSN(class | BPF_END | (class == BPF_ALU && imm & 4 ? BPF_TO_BE : 0),
				  dst, 0, 0, 16 << (imm & 3) % 3));
		break;
	}
}

/* ---- memory ---- */

static void emit_load(struct emitter *e, const struct rand_unit *unit)
{
	uint8_t size = sizes[unit->r[0] & 3], dst = unit->r[0] >> 2 & 7;
	bool extends = size != BPF_DW && unit->r[0] >> 5 & 1;
	int off = unit->r[1] % (8 * RAND_FUEL) & -bytes_of(size);

	dst = dst > R5 ? randunit__num(dst) : dst;
	emitter__put(e, INSN(BPF_LDX | (extends ? BPF_MEMSX : BPF_MEM) | size, dst, DATA, off, 0));
	if (dst <= R5)
		randunit__mix(e, dst, unit->r[2]);
}

static void emit_store(struct emitter *e, const struct rand_unit *unit)
{
	uint8_t size = sizes[unit->r[0] & 3];
	int off = scratch(unit->r[1]) + (unit->r[0] >> 2 & 7 & -bytes_of(size));

	if (unit->r[0] >> 5 & 1)
		emitter__put(e, ST(size, DATA, off, unit->r[2]));
	else
		emitter__put(e, STX(size, DATA, off, randunit__num(unit->r[2])));
}

static int spill_slot(const struct rand_unit *unit)
{
	return unit->r[0] & 1 ? RAND_SLOT_A : RAND_SLOT_B;
}

static void emit_spill(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, STX(BPF_DW, FP, spill_slot(unit), randunit__num(unit->r[1])));
}

static void emit_fill(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, LDX(BPF_DW, randunit__num(unit->r[1]), FP, spill_slot(unit)));
}

static void emit_atomic(struct emitter *e, const struct rand_unit *unit)
{
	static const int32_t ops[] = { BPF_ADD,
				       BPF_OR,
				       BPF_AND,
				       BPF_XOR,
				       BPF_ADD | BPF_FETCH,
				       BPF_OR | BPF_FETCH,
				       BPF_AND | BPF_FETCH,
				       BPF_XOR | BPF_FETCH,
				       BPF_XCHG,
				       BPF_CMPXCHG };
	int32_t op = ops[unit->r[0] % ARRAY_SIZE(ops)];
	/* The verifier adds a move behind the one with 32 bits. */
	uint8_t size = op != BPF_CMPXCHG && unit->r[1] & 1 ? BPF_W : BPF_DW;
	uint8_t src = randunit__num(unit->r[1] >> 1);

	if (op == BPF_CMPXCHG)
		emitter__put(e, MOV_REG(R0, randunit__other(src)));
	emitter__put(e, INSN(BPF_STX | BPF_ATOMIC | size, DATA, src, scratch(unit->r[2]), op));
	if (op == BPF_CMPXCHG)
		randunit__mix(e, R0, unit->r[3]);
}

/* ---- conditions ---- */

/* Neither way of it is known beforehand, whatever the operand. */
static struct bpf_insn condition(uint32_t p, uint32_t operand, int16_t off)
{
	static const uint8_t ops[] = { BPF_JEQ,	 BPF_JNE,  BPF_JGT,  BPF_JGE,  BPF_JLT, BPF_JLE,
				       BPF_JSET, BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE };
	uint8_t class = p & 1 ? BPF_JMP : BPF_JMP32;
	uint8_t op = ops[(p >> 2) % ARRAY_SIZE(ops)];

	if (p & 2)
		return INSN(class | op | BPF_X, R1, R2, off, 0);
	return INSN(class | op | BPF_K, R1, 0, off,
		    1 + (operand & 1 ? operand >> 1 & 15 : operand >> 2 & 0x0fffffff));
}

static void emit_condition(struct emitter *e, uint32_t p, uint32_t operand, uint32_t data,
			   int16_t off)
{
	randunit__fresh(e, R1, data);
	if (p & 2)
		randunit__fresh(e, R2, data + 1 + (operand & 31));
	emitter__put(e, condition(p, operand, off));
}

/* ---- jumps ---- */

static void emit_jump(struct emitter *e, const struct rand_unit *unit)
{
	uint32_t p = unit->r[0];

	randunit__fresh(e, R1, unit->r[2]);
	if (p & 2)
		randunit__fresh(e, R2, unit->r[2] + 1 + (unit->r[1] & 31));
	/* The jump is right behind what is replaced. */
	if (!(unit->r[3] & 3))
		emitter__put(e, randunit__divide(unit->r[4], randunit__num(unit->r[3] >> 2),
						 randunit__num(unit->r[3] >> 3)));
	emitter__put(e, condition(p, unit->r[1], 0));
	randunit__to(e, RAND_TO_UNIT, unit->target);
}

static void emit_goto(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, INSN((unit->r[0] & 1 ? BPF_JMP : BPF_JMP32) | BPF_JA, 0, 0, 0, 0));
	randunit__to(e, RAND_TO_UNIT, unit->target);
}

static void emit_may_goto(struct emitter *e, const struct rand_unit *unit)
{
	struct patch_fact fact = { .stack_depth = e->stack_depth };

	emitter__put(e, INSN(BPF_JMP | BPF_JCOND, 0, 0, 0, 0));
	emitter__fact(e, fact);
	randunit__to(e, RAND_TO_UNIT, unit->target);
}

static void emit_back(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, LDX(BPF_DW, R1, DATA, 8 * RAND_FUEL));
	emitter__put(e, ALU_IMM(BPF_ADD, R1, -1));
	emitter__put(e, STX(BPF_DW, DATA, 8 * RAND_FUEL, R1));
	emitter__put(e, INSN((unit->r[0] & 1 ? BPF_JMP : BPF_JMP32) | BPF_JSGT | BPF_K, R1, 0, 0,
			     unit->r[0] >> 1 & 3));
	randunit__to(e, RAND_TO_UNIT, unit->target);
}

static void emit_count(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, ST(BPF_DW, FP, RAND_SLOT_COUNT, 2 + (unit->r[0] & 1)));
}

static void emit_count_back(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, LDX(BPF_DW, R1, FP, RAND_SLOT_COUNT));
	emitter__put(e, ALU_IMM(BPF_ADD, R1, -1));
	emitter__put(e, STX(BPF_DW, FP, RAND_SLOT_COUNT, R1));
	emitter__put(e, JMP_IMM(BPF_JNE, R1, 0, 0));
	randunit__to(e, RAND_TO_UNIT, unit->target + 1);
}

static void emit_exit_if(struct emitter *e, const struct rand_unit *unit)
{
	emit_condition(e, unit->r[0], unit->r[1], unit->r[2], 2);
	if (e->func->callback)
		emitter__put(e, MOV_IMM(R0, unit->r[3] & 1));
	else
		emitter__put(e, MOV_REG(R0, randunit__num(unit->r[3])));
	emitter__put(e, EXIT);
}

/* A callback says whether to go on, and leaves its number in memory. */
static void emit_end(struct emitter *e, const struct rand_unit *unit)
{
	if (e->func->callback) {
		emitter__put(e, STX(BPF_DW, DATA, scratch(unit->r[0]), NUM));
		emitter__put(e, LDX(BPF_W, R0, DATA, 8 * (unit->r[1] % RAND_FUEL)));
		emitter__put(e, ALU_IMM(BPF_AND, R0, 1));
	} else {
		emitter__put(e, MOV_REG(R0, randunit__num(unit->r[0])));
		if (unit->r[1] & 1)
			emitter__put(e,
				     randunit__divide(unit->r[2], R0,
						      randunit__other(randunit__num(unit->r[0]))));
	}
	emitter__put(e, EXIT);
}

static void (*const emitters[RAND_KINDS])(struct emitter *e, const struct rand_unit *unit) = {
	[RAND_ALU] = emit_alu,
	[RAND_DIVIDE] = emit_divide,
	[RAND_LOAD] = emit_load,
	[RAND_STORE] = emit_store,
	[RAND_SPILL] = emit_spill,
	[RAND_FILL] = emit_fill,
	[RAND_ATOMIC] = emit_atomic,
	[RAND_LOOKUP] = randpatch__lookup,
	[RAND_LOOKUP_NESTED] = randpatch__lookup_nested,
	[RAND_PACKET] = randpatch__packet,
	[RAND_PACKET_AT] = randpatch__packet_at,
	[RAND_CTX_READ] = randpatch__ctx_read,
	[RAND_CTX_WRITE] = randpatch__ctx_write,
	[RAND_JIFFIES] = randpatch__jiffies,
	[RAND_CPU] = randpatch__cpu,
	[RAND_TAIL_CALL] = randpatch__tail_call,
	[RAND_CAST] = randpatch__cast,
	[RAND_ITERATE] = randpatch__iterate,
	[RAND_CALL] = randpatch__call,
	[RAND_LOOP] = randpatch__loop,
	[RAND_JUMP] = emit_jump,
	[RAND_GOTO] = emit_goto,
	[RAND_MAY_GOTO] = emit_may_goto,
	[RAND_BACK] = emit_back,
	[RAND_COUNT] = emit_count,
	[RAND_COUNT_BACK] = emit_count_back,
	[RAND_EXIT_IF] = emit_exit_if,
	[RAND_END] = emit_end,
};

void randunit__emit(struct emitter *e, const struct rand_unit *unit)
{
	emitters[unit->kind](e, unit);
}

int randunit__stack(const struct rand_unit *unit)
{
	switch (unit->kind) {
	case RAND_SPILL:
	case RAND_FILL:
		return RAND_SLOT_B;
	case RAND_LOOKUP:
	case RAND_LOOKUP_NESTED:
		return RAND_SLOT_KEY;
	case RAND_COUNT:
		return RAND_SLOT_COUNT;
	case RAND_ITERATE:
		return RAND_SLOT_ITER;
	default:
		return 0;
	}
}

void randunit__emit_head(struct emitter *e)
{
	const struct rand_func *func = e->func;
	bool is_main = func == &e->prog->funcs.v[0], patched = !(func->head & 3);
	uint8_t number = func->ctx ? R2 : R1;

	if (patched && is_main)
		randunit__ctx_access(e, LDX(BPF_W, NUM, R1, offsetof(struct __sk_buff, len)));
	else if (patched)
		emitter__put(e, randunit__divide(func->head >> 2 | 8, number, number));
	if (func->ctx)
		emitter__put(e, MOV_REG(CTX, R1));
	randunit__imm64(e, DATA, BPF_PSEUDO_MAP_VALUE, e->opts->map_fds[RAND_MAP_DATA], 0);
	if (!is_main)
		emitter__put(e, MOV_REG(NUM, number));
	else if (!patched)
		randunit__fresh(e, NUM, func->head >> 8);
	randunit__fresh(e, NUM2, func->head >> 16);
	if (e->stack_depth) {
		emitter__put(e, STX(BPF_DW, FP, RAND_SLOT_A, NUM));
		emitter__put(e, STX(BPF_DW, FP, RAND_SLOT_B, NUM2));
	}
}
