// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <bpf/bpf.h>
#include <errno.h>

#include "prog_info.h"
#include "xlated.h"

#define LD_IMM64 (BPF_LD | BPF_IMM | BPF_DW)
#define CALL(src, n)                                                     \
	{                                                                \
		.code = BPF_JMP | BPF_CALL, .src_reg = (src), .imm = (n) \
	}
#define MOV(dst, n)                                                               \
	{                                                                         \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (dst), .imm = (n) \
	}
#define MOV32(dst, n)                                                           \
	{                                                                       \
		.code = BPF_ALU | BPF_MOV | BPF_K, .dst_reg = (dst), .imm = (n) \
	}
#define PERCPU(dst, src)                                                                           \
	{                                                                                          \
		.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = (dst), .src_reg = (src), .off = -1 \
	}
#define WIDE(dst, src, low, high)                                                        \
	{ .code = LD_IMM64, .dst_reg = (dst), .src_reg = (src), .imm = (int32_t)(low) }, \
	{                                                                                \
		.imm = (int32_t)(high)                                                   \
	}

static uint64_t hash_of(const struct bpf_insn *insns, size_t n)
{
	uint64_t hash = 0;

	assert_int_equal(prog_info__hash(insns, n, &hash), 0);
	return hash;
}

/* Two builds of one kernel: the bytes differ, the code does not. */
static void hash_is_blind_to_the_boot(void **state __unused_arg)
{
	static const char *const names[] = { "calls", "in_arena", "jump_table" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(xlated__free) struct xlated base = {}, patched = {};
		_cleanup_free_ char *base_name = NULL, *patched_name = NULL;

		assert_int_equal(str__printf(&base_name, "7.3/%s.insns", names[i]), 0);
		assert_int_equal(str__printf(&patched_name, "7.3-patched/%s.insns", names[i]), 0);
		xlated__read(base_name, &base);
		xlated__read(patched_name, &patched);
		assert_int_equal(base.insns.n, patched.insns.n);
		assert_memory_not_equal(base.insns.v, patched.insns.v,
					base.insns.n * sizeof(*base.insns.v));
		assert_int_equal(hash_of(base.insns.v, base.insns.n),
				 hash_of(patched.insns.v, patched.insns.n));
	}
}

/* On 6.18 the value of an array begins elsewhere, and a helper is not inlined. */
static void hash_tells_other_code(void **state __unused_arg)
{
	_cleanup_(xlated__free) struct xlated old = {}, new = {};

	xlated__read("6.18/calls.insns", &old);
	xlated__read("7.3/calls.insns", &new);
	assert_int_not_equal(hash_of(old.insns.v, old.insns.n), hash_of(new.insns.v, new.insns.n));
}

static void hash_sees_every_instruction(void **state __unused_arg)
{
	_cleanup_(xlated__free) struct xlated x = {};
	uint64_t whole;

	xlated__read("7.3/calls.insns", &x);
	whole = hash_of(x.insns.v, x.insns.n);
	for (size_t i = 0; i < x.insns.n; i++) {
		struct bpf_insn *insn = &x.insns.v[i], was = *insn;

		insn->code ^= BPF_X;
		assert_int_not_equal(hash_of(x.insns.v, x.insns.n), whole);
		*insn = was;
		insn->dst_reg ^= 1;
		assert_int_not_equal(hash_of(x.insns.v, x.insns.n), whole);
		*insn = was;
		assert_int_not_equal(hash_of(x.insns.v, i), whole);
	}
	assert_int_equal(hash_of(x.insns.v, x.insns.n), whole);
}

/* A map taken for another is other code; the same maps under other ids are not. */
static void hash_tells_maps_apart(void **state __unused_arg)
{
	_cleanup_(xlated__free) struct xlated x = {};
	struct bpf_insn *first = NULL, *other = NULL;
	uint64_t whole;

	xlated__read("7.3/calls.insns", &x);
	whole = hash_of(x.insns.v, x.insns.n);
	for (size_t i = 0; i < x.insns.n; i++) {
		struct bpf_insn *insn = &x.insns.v[i];

		if (insn->code != LD_IMM64 || insn->src_reg != BPF_PSEUDO_MAP_FD)
			continue;
		if (!first)
			first = insn;
		else if (insn->imm != first->imm && !other)
			other = insn;
		insn->imm += 1000;
	}
	assert_non_null(other);
	assert_int_equal(hash_of(x.insns.v, x.insns.n), whole);
	other->imm = first->imm;
	assert_int_not_equal(hash_of(x.insns.v, x.insns.n), whole);
}

/* The sixteen bytes are those of "chongo was here!", with its published FNV-1a. */
static void hash_is_fnv1a(void **state __unused_arg)
{
	struct bpf_insn insns[2];

	memcpy(insns, "chongo was here!", sizeof(insns));
	assert_int_equal(hash_of(insns, 2), 0x858e2fa32a55e61dULL);
	assert_int_equal(hash_of(NULL, 0), 0xcbf29ce484222325ULL);
}

#define ROW 8
#define AX  11
#define ALU_K(class, op, dst, n)                                                  \
	{                                                                         \
		.code = (class) | (op) | BPF_K, .dst_reg = (dst), .imm = (int)(n) \
	}
#define ALU_X(class, op, dst, src)                                                 \
	{                                                                          \
		.code = (class) | (op) | BPF_X, .dst_reg = (dst), .src_reg = (src) \
	}
#define BLINDED(class, n, random) \
	ALU_K(class, BPF_MOV, AX, (n) ^ (random)), ALU_K(class, BPF_XOR, AX, random)
#define BLINDED64(dst, low, high, random)                                             \
	BLINDED(BPF_ALU64, high, random), ALU_K(BPF_ALU64, BPF_LSH, AX, 32),          \
		ALU_X(BPF_ALU64, BPF_MOV, dst, AX), BLINDED(BPF_ALU, low, ~(random)), \
		ALU_X(BPF_ALU64, BPF_OR, dst, AX)

static const struct {
	const char *what;
	size_t n;
	struct bpf_insn raw[ROW], masked[ROW];
} mask_rows[] = {
	{ "maps are numbered, an offset into a value is kept",
	  6,
	  { WIDE(1, BPF_PSEUDO_MAP_FD, 70, 0), WIDE(1, BPF_PSEUDO_MAP_VALUE, 30, 8),
	    WIDE(2, BPF_PSEUDO_MAP_FD, 70, 0) },
	  { WIDE(1, BPF_PSEUDO_MAP_FD, 1, 0), WIDE(1, BPF_PSEUDO_MAP_VALUE, 2, 8),
	    WIDE(2, BPF_PSEUDO_MAP_FD, 1, 0) } },
	{ "indices into an fd array and distances to functions are kept",
	  6,
	  { WIDE(1, BPF_PSEUDO_MAP_IDX, 3, 0), WIDE(1, BPF_PSEUDO_MAP_IDX_VALUE, 4, 8),
	    WIDE(1, BPF_PSEUDO_FUNC, 48, 2) },
	  { WIDE(1, BPF_PSEUDO_MAP_IDX, 3, 0), WIDE(1, BPF_PSEUDO_MAP_IDX_VALUE, 4, 8),
	    WIDE(1, BPF_PSEUDO_FUNC, 48, 2) } },
	{ "BTF ids",
	  6,
	  { WIDE(1, BPF_PSEUDO_BTF_ID, 1234, 9), WIDE(1, BPF_PSEUDO_BTF_ID, 1234, 8),
	    WIDE(1, BPF_PSEUDO_BTF_ID, 1234, 9) },
	  { WIDE(1, BPF_PSEUDO_BTF_ID, 1, 0), WIDE(1, BPF_PSEUDO_BTF_ID, 2, 0),
	    WIDE(1, BPF_PSEUDO_BTF_ID, 1, 0) } },
	{ "addresses of data and of the heap",
	  6,
	  { WIDE(1, 0, 0x822079c0, 0xffffffff), WIDE(2, 0, 0x00f24f88, 0xff110001),
	    WIDE(3, 0, 0x822079c0, 0xffffffff) },
	  { WIDE(1, 0, 1, 0xff000000), WIDE(2, 0, 2, 0xff000000), WIDE(3, 0, 1, 0xff000000) } },
	{ "addresses of an arena, on x86 and arm64",
	  4,
	  { WIDE(1, 0, 0x067c9000, 0x7f9a), WIDE(2, 0, 0x067c9000, 0xffff) },
	  { WIDE(1, 0, 1, 0xff000000), WIDE(2, 0, 2, 0xff000000) } },
	{ "the last error pointer and -1 are constants",
	  6,
	  { WIDE(1, 0, 0xfffff001, 0xffffffff), WIDE(2, 0, 0xffffffff, 0xffffffff),
	    WIDE(3, 0, 0xfffff000, 0xffffffff) },
	  { WIDE(1, 0, 0xfffff001, 0xffffffff), WIDE(2, 0, 0xffffffff, 0xffffffff),
	    WIDE(3, 0, 1, 0xff000000) } },
	{ "so is what no address looks like",
	  6,
	  { WIDE(1, 0, 0x55667788, 0x11223344), WIDE(2, 0, 0, 0x80000000), WIDE(3, 0, 0, 1) },
	  { WIDE(1, 0, 0x55667788, 0x11223344), WIDE(2, 0, 0, 0x80000000), WIDE(3, 0, 0, 1) } },
	{ "type ids that libbpf has put in",
	  6,
	  { WIDE(1, 0, 0x111bd, 0), WIDE(2, 0, 0xffffff, 0), WIDE(3, 0, 0x111bd, 0) },
	  { WIDE(1, 0, 2, 0), WIDE(2, 0, 3, 0), WIDE(3, 0, 2, 0) } },
	{ "what is no type id",
	  6,
	  { WIDE(1, 0, 1, 0), WIDE(2, 0, 0, 0), WIDE(3, 0, 0x1000000, 0) },
	  { WIDE(1, 0, 1, 0), WIDE(2, 0, 0, 0), WIDE(3, 0, 0x1000000, 0) } },
	{ "per-CPU addresses",
	  6,
	  { MOV(0, -2106445776), PERCPU(0, 0), MOV32(1, -2106445776), PERCPU(1, 1), MOV(2, 64),
	    PERCPU(2, 2) },
	  { MOV(0, 1), PERCPU(0, 0), MOV32(1, 1), PERCPU(1, 1), MOV(2, 2), PERCPU(2, 2) } },
	{ "per-CPU addresses in 64 bits",
	  3,
	  { WIDE(3, 0, 0x33ab8, 0), PERCPU(3, 3) },
	  { WIDE(3, 0, 1, 0), PERCPU(3, 3) } },
	{ "a constant beside a per-CPU address",
	  4,
	  { MOV(1, 64), PERCPU(0, 2), MOV(0, 64), MOV(1, 64) },
	  { MOV(1, 64), PERCPU(0, 2), MOV(0, 64), MOV(1, 64) } },
	{ "helpers by address, not by number",
	  5,
	  { CALL(0, 272576), CALL(0, BPF_FUNC_tail_call), CALL(0, -76912), CALL(0, 272576),
	    CALL(0, 0) },
	  { CALL(0, -1), CALL(0, BPF_FUNC_tail_call), CALL(0, -2), CALL(0, -1), CALL(0, -3) } },
	{ "kfuncs count by themselves",
	  3,
	  { CALL(0, 5000), CALL(BPF_PSEUDO_KFUNC_CALL, 5000), CALL(BPF_PSEUDO_KFUNC_CALL, 12) },
	  { CALL(0, -1), CALL(BPF_PSEUDO_KFUNC_CALL, -1), CALL(BPF_PSEUDO_KFUNC_CALL, -2) } },
	{ "a kfunc of two modules is two kfuncs",
	  2,
	  { { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_KFUNC_CALL, .off = 1, .imm = 70 },
	    { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_KFUNC_CALL, .off = 2, .imm = 70 } },
	  { CALL(BPF_PSEUDO_KFUNC_CALL, -1), CALL(BPF_PSEUDO_KFUNC_CALL, -2) } },
	{ "subprograms, by distance",
	  2,
	  { { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .off = 47, .imm = 99 },
	    { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .off = -7, .imm = 99 } },
	  { { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .off = 47, .imm = 1 },
	    { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .off = -7, .imm = 1 } } },
	{ "blinded constants",
	  6,
	  { BLINDED(BPF_ALU, 7, 0x5eed5eed), ALU_X(BPF_ALU, BPF_ADD, 1, AX),
	    BLINDED(BPF_ALU64, -7, 0xfeedbeef), ALU_X(BPF_ALU64, BPF_ADD, 1, AX) },
	  { BLINDED(BPF_ALU, 7, 0), ALU_X(BPF_ALU, BPF_ADD, 1, AX), BLINDED(BPF_ALU64, -7, 0),
	    ALU_X(BPF_ALU64, BPF_ADD, 1, AX) } },
	{ "a blinded address of the heap",
	  7,
	  { BLINDED64(3, 0x00f24f88, 0xff110001, 0x12345678) },
	  { BLINDED(BPF_ALU64, 0xff000000, 0), ALU_K(BPF_ALU64, BPF_LSH, AX, 32),
	    ALU_X(BPF_ALU64, BPF_MOV, 3, AX), BLINDED(BPF_ALU, 1, 0),
	    ALU_X(BPF_ALU64, BPF_OR, 3, AX) } },
	{ "a blinded constant of 64 bits",
	  7,
	  { BLINDED64(3, 0x55667788, 0x11223344, 0x12345678) },
	  { BLINDED(BPF_ALU64, 0x11223344, 0), ALU_K(BPF_ALU64, BPF_LSH, AX, 32),
	    ALU_X(BPF_ALU64, BPF_MOV, 3, AX), BLINDED(BPF_ALU, 0x55667788, 0),
	    ALU_X(BPF_ALU64, BPF_OR, 3, AX) } },
	{ "a blinded per-CPU address",
	  4,
	  { BLINDED(BPF_ALU, 0x33ab8, 0x5eed5eed), ALU_X(BPF_ALU, BPF_MOV, 0, AX), PERCPU(0, 0) },
	  { BLINDED(BPF_ALU, 1, 0), ALU_X(BPF_ALU, BPF_MOV, 0, AX), PERCPU(0, 0) } },
	{ "random upper halves",
	  4,
	  { MOV32(2, 7), ALU_K(BPF_ALU64, BPF_MOV, AX, 0x5eed5eed),
	    ALU_K(BPF_ALU64, BPF_LSH, AX, 32), ALU_X(BPF_ALU64, BPF_OR, 2, AX) },
	  { MOV32(2, 7), ALU_K(BPF_ALU64, BPF_MOV, AX, 0), ALU_K(BPF_ALU64, BPF_LSH, AX, 32),
	    ALU_X(BPF_ALU64, BPF_OR, 2, AX) } },
	{ "random upper halves of 7.3, whose register is another one",
	  3,
	  { ALU_K(BPF_ALU64, BPF_MOV, AX + 1, 0x5eed5eed), ALU_K(BPF_ALU64, BPF_LSH, AX + 1, 32),
	    ALU_X(BPF_ALU64, BPF_OR, 2, AX + 1) },
	  { ALU_K(BPF_ALU64, BPF_MOV, AX + 1, 0), ALU_K(BPF_ALU64, BPF_LSH, AX + 1, 32),
	    ALU_X(BPF_ALU64, BPF_OR, 2, AX + 1) } },
	{ "no blinding without the register that only the kernel has",
	  2,
	  { MOV(3, 70), ALU_K(BPF_ALU64, BPF_XOR, 3, 7) },
	  { MOV(3, 70), ALU_K(BPF_ALU64, BPF_XOR, 3, 7) } },
	{ "a second half is no instruction",
	  4,
	  { WIDE(1, 0, 1, 1), CALL(0, 5000), { .code = LD_IMM64, .imm = 70, .src_reg = 1 } },
	  { WIDE(1, 0, 1, 1), CALL(0, -1), { .code = LD_IMM64, .imm = 70, .src_reg = 1 } } },
};

/* Every field counts, and so does the order. */
static void hashes_of_records_tell_all_fields(void **state __unused_arg)
{
	struct bpf_func_info funcs[] = { { 0, 7 }, { 12, 9 } };
	struct bpf_line_info lines[] = { { 0, 1, 2, 3 }, { 4, 5, 6, 7 } };
	uint64_t func_hash = prog_info__hash_funcs(funcs, 2);
	uint64_t line_hash = prog_info__hash_lines(lines, 2);

	for (size_t i = 0; i < sizeof(funcs); i++) {
		((uint8_t *)funcs)[i] ^= 1;
		assert_int_not_equal(prog_info__hash_funcs(funcs, 2), func_hash);
		((uint8_t *)funcs)[i] ^= 1;
	}
	for (size_t i = 0; i < sizeof(lines); i++) {
		((uint8_t *)lines)[i] ^= 1;
		assert_int_not_equal(prog_info__hash_lines(lines, 2), line_hash);
		((uint8_t *)lines)[i] ^= 1;
	}
	assert_int_equal(prog_info__hash_funcs(funcs, 2), func_hash);
	assert_int_not_equal(prog_info__hash_funcs(funcs, 1), func_hash);
	assert_int_not_equal(prog_info__hash_lines(lines, 1), line_hash);
	assert_int_equal(prog_info__hash_lines(NULL, 0), 0xcbf29ce484222325ULL);
}

static void masks_what_the_header_says(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(mask_rows); i++) {
		struct bpf_insn insns[ROW];

		memcpy(insns, mask_rows[i].raw, sizeof(insns));
		assert_int_equal(prog_info__mask(insns, mask_rows[i].n), 0);
		if (memcmp(insns, mask_rows[i].masked, sizeof(insns)))
			fail_msg("%s: masked otherwise", mask_rows[i].what);
	}
}

static void masking_twice_changes_nothing(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(mask_rows); i++) {
		struct bpf_insn insns[ROW];

		memcpy(insns, mask_rows[i].masked, sizeof(insns));
		assert_int_equal(prog_info__mask(insns, mask_rows[i].n), 0);
		assert_memory_equal(insns, mask_rows[i].masked, sizeof(insns));
		assert_int_equal(hash_of(mask_rows[i].raw, mask_rows[i].n),
				 hash_of(insns, mask_rows[i].n));
	}
}

/* ---- reading, from a kernel of our own ---- */

static const struct bpf_insn kernel_insns[] = {
	WIDE(1, BPF_PSEUDO_MAP_FD, 70, 0),
	MOV(0, 42),
	{ .code = BPF_JMP | BPF_EXIT },
};
static const uint32_t kernel_map_ids[] = { 70, 71 };
static const struct bpf_func_info kernel_funcs[] = { { .insn_off = 0, .type_id = 9 } };
static const struct bpf_line_info kernel_lines[] = { { .insn_off = 0, .line_col = 5 },
						     { .insn_off = 2, .line_col = 6 } };

/* What a test wants the kernel to be like; set up anew for each. */
static struct {
	bool unprivileged; /* the caller has no CAP_BPF */
	bool blinded;	   /* constants are, and the caller may not see addresses */
	bool interpreted;
	uint32_t func_rec_size;
	uint32_t maps[2]; /* bound at the first and at the second query */
	int failing;	  /* number of the query that fails, from 1; 0: none does */
	int queries;
} kernel;

static int boot_kernel(void **state __unused_arg)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.func_rec_size = sizeof(kernel_funcs[0]);
	kernel.maps[0] = kernel.maps[1] = 2;
	return 0;
}

/* Copies up to *count records and says how many there are, as BPF_OBJ_GET_INFO_BY_FD does. */
static void give(uint64_t to, uint32_t *count, const void *from, uint32_t n, size_t size)
{
	uint32_t copied = *count < n ? *count : n;

	if (copied)
		memcpy((void *)(uintptr_t)to, from, copied * size);
	*count = n;
}

/* Stands in for libbpf's at link time. */
int bpf_prog_get_info_by_fd(int prog_fd, struct bpf_prog_info *info, __u32 *info_len)
{
	uint32_t insns = info->xlated_prog_len / sizeof(kernel_insns[0]);

	assert_int_equal(prog_fd, 5);
	assert_int_equal(*info_len, sizeof(*info));
	if (++kernel.queries == kernel.failing)
		return -EBADFD;
	if ((info->nr_func_info || info->func_info_rec_size) &&
	    info->func_info_rec_size != kernel.func_rec_size)
		return -EINVAL;
	if ((info->nr_line_info || info->line_info_rec_size) &&
	    info->line_info_rec_size != sizeof(kernel_lines[0]))
		return -EINVAL;

	info->id = 12;
	info->type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	info->btf_id = 34;
	memcpy(info->name, "a_full_name_of_15", sizeof(info->name));
	memcpy(info->tag, "taggedup", sizeof(info->tag));
	info->func_info_rec_size = kernel.func_rec_size;
	info->line_info_rec_size = sizeof(kernel_lines[0]);
	give(info->map_ids, &info->nr_map_ids, kernel_map_ids, kernel.maps[kernel.queries - 1],
	     sizeof(kernel_map_ids[0]));
	if (kernel.unprivileged) {
		info->xlated_prog_len = info->jited_prog_len = 0;
		info->nr_func_info = info->nr_line_info = 0;
		return 0;
	}
	if (insns && kernel.blinded) {
		info->xlated_prog_insns = 0;
		insns = 0;
	}
	give(info->xlated_prog_insns, &insns, kernel_insns, ARRAY_SIZE(kernel_insns),
	     sizeof(kernel_insns[0]));
	info->xlated_prog_len = sizeof(kernel_insns);
	info->jited_prog_len = kernel.interpreted ? 0 : 77;
	give(info->func_info, &info->nr_func_info, kernel_funcs, ARRAY_SIZE(kernel_funcs),
	     sizeof(kernel_funcs[0]));
	give(info->line_info, &info->nr_line_info, kernel_lines, ARRAY_SIZE(kernel_lines),
	     sizeof(kernel_lines[0]));
	return 0;
}

static void reads_all_that_is_shown(void **state __unused_arg)
{
	_cleanup_(prog_info__free) struct prog_info info = {};
	struct err err = {};

	assert_int_equal(prog_info__read(5, &info, &err), 0);
	assert_int_equal(info.id, 12);
	assert_int_equal(info.type, BPF_PROG_TYPE_RAW_TRACEPOINT);
	assert_int_equal(info.btf_id, 34);
	assert_memory_equal(info.name, "a_full_name_of_1", sizeof(info.name));
	assert_memory_equal(info.tag, "taggedup", sizeof(info.tag));
	assert_int_equal(info.n_map_ids, 2);
	assert_memory_equal(info.map_ids, kernel_map_ids, sizeof(kernel_map_ids));
	assert_int_equal(info.n_funcs, ARRAY_SIZE(kernel_funcs));
	assert_memory_equal(info.funcs, kernel_funcs, sizeof(kernel_funcs));
	assert_int_equal(info.n_lines, ARRAY_SIZE(kernel_lines));
	assert_memory_equal(info.lines, kernel_lines, sizeof(kernel_lines));
	assert_int_equal(info.n_insns, ARRAY_SIZE(kernel_insns));
	assert_memory_equal(info.insns, kernel_insns, sizeof(kernel_insns));
	assert_int_equal(info.jited_len, 77);
	assert_null(info.infos_hidden);
	assert_null(info.insns_hidden);
	assert_null(info.jited_hidden);
	assert_int_equal(prog_info__need_insns(&info, &err), 0);

	prog_info__free(&info);
	assert_null(info.insns);
	assert_int_equal(info.n_insns, 0);
}

static void without_privileges_it_says_so(void **state __unused_arg)
{
	_cleanup_(prog_info__free) struct prog_info info = {};
	struct err err = {};

	kernel.unprivileged = true;
	assert_int_equal(prog_info__read(5, &info, &err), 0);
	assert_int_equal(info.id, 12);
	assert_int_equal(info.n_map_ids, 2);
	assert_null(info.funcs);
	assert_null(info.lines);
	assert_non_null(strstr(info.infos_hidden, "CAP_BPF"));
	assert_null(info.insns);
	assert_non_null(strstr(info.insns_hidden, "CAP_BPF"));
	assert_int_equal(info.jited_len, 0);
	assert_non_null(strstr(info.jited_hidden, "CAP_BPF"));
	assert_int_equal(prog_info__need_insns(&info, &err), -EPERM);
	assert_non_null(strstr(err.text, "a_full_name_of_1 "));
	assert_non_null(strstr(err.text, "CAP_BPF"));
}

static void blinded_instructions_are_hidden(void **state __unused_arg)
{
	_cleanup_(prog_info__free) struct prog_info info = {};
	struct err err = {};

	kernel.blinded = true;
	assert_int_equal(prog_info__read(5, &info, &err), 0);
	assert_null(info.insns);
	assert_int_equal(info.n_insns, 0);
	assert_int_equal(info.n_lines, 2);
	assert_null(info.infos_hidden);
	assert_int_equal(info.jited_len, 77);
	assert_int_equal(prog_info__need_insns(&info, &err), -EPERM);
	assert_non_null(strstr(err.text, "blinded"));
}

static void an_interpreted_program_has_no_size(void **state __unused_arg)
{
	_cleanup_(prog_info__free) struct prog_info info = {};

	kernel.interpreted = true;
	assert_int_equal(prog_info__read(5, &info, NULL), 0);
	assert_int_equal(info.jited_len, 0);
	assert_non_null(strstr(info.jited_hidden, "interpreted"));
	assert_non_null(info.insns);
}

static void records_of_another_size_are_left(void **state __unused_arg)
{
	_cleanup_(prog_info__free) struct prog_info info = {};

	kernel.func_rec_size = 2 * sizeof(kernel_funcs[0]);
	assert_int_equal(prog_info__read(5, &info, NULL), 0);
	assert_null(info.funcs);
	assert_int_equal(info.n_funcs, 0);
	assert_non_null(strstr(info.infos_hidden, "size"));
	assert_int_equal(info.n_insns, ARRAY_SIZE(kernel_insns));
}

/* A map bound between the two queries is one that there was no room for. */
static void maps_may_come_and_go_meanwhile(void **state __unused_arg)
{
	_cleanup_(prog_info__free) struct prog_info more = {}, less = {};

	kernel.maps[0] = 1;
	assert_int_equal(prog_info__read(5, &more, NULL), 0);
	assert_int_equal(more.n_map_ids, 1);
	assert_int_equal(more.map_ids[0], 70);

	boot_kernel(NULL);
	kernel.maps[1] = 1;
	assert_int_equal(prog_info__read(5, &less, NULL), 0);
	assert_int_equal(less.n_map_ids, 1);
}

static void a_failed_query_touches_nothing(void **state __unused_arg)
{
	for (int failing = 1; failing <= 2; failing++) {
		struct prog_info info = { .id = 42 };
		struct err err = {};

		boot_kernel(NULL);
		kernel.failing = failing;
		assert_int_equal(prog_info__read(5, &info, &err), -EBADFD);
		assert_non_null(strstr(err.text, "fd 5"));
		assert_int_equal(kernel.queries, failing);
		assert_int_equal(info.id, 42);
		assert_null(info.insns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hash_is_blind_to_the_boot),
		cmocka_unit_test(hash_tells_other_code),
		cmocka_unit_test(hash_sees_every_instruction),
		cmocka_unit_test(hash_tells_maps_apart),
		cmocka_unit_test(hash_is_fnv1a),
		cmocka_unit_test(hashes_of_records_tell_all_fields),
		cmocka_unit_test(masks_what_the_header_says),
		cmocka_unit_test(masking_twice_changes_nothing),
		cmocka_unit_test_setup(reads_all_that_is_shown, boot_kernel),
		cmocka_unit_test_setup(without_privileges_it_says_so, boot_kernel),
		cmocka_unit_test_setup(blinded_instructions_are_hidden, boot_kernel),
		cmocka_unit_test_setup(an_interpreted_program_has_no_size, boot_kernel),
		cmocka_unit_test_setup(records_of_another_size_are_left, boot_kernel),
		cmocka_unit_test_setup(maps_may_come_and_go_meanwhile, boot_kernel),
		cmocka_unit_test(a_failed_query_touches_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
