// SPDX-License-Identifier: GPL-2.0-only
#include "disasm.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "cleanup.h"

/* Not in the UAPI: made by the verifier, seen in dumps of loaded programs. */
#define MODE_NOSPEC	  0xc0
#define MODE_PROBE_ATOMIC 0xe0
#define OFF_ADDR_PERCPU	  (-1)

#define MODE_MASK 0xe0
#define OP_MASK	  0xf0
#define SIZE_MASK 0x18

const struct disasm_opts disasm_kernel = {
	.opcode = true,
	.call_imm = true,
	.index_width = 1,
};

const struct disasm_opts disasm_xlated = {
	.call_off = true,
	.index_width = 1,
};

const struct disasm_opts disasm_bpftool = {
	.opcode = true,
	.call_imm = true,
	.call_off = true,
	.map_ids = true,
	.index_width = 4,
};

#define HELPER_NAME(name) [BPF_FUNC_##name] = "bpf_" #name
static const char *const helper_names[] = { __BPF_FUNC_MAPPER(HELPER_NAME) };
#undef HELPER_NAME

const char *disasm__helper(int32_t id)
{
	return id >= 0 && (size_t)id < ARRAY_SIZE(helper_names) ? helper_names[id] : NULL;
}

/* Operators by the upper four bits of the opcode. */
static const char *const alu_ops[16] = {
	"+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", "neg", "%=", "^=", "=", "s>>=", "endian",
};

static const char *const jmp_ops[16] = {
	"jmp", "==", ">", ">=", "&", "!=", "s>", "s>=", "call", "exit", "<", "<=", "s<", "s<=",
};

/* By size bits: BPF_W, BPF_H, BPF_B, BPF_DW. */
static const char *const widths[4] = { "32", "16", "8", "64" };

/*
 * What an instruction looks like. The first row that fits is taken: the class
 * is one of classes, code and code_bits agree under code_mask, and the one
 * field that cond names has the value. The text is copied with these filled in:
 *
 *	%d %s	registers, w or r as the class has it
 *	%D %S	registers, always r
 *	%a %c	operator of arithmetic, of a comparison
 *	%i %x	immediate in decimal, in hex
 *	%h %l	upper and lower half of the immediate
 *	%I	64-bit immediate
 *	%o %O	signed offset, signed immediate
 *	%w	width in bits
 *	%q	"64" if the width is 64
 *	%p	"probe " if a fault is handled
 *	%P %F	subprogram, function that is called
 */
enum form_cond { ANY, OFF_IS, IMM_IS, SRC_IS, HAS_NEXT };

struct form {
	uint8_t classes;
	uint8_t code_mask, code_bits;
	enum form_cond cond;
	int32_t value;
	const char *text;
};

#define IN(class) (1 << (class))
#define IN_ALU	  (IN(BPF_ALU) | IN(BPF_ALU64))
#define IN_JMP	  (IN(BPF_JMP) | IN(BPF_JMP32))

/* Plain and probing atomics differ in the lowest bit of the mode. */
#define ATOMIC(imm, text)                                                   \
	{                                                                   \
		IN(BPF_STX), BPF_ATOMIC, BPF_ATOMIC, IMM_IS, imm, "%p" text \
	}
#define FETCH(imm, name) \
	ATOMIC((imm) | BPF_FETCH, "%S = atomic%q_fetch_" name "((u%w *)(%D %o), %S)")

static const struct form forms[] = {
	{ IN(BPF_ALU64), OP_MASK, BPF_END, ANY, 0, "%D = bswap%i %D" },
	{ IN(BPF_ALU), OP_MASK | BPF_X, BPF_END | BPF_TO_LE, ANY, 0, "%D = le%i %D" },
	{ IN(BPF_ALU), OP_MASK | BPF_X, BPF_END | BPF_TO_BE, ANY, 0, "%D = be%i %D" },
	{ IN_ALU, OP_MASK, BPF_NEG, ANY, 0, "%d = -%d" },
	{ IN(BPF_ALU64), OP_MASK | BPF_X, BPF_MOV | BPF_X, OFF_IS, BPF_ADDR_SPACE_CAST,
	  "%d = addr_space_cast(%s, %h, %l)" },
	{ IN(BPF_ALU64), OP_MASK | BPF_X, BPF_MOV | BPF_X, OFF_IS, OFF_ADDR_PERCPU,
	  "%d = &(void __percpu *)(%s)" },
	{ IN_ALU, OP_MASK | BPF_X, BPF_MOV | BPF_X, OFF_IS, 8, "%d = (s8)%s" },
	{ IN_ALU, OP_MASK | BPF_X, BPF_MOV | BPF_X, OFF_IS, 16, "%d = (s16)%s" },
	{ IN_ALU, OP_MASK | BPF_X, BPF_MOV | BPF_X, OFF_IS, 32, "%d = (s32)%s" },
	{ IN_ALU, OP_MASK | BPF_X, BPF_DIV | BPF_X, OFF_IS, 1, "%d s%a %s" },
	{ IN_ALU, OP_MASK | BPF_X, BPF_DIV | BPF_K, OFF_IS, 1, "%d s%a %i" },
	{ IN_ALU, OP_MASK | BPF_X, BPF_MOD | BPF_X, OFF_IS, 1, "%d s%a %s" },
	{ IN_ALU, OP_MASK | BPF_X, BPF_MOD | BPF_K, OFF_IS, 1, "%d s%a %i" },
	{ IN_ALU, BPF_X, BPF_X, ANY, 0, "%d %a %s" },
	{ IN_ALU, BPF_X, BPF_K, ANY, 0, "%d %a %i" },

	{ IN(BPF_LDX), MODE_MASK, BPF_MEM, ANY, 0, "%D = *(u%w *)(%S %o)" },
	{ IN(BPF_LDX), MODE_MASK | SIZE_MASK, BPF_MEMSX | BPF_DW, ANY, 0, NULL },
	{ IN(BPF_LDX), MODE_MASK, BPF_MEMSX, ANY, 0, "%D = *(s%w *)(%S %o)" },

	{ IN(BPF_ST), MODE_MASK, BPF_MEM, ANY, 0, "*(u%w *)(%D %o) = %i" },
	{ IN(BPF_ST), MODE_MASK, MODE_NOSPEC, ANY, 0, "nospec" },

	{ IN(BPF_STX), MODE_MASK, BPF_MEM, ANY, 0, "*(u%w *)(%D %o) = %S" },
	ATOMIC(BPF_ADD, "lock *(u%w *)(%D %o) += %S"),
	ATOMIC(BPF_AND, "lock *(u%w *)(%D %o) &= %S"),
	ATOMIC(BPF_OR, "lock *(u%w *)(%D %o) |= %S"),
	ATOMIC(BPF_XOR, "lock *(u%w *)(%D %o) ^= %S"),
	FETCH(BPF_ADD, "add"),
	FETCH(BPF_AND, "and"),
	FETCH(BPF_OR, "or"),
	FETCH(BPF_XOR, "xor"),
	ATOMIC(BPF_XCHG, "%S = atomic%q_xchg((u%w *)(%D %o), %S)"),
	ATOMIC(BPF_CMPXCHG, "r0 = atomic%q_cmpxchg((u%w *)(%D %o), r0, %S)"),
	ATOMIC(BPF_LOAD_ACQ, "%D = load_acquire((u%w *)(%S %o))"),
	ATOMIC(BPF_STORE_REL, "store_release((u%w *)(%D %o), %S)"),

	{ IN(BPF_LD), MODE_MASK, BPF_ABS, ANY, 0, "r0 = *(u%w *)skb[%i]" },
	{ IN(BPF_LD), MODE_MASK, BPF_IND, ANY, 0, "r0 = *(u%w *)skb[%S + %i]" },
	{ IN(BPF_LD), MODE_MASK | SIZE_MASK, BPF_IMM | BPF_DW, HAS_NEXT, 0, "%D = %I" },

	{ IN_JMP, OP_MASK, BPF_CALL, SRC_IS, BPF_PSEUDO_CALL, "call pc%P" },
	{ IN_JMP, OP_MASK, BPF_CALL, ANY, 0, "call %F" },
	{ IN(BPF_JMP), OP_MASK | BPF_X, BPF_JA | BPF_K, ANY, 0, "goto pc%o" },
	{ IN(BPF_JMP), OP_MASK | BPF_X, BPF_JA | BPF_X, ANY, 0, "gotox %D" },
	{ IN(BPF_JMP), OP_MASK | BPF_X, BPF_JCOND | BPF_K, SRC_IS, BPF_MAY_GOTO, "may_goto pc%o" },
	{ IN(BPF_JMP), OP_MASK | BPF_X, BPF_EXIT | BPF_K, ANY, 0, "exit" },
	{ IN(BPF_JMP32), OP_MASK | BPF_X, BPF_JA | BPF_K, ANY, 0, "gotol pc%O" },
	{ IN_JMP, BPF_X, BPF_X, ANY, 0, "if %d %c %s goto pc%o" },
	{ IN_JMP, BPF_X, BPF_K, ANY, 0, "if %d %c %x goto pc%o" },
};

/* What an instruction without a form prints in front of its opcode. */
static const char *const bug_names[8] = {
	[BPF_LD] = "BUG_ld_", [BPF_LDX] = "BUG_ldx_", [BPF_ST] = "BUG_st_", [BPF_STX] = "BUG_",
	[BPF_ALU] = "BUG_",   [BPF_ALU64] = "BUG_",   [BPF_JMP] = "BUG_",   [BPF_JMP32] = "BUG_",
};

/* Where the text goes; pos counts on when len is used up. */
struct out {
	char *buf;
	size_t len, pos;
};

static void out__add(struct out *out, const char *fmt, ...) __printf_like(2, 3);

static void out__add(struct out *out, const char *fmt, ...)
{
	size_t pos = out->pos < out->len ? out->pos : out->len;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(out->buf + pos, out->len - pos, fmt, args);
	va_end(args);
	out->pos += n > 0 ? n : 0;
}

static bool form__fits(const struct form *form, const struct bpf_insn *insn, size_t n)
{
	if (!(form->classes & IN(BPF_CLASS(insn->code))))
		return false;
	if ((insn->code & form->code_mask) != form->code_bits)
		return false;
	switch (form->cond) {
	case OFF_IS:
		return insn->off == form->value;
	case IMM_IS:
		return insn->imm == form->value;
	case SRC_IS:
		return insn->src_reg == form->value;
	case HAS_NEXT:
		return n > 1;
	case ANY:
		break;
	}
	return true;
}

static const char *form__find(const struct bpf_insn *insn, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (form__fits(&forms[i], insn, n))
			return forms[i].text;
	}
	return NULL;
}

static void add_function(struct out *out, const struct bpf_insn *insn,
			 const struct disasm_opts *opts)
{
	const char *name = insn->src_reg ? NULL : disasm__helper(insn->imm);

	if (!name && opts->call)
		name = opts->call(opts->ctx, insn);
	if (!name)
		name = insn->src_reg == BPF_PSEUDO_KFUNC_CALL ? "kernel-function" : "unknown";
	out__add(out, "%s", name);
	if (opts->call_imm)
		out__add(out, "#%d", insn->imm);
}

static void add_subprog(struct out *out, const struct bpf_insn *insn,
			const struct disasm_opts *opts)
{
	const char *name = opts->call ? opts->call(opts->ctx, insn) : NULL;

	out__add(out, "%+d", opts->call_off ? insn->off : insn->imm);
	if (name)
		out__add(out, "#%s", name);
}

static void add_imm64(struct out *out, const struct bpf_insn *insn, const struct disasm_opts *opts)
{
	uint64_t value = (uint64_t)(uint32_t)insn[1].imm << 32 | (uint32_t)insn[0].imm;
	const char *name = opts->imm ? opts->imm(opts->ctx, insn, value) : NULL;

	if (name)
		out__add(out, "%s", name);
	else if (opts->map_ids && insn->src_reg == BPF_PSEUDO_MAP_FD)
		out__add(out, "map[id:%d]", insn[0].imm);
	else if (opts->map_ids && insn->src_reg == BPF_PSEUDO_MAP_VALUE)
		out__add(out, "map[id:%d][0]+%d", insn[0].imm, insn[1].imm);
	else if (opts->map_ids && insn->src_reg == BPF_PSEUDO_MAP_IDX_VALUE)
		out__add(out, "map[idx:%d]+%d", insn[0].imm, insn[1].imm);
	else if (opts->map_ids && insn->src_reg == BPF_PSEUDO_FUNC)
		out__add(out, "subprog[%+d]", insn[0].imm);
	else
		out__add(out, "0x%llx", (unsigned long long)value);
}

static void add_operand(struct out *out, char what, const struct bpf_insn *insn,
			const struct disasm_opts *opts)
{
	uint8_t class = BPF_CLASS(insn->code);
	char reg = class == BPF_ALU || class == BPF_JMP32 ? 'w' : 'r';
	const char *op;

	switch (what) {
	case 'd':
		return out__add(out, "%c%d", reg, insn->dst_reg);
	case 's':
		return out__add(out, "%c%d", reg, insn->src_reg);
	case 'D':
		return out__add(out, "r%d", insn->dst_reg);
	case 'S':
		return out__add(out, "r%d", insn->src_reg);
	case 'a':
	case 'c':
		op = (what == 'a' ? alu_ops : jmp_ops)[insn->code >> 4];
		return out__add(out, "%s", op ?: "(null)");
	case 'i':
		return out__add(out, "%d", insn->imm);
	case 'x':
		return out__add(out, "0x%x", insn->imm);
	case 'h':
		return out__add(out, "%u", (uint32_t)insn->imm >> 16);
	case 'l':
		return out__add(out, "%u", (uint16_t)insn->imm);
	case 'I':
		return add_imm64(out, insn, opts);
	case 'o':
		return out__add(out, "%+d", insn->off);
	case 'O':
		return out__add(out, "%+d", insn->imm);
	case 'w':
		return out__add(out, "%s", widths[BPF_SIZE(insn->code) >> 3]);
	case 'q':
		return out__add(out, "%s", BPF_SIZE(insn->code) == BPF_DW ? "64" : "");
	case 'p':
		return out__add(out, "%s",
				BPF_MODE(insn->code) == MODE_PROBE_ATOMIC ? "probe " : "");
	case 'P':
		return add_subprog(out, insn, opts);
	case 'F':
		return add_function(out, insn, opts);
	}
}

int disasm__insn(const struct bpf_insn *insn, size_t n, const struct disasm_opts *opts, char *buf,
		 size_t len, size_t *ret_used)
{
	struct out out = { .buf = buf, .len = len };
	const char *text;

	if (!n)
		return -EINVAL;
	text = form__find(insn, n);
	if (!text)
		out__add(&out, "%s%02x", bug_names[BPF_CLASS(insn->code)], insn->code);
	else if (opts->opcode)
		out__add(&out, "(%02x) ", insn->code);
	for (; text && *text; text++) {
		if (*text == '%')
			add_operand(&out, *++text, insn, opts);
		else
			out__add(&out, "%c", *text);
	}
	if (out.pos >= len)
		return -ENOSPC;
	if (ret_used)
		*ret_used = insn->code == (BPF_LD | BPF_IMM | BPF_DW) && n > 1 ? 2 : 1;
	return 0;
}

int disasm__text(const struct bpf_insn *insns, size_t n, const struct disasm_opts *opts,
		 char **ret_text)
{
	_cleanup_free_ char *text = NULL;
	char line[DISASM_LEN];
	size_t len, used = 0;
	FILE *mem;
	int err = 0;

	mem = open_memstream(&text, &len);
	if (!mem)
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i += used) {
		err = disasm__insn(insns + i, n - i, opts, line, sizeof(line), &used);
		if (!err && fprintf(mem, "%*zu: %s\n", opts->index_width, i, line) < 0)
			err = -ENOMEM;
	}
	if (fclose(mem) && !err)
		err = -ENOMEM;
	if (!err)
		*ret_text = TAKE_PTR(text);
	return err;
}
