// SPDX-License-Identifier: GPL-2.0-only
/*
 * The logs in unit/data/verif_log/ are what kernels of that release wrote;
 * rows of text here are made from the kernel's format strings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cleanup.h"
#include "verif_log.h"

#define NONE -1

struct expect {
	const char *text;
	int64_t value[VERIF_STATS]; /* NONE: must not be known */
};

static void check(const char *what, const struct verif_log *log, const int64_t *value)
{
	for (int s = 0; s < VERIF_STATS; s++) {
		int64_t got = log->known[s] ? (int64_t)log->value[s] : NONE;

		if (got != value[s])
			fail_msg("%s: statistic %d is %jd, expected %jd", what, s, (intmax_t)got,
				 (intmax_t)value[s]);
	}
}

static char *read_log(const char *name)
{
	_cleanup_free_ char *path = NULL;
	char *text = NULL;

	assert_int_equal(str__printf(&path, "unit/data/verif_log/%s", name), 0);
	if (file__read(path, &text, NULL) < 0)
		fail_msg("cannot read %s: run from the top of the repository", path);
	return text;
}

/* time, insns, per insn, states, peak, mark read, stack, deepest stack */
static const struct expect recorded[] = {
	{ "6.12-success-stats.log", { 1396, 3, 0, 0, 0, 0, 0, NONE } },
	{ "6.12-failure-stats.log", { 14322, 8, 0, 0, 0, 0, 8, NONE } },
	{ "6.12-failure-verbose.log", { 8501, 8, 0, 0, 0, 0, 8, NONE } },
	{ "6.12-calls-stats.log", { 218308, 26240, 8, 306, 306, 124, 16, NONE } },
	{ "6.18-success-stats.log", { 64, 25, 0, 1, 1, 0, 16, NONE } },
	{ "6.18-failure-stats.log", { 31, 22, 0, 1, 1, 0, 16, NONE } },
	{ "6.18-failure-verbose.log", { 132, 22, 0, 1, 1, 0, 16, NONE } },
	{ "6.18-calls-stats.log", { 12188, 26240, 8, 306, 306, 0, 16, NONE } },
	{ "7.3-success-stats.log", { 715, 25, 0, 1, 1, 0, 16, 16 } },
	{ "7.3-failure-stats.log", { 621, 22, 0, 1, 1, 0, 16, 0 } },
	{ "7.3-failure-verbose.log", { 1121, 22, 0, 1, 1, 0, 16, 0 } },
	{ "7.3-calls-stats.log", { 76105, 26240, 8, 306, 306, 0, 16, 16 } },
};

static void recorded_logs(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
		_cleanup_free_ char *text = read_log(recorded[i].text);
		struct verif_log log;

		verif_log__parse(text, &log);
		check(recorded[i].text, &log, recorded[i].value);
		assert_true(verif_log__is_whole(&log));
	}
}

#define PROCESSED                                                                                \
	"processed 40 insns (limit 1000000) max_states_per_insn 1 total_states 5 peak_states 4 " \
	"mark_read 2\n"

static const struct expect formats[] = {
	{ "", { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	{ "nothing of the kind\n", { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	/* log level 1 or 2, without statistics */
	{ PROCESSED, { NONE, 40, 1, 5, 4, 2, NONE, NONE } },
	/* sum and maximum in one line */
	{ "verification time 7 usec\nstack depth 16+8+0 max 24\n" PROCESSED,
	  { 7, 40, 1, 5, 4, 2, 24, 24 } },
	/* a line for each subprogram */
	{ "verification time 7 usec\nstack depth max 56\n"
	  "subprog 0 (main_prog) main insns_self 30 insns_total 40 stack 16\n"
	  "subprog 1 (<unknown>) static insns_self 4 insns_total 4 stack 40\n"
	  "subprog 2 (weird stack 9) global insns_self 6 insns_total 6 stack 8\n" PROCESSED,
	  { 7, 40, 1, 5, 4, 2, 64, 56 } },
	/* a hole in the list: its sum is not known */
	{ "verification time 7 usec\nstack depth max 56\n"
	  "subprog 0 (main_prog) main insns_self 30 insns_total 40 stack 16\n"
	  "subprog 2 (leaf) static insns_self 6 insns_total 6 stack 8\n" PROCESSED,
	  { 7, 40, 1, 5, 4, 2, NONE, 56 } },
	/* the list ends before the last line: cut */
	{ "stack depth max 56\n"
	  "subprog 0 (main_prog) main insns_self 30 insns_total 40 stack 16\n",
	  { NONE, NONE, NONE, NONE, NONE, NONE, NONE, 56 } },
	/* zero is a number */
	{ "verification time 0 usec\nstack depth 0\n"
	  "processed 0 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 "
	  "mark_read 0\n",
	  { 0, 0, 0, 0, 0, 0, 0, NONE } },
	/* of two runs the last, and nothing of the first */
	{ "verification time 9 usec\nstack depth 8\n" PROCESSED "verification time 7 usec\n",
	  { 7, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	{ "verification time 9 usec\nstack depth 8\n" PROCESSED PROCESSED,
	  { NONE, 40, 1, 5, 4, 2, NONE, NONE } },
	/* an older line, a longer line, a number too large */
	{ "processed 40 insns, stack depth 8\n", { NONE, 40, NONE, NONE, NONE, NONE, NONE, NONE } },
	{ "verification time 18446744073709551616 usec\n",
	  { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	{ "stack depth 18446744073709551615+1\n",
	  { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
	/* other words that begin a line */
	{ "; stack depth 16\nstack depth unknown\nsubprog\nprocessed all\n",
	  { NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE } },
};

static void log_formats(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		struct verif_log log;

		verif_log__parse(formats[i].text, &log);
		check(formats[i].text, &log, formats[i].value);
	}
}

/* Whatever of a log is left, each statistic is the right one or is not known. */
static void check_part(const char *name, const char *part, const struct verif_log *whole)
{
	struct verif_log log;

	verif_log__parse(part, &log);
	for (int s = 0; s < VERIF_STATS; s++) {
		if (log.known[s] && (!whole->known[s] || log.value[s] != whole->value[s]))
			fail_msg("%s: of '%.80s' statistic %d reads as %ju", name, part, s,
				 (uintmax_t)log.value[s]);
	}
}

static void cut_everywhere(const char *name, const char *text)
{
	struct verif_log whole;
	size_t len = strlen(text);

	verif_log__parse(text, &whole);
	for (size_t at = 0; at <= len; at++) {
		/* A copy of its own size, so that a sanitizer sees a read beyond it. */
		_cleanup_free_ char *head = strndup(text, at);
		_cleanup_free_ char *tail = strdup(text + at);

		assert_non_null(head);
		assert_non_null(tail);
		check_part(name, head, &whole);
		check_part(name, tail, &whole);
	}
}

static void cut_logs(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
		_cleanup_free_ char *text = read_log(recorded[i].text);

		cut_everywhere(recorded[i].text, text);
	}
	/* Those of one run; of two runs a part may well tell of the first. */
	for (size_t i = 0; i < 6; i++)
		cut_everywhere("format", formats[i].text);
}

static void junk_before_and_after(void **state __unused_arg)
{
	_cleanup_free_ char *text = read_log("6.18-calls-stats.log");
	_cleanup_free_ char *with = NULL;
	struct verif_log log;

	assert_int_equal(str__printf(&with, "libbpf: prog: junk \x01\xff\n\n%s\nand more\n", text),
			 0);
	verif_log__parse(with, &log);
	check("junk", &log, recorded[7].value);
}

/* One byte changed anywhere may change the numbers, but must not crash. */
static void damaged_logs(void **state __unused_arg)
{
	static const char bytes[] = { '\n', ' ', '+', '9', '\0', '\xff', '(' };

	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
		_cleanup_free_ char *text = read_log(recorded[i].text);
		size_t len = strlen(text);

		for (size_t at = 0; at < len; at++) {
			for (size_t b = 0; b < sizeof(bytes); b++) {
				_cleanup_free_ char *copy = strdup(text);
				struct verif_log log;

				copy[at] = bytes[b];
				verif_log__parse(copy, &log);
				for (int s = 0; s < VERIF_STATS; s++)
					assert_true(log.known[s] || log.value[s] == 0);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_logs), cmocka_unit_test(log_formats),
		cmocka_unit_test(cut_logs),	 cmocka_unit_test(junk_before_and_after),
		cmocka_unit_test(damaged_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
