// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "randemit.h"
#include "randfile.h"
#include "randworld.h"
#include "reduce.h"

static const struct randprog_opts with_all = { .kfuncs = true };
static const int map_fds[RAND_MAPS] = { 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };
static const int32_t kfuncs[INTERP_KFUNCS] = { 4242, 4243, 4244, 4245 };
static const struct randemit_opts emit = { .map_fds = map_fds, .kfuncs = kfuncs };

/* Fails as long as it has an instruction of a code in it. */
struct wanted {
	uint8_t code;
	size_t tries, fail_at;
};

static int has_code(void *ctx, const struct randprog *prog, size_t *ret_insns)
{
	_cleanup_(randcode__free) struct randcode code = {};
	struct wanted *wanted = ctx;
	int found = 0;

	if (++wanted->tries == wanted->fail_at)
		return -EIO;
	assert_int_equal(randemit__program(prog, &emit, &code), 0);
	for (size_t i = 0; i < code.insns.n; i++)
		found |= code.insns.v[i].code == wanted->code;
	*ret_insns = code.insns.n;
	return found;
}

static size_t insns_of(const struct randprog *prog)
{
	_cleanup_(randcode__free) struct randcode code = {};

	assert_int_equal(randemit__program(prog, &emit, &code), 0);
	return code.insns.n;
}

static void what_matters_is_left(void **state __unused_arg)
{
	static const uint8_t codes[] = { BPF_ALU64 | BPF_MOD | BPF_X, BPF_LD | BPF_ABS | BPF_W,
					 BPF_JMP | BPF_JCOND, BPF_STX | BPF_ATOMIC | BPF_DW,
					 BPF_JMP32 | BPF_JA };
	size_t reduced = 0;

	for (uint64_t seed = 1; seed <= 60; seed++) {
		_cleanup_(randprog__free) struct randprog prog = {};
		struct wanted wanted = { .code = codes[seed % ARRAY_SIZE(codes)] };
		struct reduce_opts opts = { has_code, &wanted, 5000 };
		size_t before, after;

		assert_int_equal(randprog__make(seed, &with_all, &prog), 0);
		if (!has_code(&wanted, &prog, &before))
			continue;
		assert_int_equal(reduce__program(&prog, &opts), 0);
		assert_int_equal(has_code(&wanted, &prog, &after), 1);
		/* Six at least, or the one unit that it is in. */
		assert_in_range(after, 6, 26);
		assert_true(after <= before);
		reduced++;
	}
	assert_in_range(reduced, 20, 60);
}

static void errors_and_limits_end_it(void **state __unused_arg)
{
	_cleanup_(randprog__free) struct randprog prog = {};
	struct wanted wanted = { .code = BPF_JMP | BPF_EXIT };
	struct reduce_opts opts = { has_code, &wanted, 3 };
	size_t before;

	assert_int_equal(randprog__make(3, &with_all, &prog), 0);
	before = insns_of(&prog);
	assert_int_equal(reduce__program(&prog, &opts), 0);
	assert_int_equal(wanted.tries, 3);
	assert_in_range(insns_of(&prog), 6, before - 1);
	wanted = (struct wanted){ .code = BPF_JMP | BPF_EXIT, .fail_at = 2 };
	opts.max_tries = 100;
	assert_int_equal(reduce__program(&prog, &opts), -EIO);
	assert_int_equal(wanted.tries, 2);
}

/* ---- the file that is made of what is left ---- */

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		n++;
	}
	return n;
}

static void a_file_names_what_it_uses(void **state __unused_arg)
{
	static const uint8_t data[RAND_DATA_LEN] = { 0x2a };
	size_t nested = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		_cleanup_(patch_model__free) struct patch_model model = {};
		_cleanup_(randprog__free) struct randprog prog = {};
		_cleanup_(randcode__free) struct randcode code = {};
		_cleanup_free_ char *text = NULL;
		struct randfile file = { .prog = &prog,
					 .code = &code,
					 .model = &model,
					 .map_fds = map_fds,
					 .kfuncs = kfuncs,
					 .data = data,
					 .retval = -2,
					 .reason = "because" };

		assert_int_equal(randprog__make(seed, &with_all, &prog), 0);
		assert_int_equal(randemit__program(&prog, &emit, &code), 0);
		assert_int_equal(patch_model__expand(code.insns.v, code.insns.n, code.facts.v,
						     &patch_env_unknown, &model, NULL),
				 0);
		assert_int_equal(randfile__text(&file, &text), 0);
		assert_int_equal(count(text, "__naked"), code.funcs.n + count(text, "__naked void "
										    "tail_target"));
		assert_int_equal(count(text, "__retval(-2)"), 1);
		assert_int_equal(count(text, " * because\n"), 1);
		assert_non_null(strstr(text, "= {\n\t0x2a, 0x0,"));
		/* Each map that is used is declared, and none else. */
		for (size_t i = RAND_MAP_DATA + 1; i < RAND_MAPS; i++) {
			_cleanup_free_ char *use = NULL, *declaration = NULL;
			const char *name = randworld_maps[i].name;

			assert_int_equal(str__printf(&use, "%%[%s] ll", name), 0);
			assert_int_equal(str__printf(&declaration, "} %s SEC(", name), 0);
			if (strstr(text, use))
				assert_int_equal(count(text, declaration), 1);
			nested += strstr(text, use) && randworld_maps[i].inner >= 0;
		}
	}
	assert_true(nested > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_matters_is_left),
		cmocka_unit_test(errors_and_limits_end_it),
		cmocka_unit_test(a_file_names_what_it_uses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
