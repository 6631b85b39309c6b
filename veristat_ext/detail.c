// SPDX-License-Identifier: GPL-2.0-only
#include "detail.h"

#include "disasm.h"
#include "jited.h"
#include "native.h"
#include "prog_info.h"
#include "src_lines.h"

static void show_log(FILE *out, const char *object, const char *program,
		     const struct load_result *result)
{
	fprintf(out, "%s/%s: %s, verifier log%s:\n%s%s%s", object, program,
		load_cause__words(result->cause),
		result->log_cut ? ", a part of which is cut off" : "", result->log,
		*result->log && !str_ends(result->log, "\n") ? "\n" : "", "\n");
}

static void show_src_lines(FILE *out, const char *object, const char *program,
			   const struct load_result *result, size_t most)
{
	struct src_lines lines;

	if (src_lines__count(result->log, &lines) < 0)
		return;
	if (lines.n)
		fprintf(out, "Top source lines (%s/%s):\n", object, program);
	else
		fprintf(out, "Top source lines (%s/%s): the log has none\n", object, program);
	for (size_t i = 0; i < lines.n && i < most; i++) {
		const struct src_line *line = &lines.v[i];

		fprintf(out, "%5zu: ", line->n);
		if (line->place)
			fprintf(out, "(%.*s)\t", (int)line->place_len, line->place);
		fprintf(out, "%.*s\n", (int)line->len, line->text);
	}
	fputc('\n', out);
	src_lines__clear(&lines);
}

static int xlated_text(int fd, char **ret_text, struct err *err)
{
	struct prog_info info = {};
	int rc;

	rc = prog_info__read(fd, &info, err);
	if (rc == 0)
		rc = prog_info__need_insns(&info, err);
	if (rc == 0)
		rc = disasm__text(info.insns, info.n_insns, &disasm_bpftool, ret_text);
	prog_info__free(&info);
	return rc;
}

static int jited_text(int fd, char **ret_text, struct err *err)
{
	struct jited jited = {};
	int rc;

	rc = jited__read(fd, &jited, err);
	if (rc == 0)
		rc = native__text(jited.image, jited.func_lens, jited.n_funcs, ret_text, err);
	jited__free(&jited);
	return rc;
}

static void dump(FILE *out, const char *object, const char *program, int fd, enum dump_mode mode)
{
	_cleanup_free_ char *text = NULL;
	struct err err = {};
	int rc;

	rc = mode == DUMP_XLATED ? xlated_text(fd, &text, &err) : jited_text(fd, &text, &err);
	fprintf(out, "DUMP (%s) %s/%s:\n", mode == DUMP_XLATED ? "XLATED" : "JITED", object,
		program);
	if (rc < 0)
		fprintf(out, "not there: %s\n\n", err.text[0] ? err.text : strerror(-rc));
	else
		fprintf(out, "%s\n", text);
}

void detail__show(const struct detail_opts *opts, const char *object, const char *program,
		  const struct load_result *result)
{
	if (!opts->out)
		return;
	if (opts->log)
		show_log(opts->out, object, program, result);
	if (opts->src_lines)
		show_src_lines(opts->out, object, program, result, opts->src_lines);
	for (unsigned int mode = DUMP_XLATED; mode <= DUMP_JITED; mode <<= 1)
		if (opts->dump & mode && result->fd >= 0)
			dump(opts->out, object, program, result->fd, mode);
}
