// SPDX-License-Identifier: GPL-2.0-only
#include "codefile.h"

#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "disasm.h"
#include "newfile.h"
#include "prog_info.h"

static const struct disasm_opts code_opts = {
	.call_imm = true,
	.call_off = true,
	.map_ids = true,
	.index_width = 1,
};

/* Records come in the order of their instructions. */
struct cursor {
	const struct prog_info *info;
	size_t func, line;
};

static void print_records(struct cursor *at, size_t insn, FILE *out)
{
	const struct prog_info *info = at->info;

	for (; at->func < info->n_funcs && info->funcs[at->func].insn_off <= insn; at->func++)
		fprintf(out, "func type %u\n", info->funcs[at->func].type_id);
	for (; at->line < info->n_lines && info->lines[at->line].insn_off <= insn; at->line++)
		fprintf(out, "line file %u text %u column %u\n",
			info->lines[at->line].file_name_off, info->lines[at->line].line_off,
			info->lines[at->line].line_col);
}

static int print_code(const struct prog_info *info, FILE *out)
{
	struct cursor at = { .info = info };
	char text[DISASM_LEN];
	size_t used;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < info->n_insns; i += used) {
		rc = disasm__insn(info->insns + i, info->n_insns - i, &code_opts, text,
				  sizeof(text), &used);
		if (rc < 0)
			break;
		print_records(&at, i, out);
		fprintf(out, "%zu: %s\n", i, text);
	}
	/* Records of no instruction are a fault that has to be seen. */
	print_records(&at, SIZE_MAX, out);
	return rc;
}

static int print_info(struct prog_info *info, char **ret_text, size_t *ret_len)
{
	FILE *out = open_memstream(ret_text, ret_len);
	int rc;

	if (!out)
		return -ENOMEM;
	rc = prog_info__mask(info->insns, info->n_insns);
	if (rc == 0)
		rc = print_code(info, out);
	if (fclose(out) && rc == 0)
		rc = -ENOMEM;
	return rc;
}

int codefile__write(const char *dir, const char *object, const char *program, int prog_fd,
		    struct err *err)
{
	_cleanup_(prog_info__free) struct prog_info info = {};
	_cleanup_free_ char *path = NULL, *text = NULL;
	size_t len = 0;
	int rc;

	rc = prog_info__read(prog_fd, &info, err);
	if (rc == 0)
		rc = prog_info__need_insns(&info, err);
	if (rc < 0)
		return rc;
	rc = print_info(&info, &text, &len);
	if (rc == 0)
		rc = str__printf(&path, "%s/%s.%s.txt", dir, object, program);
	if (!path)
		return err__set(err, rc, "%s/%s: %s", object, program, strerror(-rc));
	for (char *p = path + strlen(dir) + 1; *p; p++) /* as much of a path as names the object */
		*p = *p == '/' ? '_' : *p;
	rc = newfile__clear(path, err);
	return rc == 0 ? newfile__write(path, text, len, err) : rc;
}
