// SPDX-License-Identifier: GPL-2.0-only
#include "sidecar.h"

#include <errno.h>

static int sidecar__line(struct recording *rec, const char *name, unsigned int line, char *key,
			 struct err *err)
{
	char *value = strchr(key, '=');

	if (!value || value == key)
		return err__set(err, -EINVAL, "%s:%u:1: expected key=value, found '%.60s'", name,
				line, key);
	*value++ = '\0';
	if (streq(key, "complete")) {
		rec->complete = rec->complete && !streq(value, "no");
		return 0;
	}
	if (recording__env(rec, key))
		return err__set(err, -EINVAL, "%s:%u:1: expected each key once, found '%s'", name,
				line, key);
	return recording__set_env(rec, key, value);
}

int sidecar__read(struct recording *rec, const char *name, char *text, size_t len, struct err *err)
{
	unsigned int line = 0;
	int ret = 0;

	for (char *next, *end = text + len; !ret && text < end; text = next) {
		char *stop = memchr(text, '\n', end - text) ?: end;

		line++;
		next = stop + 1;
		/* What is behind it would go unread. */
		if (memchr(text, '\0', stop - text))
			return err__set(err, -EINVAL, "%s:%u:%zu: expected text, found a NUL byte",
					name, line, strlen(text) + 1);
		if (stop > text && stop[-1] == '\r')
			stop--;
		*stop = '\0';
		if (*text)
			ret = sidecar__line(rec, name, line, text, err);
	}
	return ret;
}

int sidecar__print(const struct recording *rec, FILE *out)
{
	for (size_t i = 0; i < rec->env.n; i++) {
		fprintf(out, "%s=", rec->env.v[i].key);
		for (const char *p = rec->env.v[i].value; *p; p++)
			fputc(*p == '\n' || *p == '\r' ? ' ' : *p, out);
		fputc('\n', out);
	}
	if (!rec->complete)
		fputs("complete=no\n", out);
	return ferror(out) ? -EIO : 0;
}
