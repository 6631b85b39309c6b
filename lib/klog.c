// SPDX-License-Identifier: GPL-2.0-only
#include "klog.h"

#include <ctype.h>
#include <fnmatch.h>

#include "cleanup.h"
#include "kmsg.h"
#include "lines.h"

/* ---- lines ------------------------------------------------------------------ */

const char *klog__strip_time(const char *line)
{
	size_t len;

	if (*line == '<') {
		len = strspn(line + 1, "0123456789");
		if (len && line[len + 1] == '>')
			line += len + 2;
	}
	/* "[    1.234567] ", "[    1.234567][   T12] " */
	while (*line == '[') {
		len = strspn(line + 1, " 0123456789.TC");
		if (!len || line[len + 1] != ']')
			break;
		line += len + 2;
		line += strspn(line, " ");
	}
	return line;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* 12, 0x1f, ffff8881, but not bpf_prog_32 and not dead. */
static bool is_number(const char *word, size_t len)
{
	size_t digits = 0, hex = 0;

	for (size_t i = 0; i < len; i++) {
		digits += isdigit((unsigned char)word[i]) != 0;
		hex += isxdigit((unsigned char)word[i]) != 0;
	}
	return isdigit((unsigned char)word[0]) || (hex == len && (digits || len >= 8));
}

void klog__mask(char *text)
{
	char *to = text;

	while (*text) {
		size_t len = 0;

		while (is_word(text[len]))
			len++;
		if (len && is_number(text, len)) {
			*to++ = '#';
			text += len;
			continue;
		}
		len = len ?: 1;
		memmove(to, text, len);
		to += len;
		text += len;
	}
	*to = '\0';
}

/* ---- what is known ---------------------------------------------------------- */

int klog__allow(struct klog *log, const char *path, struct err *err)
{
	_cleanup_lines_ struct lines lines = {};
	const char *line;
	int ret = lines__read(path, "known splats", &lines, err);

	while (!ret && (line = lines__next(&lines))) {
		struct klog_allow allow = { .pattern = strdup(line) };

		ret = allow.pattern ? vec_push(&log->allow, allow) : -ENOMEM;
		if (ret)
			free(allow.pattern);
	}
	return ret;
}

static bool is_allowed(struct klog *log, const char *text, const char *masked)
{
	bool allowed = false;

	for (size_t i = 0; i < log->allow.n; i++) {
		const char *pattern = log->allow.v[i].pattern;

		if (fnmatch(pattern, text, 0) && fnmatch(pattern, masked, 0))
			continue;
		log->allow.v[i].used = true;
		allowed = true;
	}
	return allowed;
}

/* ---- splats ----------------------------------------------------------------- */

static struct klog_splat *klog__find(struct klog *log, const char *masked)
{
	for (size_t i = 0; i < log->splats.n; i++)
		if (streq(log->splats.v[i].masked, masked))
			return &log->splats.v[i];
	return NULL;
}

static void klog_splat__reset(struct klog_splat *splat)
{
	free(splat->text);
	free(splat->masked);
	free(splat->boot);
}

static int klog__add_splat(struct klog *log, int side, const char *boot, const char *text)
{
	_cleanup_(klog_splat__reset) struct klog_splat splat = {};
	struct klog_splat *same;

	splat.text = strdup(text);
	splat.masked = strdup(text);
	splat.boot = strdup(boot);
	if (!splat.text || !splat.masked || !splat.boot)
		return -ENOMEM;
	klog__mask(splat.masked);
	same = klog__find(log, splat.masked);
	if (same) {
		same->n[side]++;
		return 0;
	}
	splat.n[side] = 1;
	splat.allowed = is_allowed(log, splat.text, splat.masked);
	if (vec_push(&log->splats, splat))
		return -ENOMEM;
	splat = (struct klog_splat){};
	return 0;
}

int klog__add(struct klog *log, int side, const char *boot, const char *text)
{
	_cleanup_free_ char *copy = strdup(text);
	char *rest = copy, *line;
	int ret = 0;

	if (!copy)
		return -ENOMEM;
	log->logs[side]++;
	while (!ret && (line = strsep(&rest, "\n"))) {
		size_t len = strlen(line);
		const char *said;

		/* A serial console ends its lines as terminals want it. */
		while (len && strchr(" \r", line[len - 1]))
			line[--len] = '\0';
		said = klog__strip_time(line);
		if (kmsg__is_splat(said))
			ret = klog__add_splat(log, side, boot, said);
	}
	return ret;
}

int klog__add_unread(struct klog *log, int side, const char *boot, const char *why)
{
	char *text;
	int ret = str__printf(&text, "%c, %s: %s", 'A' + side, boot, why);

	if (ret)
		return ret;
	ret = vec_push(&log->unread, text);
	if (ret)
		free(text);
	return ret;
}

bool klog_splat__counts(const struct klog_splat *splat)
{
	return splat->n[1] && !splat->n[0] && !splat->allowed;
}

enum klog_verdict klog__verdict(const struct klog *log)
{
	for (size_t i = 0; i < log->splats.n; i++)
		if (klog_splat__counts(&log->splats.v[i]))
			return KLOG_WORSE;
	if (log->unread.n || !log->logs[0] || !log->logs[1])
		return KLOG_UNREAD;
	return KLOG_EQUAL;
}

void klog__reset(struct klog *log)
{
	for (size_t i = 0; i < log->splats.n; i++)
		klog_splat__reset(&log->splats.v[i]);
	for (size_t i = 0; i < log->unread.n; i++)
		free(log->unread.v[i]);
	for (size_t i = 0; i < log->allow.n; i++)
		free(log->allow.v[i].pattern);
	vec_free(&log->splats);
	vec_free(&log->unread);
	vec_free(&log->allow);
}
