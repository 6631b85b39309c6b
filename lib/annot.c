// SPDX-License-Identifier: GPL-2.0-only
#include "annot.h"

#include <bpf/btf.h>
#include <errno.h>
#include <limits.h>
#include <linux/bpf.h>
#include <stdlib.h>

#include "cleanup.h"

/* BPF_F_ANY_ALIGNMENT and the like come from linux/bpf.h; values are the kernel's. */
#define FLAG(name)          \
	{                   \
#name, name \
	}

struct word {
	const char *name;
	unsigned int value;
};

static const struct word prog_flag_words[] = {
	FLAG(BPF_F_STRICT_ALIGNMENT),	 FLAG(BPF_F_ANY_ALIGNMENT), FLAG(BPF_F_TEST_RND_HI32),
	FLAG(BPF_F_TEST_STATE_FREQ),	 FLAG(BPF_F_SLEEPABLE),	    FLAG(BPF_F_XDP_HAS_FRAGS),
	FLAG(BPF_F_TEST_REG_INVARIANTS),
};

static const struct word arch_words[] = {
	{ "X86_64", ANNOT_X86_64 }, { "ARM64", ANNOT_ARM64 },	      { "RISCV64", ANNOT_RISCV64 },
	{ "s390x", ANNOT_S390X },   { "LOONGARCH", ANNOT_LOONGARCH },
};

static const struct word jit_words[] = {
	{ "jited", ANNOT_JIT_ON },
	{ "no_jited", ANNOT_JIT_OFF },
};

/* What reading needs beside the result. */
struct reader {
	struct annot *annot;
	unsigned int listed_arch;      /* the __arch_* that __jited lines belong to; 0: none yet */
	bool own_outcome[ANNOT_MODES]; /* said for this mode, not taken over from the other */
	bool own_retval[ANNOT_MODES];
	struct err *err;
};

/* How a tag is read. Everything that a reader function needs to know is in its row. */
struct annot_row {
	const char *tag;
	const char *macro; /* for messages */
	bool has_value;
	int (*read)(struct reader *r, const struct annot_row *row, const char *value);
	enum annot_mode mode;
	enum annot_text text;
	enum match_kind kind;
	size_t offset; /* of the field in struct annot */
};

static int want_error(const struct reader *r, const struct annot_row *row, const char *what,
		      const char *value)
{
	return err__set(r->err, -EINVAL, "%s: expected %s, not '%s'", row->macro, what, value);
}

static void *row_field(const struct reader *r, const struct annot_row *row)
{
	return (char *)r->annot + row->offset;
}

static struct annot_expect *row_expect(const struct reader *r, const struct annot_row *row)
{
	return &r->annot->expect[row->mode];
}

static bool word_find(const struct word *words, size_t n, const char *name, unsigned int *ret_value)
{
	for (size_t i = 0; i < n; i++) {
		if (streq(words[i].name, name)) {
			*ret_value = words[i].value;
			return true;
		}
	}
	return false;
}

/* Decimal, or hexadecimal with 0x. */
static int number_read(const char *value, int64_t *ret_number)
{
	const char *digits = *value == '-' ? value + 1 : value;

	return str__to_i64(value, str_starts(digits, "0x") ? 16 : 10, ret_number);
}

static int read_success(struct reader *r, const struct annot_row *row,
			const char *value __unused_arg)
{
	row_expect(r, row)->fails = false;
	row_expect(r, row)->wanted = true;
	r->own_outcome[row->mode] = true;
	return 0;
}

static int read_failure(struct reader *r, const struct annot_row *row,
			const char *value __unused_arg)
{
	row_expect(r, row)->fails = true;
	row_expect(r, row)->wanted = true;
	r->own_outcome[row->mode] = true;
	return 0;
}

static int read_auxiliary(struct reader *r, const struct annot_row *row,
			  const char *value __unused_arg)
{
	r->annot->auxiliary = true;
	row_expect(r, row)->wanted = true;
	return 0;
}

static int read_msg(struct reader *r, const struct annot_row *row, const char *value)
{
	row_expect(r, row)->wanted = true;
	return match_list__add(&row_expect(r, row)->texts[row->text], value, row->kind, r->err);
}

static int read_listing(struct reader *r, const struct annot_row *row, const char *value)
{
	row_expect(r, row)->wanted = true;
	return match_list__add_line(&row_expect(r, row)->texts[row->text], value, r->err);
}

/* The streams belong to a run that something else has asked for. */
static int read_stream(struct reader *r, const struct annot_row *row, const char *value)
{
	return match_list__add_line(&row_expect(r, row)->texts[row->text], value, r->err);
}

static int read_jited(struct reader *r, const struct annot_row *row, const char *value)
{
	if (!r->listed_arch)
		return err__set(r->err, -EINVAL, "%s: expected an __arch_* before it", row->macro);
	if (r->listed_arch != annot__this_arch())
		return 0;
	return read_listing(r, row, value);
}

static int read_retval(struct reader *r, const struct annot_row *row, const char *value)
{
	struct annot_expect *expect = row_expect(r, row);
	int64_t number;

	/* The compiler's INT_MIN is an expression that no reader could take. */
	if (streq(value, "_INT_MIN"))
		number = INT_MIN;
	else if (number_read(value, &number) < 0 || number < INT_MIN || number > UINT_MAX)
		return want_error(r, row, "a 32-bit number", value);
	expect->retval = (int)number;
	expect->runs = true;
	expect->wanted = true;
	r->own_retval[row->mode] = true;
	return 0;
}

static int read_number(struct reader *r, const struct annot_row *row, const char *value)
{
	int64_t number;

	if (number_read(value, &number) < 0 || number < 0 || number > UINT_MAX)
		return want_error(r, row, "a number", value);
	*(unsigned int *)row_field(r, row) = number;
	return 0;
}

static int read_text(struct reader *r, const struct annot_row *row, const char *value)
{
	char **field = row_field(r, row);

	free(*field);
	*field = strdup(value);
	return *field ? 0 : -ENOMEM;
}

static int read_flag(struct reader *r, const struct annot_row *row, const char *value)
{
	bool clear = *value == '!';
	const char *name = clear ? value + 1 : value;
	unsigned int flag;
	int64_t number;

	if (!word_find(prog_flag_words, ARRAY_SIZE(prog_flag_words), name, &flag)) {
		if (number_read(name, &number) < 0 || number < 0 || number > UINT_MAX)
			return want_error(r, row, "the name or number of a program flag", value);
		flag = number;
	}
	if (clear)
		r->annot->prog_flags &= ~flag;
	else
		r->annot->prog_flags |= flag;
	return 0;
}

static int read_arch(struct reader *r, const struct annot_row *row, const char *value)
{
	if (!word_find(arch_words, ARRAY_SIZE(arch_words), value, &r->listed_arch))
		return want_error(r, row, "a known architecture", value);
	r->annot->archs |= r->listed_arch;
	for (int mode = 0; mode < ANNOT_MODES; mode++)
		match_list__new_listing(&r->annot->expect[mode].texts[ANNOT_JITED]);
	return 0;
}

static int read_jit(struct reader *r, const struct annot_row *row, const char *value)
{
	if (!word_find(jit_words, ARRAY_SIZE(jit_words), value, &r->annot->jit))
		return want_error(r, row, "jited or no_jited", value);
	return 0;
}

/* Numbers of capabilities with | between them, blanks as the compiler left them. */
static int read_caps(struct reader *r, const struct annot_row *row, const char *value)
{
	_cleanup_free_ char *copy = strdup(value);
	char *rest = copy, *item;
	uint64_t cap;

	if (!copy)
		return -ENOMEM;
	while ((item = strsep(&rest, "|"))) {
		item += strspn(item, " ");
		item[strcspn(item, " ")] = '\0';
		if (str__to_u64(item, 10, &cap) < 0 || cap > 63)
			return want_error(r, row, "numbers of capabilities", value);
		r->annot->caps |= 1ULL << cap;
	}
	row_expect(r, row)->wanted = true;
	return 0;
}

#define FIELD(name) .offset = offsetof(struct annot, name)
#define PRIV	    .mode = ANNOT_PRIV
#define UNPRIV	    .mode = ANNOT_UNPRIV
#define VALUE	    .has_value = true

/* clang-format off */
static const struct annot_row rows[] = {
	{ "test_expect_success", "__success", .read = read_success, PRIV },
	{ "test_expect_failure", "__failure", .read = read_failure, PRIV },
	{ "test_expect_success_unpriv", "__success_unpriv", .read = read_success, UNPRIV },
	{ "test_expect_failure_unpriv", "__failure_unpriv", .read = read_failure, UNPRIV },
	{ "test_auxiliary", "__auxiliary", .read = read_auxiliary, PRIV },
	{ "test_auxiliary_unpriv", "__auxiliary_unpriv", .read = read_auxiliary, UNPRIV },

	{ "test_expect_msg", "__msg", VALUE, read_msg, PRIV, ANNOT_LOG, MATCH_ANYWHERE },
	{ "test_expect_not_msg", "__not_msg", VALUE, read_msg, PRIV, ANNOT_LOG, MATCH_ABSENT },
	{ "test_expect_msg_unpriv", "__msg_unpriv", VALUE, read_msg, UNPRIV, ANNOT_LOG,
	  MATCH_ANYWHERE },
	{ "test_expect_not_msg_unpriv", "__not_msg_unpriv", VALUE, read_msg, UNPRIV, ANNOT_LOG,
	  MATCH_ABSENT },

	{ "test_expect_xlated", "__xlated", VALUE, read_listing, PRIV, ANNOT_XLATED },
	{ "test_expect_xlated_unpriv", "__xlated_unpriv", VALUE, read_listing, UNPRIV,
	  ANNOT_XLATED },
	{ "test_jited", "__jited", VALUE, read_jited, PRIV, ANNOT_JITED },
	{ "test_jited_unpriv", "__jited_unpriv", VALUE, read_jited, UNPRIV, ANNOT_JITED },

	{ "test_retval", "__retval", VALUE, read_retval, PRIV },
	{ "test_retval_unpriv", "__retval_unpriv", VALUE, read_retval, UNPRIV },
	{ "test_expect_stdout", "__stdout", VALUE, read_stream, PRIV, ANNOT_STDOUT },
	{ "test_expect_stdout_unpriv", "__stdout_unpriv", VALUE, read_stream, UNPRIV,
	  ANNOT_STDOUT },
	{ "test_expect_stderr", "__stderr", VALUE, read_stream, PRIV, ANNOT_STDERR },
	{ "test_expect_stderr_unpriv", "__stderr_unpriv", VALUE, read_stream, UNPRIV,
	  ANNOT_STDERR },

	{ "test_description", "__description", VALUE, read_text, FIELD(description) },
	{ "test_log_level", "__log_level", VALUE, read_number, FIELD(log_level) },
	{ "test_prog_flags", "__flag", VALUE, read_flag },
	{ "test_arch", "__arch", VALUE, read_arch },
	{ "load_mode", "__load_if_JITed", VALUE, read_jit },
	{ "test_caps_unpriv", "__caps_unpriv", VALUE, read_caps, UNPRIV },
	{ "test_linear_size", "__linear_size", VALUE, read_number, FIELD(linear_size) },
	{ "test_btf_path", "__btf_path", VALUE, read_text, FIELD(btf_path) },
	{ "test_btf_func_path", "__btf_func_path", VALUE, read_text, FIELD(btf_func_path) },
};
/* clang-format on */

unsigned int annot__this_arch(void)
{
#if defined(__x86_64__)
	return ANNOT_X86_64;
#elif defined(__aarch64__)
	return ANNOT_ARM64;
#elif defined(__riscv) && __riscv_xlen == 64
	return ANNOT_RISCV64;
#elif defined(__s390x__)
	return ANNOT_S390X;
#elif defined(__loongarch__)
	return ANNOT_LOONGARCH;
#else
	return 0;
#endif
}

/* A tag of ours, taken apart: the number that orders it and what follows it. */
struct tag {
	unsigned long number;
	const char *body;
};

static bool tag_split(const char *text, struct tag *ret_tag)
{
	const char *prefix = "comment:";
	char *end;

	if (!str_starts(text, prefix))
		return false;
	text += strlen(prefix);
	ret_tag->number = strtoul(text, &end, 10);
	if (end == text || *end != ':')
		return false;
	ret_tag->body = end + 1;
	return true;
}

static int tag_compare(const void *a, const void *b)
{
	const struct tag *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int tag_read(struct reader *r, const char *body)
{
	size_t len = strcspn(body, "=");
	const char *value = body[len] ? body + len + 1 : NULL;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct annot_row *row = &rows[i];

		if (strlen(row->tag) != len || strncmp(row->tag, body, len) != 0)
			continue;
		if (row->has_value != !!value)
			return err__set(r->err, -EINVAL, "%s: expected %s in the tag '%s'",
					row->macro, row->has_value ? "a value" : "no value", body);
		return row->read(r, row, value);
	}
	return err__set(r->err, -EINVAL, "unknown annotation '%.*s'", (int)len, body);
}

/* What was not said for the unprivileged mode is as for the privileged one. */
static void annot_complete(const struct reader *r)
{
	struct annot_expect *priv = &r->annot->expect[ANNOT_PRIV];
	struct annot_expect *unpriv = &r->annot->expect[ANNOT_UNPRIV];

	if (!priv->wanted && !unpriv->wanted)
		priv->wanted = true;
	if (!r->own_outcome[ANNOT_UNPRIV])
		unpriv->fails = priv->fails;
	if (!r->own_retval[ANNOT_UNPRIV]) {
		unpriv->retval = priv->retval;
		unpriv->runs = priv->runs;
	}
}

int annot__read(const char *const *tags, size_t n, struct annot **ret_annot, struct err *err)
{
	_cleanup_(annot__freep) struct annot *annot = calloc(1, sizeof(*annot));
	_cleanup_free_ struct tag *sorted = calloc(n + 1, sizeof(*sorted));
	struct reader r = { .annot = annot, .err = err };
	size_t ours = 0;
	int rc;

	if (!annot || !sorted)
		return err__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		ours += tag_split(tags[i], &sorted[ours]);
	qsort(sorted, ours, sizeof(*sorted), tag_compare);
	for (size_t i = 0; i < ours; i++) {
		rc = tag_read(&r, sorted[i].body);
		if (rc < 0)
			return rc;
	}
	annot_complete(&r);
	*ret_annot = TAKE_PTR(annot);
	return 0;
}

int annot__read_btf(const struct btf *btf, const char *func, struct annot **ret_annot,
		    struct err *err)
{
	VEC(const char *) tags = {};
	int id, rc = 0;

	id = btf__find_by_name_kind(btf, func, BTF_KIND_FUNC);
	if (id < 0)
		return err__set(err, -ENOENT, "no function '%s' in the object's BTF", func);
	for (__u32 i = 1; rc == 0 && i < btf__type_cnt(btf); i++) {
		const struct btf_type *t = btf__type_by_id(btf, i);

		if (btf_is_decl_tag(t) && t->type == (__u32)id &&
		    btf_decl_tag(t)->component_idx == -1)
			rc = vec_push(&tags, btf__str_by_offset(btf, t->name_off));
	}
	if (rc == 0)
		rc = annot__read(tags.v, tags.n, ret_annot, err);
	vec_free(&tags);
	return rc;
}

bool annot__in_btf(const struct btf *btf)
{
	struct tag tag;

	for (__u32 i = 1; i < btf__type_cnt(btf); i++) {
		const struct btf_type *t = btf__type_by_id(btf, i);

		if (btf_is_decl_tag(t) && tag_split(btf__str_by_offset(btf, t->name_off), &tag))
			return true;
	}
	return false;
}

const struct match_list *annot__texts(const struct annot *annot, enum annot_mode mode,
				      enum annot_text text)
{
	const struct match_list *own = &annot->expect[mode].texts[text];

	return own->patterns.n ? own : &annot->expect[ANNOT_PRIV].texts[text];
}

void annot__free(struct annot *annot)
{
	if (!annot)
		return;
	for (int mode = 0; mode < ANNOT_MODES; mode++) {
		for (int text = 0; text < ANNOT_TEXTS; text++)
			match_list__clear(&annot->expect[mode].texts[text]);
	}
	free(annot->description);
	free(annot->btf_path);
	free(annot->btf_func_path);
	free(annot);
}

void annot__freep(struct annot **annot)
{
	annot__free(*annot);
}
