// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "cleanup.h"
#include "randemit.h"
#include "randworld.h"

#define SEEDS	  1500
#define MAX_STEPS 50000000

static const struct randprog_opts with_all = { .kfuncs = true };
static const int map_fds[RAND_MAPS] = { 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };
static const int32_t kfuncs[INTERP_KFUNCS] = { 4242, 4243, 4244, 4245 };
static const struct randemit_opts emit = { .map_fds = map_fds, .kfuncs = kfuncs };

static void make(uint64_t seed, struct randprog *ret_prog, struct randcode *ret_code)
{
	assert_int_equal(randprog__make(seed, &with_all, ret_prog), 0);
	assert_int_equal(randemit__program(ret_prog, &emit, ret_code), 0);
	assert_int_equal(ret_code->insns.n, ret_code->facts.n);
}

static void same_seed_same_program(void **state __unused_arg)
{
	size_t different = 0;

	for (uint64_t seed = 1; seed <= 50; seed++) {
		_cleanup_(randprog__free) struct randprog a = {}, b = {}, c = {};
		_cleanup_(randcode__free) struct randcode x = {}, y = {}, z = {};

		make(seed, &a, &x);
		make(seed, &b, &y);
		make(seed + 1, &c, &z);
		assert_int_equal(x.insns.n, y.insns.n);
		assert_memory_equal(x.insns.v, y.insns.v, x.insns.n * sizeof(*x.insns.v));
		for (size_t i = 0; i < x.facts.n; i++) {
			assert_int_equal(x.facts.v[i].kind, y.facts.v[i].kind);
			assert_int_equal(x.facts.v[i].map.type, y.facts.v[i].map.type);
			assert_int_equal(x.facts.v[i].callback, y.facts.v[i].callback);
			assert_int_equal(x.facts.v[i].stack_depth, y.facts.v[i].stack_depth);
		}
		different += x.insns.n != z.insns.n ||
			     memcmp(x.insns.v, z.insns.v, x.insns.n * sizeof(*x.insns.v));
	}
	assert_int_equal(different, 50);
}

/* ---- what holds for the instructions of every program ---- */

static size_t func_end(const struct randcode *code, size_t i)
{
	return i + 1 < code->funcs.n ? code->funcs.v[i + 1].start : code->insns.n;
}

static bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

/* Where a jump goes, or at itself. */
static size_t target(const struct bpf_insn *insns, size_t at)
{
	uint8_t class = BPF_CLASS(insns[at].code), op = BPF_OP(insns[at].code);

	if ((class != BPF_JMP && class != BPF_JMP32) || op == BPF_CALL || op == BPF_EXIT)
		return at;
	return at + 1 + (class == BPF_JMP32 && op == BPF_JA ? insns[at].imm : insns[at].off);
}

static bool goes_on(const struct bpf_insn *insn)
{
	return insn->code != (BPF_JMP | BPF_EXIT) && insn->code != (BPF_JMP | BPF_JA) &&
	       insn->code != (BPF_JMP32 | BPF_JA);
}

/* Follows every way through a function. */
static void reach(const struct bpf_insn *insns, size_t at, size_t start, size_t end, bool *seen)
{
	while (!seen[at]) {
		size_t to = target(insns, at);

		assert_in_range(to, start, end - 1);
		seen[at] = true;
		if (is_wide(&insns[at]))
			seen[++at] = true;
		else if (to != at)
			reach(insns, to, start, end, seen);
		if (!goes_on(&insns[at]))
			return;
		at++;
		assert_in_range(at, start, end - 1);
	}
}

static bool is_func(const struct randcode *code, size_t at)
{
	for (size_t i = 0; i < code->funcs.n; i++) {
		if (code->funcs.v[i].start == at)
			return true;
	}
	return false;
}

static void check_structure(const struct randcode *code)
{
	_cleanup_free_ bool *seen = calloc(code->insns.n, sizeof(*seen));
	const struct bpf_insn *insns = code->insns.v;

	assert_non_null(seen);
	for (size_t i = 0; i < code->funcs.n; i++)
		reach(insns, code->funcs.v[i].start, code->funcs.v[i].start, func_end(code, i),
		      seen);
	for (size_t i = 0; i < code->insns.n; i++) {
		/* Nothing is dead, and nothing leads into the middle of an instruction. */
		assert_true(seen[i]);
		if (target(insns, i) != i)
			assert_int_not_equal(insns[target(insns, i)].code, 0);
		if (insns[i].code == (BPF_JMP | BPF_CALL) && insns[i].src_reg == BPF_PSEUDO_CALL)
			assert_true(is_func(code, i + 1 + insns[i].imm));
		if (is_wide(&insns[i]) && insns[i].src_reg == BPF_PSEUDO_FUNC)
			assert_true(is_func(code, i + 1 + insns[i].imm));
	}
}

static void check_run(struct randworld *world, const struct randcode *code, uint64_t seed)
{
	struct interp_env env = { .maps = world->maps,
				  .n_maps = RAND_MAPS,
				  .map_fds = map_fds,
				  .kfuncs = kfuncs,
				  .packet = world->packet + RAND_L2_LEN,
				  .skb = &world->skb,
				  .max_steps = MAX_STEPS };
	uint64_t first = 0, again = 1;
	struct err err = {};

	for (int i = 0; i < 2; i++) {
		randworld__fill(world, seed);
		env.packet_len = world->packet_len - RAND_L2_LEN;
		interp__run(&env, code->insns.v, code->insns.n, i ? &again : &first, &err);
		assert_string_equal(err.text, "");
	}
	assert_int_equal(first, again);
}

static void check_model(const struct randcode *code)
{
	_cleanup_(patch_model__free) struct patch_model model = {};
	struct err err = {};
	int rc;

	rc = patch_model__expand(code->insns.v, code->insns.n, code->facts.v, &patch_env_unknown,
				 &model, &err);
	if (rc != -ERANGE)
		assert_string_equal(err.text, "");
	assert_true(rc == 0 || rc == -ERANGE);
}

static void every_program_is_sound(void **state __unused_arg)
{
	_cleanup_(randworld__free) struct randworld world = {};
	static uint8_t data[RAND_DATA_LEN];
	size_t kinds[RAND_KINDS] = {}, large = 0;

	assert_int_equal(randworld__init(&world, data), 0);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		_cleanup_(randprog__free) struct randprog prog = {};
		_cleanup_(randcode__free) struct randcode code = {};

		make(seed, &prog, &code);
		check_structure(&code);
		check_run(&world, &code, seed);
		if (code.insns.n < 500)
			check_model(&code);
		large += code.insns.n > 2000;
		for (size_t i = 0; i < prog.funcs.n; i++) {
			for (size_t j = 0; j < prog.funcs.v[i].units.n; j++)
				kinds[prog.funcs.v[i].units.v[j].kind]++;
		}
	}
	assert_true(large > 0);
	for (size_t i = 0; i < RAND_KINDS; i++) {
		if (!kinds[i])
			fail_msg("no program has a unit of kind '%s'", randprog__kind(i));
	}
}

/* What a reduction does: leaves any units out. */
static void programs_stay_sound_without_some_units(void **state __unused_arg)
{
	_cleanup_(randworld__free) struct randworld world = {};
	static uint8_t data[RAND_DATA_LEN];
	struct rng rng = { .state = 99 };

	assert_int_equal(randworld__init(&world, data), 0);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		_cleanup_(randprog__free) struct randprog prog = {};
		_cleanup_(randcode__free) struct randcode code = {};
		uint32_t keep = rng__below(&rng, 100);
		size_t before;

		assert_int_equal(randprog__make(seed, &with_all, &prog), 0);
		before = randprog__size(&prog);
		for (size_t i = 0; i < prog.funcs.n; i++) {
			for (size_t j = 0; j + 1 < prog.funcs.v[i].units.n; j++)
				prog.funcs.v[i].units.v[j].dropped = rng__below(&rng, 100) >= keep;
		}
		assert_true(randprog__size(&prog) <= before);
		assert_int_equal(randemit__program(&prog, &emit, &code), 0);
		check_structure(&code);
		check_run(&world, &code, seed);
	}
}

static void numbers_are_spread(void **state __unused_arg)
{
	struct rng a = { .state = 5 }, b = { .state = 5 };
	size_t hits[10] = {};

	for (int i = 0; i < 10000; i++) {
		uint32_t n = rng__below(&a, 10);

		assert_in_range(n, 0, 9);
		assert_int_equal(n, rng__below(&b, 10));
		hits[n]++;
	}
	for (size_t i = 0; i < 10; i++)
		assert_in_range(hits[i], 800, 1200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_seed_same_program),
		cmocka_unit_test(every_program_is_sound),
		cmocka_unit_test(programs_stay_sound_without_some_units),
		cmocka_unit_test(numbers_are_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
