// SPDX-License-Identifier: GPL-2.0-only
#include "preset.h"

#include <ctype.h>

#include "cleanup.h"
#include "lines.h"

#define SPACES " \t\r"

struct reader {
	const char *text, *pos;
	const char *where; /* of the text, for messages */
	struct err *err;
};

static int expected(const struct reader *r, const char *what)
{
	size_t left = strcspn(r->pos, "\n");

	if (left > 32)
		left = 32;
	return err__set(r->err, -EINVAL, "%s:%zu: expected %s, found %s%.*s%s", r->where,
			(size_t)(r->pos - r->text) + 1, what, left ? "'" : "the end", (int)left,
			r->pos, left ? "'" : "");
}

static void skip_spaces(struct reader *r)
{
	r->pos += strspn(r->pos, SPACES);
}

static bool take(struct reader *r, char c)
{
	skip_spaces(r);
	if (*r->pos != c)
		return false;
	r->pos++;
	return true;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* An identifier, or a number without sign. */
static int read_word(struct reader *r, const char *what, char **ret_word)
{
	const char *start;
	char *word;

	skip_spaces(r);
	start = r->pos;
	while (is_word(*r->pos))
		r->pos++;
	if (r->pos == start)
		return expected(r, what);
	word = strndup(start, r->pos - start);
	if (!word)
		return -ENOMEM;
	*ret_word = word;
	return 0;
}

static int read_number(const struct reader *r, const char *start, const char *word,
		       struct preset_value *value)
{
	struct reader at = { .text = r->text, .pos = start, .where = r->where, .err = r->err };
	int64_t number;
	int rc;

	rc = str__to_i64(word, 0, &number);
	value->bits = number;
	value->negative = rc == 0 && number < 0;
	if (rc == -ERANGE && *word != '-')
		rc = str__to_u64(word, 0, &value->bits);
	if (rc == -ERANGE)
		return expected(&at, "a number of at most 64 bits");
	return rc < 0 ? expected(&at, "a number or an enumerator") : 0;
}

static int read_value(struct reader *r, const char *what, struct preset_value *value)
{
	_cleanup_free_ char *word = NULL, *negated = NULL;
	const char *start;
	bool minus;
	int rc;

	minus = take(r, '-');
	start = r->pos - minus;
	rc = read_word(r, what, &word);
	if (rc < 0)
		return rc;
	if (!minus && !isdigit((unsigned char)*start)) {
		value->name = TAKE_PTR(word);
		return 0;
	}
	rc = str__printf(&negated, "%s%s", minus ? "-" : "", word);
	return rc < 0 ? rc : read_number(r, start, negated, value);
}

/* The step is in the list already, so that whatever it owns is freed. */
static struct preset_step *new_step(struct preset *preset)
{
	if (vec_push(&preset->steps, (struct preset_step){}) < 0)
		return NULL;
	return &preset->steps.v[preset->steps.n - 1];
}

static int read_field(struct reader *r, struct preset *preset, const char *what)
{
	struct preset_step *step = new_step(preset);

	if (!step)
		return -ENOMEM;
	skip_spaces(r);
	if (isdigit((unsigned char)*r->pos))
		return expected(r, what);
	return read_word(r, what, &step->field);
}

static int read_index(struct reader *r, struct preset *preset)
{
	struct preset_step *step = new_step(preset);
	int rc;

	if (!step)
		return -ENOMEM;
	rc = read_value(r, "an index", &step->index);
	if (rc < 0)
		return rc;
	return take(r, ']') ? 0 : expected(r, "']'");
}

static int read_place(struct reader *r, struct preset *preset)
{
	int rc = read_field(r, preset, "the name of a variable");

	while (rc == 0) {
		if (take(r, '['))
			rc = read_index(r, preset);
		else if (take(r, '.'))
			rc = read_field(r, preset, "the name of a field");
		else
			break;
	}
	return rc;
}

static int read_preset(struct reader *r, struct preset *preset)
{
	int rc = read_place(r, preset);

	if (rc < 0)
		return rc;
	if (!take(r, '='))
		return expected(r, "'=' and a value");
	rc = read_value(r, "a number or an enumerator", &preset->value);
	if (rc < 0)
		return rc;
	skip_spaces(r);
	return *r->pos ? expected(r, "nothing more") : 0;
}

static void preset_clear(struct preset *preset)
{
	for (size_t i = 0; i < preset->steps.n; i++) {
		free(preset->steps.v[i].field);
		free(preset->steps.v[i].index.name);
	}
	vec_free(&preset->steps);
	free(preset->value.name);
	free(preset->text);
}

static int add_one(struct presets *presets, const char *text, const char *where, struct err *err)
{
	struct reader r = { .text = text, .pos = text, .where = where, .err = err };
	struct preset preset = {};
	int rc;

	preset.text = strdup(text);
	rc = preset.text ? read_preset(&r, &preset) : -ENOMEM;
	if (rc == 0)
		rc = vec_push(&presets->list, preset);
	if (rc < 0)
		preset_clear(&preset);
	return rc;
}

static int add_file(struct presets *presets, const char *path, struct err *err)
{
	_cleanup_lines_ struct lines lines = {};
	int rc;

	rc = lines__read(path, "the values of variables", &lines, err);
	while (rc == 0 && lines__next(&lines)) {
		_cleanup_free_ char *where = NULL;

		rc = str__printf(&where, "%s:%zu", path, lines.number);
		if (rc == 0)
			rc = add_one(presets, lines.line, where, err);
	}
	return rc;
}

int presets__add(struct presets *presets, const char *arg, struct err *err)
{
	_cleanup_free_ char *where = NULL;
	int rc;

	if (*arg == '@')
		return add_file(presets, arg + 1, err);
	rc = str__printf(&where, "'%s'", arg);
	return rc < 0 ? rc : add_one(presets, arg, where, err);
}

void presets__clear(struct presets *presets)
{
	for (size_t i = 0; i < presets->list.n; i++)
		preset_clear(&presets->list.v[i]);
	vec_free(&presets->list);
}
