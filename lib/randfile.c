// SPDX-License-Identifier: GPL-2.0-only
#include "randfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cleanup.h"
#include "disasm.h"
#include "interp.h"
#include "randworld.h"

/* Names and declarations of kfuncs, and calls that make the compiler tell of their types. */
static const struct {
	const char *name, *declaration, *call;
} kfuncs[INTERP_KFUNCS] = {
	[INTERP_CAST_TO_KERN_CTX] = { "bpf_cast_to_kern_ctx", "void *bpf_cast_to_kern_ctx(void *)",
				      "bpf_cast_to_kern_ctx(0)" },
	[INTERP_ITER_NUM_NEW] = { "bpf_iter_num_new",
				  "int bpf_iter_num_new(struct bpf_iter_num *, int, int)",
				  "bpf_iter_num_new(0, 0, 0)" },
	[INTERP_ITER_NUM_NEXT] = { "bpf_iter_num_next",
				   "int *bpf_iter_num_next(struct bpf_iter_num *)",
				   "bpf_iter_num_next(0)" },
	[INTERP_ITER_NUM_DESTROY] = { "bpf_iter_num_destroy",
				      "void bpf_iter_num_destroy(struct bpf_iter_num *)",
				      "bpf_iter_num_destroy(0)" },
};

static bool is_wide(const struct bpf_insn *insn)
{
	return insn->code == (BPF_LD | BPF_IMM | BPF_DW);
}

static bool is_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL);
}

/* ---- what the instructions refer to ---- */

static int map_of(const struct randfile *file, const struct bpf_insn *insn)
{
	for (int i = 0; is_wide(insn) && i < RAND_MAPS; i++) {
		if ((insn->src_reg == BPF_PSEUDO_MAP_FD || insn->src_reg == BPF_PSEUDO_MAP_VALUE) &&
		    insn->imm == file->map_fds[i])
			return i;
	}
	return -1;
}

static bool uses_map(const struct randfile *file, int map)
{
	for (size_t i = 0; i < file->code->insns.n; i++) {
		int used = map_of(file, &file->code->insns.v[i]);

		if (used == map || (used >= 0 && randworld_maps[used].inner == map))
			return true;
	}
	return false;
}

/* Which kfunc an instruction calls, or -1. */
static int kfunc_of(const struct randfile *file, const struct bpf_insn *insn)
{
	for (int i = 0;
	     is_call(insn) && insn->src_reg == BPF_PSEUDO_KFUNC_CALL && i < INTERP_KFUNCS; i++) {
		if (insn->imm == file->kfuncs[i])
			return i;
	}
	return -1;
}

static bool uses_kfunc(const struct randfile *file, int kfunc)
{
	for (size_t i = 0; i < file->code->insns.n; i++) {
		if (kfunc_of(file, &file->code->insns.v[i]) == kfunc)
			return true;
	}
	return false;
}

/* The function that begins at an instruction, by its place in the file. */
static size_t func_at(const struct randcode *code, size_t insn)
{
	size_t i = 0;

	while (i < code->funcs.n && code->funcs.v[i].start != insn)
		i++;
	return i;
}

static size_t func_end(const struct randcode *code, size_t i)
{
	return i + 1 < code->funcs.n ? code->funcs.v[i + 1].start : code->insns.n;
}

/* ---- maps ---- */

static void print_data(const struct randfile *file, FILE *out)
{
	uint64_t numbers[RAND_DATA_NUMBERS];

	memcpy(numbers, file->data, sizeof(numbers));
	fprintf(out, "unsigned long data[%zu] = {", (size_t)(RAND_DATA_LEN / 8));
	for (size_t i = 0; i < RAND_DATA_NUMBERS; i++)
		fprintf(out, "%s0x%" PRIx64 ",", i % 6 ? " " : "\n\t", numbers[i]);
	fputs("\n};\n\n", out);
}

static void print_map(const struct randworld_map_def *def, FILE *out)
{
	static const char *const types[] = {
		[BPF_MAP_TYPE_HASH] = "HASH",
		[BPF_MAP_TYPE_ARRAY] = "ARRAY",
		[BPF_MAP_TYPE_PROG_ARRAY] = "PROG_ARRAY",
		[BPF_MAP_TYPE_LRU_HASH] = "LRU_HASH",
		[BPF_MAP_TYPE_PERCPU_ARRAY] = "PERCPU_ARRAY",
		[BPF_MAP_TYPE_PERCPU_HASH] = "PERCPU_HASH",
		[BPF_MAP_TYPE_ARRAY_OF_MAPS] = "ARRAY_OF_MAPS",
		[BPF_MAP_TYPE_HASH_OF_MAPS] = "HASH_OF_MAPS",
	};
	const char *inner = def->inner >= 0 ? randworld_maps[def->inner].name : NULL;
	bool progs = def->type == BPF_MAP_TYPE_PROG_ARRAY;

	if (progs)
		fputs("void tail_target(void);\n\n", out);
	fprintf(out, "struct map_%s {\n", def->name);
	fprintf(out, "\t__uint(type, BPF_MAP_TYPE_%s);\n", types[def->type]);
	fprintf(out, "\t__uint(max_entries, %u);\n", def->max_entries);
	fprintf(out, "\t__uint(key_size, %u);\n", def->key_size);
	if (progs)
		fputs("\t__array(values, void(void));\n", out);
	else if (inner)
		fprintf(out, "\t__array(values, struct map_%s);\n", inner);
	else
		fprintf(out, "\t__uint(value_size, %u);\n", def->value_size);
	fprintf(out, "} %s SEC(\".maps\")", def->name);
	if (inner) {
		fputs(" = {\n\t.values = {", out);
		for (uint32_t i = 0; i < def->n; i++)
			fprintf(out, " &%s,", inner);
		fputs(" },\n}", out);
	}
	if (progs)
		fprintf(out, " = { .values = { [%d] = (void *)&tail_target } }", RAND_TAIL_SLOT);
	fputs(";\n\n", out);
	if (progs)
		fprintf(out,
			"SEC(\"socket\")\n__auxiliary\n__naked void tail_target(void)\n{\n"
			"\tasm volatile (\"r0 = %d; exit;\" ::: __clobber_all);\n}\n\n",
			RAND_TAIL_RETVAL);
}

/* ---- instructions ---- */

static const char *no_words(void *ctx, const struct bpf_insn *insn)
{
	(void)ctx;
	(void)insn;
	return "there";
}

/* As an assembler for BPF reads it, or false: it is written in hex. */
static bool has_text(const struct bpf_insn *insn)
{
	uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	switch (class) {
	case BPF_LD:
		return is_wide(insn) || BPF_MODE(insn->code) == BPF_ABS;
	case BPF_LDX:
		return BPF_MODE(insn->code) == BPF_MEM;
	case BPF_STX:
		return BPF_MODE(insn->code) == BPF_MEM;
	case BPF_ALU:
	case BPF_ALU64:
		return op != BPF_END && (op != BPF_MOV || !insn->off);
	case BPF_JMP:
		return op != BPF_JCOND;
	case BPF_JMP32:
		return op != BPF_JA;
	}
	return false;
}

/*
 * Text of the disassembler with "pc+3" as the assembler wants it, "+3", and a
 * '%' that is none of an operand.
 */
static void print_plain(const char *text, FILE *out)
{
	for (const char *c = text; *c; c++) {
		if (str_starts(c, "pc+") || str_starts(c, "pc-"))
			c += strlen("pc");
		if (*c == '%')
			fputc('%', out);
		fputc(*c, out);
	}
}

static void print_wide(const struct randfile *file, size_t at, FILE *out)
{
	const struct bpf_insn *insn = &file->code->insns.v[at];
	uint64_t value = (uint32_t)insn[0].imm | (uint64_t)(uint32_t)insn[1].imm << 32;
	int map = map_of(file, insn);

	if (map >= 0)
		fprintf(out, "r%d = %%[%s] ll", insn->dst_reg, randworld_maps[map].name);
	else if (insn->src_reg == BPF_PSEUDO_FUNC)
		fprintf(out, "r%d = sub_%zu ll", insn->dst_reg,
			func_at(file->code, at + 1 + insn->imm));
	else
		fprintf(out, "r%d = 0x%" PRIx64 " ll", insn->dst_reg, value);
}

static void print_call(const struct randfile *file, size_t at, FILE *out)
{
	const struct bpf_insn *insn = &file->code->insns.v[at];

	if (insn->src_reg == BPF_PSEUDO_CALL)
		fprintf(out, "call sub_%zu", func_at(file->code, at + 1 + insn->imm));
	else
		fprintf(out, "call %%[%s]",
			kfunc_of(file, insn) >= 0 ? kfuncs[kfunc_of(file, insn)].name :
						    disasm__helper(insn->imm) ?: "unknown");
}

static int print_insn(const struct randfile *file, size_t at, FILE *out)
{
	const struct bpf_insn *insn = &file->code->insns.v[at];
	struct disasm_opts opts = disasm_xlated;
	char text[DISASM_LEN];
	uint64_t raw;
	int rc;

	opts.call = no_words;
	rc = disasm__insn(insn, file->code->insns.n - at, &opts, text, sizeof(text), NULL);
	if (rc < 0)
		return rc;
	fputs("\t\"", out);
	if (is_wide(insn)) {
		print_wide(file, at, out);
	} else if (is_call(insn)) {
		print_call(file, at, out);
	} else if (has_text(insn)) {
		print_plain(text, out);
	} else {
		memcpy(&raw, insn, sizeof(raw));
		fprintf(out, ".8byte 0x%016" PRIx64 ";\" /* %s */\n", raw, text);
		return 0;
	}
	fputs(";\"\n", out);
	return 0;
}

/* ---- what is expected ---- */

/* A line of the kernel's code as a pattern that leaves open what may differ. */
static int print_xlated(const struct patch_model *model, size_t at, FILE *out)
{
	const struct bpf_insn *insn = &model->insns[at];
	uint8_t any = model->any[at];
	char text[DISASM_LEN];
	size_t len;
	int rc = disasm__insn(insn, model->n - at, &disasm_xlated, text, sizeof(text), NULL);

	if (rc < 0)
		return rc;
	len = strlen(text);
	fprintf(out, "__xlated(\"%zu: ", at);
	if (is_call(insn) && any) {
		fputs("call ", out);
	} else if (is_wide(insn)) {
		fprintf(out, "r%d = 0x", insn->dst_reg);
	} else if (any & PATCH_ANY_OFF) {
		const char *sign = text + len;

		/* "*(u32 *)(r1 +12)": all up to the offset. */
		while (sign > text && *sign != '+' && *sign != '-')
			sign--;
		fprintf(out, "%.*s", (int)(sign - text), text);
	} else if (any & PATCH_ANY_IMM) {
		while (len && text[len - 1] != ' ')
			len--;
		fprintf(out, "%.*s", (int)len, text);
	} else {
		fputs(text, out);
		/* Or 1 were found in 10. */
		if (len && text[len - 1] != ')')
			fputs("{{$}}", out);
	}
	fputs("\")\n", out);
	return 0;
}

static int print_expected(const struct randfile *file, FILE *out)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < file->model->n; i++) {
		rc = print_xlated(file->model, i, out);
		if (is_wide(&file->model->insns[i]))
			i++;
	}
	return rc;
}

/* ---- functions ---- */

static void print_operands(const struct randfile *file, size_t start, size_t end, FILE *out)
{
	bool maps[RAND_MAPS] = {}, helpers[__BPF_FUNC_MAX_ID] = {};
	bool calls[INTERP_KFUNCS] = {};
	const char *comma = " ";

	for (size_t i = start; i < end; i++) {
		const struct bpf_insn *insn = &file->code->insns.v[i];

		if (map_of(file, insn) >= 0)
			maps[map_of(file, insn)] = true;
		if (is_call(insn) && !insn->src_reg && disasm__helper(insn->imm))
			helpers[insn->imm] = true;
		if (kfunc_of(file, insn) >= 0)
			calls[kfunc_of(file, insn)] = true;
	}
	fputs("\t:\n\t:", out);
	for (size_t i = 0; i < RAND_MAPS; i++) {
		if (maps[i]) {
			fprintf(out, "%s__imm_addr(%s)", comma, randworld_maps[i].name);
			comma = ", ";
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(helpers); i++) {
		if (helpers[i]) {
			fprintf(out, "%s__imm(%s)", comma, disasm__helper(i));
			comma = ", ";
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (calls[i]) {
			fprintf(out, "%s__imm(%s)", comma, kfuncs[i].name);
			comma = ", ";
		}
	}
	fputs("\n\t: __clobber_all);\n}\n\n", out);
}

static int print_func(const struct randfile *file, size_t place, FILE *out)
{
	size_t start = file->code->funcs.v[place].start, end = func_end(file->code, place);
	int rc = 0;

	if (place)
		fprintf(out, "static __naked __noinline __used int sub_%zu(void)\n", place);
	else
		fprintf(out, "__naked void random_%" PRIu64 "(void)\n", file->prog->seed);
	fputs("{\n\tasm volatile (\n", out);
	for (size_t i = start; rc == 0 && i < end; i++) {
		rc = print_insn(file, i, out);
		if (is_wide(&file->code->insns.v[i]))
			i++;
	}
	print_operands(file, start, end, out);
	return rc;
}

static int print_file(const struct randfile *file, FILE *out)
{
	int rc = 0;

	fprintf(out,
		"// SPDX-License-Identifier: GPL-2.0-only\n"
		"/*\n * Of the random program with seed %" PRIu64 ":\n * %s\n */\n"
		"#include <linux/bpf.h>\n#include <bpf/bpf_helpers.h>\n#include \"bpf_misc.h\"\n\n",
		file->prog->seed, file->reason);
	print_data(file, out);
	for (int i = RAND_MAP_DATA + 1; i < RAND_MAPS; i++) {
		if (uses_map(file, i))
			print_map(&randworld_maps[i], out);
	}
	for (int i = 0; i < INTERP_KFUNCS; i++) {
		if (uses_kfunc(file, i))
			fprintf(out,
				"extern %s __ksym;\n__used static void "
				"use_%s(void)\n{\n\t%s;\n}\n\n",
				kfuncs[i].declaration, kfuncs[i].name, kfuncs[i].call);
	}
	for (size_t i = 1; rc == 0 && i < file->code->funcs.n; i++)
		rc = print_func(file, i, out);
	fprintf(out,
		"SEC(\"socket\")\n__description(\"random program %" PRIu64 "\")\n"
		"__success __retval(%d) __load_if_JITed()\n",
		file->prog->seed, (int)file->retval);
	if (rc == 0)
		rc = print_expected(file, out);
	if (rc == 0)
		rc = print_func(file, 0, out);
	fputs("char _license[] SEC(\"license\") = \"GPL\";\n", out);
	return rc;
}

int randfile__text(const struct randfile *file, char **ret_text)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int rc;

	if (!out)
		return -ENOMEM;
	rc = print_file(file, out);
	if (fclose(out) && rc == 0)
		rc = -ENOMEM;
	if (rc == 0)
		*ret_text = TAKE_PTR(text);
	return rc;
}
