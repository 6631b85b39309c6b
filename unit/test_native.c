// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cleanup.h"
#include "native.h"

#if defined(__x86_64__)

/* Text of the bytes, or NULL where there is no LLVM, which was said. */
static char *text_of(const uint8_t *image, const uint32_t *lens, size_t n)
{
	struct err err = {};
	char *text = NULL;
	int rc = native__text(image, lens, n, &text, &err);

	if (rc == -EOPNOTSUPP) {
		print_message("# SKIP: %s\n", err.text);
		return NULL;
	}
	assert_int_equal(rc, 0);
	return text;
}

static void functions_and_labels(void **state __unused_arg)
{
	static const uint8_t image[] = {
		0xf3, 0x0f, 0x1e, 0xfa, /* endbr64 */
		0x74, 0x06,		/* je 0xc */
		0x48, 0x83, 0xf8, 0x21, /* cmpq $0x21, %rax */
		0x74, 0xf8,		/* je 0x4 */
		0xc3,			/* retq */
		0x55, 0xc9,		/* another: pushq %rbp; leave */
	};
	static const uint32_t lens[] = { 13, 2 };
	_cleanup_free_ char *text = text_of(image, lens, ARRAY_SIZE(lens));

	if (!text)
		skip();
	assert_string_equal(text, "func #0:\n"
				  "0:\tf3 0f 1e fa                         \tendbr64\n"
				  "4:\t74 06                               L0:\tje\tL1\n"
				  "6:\t48 83 f8 21                         \tcmpq\t$0x21, %rax\n"
				  "a:\t74 f8                               \tje\tL0\n"
				  "c:\tc3                                  L1:\tretq\n"
				  "\n"
				  "func #1:\n"
				  "0:\t55                                  \tpushq\t%rbp\n"
				  "1:\tc9                                  \tleave\n"
				  "\n");
}

/* Where a function of its own is jumped to, or called, there is an address. */
static void no_labels_outside(void **state __unused_arg)
{
	static const uint8_t image[] = { 0xeb, 0x10, 0xe8, 0x00, 0x10, 0x00, 0x00 };
	static const uint32_t lens[] = { sizeof(image) };
	_cleanup_free_ char *text = text_of(image, lens, 1);

	if (!text)
		skip();
	assert_non_null(strstr(text, "\tjmp\t0x12\n"));
	assert_non_null(strstr(text, "\tcallq\t0x1007\n"));
	assert_null(strstr(text, "L0"));
}

/* Each jump takes a number, two to one place the first of theirs. */
static void labels_are_numbered_by_jumps(void **state __unused_arg)
{
	static const uint8_t image[] = { 0x74, 0x04, 0x74, 0x02, 0x74, 0x01, 0x90, 0xc3 };
	static const uint32_t lens[] = { sizeof(image) };
	_cleanup_free_ char *text = text_of(image, lens, 1);

	if (!text)
		skip();
	assert_non_null(strstr(text, "L0:\tnop\n"));
	assert_non_null(strstr(text, "L2:\tretq\n"));
	assert_non_null(strstr(text, "\tje\tL2\n"));
	assert_null(strstr(text, "L1"));
}

static void what_is_no_instruction_is_named(void **state __unused_arg)
{
	static const uint8_t image[] = { 0x90, 0x06 };
	static const uint32_t lens[] = { sizeof(image) };
	struct err err = {};
	char *text = NULL;
	int rc = native__text(image, lens, 1, &text, &err);

	if (rc == -EOPNOTSUPP)
		skip();
	assert_int_equal(rc, -EINVAL);
	assert_null(text);
	assert_string_equal(err.text, "no instruction at 0x1: 06");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_and_labels),
		cmocka_unit_test(no_labels_outside),
		cmocka_unit_test(labels_are_numbered_by_jumps),
		cmocka_unit_test(what_is_no_instruction_is_named),
	};

	return cmocka_run_group_tests_name("native", tests, NULL, NULL);
}

#else

static void other_machines(void **state __unused_arg)
{
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(other_machines) };

	return cmocka_run_group_tests_name("native", tests, NULL, NULL);
}

#endif
