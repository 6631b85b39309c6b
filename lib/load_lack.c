// SPDX-License-Identifier: GPL-2.0-only
#include "load_lack.h"

#include <bpf/libbpf.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "cleanup.h"

/* How libbpf begins to tell of the part, and what we can do without it. */
static const struct {
	const char *begins;
	enum load_lack_kind kind;
} parts[] = {
	{ "map '", LACK_MAP },
	{ "extern (func ksym) '", LACK_KFUNC },
	{ "prog '", LACK_PROGRAM },
};

/* Numbers that libbpf writes into calls: of a map that is not there (plus its index), ... */
#define POISON_MAP   "invalid func unknown#2001"
#define POISON_KFUNC "invalid func unknown#2002"
#define POISON_BASE  2001000000

static const struct load_lack *find(const struct load_lacks *lacks, enum load_lack_kind kind,
				    const char *name)
{
	for (size_t i = 0; i < lacks->list.n; i++) {
		const struct load_lack *lack = &lacks->list.v[i];

		if (lack->kind == kind && (!name || streq(lack->name, name)))
			return lack;
	}
	return NULL;
}

int load_lacks__add(struct load_lacks *lacks, enum load_cause cause, int error, const char *reason)
{
	struct load_lack lack = { .cause = cause, .error = error };
	int rc;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *name = reason + strlen(parts[i].begins), *end;

		if (!str_starts(reason, parts[i].begins))
			continue;
		end = strchr(name, '\'');
		if (!end || (size_t)(end - name) >= sizeof(lack.name))
			return 0;
		memcpy(lack.name, name, end - name);
		lack.kind = parts[i].kind;
		if (find(lacks, lack.kind, lack.name))
			return 0;
		load_cause__set_reason(lack.reason, reason);
		rc = vec_push(&lacks->list, lack);
		return rc < 0 ? rc : 1;
	}
	return 0;
}

/*
 * The section at index i, if it lies within the file. Copied, as symbols are below: in a damaged
 * file they may lie anywhere.
 */
static bool section(const char *elf, size_t len, size_t i, Elf64_Shdr *ret_section)
{
	Elf64_Ehdr head;

	memcpy(&head, elf, sizeof(head));
	if (i >= head.e_shnum || head.e_shoff > len ||
	    (len - head.e_shoff) / sizeof(*ret_section) < head.e_shnum)
		return false;
	memcpy(ret_section, elf + head.e_shoff + i * sizeof(*ret_section), sizeof(*ret_section));
	return ret_section->sh_offset <= len &&
	       len - ret_section->sh_offset >= ret_section->sh_size;
}

/* An undefined symbol that is weak may stay undefined. */
static void weaken_symbols(char *elf, const Elf64_Shdr *symtab, const Elf64_Shdr *strtab,
			   const struct load_lacks *lacks)
{
	const char *names = elf + strtab->sh_offset;

	if (!strtab->sh_size || names[strtab->sh_size - 1])
		return;
	for (size_t i = 0; i < symtab->sh_size / sizeof(Elf64_Sym); i++) {
		char *at = elf + symtab->sh_offset + i * sizeof(Elf64_Sym);
		Elf64_Sym symbol;

		memcpy(&symbol, at, sizeof(symbol));
		if (symbol.st_shndx != SHN_UNDEF || symbol.st_name >= strtab->sh_size ||
		    !find(lacks, LACK_KFUNC, names + symbol.st_name))
			continue;
		symbol.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol.st_info));
		memcpy(at, &symbol, sizeof(symbol));
	}
}

static void weaken(char *elf, size_t len, const struct load_lacks *lacks)
{
	Elf64_Shdr symtab, strtab;

	if (len < sizeof(Elf64_Ehdr) || !find(lacks, LACK_KFUNC, NULL))
		return;
	for (size_t i = 0; section(elf, len, i, &symtab); i++)
		if (symtab.sh_type == SHT_SYMTAB && section(elf, len, symtab.sh_link, &strtab))
			weaken_symbols(elf, &symtab, &strtab, lacks);
}

static void leave_out(struct bpf_object *obj, const struct load_lacks *lacks)
{
	struct bpf_program *prog;
	struct bpf_map *map;

	bpf_object__for_each_program(prog, obj)
	{
		bool lacking = find(lacks, LACK_PROGRAM, bpf_program__name(prog));

		/* Also those that their section marks as optional ("?tc"). */
		bpf_program__set_autoload(prog, !lacking);
	}
	bpf_object__for_each_map(map, obj)
	{
		if (find(lacks, LACK_MAP, bpf_map__name(map)))
			bpf_map__set_autocreate(map, false);
	}
}

int load_lacks__open(const struct load_lacks *lacks, const char *path, struct bpf_object **ret_obj)
{
	_cleanup_free_ char *elf = NULL;
	struct bpf_object *obj;
	char name[64];
	size_t len;
	int rc;

	rc = file__read(path, &elf, &len);
	if (rc < 0)
		return rc;
	weaken(elf, len, lacks);
	/* As libbpf names an object by its file. */
	snprintf(name, sizeof(name), "%s", path_base(path));
	strchrnul(name, '.')[0] = '\0';
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = name);
	obj = bpf_object__open_mem(elf, len, &opts);
	if (!obj)
		return -errno;
	leave_out(obj, lacks);
	*ret_obj = obj;
	return 0;
}

/* Until it is loaded, a struct of operations holds pointers to libbpf's programs. */
static bool has_operation(struct bpf_map *map, const struct bpf_program *prog)
{
	size_t size = 0;
	const char *value = bpf_map__initial_value(map, &size);

	for (size_t at = 0; value && at + sizeof(prog) <= size; at += sizeof(prog))
		if (memcmp(value + at, &prog, sizeof(prog)) == 0)
			return true;
	return false;
}

const struct load_lack *load_lacks__of_program(const struct load_lacks *lacks,
					       struct bpf_object *obj, struct bpf_program *prog)
{
	const struct load_lack *lack = find(lacks, LACK_PROGRAM, bpf_program__name(prog));
	struct bpf_map *map;

	if (lack || bpf_program__type(prog) != BPF_PROG_TYPE_STRUCT_OPS)
		return lack;
	bpf_object__for_each_map(map, obj)
	{
		lack = find(lacks, LACK_MAP, bpf_map__name(map));
		if (lack && bpf_map__type(map) == BPF_MAP_TYPE_STRUCT_OPS &&
		    has_operation(map, prog))
			return lack;
	}
	return NULL;
}

static const char *map_name(struct bpf_object *obj, size_t index)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, obj)
	{
		if (!index--)
			return bpf_map__name(map);
	}
	return NULL;
}

/* Which of several a program called is not to be had from its log. */
static void name_kfuncs(const struct load_lacks *lacks, char *reason)
{
	size_t len = snprintf(reason, LOAD_REASON_MAX, "one of these is not in this kernel:");

	for (size_t i = 0; i < lacks->list.n && len < LOAD_REASON_MAX; i++) {
		const struct load_lack *lack = &lacks->list.v[i];

		if (lack->kind == LACK_KFUNC)
			len += snprintf(reason + len, LOAD_REASON_MAX - len, " %s", lack->name);
	}
}

static const struct load_lack *lack_of_map(const struct load_lacks *lacks, struct bpf_object *obj,
					   const char *poison)
{
	long index = strtol(strchr(poison, '#') + 1, NULL, 10) - POISON_BASE;
	const char *name = index >= 0 ? map_name(obj, index) : NULL;

	return name ? find(lacks, LACK_MAP, name) : NULL;
}

const struct load_lack *load_lacks__explain(const struct load_lacks *lacks, struct bpf_object *obj,
					    const char *log, char *reason)
{
	const char *poison = strstr(log, POISON_MAP);
	const struct load_lack *lack = NULL;
	size_t kfuncs = 0;

	if (poison)
		lack = lack_of_map(lacks, obj, poison);
	else if (strstr(log, POISON_KFUNC))
		lack = find(lacks, LACK_KFUNC, NULL);
	if (!lack)
		return NULL;
	for (size_t i = 0; i < lacks->list.n; i++)
		kfuncs += lacks->list.v[i].kind == LACK_KFUNC;
	if (lack->kind == LACK_KFUNC && kfuncs > 1)
		name_kfuncs(lacks, reason);
	else
		load_cause__set_reason(reason, lack->reason);
	return lack;
}
