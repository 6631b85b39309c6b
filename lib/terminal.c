// SPDX-License-Identifier: GPL-2.0-only
#include "terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define USUAL_WIDTH 80 /* of one that does not know its own */

static const struct {
	const char *words, *colour;
} colours[] = {
	{ "worse", "red" },	   { "gone", "red" },	       { "failure", "red" },
	{ "broken", "red" },	   { "no longer run", "red" }, { "better", "green" },
	{ "fixed", "green" },	   { "unstable", "yellow" },   { "inconclusive", "yellow" },
	{ "ambiguous", "yellow" },
};

bool terminal__of(FILE *out, struct terminal *ret_terminal)
{
	const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
	struct winsize size = {};
	int fd = fileno(out);

	if (fd < 0 || !isatty(fd))
		return false;
	ioctl(fd, TIOCGWINSZ, &size);
	*ret_terminal = (struct terminal){
		.width = size.ws_col ?: USUAL_WIDTH,
		.colours = (!no_colour || !*no_colour) && term && *term && !streq(term, "dumb"),
	};
	return true;
}

const char *terminal__colour_of(const char *words)
{
	size_t len = strcspn(words, ":");

	for (size_t i = 0; i < ARRAY_SIZE(colours); i++)
		if (strlen(colours[i].words) == len && !memcmp(words, colours[i].words, len))
			return colours[i].colour;
	return NULL;
}
