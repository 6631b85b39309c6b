// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel says of a loaded program's lines and functions: each must
 * still be at the instruction that it was at, whatever was rewritten in front
 * of it or taken out around it. In small programs by what patch_model says; in
 * compiled ones by what must hold without knowing what became of them.
 */
#include <bpf/libbpf.h>
#include <glob.h>

#include "annotated.h"
#include "cleanup.h"
#include "jited.h"
#include "patch_frame.h"
#include "prog_info.h"
#include "test_progs.h"

#define LINE(number) ((uint32_t)(number) << 10) /* line_col: the column is in the lower bits */

/* ---- machine code ---------------------------------------------------------------- */

struct native {
	uint64_t *lines; /* addresses, one for each line */
	uint64_t *funcs;
	uint32_t n_lines, n_funcs;
	struct jited code;
};

static void native__free(struct native *native)
{
	free(native->lines);
	free(native->funcs);
	jited__free(&native->code);
}

static bool native__read(int fd, const struct prog_info *of, struct native *ret_native)
{
	struct bpf_prog_info info = {
		.nr_jited_line_info = of->n_lines,
		.jited_line_info_rec_size = sizeof(*ret_native->lines),
		.nr_jited_ksyms = of->n_funcs,
	};
	uint32_t len = sizeof(info);
	struct err err = {};

	ret_native->lines = calloc(of->n_lines, sizeof(*ret_native->lines));
	ret_native->funcs = calloc(of->n_funcs, sizeof(*ret_native->funcs));
	info.jited_line_info = (uintptr_t)ret_native->lines;
	info.jited_ksyms = (uintptr_t)ret_native->funcs;
	if (!ASSERT_TRUE(ret_native->lines && ret_native->funcs, "memory") ||
	    !ASSERT_OK(bpf_prog_get_info_by_fd(fd, &info, &len), "machine code's lines") ||
	    !ASSERT_OK(jited__read(fd, &ret_native->code, &err), err.text))
		return false;
	ret_native->n_lines = info.nr_jited_line_info;
	ret_native->n_funcs = info.nr_jited_ksyms;
	return true;
}

static size_t func_at(const struct prog_info *info, uint32_t insn_off)
{
	size_t f = 0;

	while (f + 1 < info->n_funcs && info->funcs[f + 1].insn_off <= insn_off)
		f++;
	return f;
}

/*
 * throws: a program that throws and has no handler gets one appended, which has neither
 * a line nor a name. Its machine code takes the place of the program's first line in
 * the records of Linux 7.3.4.
 */
static bool has_appended_handler(const struct prog_info *info, bool throws)
{
	return throws && info->n_funcs == 1;
}

/* In machine code a line lies in its function, behind the lines before it. */
static bool check_native_order(const struct prog_info *info, const struct native *native,
			       bool throws)
{
	bool held = ASSERT_EQ(native->n_lines, info->n_lines, "lines in machine code") &&
		    ASSERT_EQ(native->n_funcs, info->n_funcs, "functions in machine code");

	for (size_t i = 0; i < info->n_lines && held; i++) {
		const size_t f = func_at(info, info->lines[i].insn_off);
		const bool begins = info->lines[i].insn_off == info->funcs[f].insn_off;
		const uint64_t off = native->lines[i] - native->funcs[f];

		if (i == 0 && off && has_appended_handler(info, throws)) {
			held = ASSERT_GE(off, native->code.func_lens[f],
					 "machine code of a handler that was appended");
			continue;
		}
		if (begins)
			held = ASSERT_EQ(off, 0, "machine code of a function's first line");
		else
			held = ASSERT_GE(native->lines[i], native->lines[i - 1],
					 "machine code of lines");
		if (held)
			held = ASSERT_LT(off, native->code.func_lens[f], "machine code of a line");
	}
	return held;
}

#if defined(__x86_64__)
enum { LONGEST_MOVE = 7 };

/* Where the bytes of the constant are in the one native instruction of "dst = constant". */
static bool has_constant(const struct native *native, size_t at, int32_t constant)
{
	const size_t end =
		at + LONGEST_MOVE < native->code.len ? at + LONGEST_MOVE : native->code.len;

	for (; at + sizeof(constant) <= end; at++)
		if (memcmp(&native->code.image[at], &constant, sizeof(constant)) == 0)
			return true;
	return false;
}

static void check_native_constants(const struct prog_info *info, const struct native *native)
{
	for (size_t i = 0; i < info->n_lines; i++) {
		const struct bpf_insn *insn = &info->insns[info->lines[i].insn_off];
		const size_t f = func_at(info, info->lines[i].insn_off);
		size_t at = native->lines[i] - native->funcs[f];

		/* A function's first line has the function's preparations in front of it. */
		if (insn->code != (BPF_ALU64 | BPF_MOV | BPF_K) || insn->imm == 0 ||
		    info->lines[i].insn_off == info->funcs[f].insn_off)
			continue;
		for (size_t k = 0; k < f; k++)
			at += native->code.func_lens[k];
		if (!ASSERT_CHECK(has_constant(native, at, insn->imm),
				  "machine code of instruction %u is without its constant %d",
				  info->lines[i].insn_off, insn->imm))
			return;
	}
}
#else
static void check_native_constants(const struct prog_info *info __unused_arg,
				   const struct native *native __unused_arg)
{
}
#endif

static void check_native(const struct prog_info *info, int fd, bool throws)
{
	_cleanup_(native__free) struct native native = {};

	if (native__read(fd, info, &native) && check_native_order(info, &native, throws))
		check_native_constants(info, &native);
}

/* ---- small programs --------------------------------------------------------------- */

static bool is_second_half(const struct patch_frame *frame, size_t i)
{
	return frame->insns[i].code == 0;
}

/* A line every few instructions, and where a function begins; the i-th is line i + 1. */
static size_t make_lines(const struct patch_frame *frame, const struct raw_btf *btf, size_t every,
			 struct bpf_line_info *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < frame->n; i++) {
		if ((i % every && i != frame->func) || is_second_half(frame, i))
			continue;
		lines[n++] = (struct bpf_line_info){ .insn_off = i,
						     .file_name_off = btf->file_off,
						     .line_off = btf->line_off,
						     .line_col = LINE(i + 1) };
	}
	return n;
}

/* The line that an instruction is of: the last one that begins at or before it. */
static uint32_t line_at(const struct bpf_line_info *lines, size_t n, size_t insn)
{
	uint32_t line = 0;

	for (size_t i = 0; i < n && lines[i].insn_off <= insn; i++)
		line = lines[i].line_col >> 10;
	return line;
}

static void check_frame_lines(const struct patch_frame *frame, const struct patch_model *model,
			      const struct bpf_line_info *lines, size_t n_lines, size_t every,
			      const struct prog_info *info)
{
	size_t live = 0;

	for (size_t i = 1; i < info->n_lines; i++)
		ASSERT_GT(info->lines[i].insn_off, info->lines[i - 1].insn_off, "order of lines");
	for (size_t i = 0; i < frame->n; i++) {
		if (is_second_half(frame, i) || model->entry[i] == model->entry[i + 1])
			continue;
		live++;
		ASSERT_CHECK(line_at(info->lines, info->n_lines, model->entry[i]) ==
				     line_at(lines, n_lines, i),
			     "instruction %zu, now %zu, was of line %u, is of line %u", i,
			     model->entry[i], line_at(lines, n_lines, i),
			     line_at(info->lines, info->n_lines, model->entry[i]));
	}
	if (every == 1)
		ASSERT_EQ(info->n_lines, live, "lines if each instruction has one");
}

static void check_frame_funcs(const struct patch_world *world, const struct patch_frame *frame,
			      const struct patch_model *model, const struct prog_info *info)
{
	const uint32_t type = patch_world__btf(world)->func;

	if (!ASSERT_EQ(info->n_funcs, frame->func ? 2 : 1, "functions"))
		return;
	ASSERT_EQ(info->funcs[0].insn_off, 0, "the first function");
	ASSERT_EQ(info->funcs[0].type_id, type, "type of the first function");
	if (!frame->func)
		return;
	ASSERT_EQ(info->funcs[1].insn_off, model->entry[frame->func], "the second function");
	ASSERT_EQ(info->funcs[1].type_id, type + 1, "type of the second function");
}

static void check_frame(const struct patch_world *world, const struct patch_frame *frame,
			size_t every)
{
	_cleanup_(patch_model__free) struct patch_model model = {};
	_cleanup_(prog_info__free) struct prog_info info = {};
	struct bpf_line_info lines[PATCH_FRAME_MAX];
	size_t n = make_lines(frame, patch_world__btf(world), every, lines);
	static char log[1 << 16];
	_cleanup_close_ int fd = patch_frame__load(frame, world, lines, n, log, sizeof(log));
	struct err err = {};

	if (fd < 0 && frame->wants) {
		test__skip("this kernel does not load %s", frame->wants);
		return;
	}
	if (!ASSERT_OK_FD(fd, frame->name)) {
		printf("%s\n", log);
		return;
	}
	if (!ASSERT_OK(prog_info__read(fd, &info, &err), err.text) ||
	    !ASSERT_OK(patch_model__expand(frame->insns, frame->n, frame->facts,
					   patch_world__env(world), &model, &err),
		       err.text))
		return;
	check_frame_lines(frame, &model, lines, n, every, &info);
	check_frame_funcs(world, frame, &model, &info);
	check_native(&info, fd, false);
}

static void check_frames(void)
{
	_cleanup_(patch_world__freep) struct patch_world *world = NULL;
	struct patch_frame frame;
	struct err err = {};
	int rc = patch_world__new(&world, &err);

	if (rc == -EOPNOTSUPP && test__start_subtest("small programs"))
		test__skip("%s", err.text);
	else if (rc < 0 && test__start_subtest("small programs"))
		ASSERT_OK(rc, err.text);
	if (rc < 0)
		return;
	for (size_t i = 0; i < patch_frame__count(); i++) {
		if (!test__start_subtest(patch_frame__name(i)))
			continue;
		patch_frame__build(world, i, &frame);
		if (frame.lacks)
			test__skip("%s", frame.lacks);
		for (size_t every = 1; every <= 4 && !frame.lacks; every++)
			check_frame(world, &frame, every);
	}
}

/* ---- compiled programs ------------------------------------------------------------ */

/* What the verifier leaves as it is wherever it stands, unless it takes it out. */
static bool is_plain(const struct bpf_insn *insn)
{
	const uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	if (class == BPF_ALU || class == BPF_ALU64)
		return op != BPF_DIV && op != BPF_MOD && op != BPF_ADD && op != BPF_SUB &&
		       !(op == BPF_MOV && insn->off);
	return insn->code == (BPF_JMP | BPF_EXIT);
}

/*
 * A line that was at plain instructions only is at one of them, as it was: the
 * first or, as those before were taken out, one behind.
 */
static bool names_its_own(const struct bpf_insn *insns, size_t begin, size_t end,
			  const struct bpf_insn *now)
{
	for (size_t i = begin; i < end; i++)
		if (!is_plain(&insns[i]) || memcmp(&insns[i], now, sizeof(*now)) == 0)
			return true;
	return false;
}

static bool same_line(const struct bpf_line_info *a, const struct bpf_line_info *b)
{
	return a->line_col == b->line_col && a->line_off == b->line_off &&
	       a->file_name_off == b->file_name_off;
}

static bool begins_function(const struct prog_info *info, const struct bpf_line_info *line)
{
	return info->funcs[func_at(info, line->insn_off)].insn_off == line->insn_off;
}

static void check_prog_lines(const struct bpf_program *prog, const struct prog_info *info)
{
	const struct bpf_line_info *was = bpf_program__line_info(prog);
	const size_t n_was = bpf_program__line_info_cnt(prog),
		     n_insns = bpf_program__insn_cnt(prog);
	const struct bpf_insn *insns = bpf_program__insns(prog);
	size_t at = 0;

	for (size_t i = 0; i < info->n_lines; i++) {
		const struct bpf_line_info *line = &info->lines[i];

		while (at < n_was && !same_line(&was[at], line))
			at++;
		if (!ASSERT_LT(at, n_was, "a line that the program had, in its order"))
			return;
		if (i > 0)
			ASSERT_GT(line->insn_off, line[-1].insn_off, "order of lines");
		/* A function's first line may have got in front what counts its loops. */
		ASSERT_CHECK(begins_function(info, line) ||
				     names_its_own(insns, was[at].insn_off,
						   at + 1 < n_was ? was[at + 1].insn_off : n_insns,
						   &info->insns[line->insn_off]),
			     "%s: line %u was at instruction %u, and is at another, %u",
			     bpf_program__name(prog), line->line_col >> 10, was[at].insn_off,
			     line->insn_off);
		at++;
	}
}

/* bpf_throw() does not return. A kfunc that is called is named by its BTF id. */
static bool throws(const struct bpf_program *prog)
{
	const struct bpf_insn *insns = bpf_program__insns(prog);
	const size_t n = bpf_program__insn_cnt(prog);
	int id = -1;

	for (size_t i = 0; i < n; i++) {
		if (insns[i].code != (BPF_JMP | BPF_CALL) ||
		    insns[i].src_reg != BPF_PSEUDO_KFUNC_CALL)
			continue;
		if (id < 0)
			id = libbpf_find_vmlinux_btf_id("bpf_throw", BPF_TRACE_FENTRY);
		if (insns[i].imm == id)
			return true;
	}
	return false;
}

/* Nothing falls into a function: what is in front of it leaves the one before. */
static void check_prog_funcs(const struct bpf_program *prog, const struct prog_info *info)
{
	const struct bpf_func_info *was = bpf_program__func_info(prog);
	const size_t n_was = bpf_program__func_info_cnt(prog);
	size_t at = 0;

	ASSERT_EQ(info->funcs[0].insn_off, 0, "the first function");
	for (size_t i = 0; i < info->n_funcs; i++) {
		const struct bpf_func_info *func = &info->funcs[i];

		while (at < n_was && was[at].type_id != func->type_id)
			at++;
		if (!ASSERT_LT(at++, n_was, "a function that the program had, in its order"))
			return;
		if (i > 0) {
			const uint8_t code = info->insns[func->insn_off - 1].code;

			/* What follows a call that does not return is dead and gone. */
			ASSERT_CHECK(code == (BPF_JMP | BPF_EXIT) || code == (BPF_JMP | BPF_JA) ||
					     code == (BPF_JMP32 | BPF_JA) ||
					     code == (BPF_JMP | BPF_JA | BPF_X) ||
					     (code == (BPF_JMP | BPF_CALL) && throws(prog)),
				     "%s: function %zu begins at %u, behind code 0x%02x",
				     bpf_program__name(prog), i, func->insn_off, code);
		}
		ASSERT_CHECK(line_at(info->lines, info->n_lines, func->insn_off),
			     "%s: function %zu has "
			     "no line",
			     bpf_program__name(prog), i);
	}
}

/* Whether it loaded with lines. Programs that must not load are among them. */
static bool check_prog(const struct annotated *annotated, const char *name)
{
	struct bpf_object *obj = NULL;
	_cleanup_(prog_info__free) struct prog_info info = {};
	struct bpf_program *prog, *its = NULL;
	struct err err = {};
	bool has_lines = false;

	if (!ASSERT_OK(annotated__open_object(annotated, NULL, &obj, &err), err.text))
		return false;
	bpf_object__for_each_program(prog, obj)
	{
		const bool wanted = streq(bpf_program__name(prog), name);

		bpf_program__set_autoload(prog, wanted);
		its = wanted ? prog : its;
	}
	if (its && bpf_object__load(obj) == 0 &&
	    ASSERT_OK(prog_info__read(bpf_program__fd(its), &info, &err), err.text) &&
	    info.n_lines && info.n_funcs && info.n_insns) {
		has_lines = true;
		check_prog_lines(its, &info);
		check_prog_funcs(its, &info);
		check_native(&info, bpf_program__fd(its), throws(its));
	}
	bpf_object__close(obj);
	return has_lines;
}

static void check_object(const char *path)
{
	_cleanup_(annotated__freep) struct annotated *annotated = NULL;
	struct err err = {};
	size_t n = 0;

	if (annotated__open(path, test__env()->facts, test__env()->verbose, &annotated, &err) < 0) {
		PRINT_FAIL("%s", err.text);
		return;
	}
	for (size_t i = 0; i < annotated->progs.n; i++)
		n += check_prog(annotated, annotated->progs.v[i].name);
	if (n == 0)
		test__skip("no program of %s loads with lines on this kernel", path_base(path));
}

/* Returns how many there are. */
static size_t check_objects(const char *pattern)
{
	_cleanup_free_ char *path = NULL;
	glob_t found = {};
	size_t n;

	if (!ASSERT_OK(str__printf(&path, "%s/%s", test__env()->objdir, pattern), "path"))
		return 0;
	if (glob(path, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (test__start_subtest(path_base(found.gl_pathv[i])))
				check_object(found.gl_pathv[i]);
	n = found.gl_pathc;
	globfree(&found);
	return n;
}

void test_patch_list_lines(void)
{
	static const char *const patterns[] = { "corpus_*.bpf.o", "patch_list_*.bpf.o",
						"verifier_*.bpf.o" };
	struct err err = {};
	size_t n = 0;

	/* Another constant is another instruction, at each line. */
	if (patch_env__blinds(&err) > 0) {
		test__skip("constants are blinded here (net.core.bpf_jit_harden)");
		return;
	}
	libbpf_set_print(NULL);
	check_frames();
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		n += check_objects(patterns[i]);
	test__end_subtest();
	ASSERT_GT(n, 0, "objects to look at");
}
