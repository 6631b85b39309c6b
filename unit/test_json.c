// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cleanup.h"
#include "json.h"

/* The text that write() makes; the caller frees. */
static char *written(void (*write)(struct json *))
{
	struct json json = {};
	char *text = NULL;
	size_t len;

	json.out = open_memstream(&text, &len);
	assert_non_null(json.out);
	write(&json);
	assert_int_equal(fclose(json.out), 0);
	return text;
}

static void write_all_kinds(struct json *json)
{
	json__begin(json, NULL, '{');
	json__u64(json, "n", UINT64_MAX);
	json__bool(json, "yes", true);
	json__begin(json, "list", '[');
	json__bool(json, NULL, false);
	json__begin(json, NULL, '{');
	json__end(json, '}');
	json__string(json, NULL, "x", 1);
	json__end(json, ']');
	json__begin(json, "none", '[');
	json__end(json, ']');
	json__end(json, '}');
}

static void commas_and_nesting(void **state __unused_arg)
{
	_cleanup_free_ char *text = written(write_all_kinds);

	assert_string_equal(text, "{\n"
				  "\t\"n\": 18446744073709551615,\n"
				  "\t\"yes\": true,\n"
				  "\t\"list\": [\n"
				  "\t\tfalse,\n"
				  "\t\t{},\n"
				  "\t\t\"x\"\n"
				  "\t],\n"
				  "\t\"none\": []\n"
				  "}\n");
}

static const struct {
	const char *text;
	size_t len;
	const char *json;
} strings[] = {
	{ "", 0, "\"\"" },
	{ "plain", 5, "\"plain\"" },
	{ "a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"" },
	{ "\n\t\r\b\x1f\x7f", 6, "\"\\n\\t\\u000d\\u0008\\u001f\x7f\"" },
	{ "a\0b", 3, "\"a\\u0000b\"" },
	{ "\u00e9\u20ac\U0001f600", 9, "\"\u00e9\u20ac\U0001f600\"" },
	/* A lone continuation, a cut character, one cut by another. */
	{ "\x80", 1, "\"\\ufffd\"" },
	{ "\xe2\x82", 2, "\"\\ufffd\\ufffd\"" },
	{ "\xc3x", 2, "\"\\ufffdx\"" },
	/* '/' in two bytes, a surrogate, behind the last plane, no lead byte at all. */
	{ "\xc0\xaf", 2, "\"\\ufffd\\ufffd\"" },
	{ "\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"" },
	{ "\xf4\x90\x80\x80", 4, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
	{ "\xff", 1, "\"\\ufffd\"" },
};

static void any_bytes(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		struct json json = {};
		_cleanup_free_ char *text = NULL;
		size_t len;

		json.out = open_memstream(&text, &len);
		assert_non_null(json.out);
		json__string(&json, NULL, strings[i].text, strings[i].len);
		assert_int_equal(fclose(json.out), 0);
		assert_string_equal(text, strings[i].json);
	}
}

static void write_odd_key(struct json *json)
{
	json__begin(json, NULL, '{');
	json__bool(json, "a\"b", true);
	json__end(json, '}');
}

static void keys_are_strings(void **state __unused_arg)
{
	_cleanup_free_ char *text = written(write_odd_key);

	assert_string_equal(text, "{\n\t\"a\\\"b\": true\n}\n");
}

static void write_in_html(struct json *json)
{
	json->flat = 1;
	json->in_html = true;
	json__begin(json, NULL, '[');
	json__string(json, NULL, "</script>&", 10);
	json__begin(json, NULL, '{');
	json__u64(json, "<", 1);
	json__begin(json, "list", '[');
	json__u64(json, NULL, 1);
	json__u64(json, NULL, 2);
	json__end(json, ']');
	json__end(json, '}');
	json__begin(json, NULL, '[');
	json__end(json, ']');
	json__end(json, ']');
}

static void one_line_each_and_no_tags(void **state __unused_arg)
{
	_cleanup_free_ char *text = written(write_in_html);

	assert_string_equal(text, "[\n"
				  "\t\"\\u003c/script\\u003e\\u0026\",\n"
				  "\t{\"\\u003c\":1,\"list\":[1,2]},\n"
				  "\t[]\n"
				  "]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_and_nesting),
		cmocka_unit_test(any_bytes),
		cmocka_unit_test(keys_are_strings),
		cmocka_unit_test(one_line_each_and_no_tags),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
