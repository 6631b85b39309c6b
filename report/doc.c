// SPDX-License-Identifier: GPL-2.0-only
#include "doc.h"
#include "doc_form.h"

#include <stdarg.h>

#include "cleanup.h"

/* ---- escaping ---------------------------------------------------------------- */

static void put_html(FILE *out, char c)
{
	switch (c) {
	case '&':
		fputs("&amp;", out);
		break;
	case '<':
		fputs("&lt;", out);
		break;
	case '>':
		fputs("&gt;", out);
		break;
	case '"':
		fputs("&quot;", out);
		break;
	case '\'':
		fputs("&#39;", out);
		break;
	default:
		fputc(c, out);
	}
}

void doc_form__put(const struct doc *doc, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		/* A terminal obeys these. */
		if (c < 0x20 || c == 0x7f)
			c = c == '\n' || c == '\t' ? ' ' : '?';
		if (doc->form == DOC_HTML) {
			put_html(doc->out, c);
			continue;
		}
		if (doc->form == DOC_MARKDOWN && strchr("|\\`*_<>[]#&", c))
			fputc('\\', doc->out);
		fputc(c, doc->out);
	}
}

void doc_form__wrap(const struct doc *doc, const char *text, size_t at, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t len;

		text += strspn(text, " \n");
		len = strcspn(text, " \n");
		if (!len)
			break;
		if (!first && at + 1 + len > DOC_WIDTH) {
			fprintf(doc->out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			fputc(' ', doc->out);
			at++;
		}
		doc_form__put(doc, text, len);
		at += len;
		text += len;
		first = false;
	}
	fputc('\n', doc->out);
}

/* ---- parts ------------------------------------------------------------------- */

/* What goes around the words of a part that is no table. */
struct part {
	const char *open[3], *close[3]; /* by form */
};

static void end_list(struct doc *doc)
{
	if (doc->in_list && doc->form == DOC_HTML)
		fputs("</ul>\n", doc->out);
	doc->in_list = false;
}

void doc_form__begin(struct doc *doc)
{
	end_list(doc);
	if (doc->any)
		fputc('\n', doc->out);
	doc->any = true;
}

static void put_part(struct doc *doc, const struct part *part, const char *text)
{
	fputs(part->open[doc->form], doc->out);
	if (doc->form == DOC_PLAIN)
		doc_form__wrap(doc, text, 0, 0);
	else
		doc_form__put(doc, text, strlen(text));
	fputs(part->close[doc->form], doc->out);
}

static char *format(const char *fmt, va_list args)
{
	char *text;

	return vasprintf(&text, fmt, args) < 0 ? NULL : text;
}

static void put_formatted(struct doc *doc, const struct part *part, const char *fmt, va_list args)
{
	_cleanup_free_ char *text = format(fmt, args);

	doc_form__begin(doc);
	put_part(doc, part, text ?: "");
}

void doc__title(struct doc *doc, const char *fmt, ...)
{
	static const struct part part = { { "", "# ", "<h1>" }, { "", "\n", "</h1>\n" } };
	va_list args;

	va_start(args, fmt);
	put_formatted(doc, &part, fmt, args);
	va_end(args);
}

void doc__head(struct doc *doc, const char *text)
{
	static const struct part part = { { "", "## ", "<h2>" }, { "", "\n", "</h2>\n" } };

	doc_form__begin(doc);
	put_part(doc, &part, text);
	if (doc->form != DOC_PLAIN)
		return;
	for (size_t i = 0; i < strlen(text); i++)
		fputc('-', doc->out);
	fputc('\n', doc->out);
}

void doc__para(struct doc *doc, const char *fmt, ...)
{
	static const struct part part = { { "", "", "<p>" }, { "", "\n", "</p>\n" } };
	va_list args;

	va_start(args, fmt);
	put_formatted(doc, &part, fmt, args);
	va_end(args);
}

void doc__verdict(struct doc *doc, const char *text)
{
	static const struct part part = { { "", "**", "<p class=\"overall\">" },
					  { "", "**\n", "</p>\n" } };
	_cleanup_free_ char *line = NULL;

	doc_form__begin(doc);
	put_part(doc, &part, str__printf(&line, "verdict: %s", text) ? text : line);
}

void doc__item(struct doc *doc, const char *fmt, ...)
{
	static const char *const open[] = { "  - ", "- ", "<li>" },
				 *close[] = { "", "\n", "</li>\n" };
	_cleanup_free_ char *text = NULL;
	va_list args;

	va_start(args, fmt);
	text = format(fmt, args);
	va_end(args);
	if (!doc->in_list) {
		doc_form__begin(doc);
		if (doc->form == DOC_HTML)
			fputs("<ul>\n", doc->out);
		doc->in_list = true;
	}
	fputs(open[doc->form], doc->out);
	if (doc->form == DOC_PLAIN)
		doc_form__wrap(doc, text ?: "", 4, 4);
	else
		doc_form__put(doc, text ?: "", strlen(text ?: ""));
	fputs(close[doc->form], doc->out);
}

/* A line of shell may go on behind a backslash; where words are quoted it is left alone. */
static void put_shell(const struct doc *doc, const char *text)
{
	size_t at = 2;

	while (!strpbrk(text, "'\"")) {
		size_t len = strcspn(text, " ");

		while (text[len] && len && text[len - 1] == '\\')
			len += 1 + strcspn(text + len + 1, " ");
		doc_form__put(doc, text, len);
		at += len;
		text += len;
		if (!*text)
			return;
		text++;
		if (at + 1 + strcspn(text, " ") + 2 > DOC_WIDTH) {
			fputs(" \\\n      ", doc->out);
			at = 6;
		} else {
			fputc(' ', doc->out);
			at++;
		}
	}
	doc_form__put(doc, text, strlen(text));
}

void doc__code(struct doc *doc, const char *text)
{
	static const char *const open[] = { "  ", "    ", "<pre>" },
				 *close[] = { "\n", "\n", "</pre>\n" };
	/* In a block of Markdown that is indented nothing has to be escaped. */
	struct doc raw = { .form = doc->form == DOC_HTML ? DOC_HTML : DOC_PLAIN, .out = doc->out };

	doc_form__begin(doc);
	fputs(open[doc->form], doc->out);
	if (doc->form == DOC_PLAIN)
		put_shell(&raw, text);
	else
		doc_form__put(&raw, text, strlen(text));
	fputs(close[doc->form], doc->out);
}

int doc__end(struct doc *doc)
{
	end_list(doc);
	return ferror(doc->out) ? -EIO : 0;
}
