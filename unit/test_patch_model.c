// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cleanup.h"
#include "disasm.h"
#include "patch_model.h"

#define INSN(op, dst, src, offset, value)                                                         \
	{                                                                                         \
		.code = (op), .dst_reg = (dst), .src_reg = (src), .off = (offset), .imm = (value) \
	}
#define SET(dst, value)	  INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define DIV(dst, src)	  INSN(BPF_ALU64 | BPF_DIV | BPF_X, dst, src, 0, 0)
#define GOTO(off)	  INSN(BPF_JMP | BPF_JA, 0, 0, off, 0)
#define GOTOL(off)	  INSN(BPF_JMP32 | BPF_JA, 0, 0, 0, off)
#define IF_0(dst, off)	  INSN(BPF_JMP | BPF_JEQ | BPF_K, dst, 0, off, 0)
#define IF_0_32(dst, off) INSN(BPF_JMP32 | BPF_JEQ | BPF_K, dst, 0, off, 0)
#define CALL(off)	  INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, off)
#define FUNC(dst, off) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_FUNC, 0, off), INSN(0, 0, 0, 0, 0)
#define HELPER(id)    INSN(BPF_JMP | BPF_CALL, 0, 0, 0, id)
#define MAY_GOTO(off) INSN(BPF_JMP | BPF_JCOND, 0, 0, off, 0)
#define EXIT	      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

static struct patch_env env_timed(void)
{
	struct patch_env env = patch_env_unknown;

	env.timed_may_goto = true;
	env.smp = true;
	env.array_value = 312;
	env.htab_key = 48;
	return env;
}

static void expand(const struct bpf_insn *insns, size_t n, const struct patch_fact *facts,
		   struct patch_model *ret_model)
{
	const struct patch_env env = env_timed();
	struct err err = {};

	if (patch_model__expand(insns, n, facts, &env, ret_model, &err) < 0)
		fail_msg("%s", err.text);
}

/* The program's text after the pass. */
static char *text_of(const struct bpf_insn *insns, size_t n, const struct patch_fact *facts)
{
	_cleanup_(patch_model__free) struct patch_model model = {};
	char *text = NULL;

	expand(insns, n, facts, &model);
	assert_int_equal(disasm__text(model.insns, model.n, &disasm_xlated, &text), 0);
	return text;
}

static void over_onto_and_behind(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = {
		SET(6, 1),   IF_0(7, 3), IF_0_32(7, 1), IF_0(8, 1), DIV(6, 7),
		IF_0(9, -2), GOTO(-3),	 GOTOL(-7),	EXIT,
	};
	_cleanup_free_ char *text = text_of(insns, ARRAY_SIZE(insns), NULL);

	/* 1 jumps behind the division, 2 onto it, 3 behind it; 5 onto it, 6 onto 4, 7 to 1. */
	assert_string_equal(text, "0: r6 = 1\n"
				  "1: if r7 == 0x0 goto pc+6\n"
				  "2: if w7 == 0x0 goto pc+1\n"
				  "3: if r8 == 0x0 goto pc+4\n"
				  "4: if r7 != 0x0 goto pc+2\n"
				  "5: w6 ^= w6\n"
				  "6: goto pc+1\n"
				  "7: r6 /= r7\n"
				  "8: if r9 == 0x0 goto pc-5\n"
				  "9: goto pc-6\n"
				  "10: gotol pc-10\n"
				  "11: exit\n");
}

static void where_instructions_went(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = { SET(6, 1), DIV(6, 7), GOTO(0), DIV(6, 7), EXIT };
	static const size_t first[] = { 0, 1, 5, 5, 9, 10 };
	_cleanup_(patch_model__free) struct patch_model model = {};

	expand(insns, ARRAY_SIZE(insns), NULL, &model);
	assert_int_equal(model.n_in, ARRAY_SIZE(insns));
	assert_int_equal(model.n, 10);
	assert_memory_equal(model.first, first, sizeof(first));
	assert_memory_equal(model.entry, first, sizeof(first));
}

static void calls_and_functions(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = {
		DIV(6, 7),	     FUNC(2, 6), DIV(6, 7), CALL(1), EXIT,
		/* 6 */ DIV(1, 2),   EXIT,
		/* 8 */ MAY_GOTO(1), DIV(1, 2),	 CALL(-5),  EXIT,
	};
	struct patch_fact facts[ARRAY_SIZE(insns)] = { [8] = { .stack_depth = 40 } };
	_cleanup_free_ char *text = text_of(insns, ARRAY_SIZE(insns), facts);

	/* The second half is the function's number. */
	assert_non_null(strstr(text, "\n4: r2 = 0x20000000c\n"));
	assert_non_null(strstr(text, "\n10: call pc+1\n"));
	assert_non_null(strstr(text, "\n17: *(u64 *)(r10 -56) = 65535\n"
				     "18: *(u64 *)(r10 -48) = 0\n"
				     "19: r11 = *(u64 *)(r10 -56)\n"
				     "20: if r11 == 0x0 goto pc+9\n"));
	assert_non_null(strstr(text, "\n30: call pc-19\n"));
}

/* Jumps to the beginning of a function are behind what a call of it does first. */
static void beginnings(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = { SET(0, 0),   CALL(1),	EXIT,
						 MAY_GOTO(1), GOTO(-2), EXIT };
	_cleanup_(patch_model__free) struct patch_model model = {};

	expand(insns, ARRAY_SIZE(insns), NULL, &model);
	assert_int_equal(model.entry[3], 3);
	assert_int_equal(model.first[3], 5);
	assert_int_equal(model.insns[1].off, 1);
	assert_int_equal(model.insns[1].imm, 1);
	assert_int_equal(model.insns[12].code, BPF_JMP | BPF_JA);
	assert_int_equal(model.insns[12].off, -8);
	assert_int_equal(model.insns[6].off, 6);
}

/* Dead code goes, with the function that nobody else calls, and so do branches of one way. */
static void dead_code(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = {
		IF_0(7, 2),	    DIV(6, 7), CALL(4), DIV(6, 7), IF_0(8, 1), CALL(4), EXIT,
		/* 7 */ DIV(0, 1),  EXIT,
		/* 9 */ EXIT,
		/* 10 */ DIV(0, 1), EXIT,
	};
	static const struct patch_fact facts[ARRAY_SIZE(insns)] = {
		[0] = { .kind = PATCH_TAKEN }, [1] = { .kind = PATCH_DEAD },
		[2] = { .kind = PATCH_DEAD },  [4] = { .kind = PATCH_NOT_TAKEN },
		[7] = { .kind = PATCH_DEAD },  [8] = { .kind = PATCH_DEAD },
		[9] = { .kind = PATCH_DEAD },
	};
	_cleanup_free_ char *text = text_of(insns, ARRAY_SIZE(insns), facts);

	assert_string_equal(text, "0: if r7 != 0x0 goto pc+2\n"
				  "1: w6 ^= w6\n"
				  "2: goto pc+1\n"
				  "3: r6 /= r7\n"
				  "4: call pc+1\n"
				  "5: exit\n"
				  "6: if r1 != 0x0 goto pc+2\n"
				  "7: w0 ^= w0\n"
				  "8: goto pc+1\n"
				  "9: r0 /= r1\n"
				  "10: exit\n");
}

/* Facts decide what stands for a call. */
static void lookups_and_loops(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = {
		HELPER(BPF_FUNC_map_lookup_elem),
		IF_0(0, -2),
		FUNC(2, 3),
		HELPER(BPF_FUNC_loop),
		MAY_GOTO(1),
		EXIT,
		EXIT,
	};
	struct patch_fact facts[ARRAY_SIZE(insns)] = {
		[0] = { .kind = PATCH_LOOKUP,
			.map = { BPF_MAP_TYPE_ARRAY, 4, 20, 5, .masked = true } },
		[4] = { .kind = PATCH_LOOP, .callback = 6, .stack_depth = 16 },
		[5] = { .stack_depth = 16 },
	};
	_cleanup_free_ char *text = text_of(insns, ARRAY_SIZE(insns), facts);

	assert_non_null(strstr(text, "0: *(u64 *)(r10 -56) = 65535\n"
				     "1: *(u64 *)(r10 -48) = 0\n"
				     "2: r1 += 312\n"
				     "3: r0 = *(u32 *)(r2 +0)\n"
				     "4: if r0 >= 0x5 goto pc+4\n"
				     "5: w0 &= 7\n"
				     "6: r0 *= 24\n"
				     "7: r0 += r1\n"
				     "8: goto pc+1\n"
				     "9: r0 = 0\n"
				     "10: if r0 == 0x0 goto pc-9\n"));
	assert_non_null(strstr(text, "\n14: w0 = -7\n"));
	/* Three registers below the frame, the loop's count below them. */
	assert_non_null(strstr(text, "\n16: *(u64 *)(r10 -40) = r6\n"));
	assert_non_null(strstr(text, "\n32: r11 = *(u64 *)(r10 -56)\n"));
}

static void one_that_does_not_fit(void **state __unused_arg)
{
	static const size_t n = 32768;
	const struct patch_env env = env_timed();
	_cleanup_(patch_model__free) struct patch_model model = {};
	_cleanup_free_ struct bpf_insn *insns = calloc(n + 2, sizeof(*insns));
	const struct bpf_insn filler = SET(6, 1), jump = IF_0(7, 32764), divide = DIV(6, 7);
	const struct bpf_insn ends = EXIT, far = GOTOL(32767);
	struct err err = {};

	assert_non_null(insns);
	for (size_t i = 0; i <= n; i++)
		insns[i] = filler;
	insns[n + 1] = ends;
	insns[0] = jump;
	insns[5] = divide;
	assert_int_equal(patch_model__expand(insns, n + 2, NULL, &env, &model, &err), 0);
	assert_int_equal(model.insns[0].off, 32767);
	patch_model__free(&model);
	insns[0].off++;
	assert_int_equal(patch_model__expand(insns, n + 2, NULL, &env, &model, &err), -ERANGE);
	assert_string_equal(err.text, "instruction 0 jumps by 32768, which 16 bits don't hold");
	assert_null(model.insns);
	insns[0] = far;
	assert_int_equal(patch_model__expand(insns, n + 2, NULL, &env, &model, &err), 0);
	assert_int_equal(model.insns[0].imm, 32770);
}

static void what_is_refused(void **state __unused_arg)
{
	static const struct {
		struct bpf_insn insns[3];
		struct patch_fact facts[3];
		const char *why;
	} bad[] = {
		{ { SET(0, 0), GOTO(1), EXIT }, {}, "instruction 1 goes out of the program" },
		{ { SET(0, 0), GOTO(-3), EXIT }, {}, "instruction 1 goes out of the program" },
		{ { SET(0, 0), EXIT, INSN(BPF_LD | BPF_IMM | BPF_DW, 0, 0, 0, 0) },
		  {},
		  "the last instruction is half a 64-bit immediate" },
		{ { INSN(BPF_STX | BPF_ATOMIC | BPF_W, 1, 2, 0, BPF_CMPXCHG), SET(0, 0), EXIT },
		  {},
		  "instruction 0: the model knows no 32-bit cmpxchg" },
		{ { SET(0, 0), SET(0, 0), EXIT },
		  { [1] = { .kind = PATCH_LOOKUP } },
		  "the model knows no instruction of code 0xb7 for fact 1" },
		{ { HELPER(BPF_FUNC_map_lookup_elem), SET(0, 0), EXIT },
		  { { .kind = PATCH_LOOKUP, .map = { .type = BPF_MAP_TYPE_QUEUE } } },
		  "the model has no inlined lookup for maps of type 22" },
		{ { MAY_GOTO(1), MAY_GOTO(-2), EXIT },
		  { { .stack_depth = 8 }, { .stack_depth = 16 } },
		  "instruction 1: a stack of 16 bytes, and of 8 before" },
		{ { GOTO(1), SET(0, 0), EXIT },
		  { { .kind = PATCH_TAKEN } },
		  "instruction 0: a branch was expected, not code 0x05" },
		{ { MAY_GOTO(1), SET(0, 0), EXIT },
		  { { .stack_depth = 12 } },
		  "instruction 0: a stack of 12 bytes" },
		{ { INSN(BPF_LDX | BPF_MEM | BPF_W, 0, 1, 200, 0), SET(0, 0), EXIT },
		  { { .kind = PATCH_CTX } },
		  "the model knows no field at 200 of the context" },
		{ { HELPER(BPF_FUNC_loop), SET(0, 0), EXIT },
		  { { .kind = PATCH_LOOP, .callback = 2 } },
		  "instruction 0: no function begins at 2" },
	};
	const struct patch_env env = env_timed();

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct patch_model model = {};
		struct err err = {};

		assert_int_equal(patch_model__expand(bad[i].insns, 3, bad[i].facts, &env, &model,
						     &err),
				 -EINVAL);
		assert_string_equal(err.text, bad[i].why);
		assert_null(model.insns);
	}
}

static void what_is_compared(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = { SET(0, 0), HELPER(BPF_FUNC_ktime_get_ns), EXIT };
	struct bpf_insn xlated[] = { SET(0, 0), HELPER(-123456), EXIT, EXIT };
	_cleanup_(patch_model__free) struct patch_model model = {};
	size_t at = 99;

	expand(insns, ARRAY_SIZE(insns), NULL, &model);
	assert_int_equal(patch_model__compare(&model, xlated, 3, &at), 0);
	assert_int_equal(at, 99);
	assert_int_equal(patch_model__compare(&model, xlated, 4, &at), 1);
	assert_int_equal(at, 3);
	assert_int_equal(patch_model__compare(&model, xlated, 2, &at), 1);
	assert_int_equal(at, 2);
	xlated[1].off = 1;
	assert_int_equal(patch_model__compare(&model, xlated, 3, &at), 1);
	assert_int_equal(at, 1);
	xlated[0].imm = 1;
	assert_int_equal(patch_model__compare(&model, xlated, 3, &at), 1);
	assert_int_equal(at, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(over_onto_and_behind),
		cmocka_unit_test(where_instructions_went),
		cmocka_unit_test(calls_and_functions),
		cmocka_unit_test(beginnings),
		cmocka_unit_test(dead_code),
		cmocka_unit_test(lookups_and_loops),
		cmocka_unit_test(one_that_does_not_fit),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(what_is_compared),
	};

	return cmocka_run_group_tests_name("patch_model", tests, NULL, NULL);
}
