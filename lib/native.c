// SPDX-License-Identifier: GPL-2.0-only
#include "native.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cleanup.h"

#if defined(__x86_64__)
#define TARGET "X86"
#elif defined(__aarch64__)
#define TARGET "AArch64"
#elif defined(__riscv)
#define TARGET "RISCV"
#elif defined(__s390x__)
#define TARGET "SystemZ"
#elif defined(__loongarch__)
#define TARGET "LoongArch"
#elif defined(__powerpc__)
#define TARGET "PowerPC"
#else
#define TARGET ""
#endif

#define MAX_LABELS  32
#define BYTES_SHOWN 12
#define INSN_LEN    128

/* Values of llvm-c/DisassemblerTypes.h. */
#define REFERENCE_NONE	  0
#define REFERENCE_BRANCH  1
#define OPTION_IMM_AS_HEX 2

typedef const char *(*lookup_fn)(void *ctx, uint64_t value, uint64_t *type, uint64_t pc,
				 const char **name);

/*
 * What is used of LLVM's C interface, which is the same in all versions:
 * llvm-c/Disassembler.h, Core.h and TargetMachine.h.
 */
struct llvm {
	void (*init_info)(void);
	void (*init_mc)(void);
	void (*init_disasm)(void);
	char *(*triple)(void);
	char *(*cpu)(void);
	char *(*features)(void);
	void (*free_text)(char *text);
	void *(*create)(const char *triple, const char *cpu, const char *features, void *ctx,
			int tag_type, void *op_info, lookup_fn lookup);
	int (*set_options)(void *disasm, uint64_t options);
	size_t (*insn)(void *disasm, uint8_t *bytes, uint64_t len, uint64_t pc, char *buf,
		       size_t buf_len);
	void (*dispose)(void *disasm);
};

static const struct {
	const char *name;
	size_t offset;
} symbols[] = {
	{ "LLVMInitialize" TARGET "TargetInfo", offsetof(struct llvm, init_info) },
	{ "LLVMInitialize" TARGET "TargetMC", offsetof(struct llvm, init_mc) },
	{ "LLVMInitialize" TARGET "Disassembler", offsetof(struct llvm, init_disasm) },
	{ "LLVMGetDefaultTargetTriple", offsetof(struct llvm, triple) },
	{ "LLVMGetHostCPUName", offsetof(struct llvm, cpu) },
	{ "LLVMGetHostCPUFeatures", offsetof(struct llvm, features) },
	{ "LLVMDisposeMessage", offsetof(struct llvm, free_text) },
	{ "LLVMCreateDisasmCPUFeatures", offsetof(struct llvm, create) },
	{ "LLVMSetDisasmOptions", offsetof(struct llvm, set_options) },
	{ "LLVMDisasmInstruction", offsetof(struct llvm, insn) },
	{ "LLVMDisasmDispose", offsetof(struct llvm, dispose) },
};

/*
 * Ours first (scripts/llvm-disasm.sh), from a program, from one that is installed
 * and from a unit test; then the newest. Since 18 the version is behind ".so".
 */
static const char *const libraries[] = {
	"$ORIGIN/.output/llvm-disasm.so",
	"$ORIGIN/llvm-disasm.so",
	"$ORIGIN/../llvm-disasm.so",
	"libLLVM.so.22.1",
	"libLLVM.so.21.1",
	"libLLVM.so.20.1",
	"libLLVM.so.19.1",
	"libLLVM.so.18.1",
	"libLLVM-17.so.1",
	"libLLVM-16.so.1",
	"libLLVM-15.so.1",
	"libLLVM-14.so.1",
};

/* Never closed: LLVM does not survive that, and to open it again costs nothing. */
static int llvm_open(struct llvm *ret_llvm, struct err *err)
{
	struct llvm llvm = {};
	void *lib = NULL;

#ifdef BPF_AB_STATIC
	return err__set(err, -EOPNOTSUPP,
			"this program is linked statically and cannot load libLLVM");
#endif
	for (size_t i = 0; !lib && i < ARRAY_SIZE(libraries); i++)
		lib = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return err__set(err, -EOPNOTSUPP, "no libLLVM from 14 to 22 is installed");
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		void *symbol = dlsym(lib, symbols[i].name);

		if (!symbol)
			return err__set(err, -EOPNOTSUPP, "libLLVM has no %s", symbols[i].name);
		memcpy((char *)&llvm + symbols[i].offset, &symbol, sizeof(symbol));
	}
	llvm.init_info();
	llvm.init_mc();
	llvm.init_disasm();
	*ret_llvm = llvm;
	return 0;
}

/* One function while it is read: first for where its jumps go, then for the text. */
struct func {
	const struct llvm *llvm;
	void *disasm; /* LLVM's; owned */
	const uint8_t *image;
	uint32_t len;
	bool named; /* second pass: labels have their names */
	uint32_t labels[MAX_LABELS];
	char names[MAX_LABELS][24];
	size_t n_labels;
};

static void func_clear(struct func *func)
{
	if (func->disasm)
		func->llvm->dispose(func->disasm);
}

/* LLVM asks for a name of whatever an instruction refers to. */
static const char *lookup(void *ctx, uint64_t value, uint64_t *type, uint64_t pc __unused_arg,
			  const char **name)
{
	struct func *func = ctx;
	bool branch = *type == REFERENCE_BRANCH;

	*type = REFERENCE_NONE;
	*name = NULL;
	if (!branch)
		return NULL;
	if (!func->named && value < func->len && func->n_labels < MAX_LABELS)
		func->labels[func->n_labels++] = value;
	for (size_t i = 0; func->named && i < func->n_labels; i++) {
		if (func->labels[i] == value)
			return func->names[i];
	}
	return NULL;
}

static int func_open(struct func *func, struct err *err)
{
	const struct llvm *llvm = func->llvm;
	char *triple = llvm->triple(), *cpu = llvm->cpu(), *features = llvm->features();

	func->disasm = llvm->create(triple, cpu, features, func, 0, NULL, lookup);
	llvm->free_text(triple);
	llvm->free_text(cpu);
	llvm->free_text(features);
	if (!func->disasm || !llvm->set_options(func->disasm, OPTION_IMM_AS_HEX))
		return err__set(err, -EOPNOTSUPP, "LLVM has no disassembler for this machine");
	return 0;
}

/* Returns how many bytes the instruction at pc takes, or -EINVAL. */
static int func_insn(const struct func *func, uint32_t pc, char *buf, size_t len, struct err *err)
{
	size_t n = func->llvm->insn(func->disasm, (uint8_t *)func->image + pc, func->len - pc, pc,
				    buf, len);

	return n ? (int)n
		 : err__set(err, -EINVAL, "no instruction at 0x%x: %02x", pc, func->image[pc]);
}

static int label_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int func_find_labels(struct func *func, struct err *err)
{
	char buf[INSN_LEN];
	int n;

	for (uint32_t pc = 0; pc < func->len; pc += n) {
		n = func_insn(func, pc, buf, sizeof(buf), err);
		if (n < 0)
			return n;
	}
	qsort(func->labels, func->n_labels, sizeof(func->labels[0]), label_compare);
	for (size_t i = 0; i < func->n_labels; i++)
		snprintf(func->names[i], sizeof(func->names[i]), "L%zu", i);
	func->named = true;
	return 0;
}

static const char *func_label(const struct func *func, uint32_t pc)
{
	for (size_t i = 0; i < func->n_labels; i++) {
		if (func->labels[i] == pc)
			return func->names[i];
	}
	return NULL;
}

static int func_print(const struct func *func, FILE *out, struct err *err)
{
	char buf[INSN_LEN];
	int n;

	for (uint32_t pc = 0; pc < func->len; pc += n) {
		const char *label = func_label(func, pc);

		n = func_insn(func, pc, buf, sizeof(buf), err);
		if (n < 0)
			return n;
		fprintf(out, "%x:\t", pc);
		for (int i = 0; i < n; i++)
			fprintf(out, "%02x ", func->image[pc + i]);
		if (n < BYTES_SHOWN)
			fprintf(out, "%*s", 3 * (BYTES_SHOWN - n), "");
		fprintf(out, "%s%s%s\n", label ?: "", label ? ":" : "", buf);
	}
	return 0;
}

static int print_func(const struct llvm *llvm, const uint8_t *image, uint32_t len, FILE *out,
		      struct err *err)
{
	_cleanup_(func_clear) struct func func = { .llvm = llvm, .image = image, .len = len };
	int rc;

	rc = func_open(&func, err);
	if (rc == 0)
		rc = func_find_labels(&func, err);
	if (rc == 0)
		rc = func_print(&func, out, err);
	return rc;
}

int native__text(const uint8_t *image, const uint32_t *func_lens, size_t n_funcs, char **ret_text,
		 struct err *err)
{
	_cleanup_free_ char *text = NULL;
	struct llvm llvm;
	size_t len;
	FILE *out;
	int rc;

	rc = llvm_open(&llvm, err);
	if (rc < 0)
		return rc;
	out = open_memstream(&text, &len);
	if (!out)
		return err__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; rc == 0 && i < n_funcs; i++) {
		fprintf(out, "func #%zu:\n", i);
		rc = print_func(&llvm, image, func_lens[i], out, err);
		fputc('\n', out);
		image += func_lens[i];
	}
	if (fclose(out) && rc == 0)
		rc = err__set(err, -ENOMEM, "out of memory");
	if (rc == 0)
		*ret_text = TAKE_PTR(text);
	return rc;
}
