/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command lines as tables: one row per option drives the parser and --help.
 *
 *	struct my_opts { bool quiet; int64_t producers; struct opt_list emit; };
 *	static const struct opt table[] = {
 *		OPT_FLAG(struct my_opts, quiet, 'q', "quiet", "say less"),
 *		OPT_INT(struct my_opts, producers, 'p', "producers", "N", 1, 512, "threads"),
 *		OPT_LIST(struct my_opts, emit, 'e', "emit", "STAT,...", "columns to show"),
 *	};
 */
#ifndef BPF_AB_OPTS_H
#define BPF_AB_OPTS_H

#include <stdio.h>

#include "err.h"
#include "vec.h"

/* Strings point into argv; nothing is copied. Empty: n == 0. */
struct opt_list {
	const char **v;
	size_t n, cap;
};

enum opt_kind {
	OPT_KIND_FLAG,	/* bool, set to true */
	OPT_KIND_COUNT, /* int, one more each time (-vv) */
	OPT_KIND_INT,	/* int64_t, bounds checked */
	OPT_KIND_STR,	/* const char * */
	OPT_KIND_LIST,	/* struct opt_list, one more each time it is given */
	OPT_KIND_CALL,	/* set() decides */
};

struct opt {
	enum opt_kind kind;
	size_t offset;
	int key;	  /* short name, or 0 */
	const char *name; /* long name without dashes, or NULL */
	const char *arg;  /* placeholder in --help; NULL: takes none; "[=N]": may be left out */
	const char *help;
	int64_t min, max;
	/*
	 * opts is the struct that offset counts from; arg is NULL if it was left out.
	 * Returns 0 or -errno with err set.
	 */
	int (*set)(void *opts, const char *arg, struct err *err);
};

#define OPT_FLAG(type, field, k, n, h)                                                       \
	{                                                                                    \
		.kind = OPT_KIND_FLAG, .offset = offsetof(type, field), .key = k, .name = n, \
		.help = h                                                                    \
	}
#define OPT_COUNT(type, field, k, n, h)                                                       \
	{                                                                                     \
		.kind = OPT_KIND_COUNT, .offset = offsetof(type, field), .key = k, .name = n, \
		.help = h                                                                     \
	}
#define OPT_INT(type, field, k, n, a, lo, hi, h)                                            \
	{                                                                                   \
		.kind = OPT_KIND_INT, .offset = offsetof(type, field), .key = k, .name = n, \
		.arg = a, .help = h, .min = lo, .max = hi                                   \
	}
#define OPT_STR(type, field, k, n, a, h)                                                    \
	{                                                                                   \
		.kind = OPT_KIND_STR, .offset = offsetof(type, field), .key = k, .name = n, \
		.arg = a, .help = h                                                         \
	}
#define OPT_LIST(type, field, k, n, a, h)                                                    \
	{                                                                                    \
		.kind = OPT_KIND_LIST, .offset = offsetof(type, field), .key = k, .name = n, \
		.arg = a, .help = h                                                          \
	}
#define OPT_CALL(fn, k, n, a, h)                                                           \
	{                                                                                  \
		.kind = OPT_KIND_CALL, .key = k, .name = n, .arg = a, .help = h, .set = fn \
	}

struct opt_spec {
	const char *program;
	const char *usage;  /* behind the program's name */
	const char *about;  /* one paragraph */
	const char *status; /* what the exit statuses say, in the words of all programs */
	const struct opt *table;
	size_t n;
};

/*
 * Parses argv into *opts; what is not an option goes to ret_args in order
 * (options and arguments may be mixed; "--" ends the options). Returns 0, 1
 * if --help was asked for, -EINVAL with err naming the option and what it
 * wanted, or -ENOMEM. Lists and ret_args are freed with vec_free().
 */
int opts__parse(const struct opt_spec *spec, int argc, char **argv, void *opts,
		struct opt_list *ret_args, struct err *err);
/* All but the exit statuses, which stand last: behind what a program has to add. */
void opts__help(const struct opt_spec *spec, FILE *out);
void opts__help_status(const struct opt_spec *spec, FILE *out);

#endif
