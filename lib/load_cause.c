// SPDX-License-Identifier: GPL-2.0-only
#include "load_cause.h"

#include <errno.h>

static const char *const cause_words[LOAD_CAUSES] = {
	[LOAD_OK] = "loaded",
	[LOAD_REJECTED] = "rejected",
	[LOAD_NO_MAP] = "map create",
	[LOAD_NO_TARGET] = "target missing",
	[LOAD_NO_EXTERN] = "kfunc missing",
	[LOAD_NO_TYPE] = "type unknown",
	[LOAD_NO_BTF] = "BTF",
	[LOAD_NO_PERMISSION] = "no permission",
	[LOAD_NO_MEMORY] = "no memory",
	[LOAD_REFUSED] = "refused",
	[LOAD_FAILED] = "not loaded",
};

const char *load_cause__words(enum load_cause cause)
{
	return cause_words[cause];
}

/*
 * What libbpf 1.x says of failures that have a cause of their own. Words that
 * another libbpf does not say lead to LOAD_FAILED, with what it did say.
 */
static const struct {
	const char *words;
	enum load_cause cause;
} libbpf_says[] = {
	{ "': failed to create", LOAD_NO_MAP },
	{ "can't create jump table", LOAD_NO_MAP },
	{ "failed to find kernel BTF type ID of", LOAD_NO_TARGET },
	{ "no BTF-based attach target", LOAD_NO_TARGET },
	{ "attach program FD is not set", LOAD_NO_TARGET },
	{ "is not found in kernel BTF", LOAD_NO_TARGET },
	{ "Cannot find member", LOAD_NO_TARGET },
	{ "not found in kernel", LOAD_NO_EXTERN },
	{ "(strong): not resolved", LOAD_NO_EXTERN },
	{ "incompatible types", LOAD_NO_EXTERN },
	{ "incompatible with", LOAD_NO_EXTERN },
	{ "Error loading vmlinux BTF", LOAD_NO_BTF },
	{ "BTF is mandatory", LOAD_NO_BTF },
};

void load_cause__set_reason(char *reason, const char *text)
{
	size_t n = strcspn(text, "\n");

	if (n >= LOAD_REASON_MAX)
		n = LOAD_REASON_MAX - 1;
	memcpy(reason, text, n);
	reason[n] = '\0';
}

static const char *last_line(const char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == '\n')
		n--;
	while (n && text[n - 1] != '\n')
		n--;
	return text + n;
}

enum load_cause load_cause__explain(const char *said, int error, char *reason)
{
	const char *line = said;

	while (*line) {
		const char *end = strchrnul(line, '\n');

		for (size_t i = 0; i < ARRAY_SIZE(libbpf_says); i++) {
			if (memmem(line, end - line, libbpf_says[i].words,
				   strlen(libbpf_says[i].words))) {
				load_cause__set_reason(reason, line);
				return error == -EPERM ? LOAD_NO_PERMISSION : libbpf_says[i].cause;
			}
		}
		line = *end ? end + 1 : end;
	}
	line = last_line(said);
	load_cause__set_reason(reason, *line ? line : strerror(-error));
	switch (error) {
	case -EPERM:
		return LOAD_NO_PERMISSION;
	case -ENOMEM:
		return LOAD_NO_MEMORY;
	default:
		return LOAD_FAILED;
	}
}
