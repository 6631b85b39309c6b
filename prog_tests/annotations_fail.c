// SPDX-License-Identifier: GPL-2.0-only
/*
 * An annotation is a check only if it can fail: each program of
 * progs/wrong_annotations.c is wrong in one way, and the loader must say so
 * in the words listed here.
 */
#include "annotated.h"
#include "cleanup.h"
#include "test_progs.h"

static const struct expected {
	const char *prog;
	enum annot_mode mode;
	enum outcome outcome;
	const char *why;
} table[] = {
	{ "right", ANNOT_PRIV, OUTCOME_PASS, "" },
	{ "right", ANNOT_UNPRIV, OUTCOME_PASS, "" },
	{ "right_failure", ANNOT_PRIV, OUTCOME_PASS, "" },
	{ "right_failure", ANNOT_UNPRIV, OUTCOME_PASS, "" },
	{ "wrong_msg", ANNOT_PRIV, OUTCOME_FAIL, "verifier log is not as expected" },
	{ "wrong_msg_order", ANNOT_PRIV, OUTCOME_FAIL, "verifier log is not as expected" },
	{ "wrong_regex", ANNOT_PRIV, OUTCOME_FAIL, "verifier log is not as expected" },
	{ "wrong_not_msg", ANNOT_PRIV, OUTCOME_FAIL, "verifier log is not as expected" },
	{ "wrong_failure_msg", ANNOT_PRIV, OUTCOME_FAIL, "verifier log is not as expected" },
	{ "wrong_retval", ANNOT_PRIV, OUTCOME_FAIL, "returned 7, expected 8" },
	{ "wrong_xlated", ANNOT_PRIV, OUTCOME_FAIL, "xlated program is not as expected" },
	{ "wrong_xlated_next_line", ANNOT_PRIV, OUTCOME_FAIL, "xlated program is not as expected" },
	{ "wrong_xlated_order", ANNOT_PRIV, OUTCOME_FAIL, "xlated program is not as expected" },
	{ "wrong_jited", ANNOT_PRIV, OUTCOME_FAIL, "machine code is not as expected" },
	{ "loads_after_all", ANNOT_PRIV, OUTCOME_FAIL, "loaded, expected to be refused" },
	{ "fails_after_all", ANNOT_PRIV, OUTCOME_FAIL, "not loaded" },
	{ "unknown_annotation", ANNOT_PRIV, OUTCOME_FAIL,
	  "unknown annotation 'test_expect_miracle'" },
	{ "bad_value", ANNOT_PRIV, OUTCOME_FAIL, "__retval: expected a 32-bit number" },
	{ "bad_flag", ANNOT_PRIV, OUTCOME_FAIL, "__flag: expected" },
	{ "wrong_retval_unpriv", ANNOT_UNPRIV, OUTCOME_FAIL, "returned 7, expected 8" },
	{ "loads_after_all_unpriv", ANNOT_UNPRIV, OUTCOME_FAIL, "loaded, expected to be refused" },
	{ "wrong_msg_unpriv", ANNOT_UNPRIV, OUTCOME_FAIL, "verifier log is not as expected" },
	{ "wrong_xlated_unpriv", ANNOT_UNPRIV, OUTCOME_FAIL, "xlated program is not as expected" },
#if !defined(__s390x__)
	{ "other_arch", ANNOT_PRIV, OUTCOME_SKIP, "other architectures" },
#endif
};

static const struct annotated_prog *find_prog(const struct annotated *annotated, const char *name,
					      size_t *ret_index)
{
	for (size_t i = 0; i < annotated->progs.n; i++) {
		if (streq(annotated->progs.v[i].name, name)) {
			*ret_index = i;
			return &annotated->progs.v[i];
		}
	}
	return NULL;
}

static void check_row(const struct annotated *annotated, const struct expected *row)
{
	const char *unpriv = test__env()->facts->unpriv;
	enum outcome outcome;
	struct err why = {};
	size_t index;

	if (!ASSERT_OK_PTR(find_prog(annotated, row->prog, &index), "program in the object"))
		return;
	if (row->mode == ANNOT_UNPRIV && *unpriv) {
		test__skip("%s", unpriv);
		return;
	}
	outcome = annotated__check(annotated, index, row->mode, &why);
	/* Not every machine has a JIT, and not every one a disassembler. */
	if (streq(row->prog, "wrong_jited") && outcome == OUTCOME_SKIP) {
		test__skip("%s", why.text);
		return;
	}
	ASSERT_EQ(outcome, row->outcome, "outcome");
	ASSERT_HAS_SUBSTR(why.text, row->why, "reason");
}

/* Wrong programs that no row expects anything of would go unnoticed. */
static void check_all_listed(const struct annotated *annotated)
{
	for (size_t i = 0; i < annotated->progs.n; i++) {
		bool listed = false;

		for (size_t row = 0; row < ARRAY_SIZE(table); row++)
			listed |= streq(table[row].prog, annotated->progs.v[i].name);
		ASSERT_TRUE(listed, annotated->progs.v[i].name);
	}
}

/* What the log must not say is cut off, and the program loads all the same. */
static void check_long_log(struct annotated *annotated)
{
	struct err why = {};
	size_t index;

	if (!ASSERT_OK_PTR(find_prog(annotated, "wrong_not_msg", &index), "program in the object"))
		return;
	annotated->log_len = 128; /* the least that all kernels take */
	ASSERT_EQ(annotated__check(annotated, index, ANNOT_PRIV, &why), OUTCOME_PASS, "outcome");
	ASSERT_HAS_SUBSTR(annotated->log, "processed", "the end of the log");
}

void test_annotations_fail(void)
{
	_cleanup_(annotated__freep) struct annotated *annotated = NULL;
	_cleanup_free_ char *path = NULL;
	struct err err = {};
	char name[128];

	if (!ASSERT_OK(str__printf(&path, "%s/wrong_annotations.bpf.o", test__env()->objdir), "pat"
											      "h"))
		return;
	if (annotated__open(path, test__env()->facts, test__env()->verbose, &annotated, &err) < 0) {
		PRINT_FAIL("%s", err.text);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		snprintf(name, sizeof(name), "%s%s", table[i].prog,
			 table[i].mode == ANNOT_UNPRIV ? " @unpriv" : "");
		if (test__start_subtest(name))
			check_row(annotated, &table[i]);
	}
	if (test__start_subtest("every program is listed"))
		check_all_listed(annotated);
	if (test__start_subtest("a log that is too long"))
		check_long_log(annotated);
}
