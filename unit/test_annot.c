// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <bpf/btf.h>
#include <limits.h>
#include <linux/bpf.h>

#include "annot.h"
#include "cleanup.h"

#define READ(ret_annot, err, ...)                         \
	annot__read((const char *const[]){ __VA_ARGS__ }, \
		    ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })), ret_annot, err)

static size_t count(const struct annot *annot, enum annot_mode mode, enum annot_text text)
{
	return annot__texts(annot, mode, text)->patterns.n;
}

static const char *pattern(const struct annot *annot, enum annot_mode mode, enum annot_text text,
			   size_t i)
{
	assert_true(i < count(annot, mode, text));
	return annot__texts(annot, mode, text)->patterns.v[i].text;
}

/* Recorded from an object, in the order in which clang wrote them. */
static void tags_are_ordered_by_number(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;

	assert_int_equal(READ(&annot, NULL, "comment:11:test_expect_msg=third",
			      "comment:9:test_expect_msg=first", "comment:2:test_expect_failure",
			      "comment:10:test_expect_msg=second"),
			 0);
	assert_true(annot->expect[ANNOT_PRIV].wanted);
	assert_true(annot->expect[ANNOT_PRIV].fails);
	assert_false(annot->expect[ANNOT_UNPRIV].wanted);
	assert_int_equal(count(annot, ANNOT_PRIV, ANNOT_LOG), 3);
	assert_string_equal(pattern(annot, ANNOT_PRIV, ANNOT_LOG, 0), "first");
	assert_string_equal(pattern(annot, ANNOT_PRIV, ANNOT_LOG, 1), "second");
	assert_string_equal(pattern(annot, ANNOT_PRIV, ANNOT_LOG, 2), "third");
}

static void no_tags_mean_that_it_loads(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;

	/* Tags of others, and those that only look like ours. */
	assert_int_equal(READ(&annot, NULL, "exception_callback:foo", "comment", "comment::x",
			      "comment:x:test_expect_failure"),
			 0);
	assert_true(annot->expect[ANNOT_PRIV].wanted);
	assert_false(annot->expect[ANNOT_PRIV].fails);
	assert_false(annot->expect[ANNOT_PRIV].runs);
	assert_false(annot->expect[ANNOT_UNPRIV].wanted);
	assert_int_equal(annot->prog_flags, 0);
	assert_int_equal(annot->archs, 0);
	assert_int_equal(annot->jit, 0);
	assert_null(annot->description);
}

static void unprivileged_takes_over_what_it_does_not_say(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *same = NULL, *own = NULL;

	assert_int_equal(READ(&same, NULL, "comment:0:test_expect_failure",
			      "comment:1:test_expect_msg=a", "comment:2:test_retval=5",
			      "comment:3:test_expect_failure_unpriv"),
			 0);
	assert_true(same->expect[ANNOT_UNPRIV].wanted);
	assert_true(same->expect[ANNOT_UNPRIV].fails);
	assert_true(same->expect[ANNOT_UNPRIV].runs);
	assert_int_equal(same->expect[ANNOT_UNPRIV].retval, 5);
	assert_string_equal(pattern(same, ANNOT_UNPRIV, ANNOT_LOG, 0), "a");

	assert_int_equal(
		READ(&own, NULL, "comment:0:test_expect_success", "comment:1:test_expect_msg=a",
		     "comment:2:test_retval=5", "comment:3:test_expect_failure_unpriv",
		     "comment:4:test_expect_msg_unpriv=b", "comment:5:test_retval_unpriv=6"),
		0);
	assert_false(own->expect[ANNOT_PRIV].fails);
	assert_true(own->expect[ANNOT_UNPRIV].fails);
	assert_int_equal(own->expect[ANNOT_PRIV].retval, 5);
	assert_int_equal(own->expect[ANNOT_UNPRIV].retval, 6);
	assert_string_equal(pattern(own, ANNOT_PRIV, ANNOT_LOG, 0), "a");
	assert_string_equal(pattern(own, ANNOT_UNPRIV, ANNOT_LOG, 0), "b");
}

static void a_message_alone_wants_its_mode(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL, *priv = NULL;

	assert_int_equal(READ(&annot, NULL, "comment:0:test_expect_not_msg_unpriv=a"), 0);
	assert_false(annot->expect[ANNOT_PRIV].wanted);
	assert_true(annot->expect[ANNOT_UNPRIV].wanted);
	assert_int_equal(annot__texts(annot, ANNOT_UNPRIV, ANNOT_LOG)->patterns.v[0].kind,
			 MATCH_ABSENT);
	assert_int_equal(READ(&priv, NULL, "comment:0:test_expect_xlated=r0 = 0"), 0);
	assert_true(priv->expect[ANNOT_PRIV].wanted);
	assert_false(priv->expect[ANNOT_UNPRIV].wanted);
}

static void retvals(void **state __unused_arg)
{
	static const struct {
		const char *tag;
		int retval;
	} rows[] = {
		{ "comment:0:test_retval=0", 0 },
		{ "comment:0:test_retval=-22", -22 },
		{ "comment:0:test_retval=010", 10 },
		{ "comment:0:test_retval=0xffffffff", -1 },
		{ "comment:0:test_retval=4294967295", -1 },
		{ "comment:0:test_retval=-0x10", -16 },
		{ "comment:0:test_retval=_INT_MIN", INT_MIN },
		{ "comment:0:test_retval=0xbadcafe", ANNOT_POINTER_VALUE },
	};
	static const char *const bad[] = {
		"comment:0:test_retval=",     "comment:0:test_retval=seven",
		"comment:0:test_retval=1 2",  "comment:0:test_retval=4294967296",
		"comment:0:test_retval=(-1)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(annot__freep) struct annot *annot = NULL;

		assert_int_equal(READ(&annot, NULL, rows[i].tag), 0);
		assert_true(annot->expect[ANNOT_PRIV].runs);
		assert_int_equal(annot->expect[ANNOT_PRIV].retval, rows[i].retval);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct annot *annot = NULL;
		struct err err = {};

		assert_int_equal(READ(&annot, &err, bad[i]), -EINVAL);
		assert_null(annot);
		assert_non_null(strstr(err.text, "__retval: expected a 32-bit number"));
	}
}

static void flags_add_and_take_away(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;
	struct annot *none = NULL;
	struct err err = {};

	assert_int_equal(READ(&annot, NULL, "comment:0:test_prog_flags=BPF_F_ANY_ALIGNMENT",
			      "comment:1:test_prog_flags=0x404",
			      "comment:2:test_prog_flags=!BPF_F_TEST_RND_HI32",
			      "comment:3:test_prog_flags=0x100",
			      "comment:4:test_prog_flags=BPF_F_TEST_STATE_FREQ",
			      "comment:5:test_log_level=2"),
			 0);
	assert_int_equal(annot->prog_flags, BPF_F_ANY_ALIGNMENT | 0x500 | BPF_F_TEST_STATE_FREQ);
	assert_int_equal(annot->log_level, 2);
	assert_int_equal(READ(&none, &err, "comment:0:test_prog_flags=BPF_F_MISSPELT"), -EINVAL);
	assert_non_null(strstr(err.text, "'BPF_F_MISSPELT'"));
	assert_int_equal(READ(&none, &err, "comment:0:test_log_level=high"), -EINVAL);
	assert_non_null(strstr(err.text, "__log_level"));
}

static void archs_modes_and_sizes(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL, *jited = NULL;
	struct annot *none = NULL;
	struct err err = {};

	assert_int_equal(READ(&annot, NULL, "comment:0:test_arch=X86_64",
			      "comment:1:test_arch=s390x", "comment:2:load_mode=no_jited",
			      "comment:3:test_linear_size=64",
			      "comment:4:test_description=a name, with / in it",
			      "comment:5:test_btf_path=btf__a.bpf.o",
			      "comment:6:test_btf_func_path=btf__b.bpf.o"),
			 0);
	assert_int_equal(annot->archs, ANNOT_X86_64 | ANNOT_S390X);
	assert_int_equal(annot->jit, ANNOT_JIT_OFF);
	assert_int_equal(annot->linear_size, 64);
	assert_string_equal(annot->description, "a name, with / in it");
	assert_string_equal(annot->btf_path, "btf__a.bpf.o");
	assert_string_equal(annot->btf_func_path, "btf__b.bpf.o");
	assert_int_equal(READ(&none, &err, "comment:0:test_arch=Z80"), -EINVAL);
	assert_non_null(strstr(err.text, "'Z80'"));
	assert_int_equal(READ(&none, &err, "comment:0:load_mode=slow"), -EINVAL);
	assert_null(none);
	assert_int_equal(READ(&jited, NULL, "comment:0:load_mode=jited"), 0);
	assert_int_equal(jited->jit, ANNOT_JIT_ON);
}

static void capabilities(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;
	struct annot *none = NULL;
	struct err err = {};

	assert_int_equal(READ(&annot, NULL, "comment:0:test_caps_unpriv=39|21 | 12"), 0);
	assert_true(annot->caps == (1ULL << 39 | 1ULL << 21 | 1ULL << 12));
	assert_true(annot->expect[ANNOT_UNPRIV].wanted);
	assert_int_equal(READ(&none, &err, "comment:0:test_caps_unpriv=CAP_MADE_UP"), -EINVAL);
	assert_non_null(strstr(err.text, "CAP_MADE_UP"));
	assert_int_equal(READ(&none, &err, "comment:0:test_caps_unpriv=64"), -EINVAL);
}

static void listings_have_gaps(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;
	const struct match_pattern *v;

	assert_int_equal(READ(&annot, NULL, "comment:0:test_expect_xlated=0: r1 = 0",
			      "comment:1:test_expect_xlated=1: r2 = 0",
			      "comment:2:test_expect_xlated=...",
			      "comment:3:test_expect_xlated=exit"),
			 0);
	assert_int_equal(count(annot, ANNOT_PRIV, ANNOT_XLATED), 3);
	v = annot__texts(annot, ANNOT_PRIV, ANNOT_XLATED)->patterns.v;
	assert_int_equal(v[0].kind, MATCH_ANYWHERE);
	assert_int_equal(v[1].kind, MATCH_NEXT_LINE);
	assert_int_equal(v[2].kind, MATCH_ANYWHERE);
}

static void jited_belongs_to_the_arch_before_it(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;
	struct annot *none = NULL;
	struct err err = {};

	assert_int_equal(READ(&annot, NULL, "comment:0:test_arch=X86_64",
			      "comment:1:test_jited=endbr64", "comment:2:test_arch=ARM64",
			      "comment:3:test_jited=bti"),
			 0);
	if (annot__this_arch() == ANNOT_X86_64)
		assert_string_equal(pattern(annot, ANNOT_PRIV, ANNOT_JITED, 0), "endbr64");
	assert_int_equal(count(annot, ANNOT_PRIV, ANNOT_JITED),
			 !!(annot__this_arch() & (ANNOT_X86_64 | ANNOT_ARM64)));
	assert_int_equal(READ(&none, &err, "comment:0:test_jited=endbr64"), -EINVAL);
	assert_non_null(strstr(err.text, "__arch"));
}

static void unknown_annotations_have_a_name(void **state __unused_arg)
{
	static const char *const tags[] = {
		"comment:0:test_expect_miracle=yes",
		"comment:0:test_expect_miracle",
		"comment:0:test_expect",
		"comment:0:test_expect_success_unpriv_too",
	};
	struct annot *annot = NULL;
	struct err err = {};

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++) {
		assert_int_equal(READ(&annot, &err, tags[i]), -EINVAL);
		assert_non_null(strstr(err.text, "unknown annotation 'test_expect"));
		assert_null(annot);
	}
	assert_int_equal(READ(&annot, &err, "comment:0:test_expect_success=maybe"), -EINVAL);
	assert_non_null(strstr(err.text, "__success: expected no value"));
	assert_int_equal(READ(&annot, &err, "comment:0:test_expect_msg"), -EINVAL);
	assert_non_null(strstr(err.text, "__msg: expected a value"));
	assert_int_equal(READ(&annot, &err, "comment:0:test_expect_msg=R{{"), -EINVAL);
	assert_null(annot);
}

/* Loaded along with the tests of its object, in the modes that it says. */
static void auxiliaries(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *priv = NULL, *both = NULL;

	assert_int_equal(READ(&priv, NULL, "comment:0:test_auxiliary"), 0);
	assert_true(priv->auxiliary);
	assert_true(priv->expect[ANNOT_PRIV].wanted);
	assert_false(priv->expect[ANNOT_UNPRIV].wanted);
	assert_int_equal(READ(&both, NULL, "comment:0:test_auxiliary",
			      "comment:1:test_auxiliary_unpriv"),
			 0);
	assert_true(both->auxiliary);
	assert_true(both->expect[ANNOT_PRIV].wanted);
	assert_true(both->expect[ANNOT_UNPRIV].wanted);
}

/* They belong to a run that something else asks for: alone they want no mode. */
static void streams(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;
	const struct match_pattern *v;

	assert_int_equal(
		READ(&annot, NULL, "comment:0:test_expect_success",
		     "comment:1:test_expect_stderr=ERROR: {{.*}}",
		     "comment:2:test_expect_stderr=CPU: {{[0-9]+}}",
		     "comment:3:test_expect_stdout=one", "comment:4:test_expect_stdout=...",
		     "comment:5:test_expect_stdout=three",
		     "comment:6:test_expect_stderr_unpriv=denied", "comment:7:test_retval=0"),
		0);
	assert_false(annot->expect[ANNOT_UNPRIV].wanted);
	assert_int_equal(count(annot, ANNOT_PRIV, ANNOT_STDERR), 2);
	v = annot__texts(annot, ANNOT_PRIV, ANNOT_STDERR)->patterns.v;
	assert_true(v[0].is_regex);
	assert_int_equal(v[1].kind, MATCH_NEXT_LINE);
	assert_int_equal(annot__texts(annot, ANNOT_PRIV, ANNOT_STDOUT)->patterns.v[1].kind,
			 MATCH_ANYWHERE);
	assert_string_equal(pattern(annot, ANNOT_UNPRIV, ANNOT_STDERR, 0), "denied");
	assert_int_equal(count(annot, ANNOT_UNPRIV, ANNOT_STDERR), 1);
	/* What unprivileged does not say is as privileged. */
	assert_int_equal(count(annot, ANNOT_UNPRIV, ANNOT_STDOUT), 2);
}

static void listings_by_mode(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *annot = NULL;

	assert_int_equal(READ(&annot, NULL, "comment:0:test_arch=X86_64",
			      "comment:1:test_expect_xlated=nop",
			      "comment:2:test_expect_xlated_unpriv=nospec",
			      "comment:3:test_jited_unpriv=lfence"),
			 0);
	assert_true(annot->expect[ANNOT_PRIV].wanted);
	assert_true(annot->expect[ANNOT_UNPRIV].wanted);
	assert_string_equal(pattern(annot, ANNOT_PRIV, ANNOT_XLATED, 0), "nop");
	assert_string_equal(pattern(annot, ANNOT_UNPRIV, ANNOT_XLATED, 0), "nospec");
	assert_int_equal(count(annot, ANNOT_PRIV, ANNOT_JITED), 0);
	if (annot__this_arch() == ANNOT_X86_64)
		assert_string_equal(pattern(annot, ANNOT_UNPRIV, ANNOT_JITED, 0), "lfence");
}

static struct btf *two_functions(void)
{
	struct btf *btf = btf__new_empty();
	int proto, foo, bar;

	assert_non_null(btf);
	proto = btf__add_func_proto(btf, 0);
	foo = btf__add_func(btf, "foo", BTF_FUNC_GLOBAL, proto);
	bar = btf__add_func(btf, "bar", BTF_FUNC_GLOBAL, proto);
	assert_true(proto > 0 && foo > 0 && bar > 0);
	assert_true(btf__add_decl_tag(btf, "comment:1:test_retval=7", foo, -1) > 0);
	assert_true(btf__add_decl_tag(btf, "comment:0:test_expect_failure", bar, -1) > 0);
	assert_true(btf__add_decl_tag(btf, "comment:0:test_expect_success", foo, -1) > 0);
	return btf;
}

static void tags_of_a_function(void **state __unused_arg)
{
	_cleanup_(annot__freep) struct annot *foo = NULL, *bar = NULL;
	struct annot *none = NULL;
	struct btf *btf = two_functions();
	struct err err = {};

	assert_int_equal(annot__read_btf(btf, "foo", &foo, &err), 0);
	assert_false(foo->expect[ANNOT_PRIV].fails);
	assert_int_equal(foo->expect[ANNOT_PRIV].retval, 7);
	assert_int_equal(annot__read_btf(btf, "bar", &bar, &err), 0);
	assert_true(bar->expect[ANNOT_PRIV].fails);
	assert_int_equal(annot__read_btf(btf, "baz", &none, &err), -ENOENT);
	assert_non_null(strstr(err.text, "'baz'"));
	assert_true(annot__in_btf(btf));
	btf__free(btf);
}

static void tags_of_others_make_no_test(void **state __unused_arg)
{
	struct btf *btf = btf__new_empty();
	int func = btf__add_func(btf, "foo", BTF_FUNC_GLOBAL, btf__add_func_proto(btf, 0));

	assert_true(btf__add_decl_tag(btf, "exception_callback:bar", func, -1) > 0);
	assert_true(btf__add_decl_tag(btf, "comment", func, -1) > 0);
	assert_false(annot__in_btf(btf));
	btf__free(btf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_are_ordered_by_number),
		cmocka_unit_test(no_tags_mean_that_it_loads),
		cmocka_unit_test(unprivileged_takes_over_what_it_does_not_say),
		cmocka_unit_test(a_message_alone_wants_its_mode),
		cmocka_unit_test(retvals),
		cmocka_unit_test(flags_add_and_take_away),
		cmocka_unit_test(archs_modes_and_sizes),
		cmocka_unit_test(capabilities),
		cmocka_unit_test(listings_have_gaps),
		cmocka_unit_test(jited_belongs_to_the_arch_before_it),
		cmocka_unit_test(unknown_annotations_have_a_name),
		cmocka_unit_test(auxiliaries),
		cmocka_unit_test(streams),
		cmocka_unit_test(listings_by_mode),
		cmocka_unit_test(tags_of_a_function),
		cmocka_unit_test(tags_of_others_make_no_test),
	};

	return cmocka_run_group_tests_name("annot", tests, NULL, NULL);
}
