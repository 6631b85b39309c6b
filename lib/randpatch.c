// SPDX-License-Identifier: GPL-2.0-only
#include "randunit.h"
#include "randworld.h"

static void map_ref(struct emitter *e, uint8_t dst, enum randworld_map map)
{
	randunit__imm64(e, dst, BPF_PSEUDO_MAP_FD, e->opts->map_fds[map], 0);
}

/*
 * Something that may be jumped over, as long as the rest of the unit only
 * wants its arguments: returns how many instructions it is.
 */
static unsigned int emit_filler(struct emitter *e, uint32_t p)
{
	unsigned int n = 1 + (p & 1);

	emitter__put(e, ALU_IMM(BPF_ADD, NUM, p >> 1 & 0xff));
	if (n > 1)
		emitter__put(e, randunit__divide(p >> 9, NUM2, NUM));
	return n;
}

/* In front of a call with its arguments set up: sometimes a jump right onto it. */
static void emit_way_to_call(struct emitter *e, uint32_t p)
{
	size_t jump = e->code->insns.n + 1;
	unsigned int n;

	if (p & 3)
		return;
	emitter__put(e, LDX(BPF_DW, R4, DATA, 8 * ((p >> 2) % RAND_FUEL)));
	emitter__put(e, JMP_IMM(p >> 9 & 1 ? BPF_JSGT : BPF_JEQ, R4, 2, 0));
	n = emit_filler(e, p >> 10);
	if (e->rc == 0)
		e->code->insns.v[jump].off = n;
}

/* ---- lookups ---- */

static void emit_key(struct emitter *e, int slot, uint32_t key_size, uint32_t p)
{
	randunit__fresh(e, R1, p);
	emitter__put(e, ALU_IMM(BPF_AND, R1, p >> 8 & 1 ? 7 : 15));
	emitter__put(e, STX(BPF_W, FP, slot, R1));
	for (uint32_t i = 4; i < key_size; i += 4)
		emitter__put(e, ST(BPF_W, FP, slot + i, 0));
	emitter__put(e, MOV_REG(R2, FP));
	emitter__put(e, ALU_IMM(BPF_ADD, R2, slot));
}

static void emit_lookup_call(struct emitter *e, enum randworld_map map)
{
	const struct randworld_map_def *def = &randworld_maps[map];
	struct patch_fact fact = {
		.kind = PATCH_LOOKUP,
		.map = {
			.type = def->type,
			.key_size = def->key_size,
			.value_size = def->value_size,
			.max_entries = def->max_entries,
		},
	};

	emitter__put(e, CALL_HELPER(BPF_FUNC_map_lookup_elem));
	emitter__fact(e, fact);
}

/* What becomes of the value, if one was found. */
static void emit_value(struct emitter *e, uint32_t value_size, uint32_t p)
{
	int off = 8 * ((p >> 8) % (value_size / 8));

	if (p & 1) {
		emitter__put(e, JMP_IMM(BPF_JEQ, R0, 0, 2));
	} else {
		emitter__put(e, JMP_IMM(BPF_JNE, R0, 0, 2));
		emitter__put(e, ALU_IMM(BPF_XOR, NUM2, p >> 16));
		emitter__put(e, INSN(BPF_JMP | BPF_JA, 0, 0, 2, 0));
	}
	emitter__put(e, LDX(BPF_DW, R0, R0, off));
	randunit__mix(e, R0, p >> 1);
}

void randpatch__lookup(struct emitter *e, const struct rand_unit *unit)
{
	enum randworld_map map =
		RAND_MAP_ARRAY8 + unit->r[0] % (RAND_MAP_PERCPU_HASH - RAND_MAP_ARRAY8 + 1);

	emit_key(e, RAND_SLOT_KEY, randworld_maps[map].key_size, unit->r[1]);
	map_ref(e, R1, map);
	emit_way_to_call(e, unit->r[2]);
	emit_lookup_call(e, map);
	emit_value(e, randworld_maps[map].value_size, unit->r[3]);
}

void randpatch__lookup_nested(struct emitter *e, const struct rand_unit *unit)
{
	enum randworld_map outer = unit->r[0] & 1 ? RAND_MAP_ARRAY_OF_MAPS : RAND_MAP_HASH_OF_MAPS;
	enum randworld_map inner = randworld_maps[outer].inner;
	size_t jump;

	emit_key(e, RAND_SLOT_KEY2, 4, unit->r[2]);
	emit_key(e, RAND_SLOT_KEY, 4, unit->r[1]);
	map_ref(e, R1, outer);
	emit_way_to_call(e, unit->r[4]);
	emit_lookup_call(e, outer);
	jump = e->code->insns.n;
	emitter__put(e, JMP_IMM(BPF_JEQ, R0, 0, 0));
	emitter__put(e, MOV_REG(R1, R0));
	emitter__put(e, MOV_REG(R2, FP));
	emitter__put(e, ALU_IMM(BPF_ADD, R2, RAND_SLOT_KEY2));
	emit_lookup_call(e, inner);
	emit_value(e, randworld_maps[inner].value_size, unit->r[3]);
	if (e->rc == 0)
		e->code->insns.v[jump].off = e->code->insns.n - jump - 1;
}

/* ---- the packet and the context ---- */

static uint8_t packet_size(uint32_t p)
{
	static const uint8_t packet_sizes[] = { BPF_B, BPF_H, BPF_W };

	return packet_sizes[p % ARRAY_SIZE(packet_sizes)];
}

void randpatch__packet(struct emitter *e, const struct rand_unit *unit)
{
	/* Mostly within the packet: where it is not, the program ends. */
	int32_t at = unit->r[1] % (unit->r[0] >> 8 & 15 ? 44 : 250);

	emitter__put(e, INSN(BPF_LD | BPF_ABS | packet_size(unit->r[0]), 0, 0, 0, at));
	if (unit->r[2] & 7)
		randunit__mix(e, R0, unit->r[2] >> 3);
}

void randpatch__packet_at(struct emitter *e, const struct rand_unit *unit)
{
	uint8_t src = unit->r[2] % (R5 + 1);

	randunit__fresh(e, src, unit->r[3]);
	emitter__put(e, ALU_IMM(BPF_AND, src, unit->r[0] >> 8 & 15 ? 31 : 255));
	emitter__put(e,
		     INSN(BPF_LD | BPF_IND | packet_size(unit->r[0]), 0, src, 0, unit->r[1] % 14));
	if (unit->r[4] & 7)
		randunit__mix(e, R0, unit->r[4] >> 3);
}

/* Fields that a socket filter may read, and whose value a test run makes known. */
static const uint8_t fields[] = {
	offsetof(struct __sk_buff, len),      offsetof(struct __sk_buff, pkt_type),
	offsetof(struct __sk_buff, mark),     offsetof(struct __sk_buff, queue_mapping),
	offsetof(struct __sk_buff, protocol), offsetof(struct __sk_buff, vlan_present),
	offsetof(struct __sk_buff, vlan_tci), offsetof(struct __sk_buff, vlan_proto),
	offsetof(struct __sk_buff, priority), offsetof(struct __sk_buff, ingress_ifindex),
	offsetof(struct __sk_buff, ifindex),  offsetof(struct __sk_buff, hash),
	offsetof(struct __sk_buff, cb[0]),    offsetof(struct __sk_buff, cb[1]),
	offsetof(struct __sk_buff, cb[2]),    offsetof(struct __sk_buff, cb[3]),
	offsetof(struct __sk_buff, cb[4]),
};

/* A field, or part of it; those of cb[] also two at once. */
static struct bpf_insn ctx_load(const struct rand_unit *unit, uint8_t dst, uint8_t src)
{
	static const uint8_t sizes[] = { BPF_W, BPF_W, BPF_H, BPF_B };
	static const uint8_t bytes[] = { 4, 4, 2, 1 };
	uint8_t field = fields[unit->r[0] % ARRAY_SIZE(fields)];
	uint32_t p = unit->r[3] & 3, part = unit->r[3] >> 2 & 3;

	if (!patch_model__field_known(field))
		field = offsetof(struct __sk_buff, len);
	/*
	 * Of a field that has 2 bytes in the kernel, the upper half is the lower one
	 * once more, although its 4 bytes here say that it is 0.
	 */
	if (field != offsetof(struct __sk_buff, len) && field < offsetof(struct __sk_buff, cb))
		part = 0;
	if (field == offsetof(struct __sk_buff, cb[2]) && unit->r[3] >> 4 & 1)
		return LDX(BPF_DW, dst, src, field);
	return LDX(sizes[p], dst, src, field + (part & -bytes[p] & 3));
}

void randpatch__ctx_read(struct emitter *e, const struct rand_unit *unit)
{
	uint8_t dst = unit->r[1] % 8;

	dst = dst > R5 ? randunit__num(dst) : dst;
	if (dst <= R5 && unit->r[1] >> 8 & 1) {
		/* Into the register that the address is in. */
		emitter__put(e, MOV_REG(dst, CTX));
		randunit__ctx_access(e, ctx_load(unit, dst, dst));
	} else {
		randunit__ctx_access(e, ctx_load(unit, dst, CTX));
	}
	if (dst <= R5)
		randunit__mix(e, dst, unit->r[2]);
}

void randpatch__ctx_write(struct emitter *e, const struct rand_unit *unit)
{
	int off = offsetof(struct __sk_buff, cb) + 4 * (unit->r[0] % 5);

	if (unit->r[1] & 3)
		randunit__ctx_access(e, STX(BPF_W, CTX, off, randunit__num(unit->r[1] >> 2)));
	else
		randunit__ctx_access(e, ST(BPF_W, CTX, off, unit->r[2]));
}

/* ---- calls ---- */

void randpatch__jiffies(struct emitter *e, const struct rand_unit *unit)
{
	(void)unit;
	emitter__put(e, CALL_HELPER(BPF_FUNC_jiffies64));
}

void randpatch__cpu(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, CALL_HELPER(unit->r[0] & 3 ? BPF_FUNC_get_smp_processor_id
						   : BPF_FUNC_get_current_task));
}

/* Mostly of a slot that is empty, or little is left of the program. */
void randpatch__tail_call(struct emitter *e, const struct rand_unit *unit)
{
	uint32_t slot = unit->r[0] % randworld_maps[RAND_MAP_PROGS].max_entries;

	if (slot == RAND_TAIL_SLOT && unit->r[0] >> 8 & 3)
		slot++;
	emitter__put(e, MOV_REG(R1, CTX));
	map_ref(e, R2, RAND_MAP_PROGS);
	if (unit->r[2] & 7) {
		emitter__put(e, MOV_IMM(R3, slot));
	} else {
		randunit__fresh(e, R3, unit->r[3]);
		emitter__put(e, ALU_IMM(BPF_AND, R3, RAND_TAIL_SLOT | 1));
	}
	emit_way_to_call(e, unit->r[1]);
	emitter__put(e, CALL_HELPER(BPF_FUNC_tail_call));
}

static void emit_kfunc(struct emitter *e, enum interp_kfunc kfunc, enum patch_kind kind)
{
	struct patch_fact fact = { .kind = kind };

	emitter__put(e,
		     INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, e->opts->kfuncs[kfunc]));
	emitter__fact(e, fact);
}

void randpatch__cast(struct emitter *e, const struct rand_unit *unit)
{
	emitter__put(e, MOV_REG(R1, CTX));
	emit_way_to_call(e, unit->r[0]);
	emit_kfunc(e, INTERP_CAST_TO_KERN_CTX, PATCH_KFUNC_CAST);
}

static void emit_iterator(struct emitter *e)
{
	emitter__put(e, MOV_REG(R1, FP));
	emitter__put(e, ALU_IMM(BPF_ADD, R1, RAND_SLOT_ITER));
}

/* The jump back and the one out of the loop are over what is rewritten. */
void randpatch__iterate(struct emitter *e, const struct rand_unit *unit)
{
	int32_t start = (int32_t)unit->r[0] % 1000;
	size_t head, out;

	emit_iterator(e);
	emitter__put(e, MOV_IMM(R2, start));
	if (unit->r[1] & 1) {
		emitter__put(e, MOV_IMM(R3, start + (int32_t)(unit->r[1] >> 1 & 3)));
	} else {
		randunit__fresh(e, R3, unit->r[1] >> 1);
		emitter__put(e, ALU_IMM(BPF_AND, R3, 7));
		emitter__put(e, ALU_IMM(BPF_ADD, R3, start - 2));
	}
	emit_kfunc(e, INTERP_ITER_NUM_NEW, PATCH_KFUNC_ITER_NEW);
	head = e->code->insns.n;
	emit_iterator(e);
	emit_kfunc(e, INTERP_ITER_NUM_NEXT, PATCH_KFUNC_ITER_NEXT);
	out = e->code->insns.n;
	emitter__put(e, JMP_IMM(BPF_JEQ, R0, 0, 0));
	emitter__put(e, LDX(BPF_W, R0, R0, 0));
	randunit__mix(e, R0, unit->r[2]);
	if (unit->r[3] & 1)
		emitter__put(e, randunit__divide(unit->r[4], NUM2, NUM));
	emitter__put(e, INSN(BPF_JMP | BPF_JA, 0, 0, (int)head - (int)e->code->insns.n - 1, 0));
	if (e->rc == 0)
		e->code->insns.v[out].off = e->code->insns.n - out - 1;
	emit_iterator(e);
	emit_kfunc(e, INTERP_ITER_NUM_DESTROY, PATCH_KFUNC_ITER_DESTROY);
}

void randpatch__call(struct emitter *e, const struct rand_unit *unit)
{
	bool ctx = e->prog->funcs.v[unit->target].ctx;

	if (ctx)
		emitter__put(e, MOV_REG(R1, CTX));
	emitter__put(e, MOV_REG(ctx ? R2 : R1, randunit__num(unit->r[0])));
	emit_way_to_call(e, unit->r[1]);
	emitter__put(e, INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0));
	randunit__to(e, RAND_TO_FUNC, unit->target);
	randunit__mix(e, R0, unit->r[2]);
}

void randpatch__loop(struct emitter *e, const struct rand_unit *unit)
{
	bool inlined = unit->r[1] & 3;
	struct patch_fact fact = { .kind = PATCH_LOOP, .stack_depth = e->stack_depth };

	if (unit->r[0] & 1) {
		emitter__put(e, MOV_IMM(R1, 1 + (unit->r[0] >> 1) % 3));
	} else {
		randunit__fresh(e, R1, unit->r[0] >> 1);
		emitter__put(e, ALU_IMM(BPF_AND, R1, 3));
	}
	randunit__imm64(e, R2, BPF_PSEUDO_FUNC, 0, 0);
	randunit__to(e, RAND_TO_FUNC, unit->target);
	emitter__put(e, MOV_IMM(R3, 0));
	if (inlined)
		emitter__put(e, MOV_IMM(R4, 0));
	else
		emitter__put(e, LDX(BPF_DW, R4, DATA, 8 * RAND_ZERO));
	emitter__put(e, CALL_HELPER(BPF_FUNC_loop));
	if (inlined) {
		emitter__fact(e, fact);
		randunit__to(e, RAND_TO_FUNC, unit->target);
	}
	randunit__mix(e, R0, unit->r[2]);
}
