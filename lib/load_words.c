// SPDX-License-Identifier: GPL-2.0-only
#include "load_words.h"

#include <stdarg.h>

#include "util.h"

/*
 * libbpf's print function has no argument of its own, so the one who is
 * called on behalf of has to be known by other means. NULL: nobody.
 */
static __thread struct load_words *speaking_for;

static void echo(const struct load_words *words, enum libbpf_print_level level, const char *fmt,
		 va_list ap)
{
	va_list copy;

	if (!words->echo || (level == LIBBPF_DEBUG && !words->debug))
		return;
	va_copy(copy, ap);
	vfprintf(words->echo, fmt, copy);
	va_end(copy);
}

/* The first line of each message: behind some of them stands a whole log. */
static int take_note(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	struct load_words *words = speaking_for;
	char line[256];
	size_t len, have;

	if (!words)
		return 0;
	echo(words, level, fmt, ap);
	if (level != LIBBPF_WARN)
		return 0;
	if (str_starts(fmt, "libbpf: "))
		fmt += strlen("libbpf: ");
	vsnprintf(line, sizeof(line) - 1, fmt, ap);
	strchrnul(line, '\n')[0] = '\0';
	strcat(line, "\n");
	len = strlen(line);
	have = strlen(words->said);
	/* What was said last is nearest to the failure. */
	while (have + len >= sizeof(words->said)) {
		const char *second = strchr(words->said, '\n') + 1;

		have -= second - words->said;
		memmove(words->said, second, have + 1);
	}
	memcpy(words->said + have, line, len + 1);
	return 0;
}

libbpf_print_fn_t load_words__begin(struct load_words *words)
{
	words->said[0] = '\0';
	speaking_for = words;
	return libbpf_set_print(take_note);
}

void load_words__end(libbpf_print_fn_t before)
{
	speaking_for = NULL;
	libbpf_set_print(before);
}
