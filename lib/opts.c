// SPDX-License-Identifier: GPL-2.0-only
#include "opts.h"

#include <getopt.h>
#include <inttypes.h>

/* getopt_long's value for options without a short name starts behind ASCII. */
enum { KEY_HELP = 255, KEY_LONG = 256 };

static const struct opt *opt_by_key(const struct opt_spec *spec, int key)
{
	for (size_t i = 0; i < spec->n; i++) {
		if (spec->table[i].key ? spec->table[i].key == key : key == KEY_LONG + (int)i)
			return &spec->table[i];
	}
	return NULL;
}

static int opt_name(const struct opt *opt, char *buf, size_t len)
{
	if (opt->name)
		return snprintf(buf, len, "--%s", opt->name);
	return snprintf(buf, len, "-%c", opt->key);
}

static int set_int(const struct opt *opt, int64_t *dst, const char *arg, struct err *err)
{
	char name[64];
	int64_t v;

	opt_name(opt, name, sizeof(name));
	if (str__to_i64(arg, 0, &v) < 0)
		return err__set(err, -EINVAL, "%s wants a whole number, not '%s'", name, arg);
	if (v < opt->min || v > opt->max)
		return err__set(err, -EINVAL, "%s wants %" PRId64 " to %" PRId64 ", not %s", name,
				opt->min, opt->max, arg);
	*dst = v;
	return 0;
}

static int opt_set(const struct opt *opt, void *opts, const char *arg, struct err *err)
{
	void *field = (char *)opts + opt->offset;

	switch (opt->kind) {
	case OPT_KIND_FLAG:
		*(bool *)field = true;
		return 0;
	case OPT_KIND_COUNT:
		++*(int *)field;
		return 0;
	case OPT_KIND_INT:
		return set_int(opt, field, arg, err);
	case OPT_KIND_STR:
		*(const char **)field = arg;
		return 0;
	case OPT_KIND_LIST:
		return vec_push((struct opt_list *)field, arg);
	case OPT_KIND_CALL:
		return opt->set(opts, arg, err);
	}
	return -EINVAL;
}

struct getopt_tables {
	struct option *longs;
	char shorts[4 * 64];
};

static int opt_has_arg(const struct opt *opt)
{
	if (!opt->arg)
		return no_argument;
	return *opt->arg == '[' ? optional_argument : required_argument;
}

static int build_tables(const struct opt_spec *spec, struct getopt_tables *t)
{
	size_t n = 0, s = 0;

	t->longs = calloc(spec->n + 2, sizeof(*t->longs));
	if (!t->longs)
		return -ENOMEM;
	/* Leading ':' tells a missing argument from an unknown option. */
	t->shorts[s++] = ':';
	for (size_t i = 0; i < spec->n; i++) {
		const struct opt *opt = &spec->table[i];

		if (opt->key && s + 4 < sizeof(t->shorts)) {
			t->shorts[s++] = opt->key;
			/* One colon: has an argument; two: may have one. */
			for (int colons = opt_has_arg(opt); colons > 0; colons--)
				t->shorts[s++] = ':';
		}
		if (opt->name)
			t->longs[n++] = (struct option){
				.name = opt->name,
				.has_arg = opt_has_arg(opt),
				.val = opt->key ? opt->key : KEY_LONG + (int)i,
			};
	}
	if (!opt_by_key(spec, 'h'))
		t->shorts[s++] = 'h';
	t->shorts[s] = '\0';
	t->longs[n] = (struct option){ .name = "help", .val = KEY_HELP };
	return 0;
}

int opts__parse(const struct opt_spec *spec, int argc, char **argv, void *opts,
		struct opt_list *ret_args, struct err *err)
{
	struct getopt_tables t = {};
	const struct opt *opt;
	int key, rc = 0;

	if (build_tables(spec, &t) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	optind = 0;
	opterr = 0;
	while (rc == 0 && (key = getopt_long(argc, argv, t.shorts, t.longs, NULL)) != -1) {
		opt = opt_by_key(spec, key);
		if (opt)
			rc = opt_set(opt, opts, optarg, err);
		else if (key == KEY_HELP || key == 'h')
			rc = 1;
		else if (key == ':')
			rc = err__set(err, -EINVAL, "%s wants an argument (see --help)",
				      argv[optind - 1]);
		else if (optopt && optopt < KEY_HELP)
			rc = err__set(err, -EINVAL, "unknown option -%c (see --help)", optopt);
		else
			rc = err__set(err, -EINVAL, "unknown option %s (see --help)",
				      argv[optind - 1]);
	}
	free(t.longs);
	for (int i = optind; rc == 0 && i < argc; i++)
		rc = vec_push(ret_args, argv[i]);
	return rc;
}

void opts__help(const struct opt_spec *spec, FILE *out)
{
	fprintf(out, "usage: %s %s\n\n%s\n\n", spec->program, spec->usage, spec->about);
	for (size_t i = 0; i < spec->n; i++) {
		const struct opt *opt = &spec->table[i];
		char left[80];
		int n;

		n = opt->key
			    ? snprintf(left, sizeof(left), "-%c%s", opt->key, opt->name ? ", " : "")
			    : snprintf(left, sizeof(left), "    ");
		if (opt->name)
			n += snprintf(left + n, sizeof(left) - n, "--%s", opt->name);
		if (opt->arg)
			snprintf(left + n, sizeof(left) - n, "%s%s",
				 str_starts(opt->arg, "[=") ? "" : " ", opt->arg);
		fprintf(out, "  %-30s %s\n", left, opt->help);
	}
	fprintf(out, "  %-30s %s\n", opt_by_key(spec, 'h') ? "    --help" : "-h, --help",
		"this text");
}

void opts__help_status(const struct opt_spec *spec, FILE *out)
{
	fprintf(out, "\nExit status: %s\n", spec->status);
}
