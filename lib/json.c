// SPDX-License-Identifier: GPL-2.0-only
#include "json.h"

#include <inttypes.h>
#include <math.h>

/*
 * How many bytes the character at text takes, 0 if it is none: too long a
 * form, a surrogate or behind the last plane (RFC 3629).
 */
static size_t utf8_len(const unsigned char *text, size_t len)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} forms[] = { { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };

	if (text[0] < 0x80)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		uint32_t code = text[0] & (unsigned char)~forms[i].mask;
		size_t n = i + 2;

		if ((text[0] & forms[i].mask) != forms[i].lead)
			continue;
		if (len < n)
			return 0;
		for (size_t at = 1; at < n; at++) {
			if ((text[at] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (text[at] & 0x3f);
		}
		return code >= forms[i].least && code <= 0x10ffff && code >> 11 != 0x1b ? n : 0;
	}
	return 0;
}

/* As JSON wants it, and beside that as what is around it does. */
static bool is_escaped(const struct json *json, unsigned char c)
{
	return c < 0x20 || (json->in_html && strchr("<>&", c));
}

static void print_string(const struct json *json, const char *text, size_t len)
{
	FILE *out = json->out;

	fputc('"', out);
	while (len > 0) {
		unsigned char c = *text;
		size_t n = utf8_len((const unsigned char *)text, len);

		if (!n)
			fputs("\\ufffd", out);
		else if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c == '\t')
			fputs("\\t", out);
		else if (is_escaped(json, c))
			fprintf(out, "\\u%04x", c);
		else
			fwrite(text, 1, n, out);
		text += n ?: 1;
		len -= n ?: 1;
	}
	fputc('"', out);
}

static bool is_flat(const struct json *json)
{
	return json->flat && json->depth > json->flat;
}

static void new_line(const struct json *json)
{
	if (is_flat(json))
		return;
	fputc('\n', json->out);
	for (unsigned int i = 0; i < json->depth; i++)
		fputc('\t', json->out);
}

/* What stands in front of any value. */
static void begin_value(struct json *json, const char *key)
{
	if (json->follows)
		fputc(',', json->out);
	if (json->depth)
		new_line(json);
	if (key) {
		print_string(json, key, strlen(key));
		fputs(is_flat(json) ? ":" : ": ", json->out);
	}
	json->follows = true;
}

void json__begin(struct json *json, const char *key, char open)
{
	begin_value(json, key);
	fputc(open, json->out);
	json->depth++;
	json->follows = false;
}

void json__end(struct json *json, char close)
{
	if (json->follows && !is_flat(json)) {
		json->depth--;
		new_line(json);
	} else {
		json->depth--;
	}
	fputc(close, json->out);
	json->follows = true;
	if (!json->depth)
		fputc('\n', json->out);
}

void json__string(struct json *json, const char *key, const char *text, size_t len)
{
	begin_value(json, key);
	print_string(json, text, len);
}

void json__u64(struct json *json, const char *key, uint64_t value)
{
	begin_value(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void json__double(struct json *json, const char *key, double value)
{
	begin_value(json, key);
	if (isfinite(value))
		fprintf(json->out, "%.12g", value);
	else
		fputs("null", json->out);
}

void json__null(struct json *json, const char *key)
{
	begin_value(json, key);
	fputs("null", json->out);
}

void json__bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json__text(struct json *json, const char *key, const char *text)
{
	if (text)
		json__string(json, key, text, strlen(text));
	else
		json__null(json, key);
}

void json__doubles(struct json *json, const char *key, const double *values, size_t n)
{
	json__begin(json, key, '[');
	for (size_t i = 0; i < n; i++)
		json__double(json, NULL, values[i]);
	json__end(json, ']');
}
