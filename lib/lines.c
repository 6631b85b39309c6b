// SPDX-License-Identifier: GPL-2.0-only
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "util.h"

#define BLANKS " \t\r"

int lines__read(const char *path, const char *what, struct lines *ret_lines, struct err *err)
{
	char *text;
	int rc;

	rc = file__read(path, &text, NULL);
	if (rc < 0)
		return err__set(err, rc, "%s: cannot read %s: %s", path, what, strerror(-rc));
	*ret_lines = (struct lines){ .text = text, .rest = text };
	return 0;
}

char *lines__next(struct lines *lines)
{
	char *line;

	while ((line = strsep(&lines->rest, "\n"))) {
		size_t len;

		lines->line = line;
		lines->number++;
		line += strspn(line, BLANKS);
		if (!*line || *line == '#')
			continue;
		len = strlen(line);
		while (strchr(BLANKS, line[len - 1]))
			line[--len] = '\0';
		return line;
	}
	return NULL;
}

void lines__clear(struct lines *lines)
{
	free(lines->text);
	*lines = (struct lines){};
}
