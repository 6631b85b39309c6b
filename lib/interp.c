// SPDX-License-Identifier: GPL-2.0-only
#include "interp.h"

#include <errno.h>

#include "interp_alu.h"

#define STACK_LEN	   512
#define MAX_FRAMES	   8
#define CALLER_SAVED_FIRST 1
#define CALLER_SAVED_LAST  5
#define LOOPS_MAX	   (8 * 1024 * 1024) /* BPF_MAX_LOOPS */
#define FIXED_RESULT	   1234 /* of functions whose result depends on when and where they run */

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

static int run_function(struct interp *in, size_t pc, const uint64_t *args, unsigned int n_args,
			uint64_t *ret_r0);

static int fail(const struct interp *in, const struct frame *f, int code, const char *what)
{
	return err__set(in->err, code, "instruction %zu (opcode 0x%02x): %s", f->pc,
			f->pc < in->n ? in->insns[f->pc].code : 0, what);
}

static void set(struct frame *f, unsigned int reg, uint64_t value)
{
	f->r[reg] = value;
	f->known |= 1u << reg;
}

static bool knows(const struct frame *f, unsigned int reg)
{
	return reg < MAX_BPF_REG && f->known & 1u << reg;
}

static bool within(uint64_t addr, size_t len, const void *base, size_t size)
{
	uint64_t start = (uintptr_t)base;

	return addr >= start && addr - start <= size && size - (addr - start) >= len;
}

/* Where the program may read, or also write. */
static bool may_access(const struct interp *in, const struct frame *f, uint64_t addr, size_t len,
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

static size_t width(uint8_t code)
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

static uint64_t read_mem(uint64_t addr, size_t len)
{
	uint64_t value = 0;

	memcpy(&value, (const void *)(uintptr_t)addr, len);
	return value;
}

static void write_mem(uint64_t addr, size_t len, uint64_t value)
{
	memcpy((void *)(uintptr_t)addr, &value, len);
}

/* ---- maps ---- */

static const struct interp_map *map_at(const struct interp *in, uint64_t handle)
{
	for (size_t i = 0; i < in->env->n_maps; i++) {
		if (handle == (uintptr_t)&in->env->maps[i])
			return &in->env->maps[i];
	}
	return NULL;
}

static const struct interp_map *map_of_fd(const struct interp *in, int fd)
{
	for (size_t i = 0; in->env->map_fds && i < in->env->n_maps; i++) {
		if (in->env->map_fds[i] == fd)
			return &in->env->maps[i];
	}
	return NULL;
}

static int lookup(struct interp *in, struct frame *f, uint64_t *ret_r0)
{
	const struct interp_map *map = map_at(in, f->r[BPF_REG_1]);
	uint64_t key = f->r[BPF_REG_2];
	uint32_t index;

	if (!knows(f, BPF_REG_1) || !map || !knows(f, BPF_REG_2))
		return fail(in, f, -EINVAL, "not a map and a key");
	if (!may_access(in, f, key, map->key_size, false))
		return fail(in, f, -EFAULT, "the key is not in memory of the program");
	index = read_mem(key, sizeof(index));
	for (size_t i = sizeof(index); i < map->key_size; i++) {
		if (read_mem(key + i, 1)) {
			*ret_r0 = 0;
			return 0;
		}
	}
	if (index >= map->n)
		*ret_r0 = 0;
	else if (map->inner)
		*ret_r0 = (uintptr_t)&in->env->maps[map->inner[index]];
	else
		*ret_r0 = (uintptr_t)(map->values + (size_t)index * map->value_size);
	return 0;
}

/* ---- loads of the packet: big endian; what is not there ends the function with 0 ---- */

/* Returns 1 if the function is over. */
static int load_packet(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	int64_t at = insn->imm;
	size_t len = width(insn->code);
	uint64_t value = 0;

	if (!knows(f, BPF_REG_6) || f->r[BPF_REG_6] != (uintptr_t)&in->skb)
		return fail(in, f, -EINVAL, "r6 is not the context");
	if (BPF_MODE(insn->code) == BPF_IND) {
		if (!knows(f, insn->src_reg))
			return fail(in, f, -EINVAL, "a register that nothing was written to");
		at = (int32_t)(f->r[insn->src_reg] + (uint32_t)insn->imm);
	}
	if (at < 0)
		return fail(in, f, -EINVAL, "offsets below 0 are not of the packet");
	for (unsigned int r = CALLER_SAVED_FIRST; r <= CALLER_SAVED_LAST; r++)
		f->known &= ~(1u << r);
	if ((uint64_t)at + len > in->env->packet_len) {
		set(f, BPF_REG_0, 0);
		return 1;
	}
	for (size_t i = 0; i < len; i++)
		value = value << 8 | in->env->packet[at + i];
	set(f, BPF_REG_0, value);
	return 0;
}

/* ---- calls ---- */

/* Returns 1 if the function is over: the other program has run in its place. */
static int tail_call(struct interp *in, struct frame *f, uint64_t *ret_r0)
{
	const struct interp_map *map = map_at(in, f->r[BPF_REG_2]);
	uint32_t index = f->r[BPF_REG_3];

	if (!knows(f, BPF_REG_2) || !map || !map->values || !knows(f, BPF_REG_3))
		return fail(in, f, -EINVAL, "not a map of programs and an index");
	*ret_r0 = -ENOENT;
	if (index >= map->n || !read_mem((uintptr_t)map->values + 4 * index, 4))
		return 0;
	*ret_r0 = read_mem((uintptr_t)map->values + 4 * index, 4);
	return 1;
}

/* An iterator is its last and its end number, of 4 bytes each. */
static int call_iterator(struct interp *in, struct frame *f, enum interp_kfunc kfunc,
			 uint64_t *ret_r0)
{
	uint64_t it = f->r[BPF_REG_1];
	int32_t state[2];

	if (!knows(f, BPF_REG_1) || !may_access(in, f, it, sizeof(state), true))
		return fail(in, f, -EFAULT, "no place for an iterator");
	memcpy(state, (void *)(uintptr_t)it, sizeof(state));
	*ret_r0 = 0;
	if (kfunc == INTERP_ITER_NUM_NEW) {
		state[0] = (uint32_t)f->r[BPF_REG_2] - 1;
		state[1] = f->r[BPF_REG_3];
		if ((int32_t)f->r[BPF_REG_2] > state[1])
			*ret_r0 = -EINVAL;
		else if ((int64_t)state[1] - (int32_t)f->r[BPF_REG_2] > LOOPS_MAX)
			*ret_r0 = -E2BIG;
	} else if (kfunc == INTERP_ITER_NUM_NEXT && (int64_t)state[0] + 1 < state[1]) {
		state[0]++;
		*ret_r0 = it;
	}
	if (*ret_r0 != it && (kfunc != INTERP_ITER_NUM_NEW || *ret_r0))
		memset(state, 0, sizeof(state));
	memcpy((void *)(uintptr_t)it, state, sizeof(state));
	return 0;
}

static int call_kfunc(struct interp *in, struct frame *f, const struct bpf_insn *insn,
		      uint64_t *ret_r0)
{
	for (int i = 0; in->env->kfuncs && i < INTERP_KFUNCS; i++) {
		if (in->env->kfuncs[i] != insn->imm)
			continue;
		*ret_r0 = FIXED_RESULT;
		return i == INTERP_CAST_TO_KERN_CTX ? 0 : call_iterator(in, f, i, ret_r0);
	}
	return fail(in, f, -EINVAL, "a function that is not known here");
}

static int call_loop(struct interp *in, struct frame *f, uint64_t *ret_r0)
{
	uint64_t rounds = f->r[BPF_REG_1], callback = f->r[BPF_REG_2], stop = 0;

	if (!knows(f, BPF_REG_3) || !knows(f, BPF_REG_4))
		return fail(in, f, -EINVAL, "a register that nothing was written to");
	if (f->r[BPF_REG_4])
		*ret_r0 = -EINVAL;
	else if (rounds > LOOPS_MAX)
		*ret_r0 = -E2BIG;
	if (f->r[BPF_REG_4] || rounds > LOOPS_MAX)
		return 0;
	*ret_r0 = 0;
	for (uint64_t i = 0; i < rounds && !stop; i++) {
		uint64_t args[] = { i, f->r[BPF_REG_3] };
		int rc = run_function(in, callback, args, ARRAY_SIZE(args), &stop);

		if (rc < 0)
			return rc;
		*ret_r0 = i + 1;
	}
	return 0;
}

static int call_helper(struct interp *in, struct frame *f, const struct bpf_insn *insn,
		       uint64_t *ret_r0)
{
	switch (insn->imm) {
	case BPF_FUNC_map_lookup_elem:
		return lookup(in, f, ret_r0);
	case BPF_FUNC_jiffies64:
	case BPF_FUNC_get_smp_processor_id:
	case BPF_FUNC_get_current_task:
		*ret_r0 = FIXED_RESULT;
		return 0;
	case BPF_FUNC_tail_call:
		return tail_call(in, f, ret_r0);
	case BPF_FUNC_loop:
		return call_loop(in, f, ret_r0);
	}
	return fail(in, f, -EINVAL, "a function that is not known here");
}

static int call_subprog(struct interp *in, struct frame *f, const struct bpf_insn *insn,
			uint64_t *ret_r0)
{
	unsigned int n = 0;

	while (n < CALLER_SAVED_LAST && knows(f, n + 1))
		n++;
	return run_function(in, f->pc + 1 + insn->imm, &f->r[BPF_REG_1], n, ret_r0);
}

/* Returns 1 if the function is over. */
static int call(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	uint64_t r0 = 0;
	int rc = 0;

	if (insn->src_reg == BPF_PSEUDO_CALL)
		rc = call_subprog(in, f, insn, &r0);
	else if (insn->src_reg == BPF_PSEUDO_KFUNC_CALL)
		rc = call_kfunc(in, f, insn, &r0);
	else
		rc = call_helper(in, f, insn, &r0);
	if (rc < 0)
		return rc;
	for (unsigned int r = CALLER_SAVED_FIRST; r <= CALLER_SAVED_LAST; r++)
		f->known &= ~(1u << r);
	set(f, BPF_REG_0, r0);
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
		map = map_of_fd(in, insn->imm);
		if (!map)
			return fail(in, f, -EINVAL, "not a map");
		value = insn->src_reg == BPF_PSEUDO_MAP_FD
				? (uintptr_t)map
				: (uintptr_t)map->values + (uint32_t)insn[1].imm;
		break;
	default:
		return fail(in, f, -EINVAL, "a kind of 64-bit immediate that is not known here");
	}
	set(f, insn->dst_reg, value);
	f->pc += 2;
	return 0;
}

static int run_ld(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	int rc;

	if (insn->code == (BPF_LD | BPF_IMM | BPF_DW) && f->pc + 1 < in->n)
		return run_imm64(in, f, insn);
	if (BPF_MODE(insn->code) != BPF_ABS && BPF_MODE(insn->code) != BPF_IND)
		return fail(in, f, -EINVAL, "not an instruction");
	rc = load_packet(in, f, insn);
	f->pc++;
	return rc;
}

static int run_ldx(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	size_t len = width(insn->code);
	uint64_t addr, value;

	if (!knows(f, insn->src_reg))
		return fail(in, f, -EINVAL, "a register that nothing was written to");
	addr = f->r[insn->src_reg] + insn->off;
	if (!may_access(in, f, addr, len, false))
		return fail(in, f, -EFAULT, "reads memory that is not the program's");
	value = read_mem(addr, len);
	if (BPF_MODE(insn->code) == BPF_MEMSX)
		value = interp_alu__sign_extend(value, 8 * len);
	else if (BPF_MODE(insn->code) != BPF_MEM)
		return fail(in, f, -EINVAL, "not an instruction");
	set(f, insn->dst_reg, value);
	f->pc++;
	return 0;
}

static int run_atomic(struct interp *in, struct frame *f, const struct bpf_insn *insn,
		      uint64_t addr)
{
	size_t len = width(insn->code);
	uint64_t old = read_mem(addr, len), src = f->r[insn->src_reg], new;
	int op = insn->imm & ~BPF_FETCH;

	if (insn->imm == BPF_CMPXCHG) {
		uint64_t expected = f->r[BPF_REG_0];

		if (!knows(f, BPF_REG_0))
			return fail(in, f, -EINVAL, "a register that nothing was written to");
		if (len == 4)
			expected = (uint32_t)expected;
		if (old == expected)
			write_mem(addr, len, src);
		set(f, BPF_REG_0, old);
		return 0;
	}
	if (insn->imm == BPF_XCHG)
		new = src;
	else if (op == BPF_ADD || op == BPF_OR || op == BPF_AND || op == BPF_XOR)
		new = interp_alu__64(op, old, src, 0);
	else
		return fail(in, f, -EINVAL, "not an atomic operation");
	write_mem(addr, len, new);
	if (insn->imm & BPF_FETCH)
		set(f, insn->src_reg, old);
	return 0;
}

static int run_store(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	bool from_reg = BPF_CLASS(insn->code) == BPF_STX;
	size_t len = width(insn->code);
	uint64_t addr;
	int rc = 0;

	if (!knows(f, insn->dst_reg) || (from_reg && !knows(f, insn->src_reg)))
		return fail(in, f, -EINVAL, "a register that nothing was written to");
	addr = f->r[insn->dst_reg] + insn->off;
	if (!may_access(in, f, addr, len, true))
		return fail(in, f, -EFAULT, "writes memory that is not the program's");
	if (from_reg && BPF_MODE(insn->code) == BPF_ATOMIC)
		rc = run_atomic(in, f, insn, addr);
	else if (BPF_MODE(insn->code) == BPF_MEM)
		write_mem(addr, len, from_reg ? f->r[insn->src_reg] : (uint64_t)insn->imm);
	else
		rc = fail(in, f, -EINVAL, "not an instruction");
	f->pc++;
	return rc;
}

static int run_alu(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	uint8_t op = BPF_OP(insn->code);
	bool reads_src = BPF_SRC(insn->code) == BPF_X && op != BPF_END && op != BPF_NEG;
	uint64_t value;

	if ((reads_src && !knows(f, insn->src_reg)) || (op != BPF_MOV && !knows(f, insn->dst_reg)))
		return fail(in, f, -EINVAL, "a register that nothing was written to");
	if (interp_alu__insn(insn, f->r[insn->dst_reg], reads_src ? f->r[insn->src_reg] : 0,
			     &value) < 0)
		return fail(in, f, -EINVAL, "not an instruction");
	set(f, insn->dst_reg, value);
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
			return knows(f, BPF_REG_0) ? 1 : fail(in, f, -EINVAL, "r0 is not set");
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
	if (!knows(f, insn->dst_reg) || (BPF_SRC(insn->code) == BPF_X && !knows(f, insn->src_reg)))
		return fail(in, f, -EINVAL, "a register that nothing was written to");
	taken = interp_alu__compare(op, f->r[insn->dst_reg], src, wide);
	if (taken < 0)
		return fail(in, f, -EINVAL, "not an instruction");
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

static int run_function(struct interp *in, size_t pc, const uint64_t *args, unsigned int n_args,
			uint64_t *ret_r0)
{
	struct frame f = { .pc = pc };
	int rc = 0;

	if (in->depth == MAX_FRAMES)
		return fail(in, &f, -E2BIG, "calls are nested too deeply");
	in->depth++;
	for (unsigned int i = 0; i < n_args; i++)
		set(&f, BPF_REG_1 + i, args[i]);
	set(&f, BPF_REG_10, (uintptr_t)(f.stack + sizeof(f.stack)));
	while (rc == 0) {
		if (f.pc >= in->n)
			rc = fail(in, &f, -EINVAL, "not in the program");
		else if (++in->steps > in->env->max_steps)
			rc = fail(in, &f, -ELOOP, "runs for too long");
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
	return run_function(&in, 0, &ctx, 1, ret_r0);
}
