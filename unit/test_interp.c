// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "interp.h"
#include "interp_alu.h"

#define INSN(c, d, s, o, i)                                                         \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}
#define MOV(d, i)  INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define MOVX(d, s) INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define EXIT	   INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define CALL(id)   INSN(BPF_JMP | BPF_CALL, 0, 0, 0, id)
#define MAP(d, fd)                                                    \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_FD, 0, fd), \
	{                                                             \
		.imm = 0                                              \
	}
#define VALUE(d, fd, off)                                                \
	INSN(BPF_LD | BPF_IMM | BPF_DW, d, BPF_PSEUDO_MAP_VALUE, 0, fd), \
	{                                                                \
		.imm = off                                               \
	}

enum { FD_NUMBERS = 40, FD_OUTER, FD_PROGS, ITER_NEW = 900, ITER_NEXT, ITER_DESTROY, CAST };

static uint64_t numbers[4];
static const uint32_t inner[2] = { 0, 0 };
static uint32_t progs[2] = { 0, 77 };
static const struct interp_map maps[] = {
	{ .key_size = 4, .value_size = 8, .n = ARRAY_SIZE(numbers), .values = (uint8_t *)numbers },
	{ .key_size = 4, .value_size = 4, .n = ARRAY_SIZE(inner), .inner = inner },
	{ .key_size = 4, .value_size = 4, .n = ARRAY_SIZE(progs), .values = (uint8_t *)progs },
};
static const int map_fds[] = { FD_NUMBERS, FD_OUTER, FD_PROGS };
static const int32_t kfuncs[INTERP_KFUNCS] = { CAST, ITER_NEW, ITER_NEXT, ITER_DESTROY };
static const uint8_t packet[] = { 0x01, 0x02, 0x03, 0x84, 0x05 };
static const struct __sk_buff skb = { .len = sizeof(packet), .mark = 77 };
static const struct interp_env env = {
	.maps = maps,
	.n_maps = ARRAY_SIZE(maps),
	.map_fds = map_fds,
	.kfuncs = kfuncs,
	.packet = packet,
	.packet_len = sizeof(packet),
	.skb = &skb,
	.max_steps = 1000,
};

static int setup(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		numbers[i] = 100 + i;
	return 0;
}

#define assert_returns(value, ...)                                                    \
	do {                                                                          \
		const struct bpf_insn insns_[] = { __VA_ARGS__ };                     \
		struct err err_ = {};                                                 \
		uint64_t r0_ = 0xdead;                                                \
		int rc_ = interp__run(&env, insns_, ARRAY_SIZE(insns_), &r0_, &err_); \
		assert_string_equal(err_.text, "");                                   \
		assert_int_equal(rc_, 0);                                             \
		assert_int_equal(r0_, (uint64_t)(value));                             \
	} while (0)

#define assert_refused(error, words, ...)                                                    \
	do {                                                                                 \
		const struct bpf_insn insns_[] = { __VA_ARGS__ };                            \
		struct err err_ = {};                                                        \
		uint64_t r0_ = 0xdead;                                                       \
		assert_int_equal(interp__run(&env, insns_, ARRAY_SIZE(insns_), &r0_, &err_), \
				 error);                                                     \
		assert_non_null(strstr(err_.text, words));                                   \
		assert_int_equal(r0_, 0xdead);                                               \
	} while (0)

struct alu_case {
	uint8_t code;
	int16_t off;
	uint64_t dst, src, want;
};

#define A64(op) (BPF_ALU64 | (op) | BPF_X)
#define A32(op) (BPF_ALU | (op) | BPF_X)

static void arithmetic(void **state __unused_arg)
{
	static const struct alu_case cases[] = {
		{ A64(BPF_ADD), 0, UINT64_MAX, 2, 1 },
		{ A32(BPF_ADD), 0, 0xffffffffffffffff, 2, 1 },
		{ A64(BPF_SUB), 0, 1, 2, UINT64_MAX },
		{ A32(BPF_SUB), 0, 1, 2, 0xffffffff },
		{ A64(BPF_MUL), 0, 1ULL << 63, 2, 0 },
		{ A32(BPF_MUL), 0, 0x100000003, 0x700000005, 15 },
		{ A64(BPF_DIV), 0, 7, 0, 0 },
		{ A32(BPF_DIV), 0, 7, 0x100000000, 0 },
		{ A64(BPF_DIV), 0, UINT64_MAX, 2, INT64_MAX },
		{ A32(BPF_DIV), 0, UINT64_MAX, 2, INT32_MAX },
		{ A64(BPF_MOD), 0, 0x1234567890, 0, 0x1234567890 },
		{ A32(BPF_MOD), 0, 0x1234567890, 0, 0x34567890 },
		{ A64(BPF_MOD), 0, UINT64_MAX, 10, 5 },
		{ A64(BPF_DIV), 1, -7, 2, -3 },
		{ A64(BPF_DIV), 1, 7, -2, -3 },
		{ A64(BPF_DIV), 1, 7, 0, 0 },
		{ A64(BPF_DIV), 1, (uint64_t)INT64_MIN, -1, (uint64_t)INT64_MIN },
		{ A32(BPF_DIV), 1, 0xfffffff9, 2, 0xfffffffd },
		{ A32(BPF_DIV), 1, 0x80000000, 0xffffffff, 0x80000000 },
		{ A64(BPF_MOD), 1, -7, 2, -1 },
		{ A64(BPF_MOD), 1, 7, -2, 1 },
		{ A64(BPF_MOD), 1, -7, 0, -7 },
		{ A64(BPF_MOD), 1, (uint64_t)INT64_MIN, -1, 0 },
		{ A32(BPF_MOD), 1, 0x80000000, 0xffffffff, 0 },
		{ A32(BPF_MOD), 1, 0xfffffff9, 2, 0xffffffff },
		{ A32(BPF_MOD), 1, 0x1fffffff9, 0, 0xfffffff9 },
		{ A64(BPF_OR), 0, 5, 10, 15 },
		{ A64(BPF_AND), 0, 7, 10, 2 },
		{ A32(BPF_XOR), 0, UINT64_MAX, 1, 0xfffffffe },
		{ A64(BPF_LSH), 0, 1, 65, 2 },
		{ A32(BPF_LSH), 0, 0x80000001, 33, 2 },
		{ A64(BPF_RSH), 0, 1ULL << 63, 63, 1 },
		{ A32(BPF_RSH), 0, 0xffff00000080, 4, 8 },
		{ A64(BPF_ARSH), 0, -8, 1, -4 },
		{ A32(BPF_ARSH), 0, 0x80000000, 31, 0xffffffff },
		{ A64(BPF_MOV), 0, 0, UINT64_MAX, UINT64_MAX },
		{ A32(BPF_MOV), 0, 0, UINT64_MAX, UINT32_MAX },
		{ A64(BPF_MOV), 8, 0, 0x180, -128 },
		{ A64(BPF_MOV), 16, 0, 0x18000, -32768 },
		{ A64(BPF_MOV), 32, 0, 0x180000000, INT32_MIN },
		{ A32(BPF_MOV), 8, 0, 0x80, 0xffffff80 },
		{ A32(BPF_MOV), 16, 0, 0x7fff, 0x7fff },
		{ BPF_ALU64 | BPF_NEG, 0, 1, 0, -1 },
		{ BPF_ALU | BPF_NEG, 0, 1, 0, 0xffffffff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct alu_case *c = &cases[i];
		const struct bpf_insn insn = { .code = c->code, .off = c->off };
		uint64_t got = 0;

		assert_int_equal(interp_alu__insn(&insn, c->dst, c->src, &got), 0);
		if (got != c->want)
			fail_msg("case %zu: 0x%llx, expected 0x%llx", i, (unsigned long long)got,
				 (unsigned long long)c->want);
	}
}

static void constants_are_extended(void **state __unused_arg)
{
	assert_returns(-1, MOV(0, -1), EXIT);
	assert_returns(0xffffffff, INSN(BPF_ALU | BPF_MOV | BPF_K, 0, 0, 0, -1), EXIT);
	assert_returns(0xfffffffffffffff0, MOV(0, -1),
		       INSN(BPF_ALU64 | BPF_AND | BPF_K, 0, 0, 0, -16), EXIT);
	assert_returns(0, MOV(0, 5), INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 0, -1), EXIT);
	assert_returns(-5, MOV(0, 5), INSN(BPF_ALU64 | BPF_DIV | BPF_K, 0, 0, 1, -1), EXIT);
	assert_returns(0x8877665544332211, INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 0x44332211),
		       { .imm = (int)0x88776655 }, EXIT);
}

static void bytes_are_swapped(void **state __unused_arg)
{
	static const struct {
		uint8_t code;
		int imm;
		uint64_t want;
	} cases[] = {
		{ BPF_ALU | BPF_END | BPF_TO_LE, 16, 0x7788 },
		{ BPF_ALU | BPF_END | BPF_TO_LE, 32, 0x55667788 },
		{ BPF_ALU | BPF_END | BPF_TO_LE, 64, 0x1122334455667788 },
		{ BPF_ALU | BPF_END | BPF_TO_BE, 16, 0x8877 },
		{ BPF_ALU | BPF_END | BPF_TO_BE, 32, 0x88776655 },
		{ BPF_ALU | BPF_END | BPF_TO_BE, 64, 0x8877665544332211 },
		{ BPF_ALU64 | BPF_END, 16, 0x8877 },
		{ BPF_ALU64 | BPF_END, 32, 0x88776655 },
		{ BPF_ALU64 | BPF_END, 64, 0x8877665544332211 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_returns(cases[i].want, INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 0x55667788),
			       { .imm = 0x11223344 }, INSN(cases[i].code, 0, 0, 0, cases[i].imm),
			       EXIT);
}

static void comparisons(void **state __unused_arg)
{
	static const struct {
		uint8_t op;
		uint64_t dst, src;
		int wide, narrow;
	} cases[] = {
		{ BPF_JEQ, 0x100000001, 1, 0, 1 },
		{ BPF_JNE, 0x100000001, 1, 1, 0 },
		{ BPF_JGT, -1, 1, 1, 1 },
		{ BPF_JSGT, -1, 1, 0, 0 },
		{ BPF_JGE, 0x100000000, 1, 1, 0 },
		{ BPF_JSGE, 0x80000000, 0, 1, 0 },
		{ BPF_JLT, 1, -1, 1, 1 },
		{ BPF_JSLT, 1, -1, 0, 0 },
		{ BPF_JLE, 0x100000000, 5, 0, 1 },
		{ BPF_JSLE, 0x80000000, 0, 0, 1 },
		{ BPF_JSET, 0x100000000, -1, 1, 0 },
		{ BPF_JSET, 6, 1, 0, 0 },
		{ BPF_JGE, 7, 7, 1, 1 },
		{ BPF_JGT, 7, 7, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(interp_alu__compare(cases[i].op, cases[i].dst, cases[i].src, true),
				 cases[i].wide);
		assert_int_equal(interp_alu__compare(cases[i].op, cases[i].dst, cases[i].src,
						     false),
				 cases[i].narrow);
	}
	assert_int_equal(interp_alu__compare(BPF_CALL, 0, 0, true), -EINVAL);
}

static void jumps(void **state __unused_arg)
{
	assert_returns(1, MOV(0, 1), INSN(BPF_JMP | BPF_JA, 0, 0, 1, 0), MOV(0, 2), EXIT);
	assert_returns(1, MOV(0, 1), INSN(BPF_JMP32 | BPF_JA, 0, 0, 0, 1), MOV(0, 2), EXIT);
	assert_returns(2, MOV(0, 1), INSN(BPF_JMP | BPF_JCOND, 0, 0, 1, 0), MOV(0, 2), EXIT);
	assert_returns(10, MOV(0, 0), INSN(BPF_ALU64 | BPF_ADD | BPF_K, 0, 0, 0, 1),
		       INSN(BPF_JMP | BPF_JLT | BPF_K, 0, 0, -2, 10), EXIT);
	assert_refused(-ELOOP, "too long", INSN(BPF_JMP | BPF_JA, 0, 0, -1, 0));
	assert_refused(-EINVAL, "not in the program", MOV(0, 1),
		       INSN(BPF_JMP | BPF_JA, 0, 0, -3, 0));
}

static void memory(void **state __unused_arg)
{
	assert_returns(0xfe, MOV(1, -2), INSN(BPF_STX | BPF_MEM | BPF_DW, 10, 1, -8, 0),
		       INSN(BPF_LDX | BPF_MEM | BPF_B, 0, 10, -8, 0), EXIT);
	assert_returns(-2, MOV(1, -2), INSN(BPF_STX | BPF_MEM | BPF_H, 10, 1, -8, 0),
		       INSN(BPF_LDX | BPF_MEMSX | BPF_H, 0, 10, -8, 0), EXIT);
	assert_returns(-1, INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -512, -1),
		       INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 10, -512, 0), EXIT);
	assert_returns(102, VALUE(1, FD_NUMBERS, 16), INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 1, 0, 0),
		       EXIT);
	assert_returns(77,
		       INSN(BPF_LDX | BPF_MEM | BPF_W, 0, 1, offsetof(struct __sk_buff, mark), 0),
		       EXIT);
	assert_returns(9,
		       INSN(BPF_ST | BPF_MEM | BPF_W, 1, 0, offsetof(struct __sk_buff, cb[2]), 9),
		       INSN(BPF_LDX | BPF_MEM | BPF_W, 0, 1, offsetof(struct __sk_buff, cb[2]), 0),
		       EXIT);
	assert_refused(-EFAULT, "reads", INSN(BPF_LDX | BPF_MEM | BPF_B, 0, 10, 0, 0), EXIT);
	assert_refused(-EFAULT, "writes", INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -513, 0), EXIT);
	assert_refused(-EFAULT, "writes", INSN(BPF_ST | BPF_MEM | BPF_W, 1, 0, 0, 0), EXIT);
	assert_refused(-EFAULT, "reads", VALUE(1, FD_NUMBERS, 25),
		       INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 1, 0, 0), EXIT);
}

#define ATOMIC(size, op)                                 \
	VALUE(1, FD_NUMBERS, 0), MOV(2, 3), MOV(0, 100), \
		INSN(BPF_STX | BPF_ATOMIC | (size), 1, 2, 0, op), MOVX(3, 2)
#define MEMORY INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 1, 0, 0), EXIT

static void atomics(void **state __unused_arg)
{
	static const struct {
		int op;
		uint64_t memory, src, r0;
	} cases[] = {
		{ BPF_ADD, 103, 3, 100 },
		{ BPF_OR, 103, 3, 100 },
		{ BPF_AND, 0, 3, 100 },
		{ BPF_XOR, 103, 3, 100 },
		{ BPF_ADD | BPF_FETCH, 103, 100, 100 },
		{ BPF_XCHG, 3, 100, 100 },
		{ BPF_CMPXCHG, 3, 3, 100 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		setup(NULL);
		assert_returns(cases[i].src, ATOMIC(BPF_DW, cases[i].op), MOVX(0, 3), EXIT);
		assert_int_equal(numbers[0], cases[i].memory);
		setup(NULL);
		assert_returns(cases[i].r0, ATOMIC(BPF_DW, cases[i].op), EXIT);
	}
	setup(NULL);
	numbers[0] = 0x5ffffffff;
	assert_returns(0x500000002, ATOMIC(BPF_W, BPF_ADD), MEMORY);
	/* Does not hold what was expected of it. */
	assert_returns(0x500000002, ATOMIC(BPF_DW, BPF_CMPXCHG), EXIT);
	assert_int_equal(numbers[0], 0x500000002);
}

#define LD_ABS(size, at) INSN(BPF_LD | BPF_ABS | (size), 0, 0, 0, at)
#define CTX		 MOVX(6, 1), MOV(0, 55)

static void packets(void **state __unused_arg)
{
	assert_returns(0x84, CTX, LD_ABS(BPF_B, 3), EXIT);
	assert_returns(0x0384, CTX, LD_ABS(BPF_H, 2), EXIT);
	assert_returns(0x02038405, CTX, LD_ABS(BPF_W, 1), EXIT);
	/* Not all of it is there: the end, with 0. */
	assert_returns(0, CTX, LD_ABS(BPF_W, 2), MOV(0, 7), EXIT);
	assert_returns(0x0203, CTX, MOV(2, 0x7fffffff),
		       INSN(BPF_LD | BPF_IND | BPF_H, 0, 2, 0, -0x7ffffffe), EXIT);
	assert_refused(-EINVAL, "r6", LD_ABS(BPF_B, 0), EXIT);
	assert_refused(-EINVAL, "below 0", CTX, LD_ABS(BPF_B, -1), EXIT);
	/* The end is that of the function only. */
	assert_returns(30, MOVX(6, 1), INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 2),
		       INSN(BPF_ALU64 | BPF_ADD | BPF_K, 0, 0, 0, 30), EXIT, MOVX(6, 1),
		       LD_ABS(BPF_B, 100), MOV(0, 5), EXIT);
}

#define KEY(k)                                                     \
	INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, k), MOVX(2, 10), \
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4)
#define LOOKUP CALL(BPF_FUNC_map_lookup_elem)

static void lookups(void **state __unused_arg)
{
	assert_returns(103, KEY(3), MAP(1, FD_NUMBERS), LOOKUP,
		       INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 0, 0, 0), EXIT);
	assert_returns(0, KEY(4), MAP(1, FD_NUMBERS), LOOKUP, EXIT);
	assert_returns(101, KEY(1), MAP(1, FD_OUTER), LOOKUP, MOVX(1, 0), MOVX(2, 10),
		       INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4), LOOKUP,
		       INSN(BPF_LDX | BPF_MEM | BPF_DW, 0, 0, 0, 0), EXIT);
	assert_refused(-EINVAL, "not a map", KEY(0), MOV(1, 0), LOOKUP, EXIT);
	assert_refused(-EINVAL, "not a map", MAP(1, 3), EXIT);
	assert_refused(-EFAULT, "key", MAP(1, FD_NUMBERS), MOVX(2, 10), LOOKUP, EXIT);
}

#define TAIL_CALL(slot) MAP(2, FD_PROGS), MOV(3, slot), CALL(BPF_FUNC_tail_call)

static void calls(void **state __unused_arg)
{
	/* r6 is the caller's own; r1 is not there any more. */
	assert_returns(9, MOV(1, 4), MOV(6, 5), INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 2),
		       INSN(BPF_ALU64 | BPF_ADD | BPF_X, 0, 6, 0, 0), EXIT, MOV(6, 1000),
		       MOVX(0, 1), EXIT);
	assert_refused(-EINVAL, "nothing was written", MOV(1, 4), CALL(BPF_FUNC_jiffies64),
		       MOVX(0, 1), EXIT);
	assert_refused(-EINVAL, "nothing was written", MOV(6, 4),
		       INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 1), EXIT, MOVX(0, 6), EXIT);
	assert_refused(-E2BIG, "too deeply", INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, -1),
		       EXIT);
	assert_refused(-EINVAL, "not known here", CALL(9999), EXIT);
	/* Without a program in its slot it goes on, else the function ends. */
	assert_returns(3, TAIL_CALL(0), MOV(0, 3), EXIT);
	assert_returns(77, TAIL_CALL(1), MOV(0, 3), EXIT);
	assert_returns(3, TAIL_CALL(2), MOV(0, 3), EXIT);
	assert_returns(78, INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 2),
		       INSN(BPF_ALU64 | BPF_ADD | BPF_K, 0, 0, 0, 1), EXIT, TAIL_CALL(1), MOV(0, 3),
		       EXIT);
	assert_refused(-EINVAL, "r0 is not set", EXIT);
}

#define LOOP(rounds, flags)                                                                       \
	MOV(1, rounds), INSN(BPF_LD | BPF_IMM | BPF_DW, 2, BPF_PSEUDO_FUNC, 0, 5), {}, MOV(3, 0), \
		MOV(4, flags), CALL(BPF_FUNC_loop), EXIT
#define CALLBACK(stop_at)                                                                          \
	VALUE(5, FD_NUMBERS, 0), INSN(BPF_STX | BPF_ATOMIC | BPF_DW, 5, 1, 0, BPF_ADD), MOV(0, 0), \
		INSN(BPF_JMP | BPF_JNE | BPF_K, 1, 0, 1, stop_at), MOV(0, 1), EXIT

static void loops(void **state __unused_arg)
{
	assert_returns(4, LOOP(4, 0), CALLBACK(100));
	assert_int_equal(numbers[0], 100 + 0 + 1 + 2 + 3);
	assert_returns(3, LOOP(10, 0), CALLBACK(2));
	assert_int_equal(numbers[0], 106 + 0 + 1 + 2);
	assert_returns(0, LOOP(0, 0), CALLBACK(2));
	assert_returns(-EINVAL, LOOP(4, 1), CALLBACK(2));
	assert_returns(-E2BIG, LOOP(9000000, 0), CALLBACK(2));
}

#define KFUNC(id) INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, id)
#define ITERATOR  MOVX(1, 10), INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, -8)
/* Adds up the numbers in r7. */
#define ITERATE(start, end)                                                                     \
	MOV(7, 0), ITERATOR, MOV(2, start), MOV(3, end), KFUNC(ITER_NEW), MOVX(6, 0), ITERATOR, \
		KFUNC(ITER_NEXT), INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3, 0),                  \
		INSN(BPF_LDX | BPF_MEMSX | BPF_W, 0, 0, 0, 0),                                  \
		INSN(BPF_ALU64 | BPF_ADD | BPF_X, 7, 0, 0, 0),                                  \
		INSN(BPF_JMP | BPF_JA, 0, 0, -7, 0), ITERATOR, KFUNC(ITER_DESTROY)

static void iterators(void **state __unused_arg)
{
	assert_returns(3 + 4 + 5, ITERATE(3, 6), MOVX(0, 7), EXIT);
	assert_returns(-3, ITERATE(-2, 0), MOVX(0, 7), EXIT);
	assert_returns(0, ITERATE(3, 3), MOVX(0, 7), EXIT);
	assert_returns(0, ITERATE(3, 3), MOVX(0, 6), EXIT);
	assert_returns(-EINVAL, ITERATE(4, 3), MOVX(0, 6), EXIT);
	assert_returns(-E2BIG, ITERATE(0, 8 * 1024 * 1024 + 1), MOVX(0, 6), EXIT);
	assert_returns(0, ITERATE(0, 8 * 1024 * 1024 + 1), MOVX(0, 7), EXIT);
	assert_refused(-EFAULT, "iterator", MOVX(1, 10), KFUNC(ITER_NEXT), EXIT);
	assert_refused(-EINVAL, "not known here", KFUNC(1), EXIT);
	assert_returns(5, KFUNC(CAST), MOV(0, 5), EXIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic),		cmocka_unit_test(constants_are_extended),
		cmocka_unit_test(bytes_are_swapped),	cmocka_unit_test(comparisons),
		cmocka_unit_test_setup(jumps, setup),	cmocka_unit_test_setup(memory, setup),
		cmocka_unit_test_setup(atomics, setup), cmocka_unit_test_setup(packets, setup),
		cmocka_unit_test_setup(lookups, setup), cmocka_unit_test_setup(calls, setup),
		cmocka_unit_test_setup(loops, setup),	cmocka_unit_test_setup(iterators, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
