// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <sys/mman.h>

#include "disasm.h"
#include "xlated.h"

#define LD_IMM64 (BPF_LD | BPF_IMM | BPF_DW)

static void assert_text(const struct disasm_opts *opts, const struct bpf_insn *insns, size_t n,
			const char *want)
{
	char text[DISASM_LEN];
	size_t used = 0;

	assert_int_equal(disasm__insn(insns, n, opts, text, sizeof(text), &used), 0);
	assert_string_equal(text, want);
	assert_int_equal(used, n);
}

/* bpftool without symbols names a function by its address behind a base of 0. */
static const char *callee_address(void *ctx, const struct bpf_insn *insn)
{
	if (insn->src_reg == BPF_PSEUDO_CALL)
		return NULL;
	snprintf(ctx, DISASM_LEN, "0x%" PRIx64, (uint64_t)(int64_t)insn->imm);
	return ctx;
}

static void as_the_kernel_bpftool_and_the_selftests(void **state __unused_arg)
{
	_cleanup_free_ char *text = NULL;
	char address[DISASM_LEN];
	struct disasm_opts bpftool = disasm_bpftool;
	bool opcodes[256] = {};
	char *line, *rest;
	size_t rows = 0;

	bpftool.call = callee_address;
	bpftool.ctx = address;
	assert_int_equal(file__read("unit/data/xlated/oracle.tsv", &text, NULL), 0);
	for (rest = text; (line = strsep(&rest, "\n")) && *line; rows++) {
		const char *hex = strsep(&line, "\t"), *kernel = strsep(&line, "\t");
		const char *tool = strsep(&line, "\t"), *selftests = line;
		struct bpf_insn insns[2];
		size_t n = xlated__bytes(hex, (void *)insns, sizeof(insns)) / sizeof(*insns);

		assert_non_null(selftests);
		assert_text(&disasm_kernel, insns, n, kernel);
		assert_text(&bpftool, insns, n, streq(tool, "=") ? kernel : tool);
		if (*selftests)
			assert_text(&disasm_xlated, insns, n, selftests);
		else
			assert_true(str_starts(kernel, "BUG_"));
		opcodes[insns[0].code] = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(opcodes); i++)
		assert_true(opcodes[i]);
	assert_true(rows > 1000);
}

static const char *recorded_callee(void *ctx, const struct bpf_insn *insn)
{
	const struct xlated *x = ctx;

	return x->callees.v[insn - x->insns.v];
}

static void assert_dump(const char *txt)
{
	_cleanup_(xlated__free) struct xlated x = {};
	_cleanup_free_ char *want = NULL, *name = NULL, *got = NULL;
	struct disasm_opts opts = disasm_bpftool;
	const char *at = txt + strlen("unit/data/xlated/");

	assert_int_equal(file__read(txt, &want, NULL), 0);
	assert_int_equal(str__printf(&name, "%.*s.insns", (int)(strlen(at) - strlen(".txt")), at),
			 0);
	xlated__read(name, &x);
	opts.call = recorded_callee;
	opts.ctx = &x;
	assert_int_equal(disasm__text(x.insns.v, x.insns.n, &opts, &got), 0);
	assert_string_equal(got, want);
}

static void as_the_recorded_dumps(void **state __unused_arg)
{
	glob_t found;

	assert_int_equal(glob("unit/data/xlated/*/*.txt", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		assert_dump(found.gl_pathv[i]);
	assert_true(found.gl_pathc >= 10);
	globfree(&found);
}

static void lines_are_numbered_by_instruction(void **state __unused_arg)
{
	static const struct bpf_insn insns[] = {
		{ .code = LD_IMM64, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = 7 },
		{},
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem },
		{ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .off = 1, .imm = 9 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	_cleanup_free_ char *xlated = NULL, *tool = NULL, *none = NULL;

	assert_int_equal(disasm__text(insns, ARRAY_SIZE(insns), &disasm_xlated, &xlated), 0);
	assert_string_equal(xlated, "0: r1 = 0x7\n"
				    "2: call bpf_map_lookup_elem\n"
				    "3: call pc+1\n"
				    "4: exit\n");
	assert_int_equal(disasm__text(insns, ARRAY_SIZE(insns), &disasm_bpftool, &tool), 0);
	assert_string_equal(tool, "   0: (18) r1 = map[id:7]\n"
				  "   2: (85) call bpf_map_lookup_elem#1\n"
				  "   3: (85) call pc+1\n"
				  "   4: (95) exit\n");
	assert_int_equal(disasm__text(insns, 0, &disasm_xlated, &none), 0);
	assert_string_equal(none, "");
}

static const char *some_name(void *ctx, const struct bpf_insn *insn __unused_arg)
{
	return ctx;
}

static const char *some_imm(void *ctx, const struct bpf_insn *insn __unused_arg, uint64_t value)
{
	return value == 0x100000007 ? ctx : NULL;
}

static void hooks_name_what_has_no_number(void **state __unused_arg)
{
	struct bpf_insn call = { .code = BPF_JMP | BPF_CALL, .imm = -8 };
	struct bpf_insn wide[2] = {
		{ .code = LD_IMM64, .src_reg = BPF_PSEUDO_MAP_FD, .imm = 7 },
		{ .imm = 1 },
	};
	struct disasm_opts opts = disasm_bpftool;

	opts.call = some_name;
	opts.imm = some_imm;
	opts.ctx = "named";
	assert_text(&opts, &call, 1, "(85) call named#-8");
	assert_text(&opts, wide, 2, "(18) r0 = named");
	wide[1].imm = 2;
	assert_text(&opts, wide, 2, "(18) r0 = map[id:7]");
	call.src_reg = BPF_PSEUDO_CALL;
	call.off = -2;
	assert_text(&opts, &call, 1, "(85) call pc-2#named");
	call.src_reg = 0;
	call.imm = BPF_FUNC_map_lookup_elem;
	assert_text(&opts, &call, 1, "(85) call bpf_map_lookup_elem#1");
	call.imm = -8;
	opts.ctx = NULL;
	assert_text(&opts, &call, 1, "(85) call unknown#-8");
	call.src_reg = BPF_PSEUDO_KFUNC_CALL;
	assert_text(&opts, &call, 1, "(85) call kernel-function#-8");
}

static void half_of_a_wide_immediate_is_no_instruction(void **state __unused_arg)
{
	const struct bpf_insn half = { .code = LD_IMM64, .imm = 7 };
	char text[DISASM_LEN] = "untouched";
	size_t used = 42;

	assert_text(&disasm_kernel, &half, 1, "BUG_ld_18");
	assert_text(&disasm_xlated, &half, 1, "BUG_ld_18");
	assert_int_equal(disasm__insn(&half, 0, &disasm_kernel, text, sizeof(text), &used),
			 -EINVAL);
	assert_string_equal(text, "untouched");
	assert_int_equal(used, 42);
}

static void a_buffer_is_filled_up_to_its_end(void **state __unused_arg)
{
	const struct bpf_insn insn = { .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = -1234 };
	const char *whole = "(b7) r0 = -1234";

	for (size_t len = 0; len <= strlen(whole) + 1; len++) {
		char buf[32];
		size_t used = 42;
		int ret;

		memset(buf, '#', sizeof(buf));
		ret = disasm__insn(&insn, 1, &disasm_kernel, buf, len, &used);
		assert_int_equal(ret, len > strlen(whole) ? 0 : -ENOSPC);
		assert_int_equal(used, ret ? 42 : 1);
		if (len) {
			assert_int_equal(strlen(buf), len - 1);
			assert_memory_equal(buf, whole, len - 1);
		}
		for (size_t i = len; i < sizeof(buf); i++)
			assert_int_equal(buf[i], '#');
	}
}

static void a_name_that_is_too_long_is_an_error(void **state __unused_arg)
{
	const struct bpf_insn call = { .code = BPF_JMP | BPF_CALL, .imm = -8 };
	char name[2 * DISASM_LEN], *text = NULL;
	struct disasm_opts opts = disasm_xlated;

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	opts.call = some_name;
	opts.ctx = name;
	assert_int_equal(disasm__text(&call, 1, &opts, &text), -ENOSPC);
	assert_null(text);
}

/* What xorshift64 gives is the same on every machine. */
static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/*
 * The instructions end where the page ends and the next page can't be read,
 * so that reading on faults without a sanitizer, too.
 */
static void any_bytes_are_valid_input(void **state __unused_arg)
{
	static const struct disasm_opts *const flavours[] = { &disasm_kernel, &disasm_xlated,
							      &disasm_bpftool };
	size_t page = sysconf(_SC_PAGESIZE);
	uint8_t *map =
		mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t seed = 42;

	assert_ptr_not_equal(map, MAP_FAILED);
	assert_int_equal(mprotect(map + page, page, PROT_NONE), 0);
	for (int round = 0; round < 20000; round++) {
		size_t n = next_random(&seed) % 8;
		struct bpf_insn *insns = (void *)(map + page - n * sizeof(*insns));
		_cleanup_free_ char *text = NULL;

		for (size_t i = 0; i < n; i++) {
			uint64_t bytes = next_random(&seed);

			memcpy(&insns[i], &bytes, sizeof(bytes));
		}
		if (n && round % 4 == 0)
			insns[n - 1].code = LD_IMM64;
		assert_int_equal(disasm__text(insns, n, flavours[round % 3], &text), 0);
		assert_int_equal(*text == '\0', n == 0);
		if (n && round % 4 == 0)
			assert_text(flavours[round % 3], insns + n - 1, 1, "BUG_ld_18");
	}
	assert_int_equal(munmap(map, 2 * page), 0);
}

static void helpers_have_names(void **state __unused_arg)
{
	assert_string_equal(disasm__helper(BPF_FUNC_map_lookup_elem), "bpf_map_lookup_elem");
	assert_non_null(disasm__helper(__BPF_FUNC_MAX_ID - 1));
	assert_null(disasm__helper(-1));
	assert_null(disasm__helper(INT32_MAX));
	assert_null(disasm__helper(__BPF_FUNC_MAX_ID));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_the_kernel_bpftool_and_the_selftests),
		cmocka_unit_test(as_the_recorded_dumps),
		cmocka_unit_test(lines_are_numbered_by_instruction),
		cmocka_unit_test(hooks_name_what_has_no_number),
		cmocka_unit_test(half_of_a_wide_immediate_is_no_instruction),
		cmocka_unit_test(a_buffer_is_filled_up_to_its_end),
		cmocka_unit_test(a_name_that_is_too_long_is_an_error),
		cmocka_unit_test(any_bytes_are_valid_input),
		cmocka_unit_test(helpers_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
