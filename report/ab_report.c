// SPDX-License-Identifier: GPL-2.0-only
/* What two kernels' boots say, from the folders that they left: text, Markdown, JSON, HTML. */
#include <stdio.h>

#include "cleanup.h"
#include "data.h"
#include "log.h"
#include "newfile.h"
#include "opts.h"
#include "page.h"
#include "story.h"

struct report_cmd {
	const char *out, *allow, *command;
	bool no_files;
};

#define R struct report_cmd
static const struct opt table[] = {
	OPT_STR(R, out, 0, "out", "DIR",
		"where the files go; by default the folder that is reported on"),
	OPT_FLAG(R, no_files, 0, "no-files", "print the text only"),
	OPT_STR(R, allow, 0, "allow", "FILE",
		"splats that are known, a pattern for their first lines on each line"),
	OPT_STR(R, command, 0, "command", "TEXT",
		"what makes these results again; by default DIR/command says it"),
};
#undef R

static const struct opt_spec spec = {
	.program = "ab-report",
	.usage = "[options] DIR | A B",
	.about = "Compares what the boots of two kernels left and writes report.txt, report.md,\n"
		 "report.json and report.html, and report.txt to the terminal. DIR holds a folder\n"
		 "base and a folder patched, as scripts/ab leaves them; A and B are such sides, "
		 "or\n"
		 "two such folders: then the patched sides of both are compared, and files are "
		 "only\n"
		 "written if --out says where.",
	.status = "0 nothing is worse, 1 something is, 2 usage, 3 something could not be\n"
		  "read, measured or compared.",
	.table = table,
	.n = ARRAY_SIZE(table),
};

/* What was found in a file of somebody else's is not for a terminal to obey. */
static int refuse(const struct err *err, int rc, int status)
{
	char text[sizeof(err->text)];

	snprintf(text, sizeof(text), "%s", err->text[0] ? err->text : strerror(-rc));
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	log_err("%s", text);
	return status;
}

/* ---- the files --------------------------------------------------------------- */

static int write_story(const struct whole *whole, enum doc_form form, FILE *out)
{
	struct doc doc = { .form = form, .out = out };

	return story__tell(whole, &doc);
}

static int write_text(const struct whole *whole, FILE *out)
{
	return write_story(whole, DOC_PLAIN, out);
}

static int write_markdown(const struct whole *whole, FILE *out)
{
	return write_story(whole, DOC_MARKDOWN, out);
}

static const struct {
	const char *name;
	int (*write)(const struct whole *whole, FILE *out);
} files[] = {
	{ "report.txt", write_text },
	{ "report.md", write_markdown },
	{ "report.json", data__write },
	{ "report.html", page__write },
};

static int make_text(int (*write)(const struct whole *, FILE *), const struct whole *whole,
		     char **ret_text, size_t *ret_len)
{
	_cleanup_free_ char *text = NULL;
	FILE *out = open_memstream(&text, ret_len);
	int rc;

	if (!out)
		return -ENOMEM;
	rc = write(whole, out);
	if (fclose(out) && rc == 0)
		rc = -ENOMEM;
	if (rc == 0)
		*ret_text = TAKE_PTR(text);
	return rc;
}

static int write_file(const struct whole *whole, const char *dir, size_t which, struct err *err)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	size_t len;
	int rc;

	rc = str__printf(&path, "%s/%s", dir, files[which].name);
	if (rc == 0)
		rc = make_text(files[which].write, whole, &text, &len);
	if (rc == 0)
		rc = newfile__clear(path, err);
	return rc ?: newfile__write(path, text, len, err);
}

static int print_text(const struct whole *whole)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int rc = make_text(write_text, whole, &text, &len);

	if (rc == 0 && (fwrite(text, 1, len, stdout) != len || fflush(stdout)))
		rc = -EIO;
	return rc;
}

/* ---- the command ------------------------------------------------------------- */

static int report(const struct report_cmd *cmd, const struct opt_list *args)
{
	_cleanup_(whole__freep) struct whole *whole = NULL;
	const struct whole_opts opts = {
		.paths = { args->v[0], args->n > 1 ? args->v[1] : NULL },
		.allow = cmd->allow,
		.command = cmd->command,
	};
	const char *out = cmd->out ?: args->n == 1 ? args->v[0] : NULL;
	struct err err = {};
	int rc = whole__read(&opts, &whole, &err);

	if (rc)
		return refuse(&err, rc, STATUS_UNABLE);
	rc = print_text(whole);
	for (size_t i = 0; i < ARRAY_SIZE(files) && out && !cmd->no_files && !rc; i++)
		rc = write_file(whole, out, i, &err);
	return rc ? refuse(&err, rc, STATUS_UNABLE) : whole->status;
}

int main(int argc, char **argv)
{
	struct opt_list args = {};
	struct report_cmd cmd = {};
	struct err err = {};
	int rc, status;

	log__set_name("ab-report");
	rc = opts__parse(&spec, argc, argv, &cmd, &args, &err);
	if (rc == 1) {
		opts__help(&spec, stdout);
		opts__help_status(&spec, stdout);
		status = STATUS_FINE;
	} else if (rc < 0) {
		status = refuse(&err, rc, rc == -EINVAL ? STATUS_USAGE : STATUS_UNABLE);
	} else if (args.n != 1 && args.n != 2) {
		log_err("expected a folder of results, or two sides (see --help)");
		status = STATUS_USAGE;
	} else {
		status = report(&cmd, &args);
	}
	vec_free(&args);
	return status;
}
