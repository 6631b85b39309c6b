// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs whose annotations are wrong, each in one way: what the loader has
 * to notice. Run by prog_tests/annotations_fail.c and by nothing else.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "bpf_misc.h"

/* r0 = 7; exit: loads, returns 7, and is left as it is by the verifier. */
#define RETURN_SEVEN                                                                               \
	{                                                                                          \
		asm volatile("r0 = 7;"                                                             \
			     "exit;" ::                                                            \
				     : __clobber_all);                                             \
	}

/* Reads a register that was never written. */
#define READ_NOTHING                                                                               \
	{                                                                                          \
		asm volatile("r0 = r5;"                                                            \
			     "exit;" ::                                                            \
				     : __clobber_all);                                             \
	}

SEC("socket")
__success __success_unpriv __log_level(2)
__msg("r0 = 7") __not_msg("r0 = 8") __msg("exit")
__xlated("0: r0 = 7") __xlated("1: exit")
__retval(7)
__naked void right(void)
RETURN_SEVEN

SEC("socket")
__failure __failure_unpriv __msg("R5 !read_ok")
__naked void right_failure(void)
READ_NOTHING

SEC("socket")
__success __log_level(2) __msg("r0 = 8")
__naked void wrong_msg(void)
RETURN_SEVEN

SEC("socket")
__success __log_level(2) __msg("processed") __msg("(95) exit")
__naked void wrong_msg_order(void)
RETURN_SEVEN

SEC("socket")
__success __log_level(2) __msg("r0 = {{[0-6]$}}")
__naked void wrong_regex(void)
RETURN_SEVEN

SEC("socket")
__success __log_level(2) __not_msg("r0 = 7")
__naked void wrong_not_msg(void)
RETURN_SEVEN

SEC("socket")
__failure __msg("R4 !read_ok")
__naked void wrong_failure_msg(void)
READ_NOTHING

SEC("socket")
__success __retval(8)
__naked void wrong_retval(void)
RETURN_SEVEN

SEC("socket")
__success __xlated("0: r0 = 8")
__naked void wrong_xlated(void)
RETURN_SEVEN

SEC("socket")
__success __xlated("0: r0 = 7") __xlated("2: exit")
__naked void wrong_xlated_next_line(void)
RETURN_SEVEN

SEC("socket")
__success __xlated("exit") __xlated("...") __xlated("r0 = 7")
__naked void wrong_xlated_order(void)
RETURN_SEVEN

SEC("socket")
__failure
__naked void loads_after_all(void)
RETURN_SEVEN

SEC("socket")
__success
__naked void fails_after_all(void)
READ_NOTHING

SEC("socket")
__success __test_tag("test_expect_miracle=soon")
__naked void unknown_annotation(void)
RETURN_SEVEN

SEC("socket")
__success __retval(seven)
__naked void bad_value(void)
RETURN_SEVEN

SEC("socket")
__success __flag(BPF_F_NO_SUCH_FLAG)
__naked void bad_flag(void)
RETURN_SEVEN

SEC("socket")
__success __retval(8) __arch_s390x
__naked void other_arch(void)
RETURN_SEVEN

SEC("socket")
__success __load_if_JITed() __arch_x86_64 __jited("	movl	$0x8, %eax")
__naked void wrong_jited(void)
RETURN_SEVEN

SEC("socket")
__success_unpriv __retval_unpriv(8)
__naked void wrong_retval_unpriv(void)
RETURN_SEVEN

SEC("socket")
__failure_unpriv
__naked void loads_after_all_unpriv(void)
RETURN_SEVEN

SEC("socket")
__success_unpriv __log_level(2) __msg_unpriv("r0 = 8")
__naked void wrong_msg_unpriv(void)
RETURN_SEVEN

SEC("socket")
__success_unpriv __xlated_unpriv("0: r0 = 8")
__naked void wrong_xlated_unpriv(void)
RETURN_SEVEN

char _license[] SEC("license") = "GPL";
