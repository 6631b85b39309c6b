// SPDX-License-Identifier: GPL-2.0-only
/* Parts of ab-report: forms of a text, growth, code beside code. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "codes.h"
#include "doc.h"
#include "growth.h"
#include "pair.h"

/* ---- forms ------------------------------------------------------------------- */

static char *written(enum doc_form form, void (*write)(struct doc *))
{
	struct doc doc = { .form = form };
	char *text = NULL;
	size_t len;

	doc.out = open_memstream(&text, &len);
	assert_non_null(doc.out);
	write(&doc);
	assert_int_equal(doc__end(&doc), 0);
	assert_int_equal(fclose(doc.out), 0);
	return text;
}

static void write_words(struct doc *doc)
{
	doc__title(doc, "%s", "a < b");
	doc__para(doc, "%s %s",
		  "one two three four five six seven eight nine ten eleven twelve thirteen",
		  "fourteen\tfifteen\x1b[31m");
	doc__item(doc, "*x*");
	doc__item(doc, "%s", "");
	doc__code(doc, "a | b");
}

static void words_in_each_form(void **state __unused_arg)
{
	_cleanup_free_ char *plain = written(DOC_PLAIN, write_words);
	_cleanup_free_ char *markdown = written(DOC_MARKDOWN, write_words);
	_cleanup_free_ char *html = written(DOC_HTML, write_words);

	assert_string_equal(plain, "a < b\n\n"
				   "one two three four five six seven eight nine ten eleven twelve "
				   "thirteen\n"
				   "fourteen fifteen?[31m\n\n"
				   "  - *x*\n"
				   "  - \n\n"
				   "  a | b\n");
	assert_non_null(strstr(markdown, "# a \\< b\n"));
	assert_non_null(strstr(markdown, "- \\*x\\*\n"));
	assert_non_null(strstr(markdown, "\n    a | b\n"));
	assert_non_null(strstr(html, "<h1>a &lt; b</h1>"));
	assert_non_null(strstr(html, "<ul>\n<li>*x*</li>\n<li></li>\n</ul>\n"));
	assert_non_null(strstr(html, "fifteen?[31m</p>"));
}

static const struct doc_column columns[] = {
	{ "", DOC_LABEL }, { "A", DOC_NUMBER }, { "", DOC_VERDICT }, { "", DOC_NOTE }
};

static void write_table(struct doc *doc, const char *label, const char *note)
{
	_cleanup_(doc_table__reset) struct doc_table table = { .columns = columns, .n = 4 };

	assert_int_equal(
		doc_table__add(&table, (const char *const[]){ label, "1", "not worse", note }), 0);
	assert_int_equal(doc_table__add(&table, (const char *const[]){ "b", "234", "\"<x>", NULL }),
			 0);
	doc__table(doc, &table);
}

static void write_small(struct doc *doc)
{
	write_table(doc, "a|b", "why");
}

static void write_large(struct doc *doc)
{
	write_table(doc,
		    "a label that takes so many columns that there is no room for more of them",
		    "and a note which is longer than what is left of its line so that it goes on");
}

static void tables_in_each_form(void **state __unused_arg)
{
	_cleanup_free_ char *plain = written(DOC_PLAIN, write_small);
	_cleanup_free_ char *large = written(DOC_PLAIN, write_large);
	_cleanup_free_ char *markdown = written(DOC_MARKDOWN, write_small);
	_cleanup_free_ char *html = written(DOC_HTML, write_small);

	assert_string_equal(plain, "         A\n"
				   "  a|b    1  not worse  why\n"
				   "  b    234  \"<x>\n");
	assert_string_equal(large, "      A\n"
				   "  a label that takes so many columns that there is no room for "
				   "more of\n"
				   "      them\n"
				   "      1  not worse  and a note which is longer than what is "
				   "left of its\n"
				   "                    line so that it goes on\n"
				   "  b\n"
				   "    234  \"<x>\n");
	assert_string_equal(markdown, "|  | A |  |  |\n|---|--:|---|---|\n"
				      "| a\\|b | 1 | not worse | why |\n"
				      "| b | 234 | \"\\<x\\> |  |\n");
	assert_non_null(strstr(html, "<td class=\"verdict v-not-worse\">not worse</td>"));
	assert_non_null(strstr(html, "<td class=\"verdict v---x-\">&quot;&lt;x&gt;</td>"));
}

/* ---- growth ------------------------------------------------------------------ */

static void add_size(struct recording *rec, const char *object, const char *program, double value)
{
	struct record_row *row;

	assert_int_equal(recording__add_row(rec, object, program, &row), 0);
	if (value >= 0)
		assert_int_equal(recording__set_num(rec, row, "total_insns", value), 0);
}

static void curves_have_the_power_that_they_grow_with(void **state __unused_arg)
{
	_cleanup_pair_ struct pair pair = {};
	_cleanup_(growth__reset) struct growth growth = {};
	const struct metric *metric = metric__find(SUITE_VERISTAT, "total_insns");
	const struct compare_opts opts = {};

	for (int side = 0; side < 2; side++) {
		struct recording *rec;

		assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
		assert_int_equal(recording__add_column(rec, metric), 0);
		*(side ? &pair.b : &pair.a) = rec;
		/* Out of order, with what is no size between. */
		add_size(rec, "grow-1024.bpf.o", "f", side ? 1024 : 1024 * 1024);
		add_size(rec, "grow-256.bpf.o", "f", side ? 256 : 256 * 256);
		add_size(rec, "grow-256.bpf.o", "flat", 7);
		add_size(rec, "grow-512.bpf.o", "flat", 7);
		add_size(rec, "grow-512.bpf.o", "f", side ? -1 : 512 * 512);
		add_size(rec, "grow-x.bpf.o", "f", 1);
		add_size(rec, "grow.bpf.o", "f", 1);
		add_size(rec, "alone-8.bpf.o", "f", 1);
		add_size(rec, "huge-99999999999999999999999.bpf.o", "f", 1);
	}
	assert_int_equal(compare__run(pair.a, pair.b, &opts, &pair.cmp), 0);
	assert_int_equal(growth__find(pair.cmp, &growth), 0);
	assert_int_equal(growth.curves.n, 1);
	assert_string_equal(growth.families.v[0], "grow");
	assert_string_equal(growth.curves.v[0].program, "f");
	assert_int_equal(growth.curves.v[0].n, 3);
	assert_true(growth.curves.v[0].size[2] == 1024);
	assert_true(isnan(growth.curves.v[0].value[1][1]));
	assert_true(fabs(growth.curves.v[0].exponent[0] - 2) < 1e-9);
	assert_true(fabs(growth.curves.v[0].exponent[1] - 1) < 1e-9);
}

/* ---- code -------------------------------------------------------------------- */

static char top[] = "/tmp/bpf-ab-report-XXXXXX";

static int setup(void **state __unused_arg)
{
	char command[96];

	snprintf(command, sizeof(command), "mkdir -p %s/a/boot-1/code %s/b/boot-1/code",
		 mkdtemp(top) ?: "", top);
	return system(command);
}

static int teardown(void **state __unused_arg)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

static void put(const char *side, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/boot-1/%s", top, side, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static struct results *read_side(const char *side)
{
	struct results *results = NULL;
	struct err err = {};
	char path[64];

	put(side, "complete", "key\n");
	snprintf(path, sizeof(path), "%s/%s", top, side);
	assert_int_equal(results__read(path, -1, &results, &err), 0);
	return results;
}

/* "=text" of both, "-text" of A, "+text" of B, "3" lines left out. */
static void print_lines(const struct codes *codes, char *text, size_t size)
{
	FILE *f = fmemopen(text, size, "w");

	for (size_t i = 0; i < codes->lines.n; i++) {
		const struct codes_line *line = &codes->lines.v[i];

		if (line->text)
			fprintf(f, "%c%s\n", "=-+"[line->kind], line -> text);
		else
			fprintf(f, "%zu\n", line->n);
	}
	fclose(f);
}

static void code_beside_code(void **state __unused_arg)
{
	static const struct {
		const char *a, *b, *lines;
		int ret;
	} codes[] = {
		{ "0: x\n1: y\n", "0: x\n1: y\n", "", -ENODATA },
		{ "", "", "", -ENODATA },
		{ "0: x\n", "", "-0: x\n", 0 },
		{ "", "0: x\n", "+0: x\n", 0 },
		{ "0: x\n1: y\n", "0: x\n1: z\n", "=0: x\n-1: y\n+1: z\n", 0 },
		/* Numbers that moved on are no difference. */
		{ "0: a\n1: b\n2: c\n", "0: a\n1: new\n2: b\n3: c\n",
		  "=0: a\n+1: new\n=1: b\n=2: c\n", 0 },
		{ "1\n2\n3\n4\n5\n6\n7\n8\n9\nx\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\ny\n",
		  "5\n=6\n=7\n=8\n=9\n-x\n+y\n", 0 },
		{ "x\n1\n2\n3\n4\n5\n6\n7\n8\n9\nx\n", "y\n1\n2\n3\n4\n5\n6\n7\n8\n9\ny\n",
		  "-x\n+y\n=1\n=2\n=3\n=4\n=5\n=6\n=7\n=8\n=9\n-x\n+y\n", 0 },
		{ "a\nb\nc\nd\n", "c\nd\na\nb\n", "-a\n-b\n=c\n=d\n+a\n+b\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		_cleanup_(results__freep) struct results *a = NULL, *b = NULL;
		_cleanup_(codes__reset) struct codes found = {};
		char lines[256] = "";

		put("a", "code/d_o.bpf.o.p.txt", codes[i].a);
		put("b", "code/d_o.bpf.o.p.txt", codes[i].b);
		a = read_side("a");
		b = read_side("b");
		assert_int_equal(codes__find(a, b, "d/o.bpf.o", "p", &found), codes[i].ret);
		print_lines(&found, lines, sizeof(lines));
		assert_string_equal(lines, codes[i].lines);
		assert_int_equal(codes__find(a, b, "none", "p", &found), -ENOENT);
	}
}

/* All that differs, whatever is alike. */
static void long_code_is_refused(void **state __unused_arg)
{
	_cleanup_(results__freep) struct results *a = NULL, *b = NULL;
	_cleanup_(codes__reset) struct codes found = {};

	for (int side = 0; side < 2; side++) {
		_cleanup_free_ char *text = NULL;
		size_t len;
		FILE *f = open_memstream(&text, &len);

		for (int i = 0; i < 3000; i++)
			fprintf(f, "%d: %c%d\n", i, "xy"[side], i);
		assert_int_equal(fclose(f), 0);
		put(side ? "b" : "a", "code/long.p.txt", text);
	}
	a = read_side("a");
	b = read_side("b");
	assert_int_equal(codes__find(a, b, "long", "p", &found), -EFBIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_in_each_form),
		cmocka_unit_test(tables_in_each_form),
		cmocka_unit_test(curves_have_the_power_that_they_grow_with),
		cmocka_unit_test(code_beside_code),
		cmocka_unit_test(long_code_is_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
