// SPDX-License-Identifier: GPL-2.0-only
#include "patch_frame.h"

#include "patch_world.h"

/* An instruction, and what the model is told of it. */
struct step {
	struct bpf_insn insn;
	struct patch_fact fact;
};

struct code {
	const struct step *steps;
	size_t n;
};

#define INSN(op, dst, src, offset, value)                                                         \
	{                                                                                         \
		.code = (op), .dst_reg = (dst), .src_reg = (src), .off = (offset), .imm = (value) \
	}
#define STEP(...)                         \
	{                                 \
		.insn = INSN(__VA_ARGS__) \
	}
#define KNOWN(of, ...)                                                   \
	{                                                                \
		.insn = INSN(__VA_ARGS__), .fact = {.kind = PATCH_##of } \
	}
#define SET(dst, value)	     STEP(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define MOVE(dst, src)	     STEP(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define ADD(dst, value)	     STEP(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value)
#define ADDRESS(dst, depth)  MOVE(dst, BPF_REG_10), ADD(dst, -(depth))
#define HELPER(id)	     STEP(BPF_JMP | BPF_CALL, 0, 0, 0, id)
#define KFUNC(id)	     STEP(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, id)
#define WIDE(dst, src, what) STEP(BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, what), STEP(0, 0, 0, 0, 0)
#define CODE(...)                                                          \
	{                                                                  \
		(const struct step[]){ __VA_ARGS__ },                      \
			ARRAY_SIZE(((const struct step[]){ __VA_ARGS__ })) \
	}
#define OPERANDS CODE(SET(BPF_REG_0, -77), SET(BPF_REG_9, 5))
#define DIVIDE(class, op, is_signed) \
	OPERANDS, CODE(STEP(class | op | BPF_X, BPF_REG_0, BPF_REG_9, is_signed, 0))
#define BY_MINUS_1(class, op)	       OPERANDS, CODE(STEP(class | op | BPF_K, BPF_REG_0, 0, 1, -1))
#define PACKET(mode, size, src, value) OPERANDS, CODE(STEP(BPF_LD | mode | size, 0, src, 0, value))
#define LOOKUP(map)                                                                         \
	CODE(ADDRESS(BPF_REG_2, 8), WIDE(BPF_REG_1, BPF_PSEUDO_MAP_FD, map)),               \
		CODE({ .insn = INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem), \
		       .fact = { .kind = PATCH_LOOKUP } })
#define FIELD(name)	      offsetof(struct __sk_buff, name)
#define LOAD(mode, size, off) KNOWN(CTX, BPF_LDX | mode | size, BPF_REG_0, BPF_REG_6, off, 0)
#define NARROW(name)                                                                             \
	OPERANDS, CODE(LOAD(BPF_MEM, BPF_W, FIELD(name)), LOAD(BPF_MEM, BPF_H, FIELD(name)),     \
		       LOAD(BPF_MEM, BPF_H, FIELD(name) + 2), LOAD(BPF_MEM, BPF_B, FIELD(name)), \
		       LOAD(BPF_MEM, BPF_B, FIELD(name) + 1),                                    \
		       LOAD(BPF_MEMSX, BPF_B, FIELD(name) + 3))
/* The frame's own stack is 16 bytes deep. */
#define MAY_GOTO(off)                                                                         \
	{                                                                                     \
		.insn = INSN(BPF_JMP | BPF_JCOND, 0, 0, off, 0), .fact = {.stack_depth = 16 } \
	}
#define LOOP                                                                            \
	CODE(SET(BPF_REG_1, 3), WIDE(BPF_REG_2, BPF_PSEUDO_FUNC, 0), SET(BPF_REG_3, 0), \
	     SET(BPF_REG_4, 0)),                                                        \
		CODE({ .insn = INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_loop),        \
		       .fact = { .kind = PATCH_LOOP, .stack_depth = 16 } })
#define CAST(to) STEP(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_0, BPF_REG_9, 1, to)
#define ARENA	 CODE(WIDE(BPF_REG_9, BPF_PSEUDO_MAP_FD, MAP_ARENA), CAST(1), SET(BPF_REG_9, 5))

static const struct patch_case {
	const char *name;
	struct code setup, code;
	const char *wants; /* what not all kernels load */
} cases[] = {
	{ "division", DIVIDE(BPF_ALU64, BPF_DIV, 0), NULL },
	{ "division, 32 bits", DIVIDE(BPF_ALU, BPF_DIV, 0), NULL },
	{ "modulo", DIVIDE(BPF_ALU64, BPF_MOD, 0), NULL },
	{ "modulo, 32 bits", DIVIDE(BPF_ALU, BPF_MOD, 0), NULL },
	{ "signed division", DIVIDE(BPF_ALU64, BPF_DIV, 1), NULL },
	{ "signed division, 32 bits", DIVIDE(BPF_ALU, BPF_DIV, 1), NULL },
	{ "signed modulo", DIVIDE(BPF_ALU64, BPF_MOD, 1), NULL },
	{ "signed modulo, 32 bits", DIVIDE(BPF_ALU, BPF_MOD, 1), NULL },
	{ "division by -1", BY_MINUS_1(BPF_ALU64, BPF_DIV), NULL },
	{ "division by -1, 32 bits", BY_MINUS_1(BPF_ALU, BPF_DIV), NULL },
	{ "modulo by -1", BY_MINUS_1(BPF_ALU64, BPF_MOD), NULL },
	{ "modulo by -1, 32 bits", BY_MINUS_1(BPF_ALU, BPF_MOD), NULL },
	{ "byte of the packet", PACKET(BPF_ABS, BPF_B, 0, 3), NULL },
	{ "half of the packet", PACKET(BPF_ABS, BPF_H, 0, 12), NULL },
	{ "word of the packet", PACKET(BPF_ABS, BPF_W, 0, -1), NULL },
	{ "byte of the packet by register", PACKET(BPF_IND, BPF_B, BPF_REG_9, 0), NULL },
	{ "word of the packet by register", PACKET(BPF_IND, BPF_W, BPF_REG_9, 7), NULL },
	{ "hash", LOOKUP(MAP_HASH), NULL },
	{ "least recently used", LOOKUP(MAP_LRU), NULL },
	{ "hash per CPU", LOOKUP(MAP_PERCPU_HASH), NULL },
	{ "hash of maps", LOOKUP(MAP_HASH_OF_MAPS), NULL },
	{ "array", LOOKUP(MAP_ARRAY), NULL },
	{ "array of 24 bytes", LOOKUP(MAP_ARRAY_OF_24), NULL },
	{ "array per CPU", LOOKUP(MAP_PERCPU_ARRAY), NULL },
	{ "array of maps", LOOKUP(MAP_ARRAY_OF_MAPS), NULL },
	{ "skb len", NARROW(len), NULL },
	{ "skb pkt_type", NARROW(pkt_type), NULL },
	{ "skb mark", NARROW(mark), NULL },
	{ "skb queue_mapping", NARROW(queue_mapping), NULL },
	{ "skb protocol", NARROW(protocol), NULL },
	{ "skb vlan_present", NARROW(vlan_present), NULL },
	{ "skb vlan_tci", NARROW(vlan_tci), NULL },
	{ "skb vlan_proto", NARROW(vlan_proto), NULL },
	{ "skb priority", NARROW(priority), NULL },
	{ "skb ingress_ifindex", NARROW(ingress_ifindex), NULL },
	{ "skb ifindex", NARROW(ifindex), NULL },
	{ "skb hash", NARROW(hash), NULL },
	{ "skb cb", OPERANDS,
	  CODE(LOAD(BPF_MEM, BPF_DW, FIELD(cb[0])), LOAD(BPF_MEM, BPF_B, FIELD(cb[1]) + 3),
	       KNOWN(CTX, BPF_STX | BPF_MEM | BPF_W, BPF_REG_6, BPF_REG_9, FIELD(cb[4]), 0),
	       KNOWN(CTX, BPF_STX | BPF_MEM | BPF_H, BPF_REG_6, BPF_REG_9, FIELD(cb[3]) + 2, 0),
	       KNOWN(CTX, BPF_ST | BPF_MEM | BPF_W, BPF_REG_6, 0, FIELD(cb[2]), 99)),
	  NULL },
	{ "may_goto", OPERANDS, CODE(MAY_GOTO(1), SET(BPF_REG_9, 1)), NULL },
	{ "may_goto back", OPERANDS,
	  CODE(SET(BPF_REG_9, 1), MAY_GOTO(1), STEP(BPF_JMP | BPF_JA, 0, 0, -3, 0)), NULL },
	{ "jumps to the next", OPERANDS,
	  CODE(STEP(BPF_JMP | BPF_JA, 0, 0, 0, 0), MAY_GOTO(0), SET(BPF_REG_9, 1)), NULL },
	{ "jumps to what goes", OPERANDS,
	  CODE(MAY_GOTO(1), MAY_GOTO(0), MAY_GOTO(2), SET(BPF_REG_9, 1), MAY_GOTO(0)), NULL },
	{ "gotol", OPERANDS,
	  CODE(STEP(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_7, 0, 1, 3),
	       STEP(BPF_JMP32 | BPF_JA, 0, 0, 0, 1),
	       STEP(BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0)),
	  NULL },
	{ "loop", LOOP, NULL },
	{ "call", CODE(SET(BPF_REG_1, 1), SET(BPF_REG_2, 2)),
	  CODE(STEP(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0)), NULL },
	{ "jiffies", OPERANDS, CODE(HELPER(BPF_FUNC_jiffies64)), NULL },
	{ "CPU", OPERANDS, CODE(HELPER(BPF_FUNC_get_smp_processor_id)), NULL },
	{ "task", OPERANDS, CODE(HELPER(BPF_FUNC_get_current_task)), NULL },
	{ "other helper", OPERANDS, CODE(HELPER(BPF_FUNC_ktime_get_ns)), NULL },
	{ "tail call",
	  CODE(MOVE(BPF_REG_1, BPF_REG_6), WIDE(BPF_REG_2, BPF_PSEUDO_MAP_FD, MAP_PROGS),
	       SET(BPF_REG_3, 1)),
	  CODE(HELPER(BPF_FUNC_tail_call)), NULL },
	{ "iterator of numbers", CODE(ADDRESS(BPF_REG_1, 16), SET(BPF_REG_2, 0), SET(BPF_REG_3, 2)),
	  CODE(KNOWN(KFUNC_ITER_NEW, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, KFUNC_NEW),
	       ADDRESS(BPF_REG_1, 16),
	       KNOWN(KFUNC_ITER_NEXT, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, KFUNC_NEXT),
	       ADDRESS(BPF_REG_1, 16),
	       KNOWN(KFUNC_ITER_DESTROY, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0,
		     KFUNC_DESTROY)),
	  NULL },
	{ "cast of a pointer", CODE(ADDRESS(BPF_REG_1, 8), SET(BPF_REG_2, 0)),
	  CODE(KNOWN(KFUNC_CAST, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, KFUNC_CAST)),
	  NULL },
	{ "address spaces", ARENA, CODE(CAST(1), CAST(1 << 16)), NULL },
	{ "pointer into an arena", ARENA,
	  CODE(CAST(1), KNOWN(ARENA_ALU, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_0, 0, 0, 8),
	       KNOWN(ARENA_ALU, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0)),
	  NULL },
	{ "value in a map", OPERANDS, CODE(WIDE(BPF_REG_1, BPF_PSEUDO_MAP_VALUE, MAP_ARRAY_OF_24)),
	  NULL },
	{ "dead code between divisions", OPERANDS,
	  CODE(STEP(BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0),
	       KNOWN(TAKEN, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_9, 0, 2, 5),
	       KNOWN(DEAD, BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0),
	       KNOWN(DEAD, BPF_JMP | BPF_JA, 0, 0, 1, 0),
	       STEP(BPF_ALU | BPF_MOD | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0),
	       STEP(BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0)),
	  NULL },
	{ "dead code at the end", OPERANDS,
	  CODE(STEP(BPF_ALU | BPF_MOD | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0),
	       KNOWN(TAKEN, BPF_JMP32 | BPF_JLT | BPF_K, BPF_REG_9, 0, 3, 9),
	       KNOWN(DEAD, BPF_LD | BPF_IMM | BPF_DW, BPF_REG_0, 0, 0, 9),
	       KNOWN(DEAD, 0, 0, 0, 0, 0),
	       KNOWN(DEAD, BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0)),
	  NULL },
	{ "branches of one way", OPERANDS,
	  CODE(KNOWN(NOT_TAKEN, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_9, 0, 2, 5),
	       STEP(BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0),
	       KNOWN(TAKEN, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_9, 0, 2, 5),
	       KNOWN(DEAD, BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 0, 0),
	       KNOWN(DEAD, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_9, 0, 0, 1),
	       STEP(BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_9, 1, 0)),
	  NULL },
	{ "value of a CPU in a map", OPERANDS,
	  CODE(KNOWN(PERCPU_VALUE, BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_VALUE, 0,
		     MAP_PERCPU_ARRAY),
	       STEP(0, 0, 0, 0, 0)),
	  "values of maps per CPU by address" },
};

/* ---- building ------------------------------------------------------------------ */

static void add(struct patch_frame *frame, struct bpf_insn insn, struct patch_fact fact)
{
	frame->insns[frame->n] = insn;
	frame->facts[frame->n++] = fact;
}

/* Replaces numbers of this file by descriptors, sizes and ids. */
static void add_code(struct patch_frame *frame, const struct patch_world *world,
		     const struct code *code)
{
	for (size_t i = 0; i < code->n; i++) {
		struct step step = code->steps[i];
		struct bpf_insn *insn = &step.insn;

		if (insn->code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    (insn->src_reg == BPF_PSEUDO_MAP_FD || insn->src_reg == BPF_PSEUDO_MAP_VALUE)) {
			if (insn->imm == MAP_ARENA && world->maps[MAP_ARENA] < 0)
				frame->lacks = world->no_arena.text;
			insn->imm = world->maps[insn->imm];
		}
		if (insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_KFUNC_CALL)
			insn->imm = world->kfuncs[insn->imm];
		add(frame, step.insn, step.fact);
	}
}

/* The lookup's map is that of the 64-bit immediate right in front of insns[end]. */
static void tell_map(struct patch_frame *frame, const struct patch_world *world, size_t end,
		     size_t lookup)
{
	size_t map = 0;

	while (map < MAP_COUNT - 1 && world->maps[map] != frame->insns[end - 2].imm)
		map++;
	frame->facts[lookup].map.type = patch_maps[map].type;
	frame->facts[lookup].map.key_size = patch_maps[map].key_size;
	frame->facts[lookup].map.value_size = patch_maps[map].value_size;
	frame->facts[lookup].map.max_entries = patch_maps[map].max_entries;
}

/* Its first instruction is one that gets a prologue, and it is called from wherever it is. */
static const struct code function =
	CODE({ .insn = INSN(BPF_JMP | BPF_JCOND, 0, 0, 1, 0) }, SET(BPF_REG_2, 1),
	     SET(BPF_REG_1, 3), SET(BPF_REG_0, 7),
	     STEP(BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_1, 0, 0), SET(BPF_REG_0, 0),
	     STEP(BPF_JMP | BPF_EXIT, 0, 0, 0, 0));

static const struct code beginning =
	CODE(MOVE(BPF_REG_6, BPF_REG_1),
	     KNOWN(CTX, BPF_LDX | BPF_MEM | BPF_W, BPF_REG_7, BPF_REG_6, FIELD(len), 0),
	     STEP(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0),
	     STEP(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -16, 0), SET(BPF_REG_8, 0));

static void build(struct patch_frame *frame, const struct patch_world *world,
		  const struct patch_case *c)
{
	const struct patch_fact none = {};
	size_t loop, over, at, behind;
	bool calls = false;

	add_code(frame, world, &beginning);
	loop = frame->n;
	add_code(frame, world, &c->setup);
	over = frame->n;
	add(frame, (struct bpf_insn)INSN(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_7, 0, 0, 60), none);
	add(frame, (struct bpf_insn)INSN(BPF_JMP32 | BPF_JLT | BPF_K, BPF_REG_7, 0, 1, 70), none);
	add(frame, (struct bpf_insn)INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_7, 0, 0, 1), none);
	at = frame->n;
	add_code(frame, world, &c->code);
	behind = frame->n;
	frame->insns[over].off = behind - over - 1;
	add(frame, (struct bpf_insn)INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_8, 0, 0, 1), none);
	add(frame, (struct bpf_insn)INSN(BPF_JMP | BPF_JLT | BPF_K, BPF_REG_8, 0, 0, 2), none);
	frame->insns[behind + 1].off = (int)loop - (int)behind - 2;
	add(frame, (struct bpf_insn)INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0), none);
	add(frame, (struct bpf_insn)INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0), none);
	for (size_t i = loop; i < behind; i++) {
		struct bpf_insn *insn = &frame->insns[i];

		if ((insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL) ||
		    (insn->code == (BPF_LD | BPF_IMM | BPF_DW) &&
		     insn->src_reg == BPF_PSEUDO_FUNC)) {
			insn->imm = frame->n - i - 1;
			calls = true;
		}
	}
	if (frame->facts[at].kind == PATCH_LOOKUP)
		tell_map(frame, world, over, at);
	if (frame->facts[at].kind == PATCH_LOOP)
		frame->facts[at].callback = frame->n;
	if (calls) {
		frame->func = frame->n;
		add_code(frame, world, &function);
	}
}

size_t patch_frame__count(void)
{
	return ARRAY_SIZE(cases);
}

const char *patch_frame__name(size_t index)
{
	return cases[index].name;
}

void patch_frame__build(const struct patch_world *world, size_t index,
			struct patch_frame *ret_frame)
{
	*ret_frame = (struct patch_frame){ .name = cases[index].name, .wants = cases[index].wants };
	build(ret_frame, world, &cases[index]);
}

int patch_frame__load(const struct patch_frame *frame, const struct patch_world *world,
		      const struct bpf_line_info *lines, size_t n_lines, char *log, size_t log_len)
{
	const struct bpf_func_info funcs[] = {
		{ .insn_off = 0, .type_id = world->btf.func },
		{ .insn_off = frame->func, .type_id = world->btf.func + 1 },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_btf_fd = world->btf.fd, .func_info = funcs,
		    .func_info_cnt = frame->func ? 2 : 1, .func_info_rec_size = sizeof(*funcs),
		    .line_info = n_lines ? lines : NULL, .line_info_cnt = n_lines,
		    .line_info_rec_size = sizeof(*lines), .log_buf = log, .log_size = log_len,
		    .log_level = 1);

	return bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "patch_frame", "GPL", frame->insns,
			     frame->n, &opts);
}
