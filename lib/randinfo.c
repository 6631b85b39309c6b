// SPDX-License-Identifier: GPL-2.0-only
#include "randinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cleanup.h"

#define LINE_SHIFT 10 /* in line_col; below it is the column */

void randinfo__free(struct randinfo *info)
{
	free(info->funcs);
	free(info->lines);
	*info = (struct randinfo){};
}

static bool is_second_half(const struct randcode *code, size_t insn)
{
	return code->insns.v[insn].code == 0;
}

int randinfo__make(const struct randprog *prog, const struct randcode *code,
		   const struct randbtf *btf, struct randinfo *ret_info)
{
	_cleanup_(randinfo__free) struct randinfo info = {
		.funcs = calloc(code->funcs.n, sizeof(*info.funcs)),
		.lines = calloc(code->insns.n, sizeof(*info.lines)),
	};

	if (!info.funcs || !info.lines)
		return -ENOMEM;
	for (size_t i = 0; i < code->funcs.n; i++) {
		const struct randcode_func *func = &code->funcs.v[i];

		info.funcs[info.n_funcs].insn_off = func->start;
		info.funcs[info.n_funcs++].type_id =
			randbtf__func(btf, i, &prog->funcs.v[func->func]);
	}
	for (size_t i = 0; i < code->insns.n; i++) {
		if (is_second_half(code, i))
			continue;
		info.lines[info.n_lines].insn_off = i;
		info.lines[info.n_lines++].line_col = i << LINE_SHIFT;
	}
	*ret_info = info;
	info = (struct randinfo){};
	return 0;
}

static int check_funcs(const struct randcode *code, const struct patch_model *model,
		       const struct prog_info *kernel, char *buf, size_t len)
{
	if (kernel->n_funcs != code->funcs.n) {
		snprintf(buf, len, "%zu function infos, expected %zu", kernel->n_funcs,
			 code->funcs.n);
		return 1;
	}
	for (size_t i = 0; i < code->funcs.n; i++) {
		size_t want = model->entry[code->funcs.v[i].start];

		if (kernel->funcs[i].insn_off == want)
			continue;
		snprintf(buf, len, "function %zu begins with instruction %u, expected %zu", i,
			 kernel->funcs[i].insn_off, want);
		return 1;
	}
	return 0;
}

/* Nothing came of it: the next one has its place. */
static bool is_removed(const struct patch_model *model, size_t insn)
{
	return model->first[insn] == model->first[insn + 1];
}

static int check_lines(const struct randcode *code, const struct patch_model *model,
		       const struct prog_info *kernel, char *buf, size_t len)
{
	size_t at = 0;

	for (size_t i = 0; i < code->insns.n; i++) {
		const struct bpf_line_info *line = at < kernel->n_lines ? &kernel->lines[at] : NULL;

		if (is_second_half(code, i) || is_removed(model, i))
			continue;
		if (!line || line->line_col >> LINE_SHIFT != i ||
		    line->insn_off != model->entry[i]) {
			snprintf(buf, len,
				 "line info %zu of %zu is of line %d at instruction %d, "
				 "expected line %zu at %zu",
				 at, kernel->n_lines,
				 line ? (int)(line->line_col >> LINE_SHIFT) : -1,
				 line ? (int)line->insn_off : -1, i, model->entry[i]);
			return 1;
		}
		at++;
	}
	if (at == kernel->n_lines)
		return 0;
	snprintf(buf, len, "%zu line infos, expected %zu", kernel->n_lines, at);
	return 1;
}

int randinfo__check(const struct randcode *code, const struct patch_model *model,
		    const struct prog_info *kernel, char *buf, size_t len)
{
	return check_funcs(code, model, kernel, buf, len) ||
	       check_lines(code, model, kernel, buf, len);
}
