/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Annotations: what is expected of a BPF program, written at the program.
 *
 * Names and tags are those of the header of the same name in the kernel's BPF
 * selftests, so that a file written against one compiles against the other.
 * What each of them means here is in lib/annot.c and docs; in short:
 *
 *	__success, __failure	the verifier takes the program, or refuses it
 *	__msg, __not_msg	the log has this text, or does not have it there
 *	__xlated		this is a line of the program as the kernel rewrote it
 *	__retval		a test run with 64 bytes of zeroes returns this
 *	..._unpriv		the same for a load without capabilities
 *
 * Without any annotation a program is expected to load.
 */
#ifndef BPF_AB_BPF_MISC_H
#define BPF_AB_BPF_MISC_H

#define STR(s)		  #s
#define XSTR(s)		  STR(s)
#define QUOTE(str)	  STR(str)
#define EXPAND_QUOTE(str) XSTR(str)

/* The counter orders the tags of a program, which BTF does not. */
#define __test_tag(tag) __attribute__((btf_decl_tag("comment:" XSTR(__COUNTER__) ":" tag)))

/* How the program loads. */
#define __success	   __test_tag("test_expect_success")
#define __success_unpriv   __test_tag("test_expect_success_unpriv")
#define __failure	   __test_tag("test_expect_failure")
#define __failure_unpriv   __test_tag("test_expect_failure_unpriv")
#define __auxiliary	   __test_tag("test_auxiliary")
#define __auxiliary_unpriv __test_tag("test_auxiliary_unpriv")

/* Text, in order; {{ and }} enclose a regular expression. */
#define __msg(text)	       __test_tag("test_expect_msg=" text)
#define __msg_unpriv(text)     __test_tag("test_expect_msg_unpriv=" text)
#define __not_msg(text)	       __test_tag("test_expect_not_msg=" text)
#define __not_msg_unpriv(text) __test_tag("test_expect_not_msg_unpriv=" text)
#define __stdout(text)	       __test_tag("test_expect_stdout=" text)
#define __stdout_unpriv(text)  __test_tag("test_expect_stdout_unpriv=" text)
#define __stderr(text)	       __test_tag("test_expect_stderr=" text)
#define __stderr_unpriv(text)  __test_tag("test_expect_stderr_unpriv=" text)

/* Lines that follow each other; "..." stands for any number of others. */
#define __xlated(line)	      __test_tag("test_expect_xlated=" line)
#define __xlated_unpriv(line) __test_tag("test_expect_xlated_unpriv=" line)
#define __jited(line)	      __test_tag("test_jited=" line)
#define __jited_unpriv(line)  __test_tag("test_jited_unpriv=" line)

/* A test run. */
#define __retval(value)	       __test_tag("test_retval=" XSTR(value))
#define __retval_unpriv(value) __test_tag("test_retval_unpriv=" XSTR(value))
#define __linear_size(size)    __test_tag("test_linear_size=" XSTR(size))

#define POINTER_VALUE 0xbadcafe /* any return value is right */
#define TEST_DATA_LEN 64

/* How it is loaded, and where. The flag's name is not expanded. */
#define __description(text)   __test_tag("test_description=" text)
#define __log_level(level)    __test_tag("test_log_level=" #level)
#define __flag(flag)	      __test_tag("test_prog_flags=" #flag)
#define __caps_unpriv(caps)   __test_tag("test_caps_unpriv=" EXPAND_QUOTE(caps))
#define __btf_path(path)      __test_tag("test_btf_path=" path)
#define __btf_func_path(path) __test_tag("test_btf_func_path=" path)
#define __load_if_JITed()     __test_tag("load_mode=jited")
#define __load_if_no_JITed()  __test_tag("load_mode=no_jited")

#define __arch(name)	 __test_tag("test_arch=" name)
#define __arch_x86_64	 __arch("X86_64")
#define __arch_arm64	 __arch("ARM64")
#define __arch_riscv64	 __arch("RISCV64")
#define __arch_s390x	 __arch("s390x")
#define __arch_loongarch __arch("LOONGARCH")

/* For __caps_unpriv(); numbers of linux/capability.h. */
#define CAP_NET_ADMIN 12
#define CAP_SYS_ADMIN 21
#define CAP_PERFMON   38
#define CAP_BPF	      39

/* Functions of nothing but assembly. */
#define __naked		 __attribute__((naked))
#define __clobber_common "r0", "r1", "r2", "r3", "r4", "r5", "memory"
#define __clobber_all	 "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "memory"

/* Operands: %[name] stands for a constant, an address, or a whole instruction. */
#define __imm_const(name, expr) [name] "i"(expr)
#define __imm(name)		__imm_const(name, name)
#define __imm_addr(name)	__imm_const(name, &name)
#define __imm_insn(name, expr)	__imm_const(name, *(long *)&(expr))
#define __imm_ptr(name)		[name] "r"(&name)

/* The compiler must take the value for used and changed. */
#define __sink(expr) asm volatile("" : "+g"(expr))

#ifndef __aligned
#define __aligned(x) __attribute__((aligned(x)))
#endif
#ifndef __used
#define __used __attribute__((used))
#endif
#ifndef ARRAY_SIZE
#define ARRAY_SIZE(x) (sizeof(x) / sizeof((x)[0]))
#endif

#define sizeof_field(type, field) sizeof(((type *)0)->field)
#define offsetofend(type, field)  (offsetof(type, field) + sizeof_field(type, field))

/*
 * By architecture: the prefix of system call functions, whether they are
 * wrapped, how many arguments are passed in registers (5 where not listed),
 * and which mitigations the verifier writes into programs.
 */
#if defined(__TARGET_ARCH_x86)
#define SYS_PREFIX	 "__x64_"
#define SYSCALL_WRAPPER	 1
#define FUNC_REG_ARG_CNT 6
#define SPEC_V1
#define SPEC_V4
#elif defined(__TARGET_ARCH_arm64)
#define SYS_PREFIX	 "__arm64_"
#define SYSCALL_WRAPPER	 1
#define FUNC_REG_ARG_CNT 8
#define SPEC_V1
#elif defined(__TARGET_ARCH_riscv)
#define SYS_PREFIX	 "__riscv_"
#define SYSCALL_WRAPPER	 1
#define FUNC_REG_ARG_CNT 8
#elif defined(__TARGET_ARCH_s390)
#define SYS_PREFIX	"__s390x_"
#define SYSCALL_WRAPPER 1
#elif defined(__TARGET_ARCH_powerpc)
#define SYS_PREFIX	 ""
#define SYSCALL_WRAPPER	 1
#define FUNC_REG_ARG_CNT 8
#else
#define SYS_PREFIX	"__se_"
#define SYSCALL_WRAPPER 0
#if defined(__TARGET_ARCH_arm)
#define FUNC_REG_ARG_CNT 4
#elif defined(__TARGET_ARCH_mips)
#define FUNC_REG_ARG_CNT 8
#elif defined(__TARGET_ARCH_sparc)
#define FUNC_REG_ARG_CNT 6
#endif
#endif
#ifndef FUNC_REG_ARG_CNT
#define FUNC_REG_ARG_CNT 5
#endif

/* What the compiler can emit and the architecture's JIT can run. */
#if __clang_major__ >= 18
#define CAN_USE_BPF_ST
#if defined(__TARGET_ARCH_x86) || defined(__TARGET_ARCH_arm64) || defined(__TARGET_ARCH_s390) || \
	(defined(__TARGET_ARCH_riscv) && __riscv_xlen == 64) || defined(__TARGET_ARCH_arm) ||    \
	defined(__TARGET_ARCH_loongarch)
#define CAN_USE_GOTOL
#endif
#if defined(ENABLE_ATOMICS_TESTS) &&                                                            \
	(defined(__TARGET_ARCH_x86) || defined(__TARGET_ARCH_arm64) ||                          \
	 defined(__TARGET_ARCH_s390) || (defined(__TARGET_ARCH_riscv) && __riscv_xlen == 64) || \
	 defined(__TARGET_ARCH_powerpc) || defined(__TARGET_ARCH_loongarch))
#define CAN_USE_LOAD_ACQ_STORE_REL
#endif
#endif

#endif
