// SPDX-License-Identifier: GPL-2.0-only
#include "interp.h"

#include <errno.h>

#include "interp_alu.h"
#include "interp_frame.h"

#define MAX_FRAMES 8

int interp__fail(const struct interp *in, const struct frame *f, int code, const char *what)
{
	return err__set(in->err, code, "instruction %zu (opcode 0x%02x): %s", f->pc,
			f->pc < in->n ? in->insns[f->pc].code : 0, what);
}

static bool within(uint64_t addr, size_t len, const void *base, size_t size)
{
	uint64_t start = (uintptr_t)base;

	return addr >= start && addr - start <= size && size - (addr - start) >= len;
}

bool interp__may_access(const struct interp *in, const struct frame *f, uint64_t addr, size_t len,
			bool write)
{
	const struct interp_env *env = in->env;

	if (within(addr, len, f->stack, sizeof(f->stack)))
		return true;
	if (within(addr, len, in->skb.cb, sizeof(in->skb.cb)))
		return true;
	if (!write && within(addr, len, &in->skb, sizeof(in->skb)))
		return true;
	for (size_t i = 0; i < env->n_maps; i++) {
		const struct interp_map *map = &env->maps[i];

		if (map->values && within(addr, len, map->values, (size_t)map->n * map->value_size))
			return true;
	}
	return false;
}

/* Returns 1 if the function is over. */
static int call(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	uint64_t r0 = 0;
	int rc = 0;

	if (insn->src_reg == BPF_PSEUDO_CALL)
		rc = interp__call_subprog(in, f, insn, &r0);
	else if (insn->src_reg == BPF_PSEUDO_KFUNC_CALL)
		rc = interp__call_kfunc(in, f, insn, &r0);
	else
		rc = interp__call_helper(in, f, insn, &r0);
	if (rc < 0)
		return rc;
	for (unsigned int r = CALLER_SAVED_FIRST; r <= CALLER_SAVED_LAST; r++)
		f->known &= ~(1u << r);
	frame__set(f, BPF_REG_0, r0);
	return rc;
}

/* ---- classes of instructions; each moves f->pc itself ---- */

static int run_imm64(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	uint64_t value = (uint32_t)insn[0].imm | (uint64_t)(uint32_t)insn[1].imm << 32;
	const struct interp_map *map;

	switch (insn->src_reg) {
	case 0:
		break;
	case BPF_PSEUDO_FUNC:
		value = f->pc + 1 + insn->imm;
		break;
	case BPF_PSEUDO_MAP_FD:
	case BPF_PSEUDO_MAP_VALUE:
		map = interp__map_of_fd(in, insn->imm);
		if (!map)
			return interp__fail(in, f, -EINVAL, "not a map");
		value = insn->src_reg == BPF_PSEUDO_MAP_FD
				? (uintptr_t)map
				: (uintptr_t)map->values + (uint32_t)insn[1].imm;
		break;
	default:
		return interp__fail(in, f, -EINVAL,
				    "a kind of 64-bit immediate that is not known here");
	}
	frame__set(f, insn->dst_reg, value);
	f->pc += 2;
	return 0;
}

static int run_ld(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	int rc;

	if (insn->code == (BPF_LD | BPF_IMM | BPF_DW) && f->pc + 1 < in->n)
		return run_imm64(in, f, insn);
	if (BPF_MODE(insn->code) != BPF_ABS && BPF_MODE(insn->code) != BPF_IND)
		return interp__fail(in, f, -EINVAL, "not an instruction");
	rc = interp__load_packet(in, f, insn);
	f->pc++;
	return rc;
}

static int run_ldx(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	size_t len = interp__width(insn->code);
	uint64_t addr, value;

	if (!frame__knows(f, insn->src_reg))
		return interp__fail(in, f, -EINVAL, "a register that nothing was written to");
	addr = f->r[insn->src_reg] + insn->off;
	if (!interp__may_access(in, f, addr, len, false))
		return interp__fail(in, f, -EFAULT, "reads memory that is not the program's");
	value = interp__read(addr, len);
	if (BPF_MODE(insn->code) == BPF_MEMSX)
		value = interp_alu__sign_extend(value, 8 * len);
	else if (BPF_MODE(insn->code) != BPF_MEM)
		return interp__fail(in, f, -EINVAL, "not an instruction");
	frame__set(f, insn->dst_reg, value);
	f->pc++;
	return 0;
}

static int run_atomic(struct interp *in, struct frame *f, const struct bpf_insn *insn,
		      uint64_t addr)
{
	size_t len = interp__width(insn->code);
	uint64_t old = interp__read(addr, len), src = f->r[insn->src_reg], new;
	int op = insn->imm & ~BPF_FETCH;

	if (insn->imm == BPF_CMPXCHG) {
		uint64_t expected = f->r[BPF_REG_0];

		if (!frame__knows(f, BPF_REG_0))
			return interp__fail(in, f, -EINVAL,
					    "a register that nothing was written to");
		if (len == 4)
			expected = (uint32_t)expected;
		if (old == expected)
			interp__write(addr, len, src);
		frame__set(f, BPF_REG_0, old);
		return 0;
	}
	if (insn->imm == BPF_XCHG)
		new = src;
	else if (op == BPF_ADD || op == BPF_OR || op == BPF_AND || op == BPF_XOR)
		new = interp_alu__64(op, old, src, 0);
	else
		return interp__fail(in, f, -EINVAL, "not an atomic operation");
	interp__write(addr, len, new);
	if (insn->imm & BPF_FETCH)
		frame__set(f, insn->src_reg, old);
	return 0;
}

static int run_store(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	bool from_reg = BPF_CLASS(insn->code) == BPF_STX;
	size_t len = interp__width(insn->code);
	uint64_t addr;
	int rc = 0;

	if (!frame__knows(f, insn->dst_reg) || (from_reg && !frame__knows(f, insn->src_reg)))
		return interp__fail(in, f, -EINVAL, "a register that nothing was written to");
	addr = f->r[insn->dst_reg] + insn->off;
	if (!interp__may_access(in, f, addr, len, true))
		return interp__fail(in, f, -EFAULT, "writes memory that is not the program's");
	if (from_reg && BPF_MODE(insn->code) == BPF_ATOMIC)
		rc = run_atomic(in, f, insn, addr);
	else if (BPF_MODE(insn->code) == BPF_MEM)
		interp__write(addr, len, from_reg ? f->r[insn->src_reg] : (uint64_t)insn->imm);
	else
		rc = interp__fail(in, f, -EINVAL, "not an instruction");
	f->pc++;
	return rc;
}

static int run_alu(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	uint8_t op = BPF_OP(insn->code);
	bool reads_src = BPF_SRC(insn->code) == BPF_X && op != BPF_END && op != BPF_NEG;
	uint64_t value;

	if ((reads_src && !frame__knows(f, insn->src_reg)) ||
	    (op != BPF_MOV && !frame__knows(f, insn->dst_reg)))
		return interp__fail(in, f, -EINVAL, "a register that nothing was written to");
	if (interp_alu__insn(insn, f->r[insn->dst_reg], reads_src ? f->r[insn->src_reg] : 0,
			     &value) < 0)
		return interp__fail(in, f, -EINVAL, "not an instruction");
	frame__set(f, insn->dst_reg, value);
	f->pc++;
	return 0;
}

/* Returns 1 if the function is over. */
static int run_jmp(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	uint8_t op = BPF_OP(insn->code);
	bool wide = BPF_CLASS(insn->code) == BPF_JMP;
	uint64_t src;
	int taken, rc;

	if (op == BPF_CALL || op == BPF_EXIT) {
		if (op == BPF_EXIT)
			return frame__knows(f, BPF_REG_0)
				       ? 1
				       : interp__fail(in, f, -EINVAL, "r0 is not set");
		rc = call(in, f, insn);
		f->pc++;
		return rc;
	}
	if (op == BPF_JA) {
		f->pc += 1 + (wide ? insn->off : insn->imm);
		return 0;
	}
	if (insn->code == (BPF_JMP | BPF_JCOND)) {
		f->pc++;
		return 0;
	}
	src = BPF_SRC(insn->code) == BPF_X ? f->r[insn->src_reg] : (uint64_t)insn->imm;
	if (!frame__knows(f, insn->dst_reg) ||
	    (BPF_SRC(insn->code) == BPF_X && !frame__knows(f, insn->src_reg)))
		return interp__fail(in, f, -EINVAL, "a register that nothing was written to");
	taken = interp_alu__compare(op, f->r[insn->dst_reg], src, wide);
	if (taken < 0)
		return interp__fail(in, f, -EINVAL, "not an instruction");
	f->pc += 1 + (taken ? insn->off : 0);
	return 0;
}

static int step(struct interp *in, struct frame *f)
{
	const struct bpf_insn *insn = &in->insns[f->pc];

	switch (BPF_CLASS(insn->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return run_alu(in, f, insn);
	case BPF_JMP:
	case BPF_JMP32:
		return run_jmp(in, f, insn);
	case BPF_LD:
		return run_ld(in, f, insn);
	case BPF_LDX:
		return run_ldx(in, f, insn);
	default:
		return run_store(in, f, insn);
	}
}

int interp__function(struct interp *in, size_t pc, const uint64_t *args, unsigned int n_args,
		     uint64_t *ret_r0)
{
	struct frame f = { .pc = pc };
	int rc = 0;

	if (in->depth == MAX_FRAMES)
		return interp__fail(in, &f, -E2BIG, "calls are nested too deeply");
	in->depth++;
	for (unsigned int i = 0; i < n_args; i++)
		frame__set(&f, BPF_REG_1 + i, args[i]);
	frame__set(&f, BPF_REG_10, (uintptr_t)(f.stack + sizeof(f.stack)));
	while (rc == 0) {
		if (f.pc >= in->n)
			rc = interp__fail(in, &f, -EINVAL, "not in the program");
		else if (++in->steps > in->env->max_steps)
			rc = interp__fail(in, &f, -ELOOP, "runs for too long");
		else
			rc = step(in, &f);
	}
	in->depth--;
	if (rc < 0)
		return rc;
	*ret_r0 = f.r[BPF_REG_0];
	return 0;
}

int interp__run(const struct interp_env *env, const struct bpf_insn *insns, size_t n,
		uint64_t *ret_r0, struct err *err)
{
	struct interp in = { .env = env, .insns = insns, .n = n, .err = err };
	uint64_t ctx = (uintptr_t)&in.skb;

	if (env->skb)
		in.skb = *env->skb;
	return interp__function(&in, 0, &ctx, 1, ret_r0);
}
