// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "kmsg.h"

/* First lines as kernels of several years print them. */
static const char *const splats[] = {
	"WARNING: CPU: 1 PID: 77 at kernel/bpf/verifier.c:12 do_check+0x1/0x2",
	"WARNING: kernel/bpf/verifier.c:12 at do_check+0x1/0x2, CPU#1: test/77",
	"WARNING: possible circular locking dependency detected",
	"WARNING: suspicious RCU usage",
	"BUG: KASAN: slab-use-after-free in bpf_map_put+0x1/0x2",
	"BUG: kernel NULL pointer dereference, address: 0000000000000008",
	"BUG: sleeping function called from invalid context at mm/slab.h:1",
	"kernel BUG at mm/slub.c:1!",
	"UBSAN: array-index-out-of-bounds in kernel/bpf/core.c:1:2",
	"Oops: general protection fault, probably for non-canonical address",
	"general protection fault, probably for non-canonical address",
	"rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
	"INFO: rcu_sched self-detected stall on CPU",
	"INFO: task test_progs:77 blocked for more than 120 seconds.",
	"watchdog: BUG: soft lockup - CPU#0 stuck for 22s!",
	"Kernel panic - not syncing: Fatal exception",
	"kmemleak: 2 new suspected memory leaks (see /sys/kernel/debug/kmemleak)",
};

/* What is none, some of it parts of splats. */
static const char *const others[] = {
	"",
	"------------[ cut here ]------------",
	"RIP: 0010:do_check+0x1/0x2",
	"Call Trace:",
	"---[ end trace 0000000000000000 ]---",
	"rcu_tasks_wait_gp: rcu_tasks grace period number 37 (since boot) is 2535 jiffies old.",
	"kmemleak: Kernel memory leak detector initialized",
	"test_progs: no WARNING: at all",
	"INFO: lockdep is turned off.",
};

static void splats_are_told_from_others(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(splats); i++)
		assert_true(kmsg__is_splat(splats[i]));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(kmsg__is_splat(others[i]));
}

static void records(void **state __unused_arg)
{
	char kernel[] = "4,681,5847293249,-;WARNING: a; b\n SUBSYSTEM=x\n";
	char user[] = "191,682,5847293250,-,caller=T1;text\n";
	char empty[] = "6,1,2,c;\n";
	char bad[][16] = { "", "text", "x,1,2,-;text", "6 1,2,-;text", "6,1,2,-" };
	unsigned int facility = 99;

	assert_string_equal(kmsg__text(kernel, &facility), "WARNING: a; b");
	assert_int_equal(facility, KMSG_FROM_KERNEL);
	assert_string_equal(kmsg__text(user, &facility), "text");
	assert_int_equal(facility, 23);
	assert_string_equal(kmsg__text(empty, &facility), "");
	assert_int_equal(facility, 0);
	facility = 99;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_null(kmsg__text(bad[i], &facility));
	assert_int_equal(facility, 99);
}

/* A pipe in packet mode gives a record per read, as the device does. */
static int log_of(const char *const *lines, size_t n)
{
	int pair[2];

	assert_int_equal(pipe2(pair, O_DIRECT | O_NONBLOCK), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(write(pair[1], lines[i], strlen(lines[i])), strlen(lines[i]));
	close(pair[1]);
	return pair[0];
}

static void the_first_splat_counts(void **state __unused_arg)
{
	static const char *const lines[] = {
		"6,1,1,-;eth0: up\n",
		"12,2,1,-;WARNING: of a process\n",
		"4,3,1,-;WARNING: the first\n",
		"4,4,1,-;BUG: the second\n",
	};
	int fd = log_of(lines, ARRAY_SIZE(lines));
	char buf[64] = "untouched";

	assert_int_equal(kmsg__splat(fd, KMSG_FROM_KERNEL, buf, sizeof(buf)), 1);
	assert_string_equal(buf, "WARNING: the first");
	/* The second was read with it. */
	strcpy(buf, "untouched");
	assert_int_equal(kmsg__splat(fd, KMSG_FROM_KERNEL, buf, sizeof(buf)), 0);
	assert_string_equal(buf, "untouched");
	close(fd);
	fd = log_of(lines, ARRAY_SIZE(lines));
	assert_int_equal(kmsg__splat(fd, 1, buf, 12), 1);
	assert_string_equal(buf, "WARNING: of");
	close(fd);
	assert_int_equal(kmsg__splat(-1, 1, buf, 12), -EBADF);
}

static void what_is_no_log_is_refused(void **state __unused_arg)
{
	struct err err = {};
	int fd = 99;

	assert_int_equal(kmsg__open("/no/such/kmsg", &fd, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/no/such/kmsg: "));
	assert_int_equal(kmsg__open("/dev/null", &fd, &err), -ENODATA);
	assert_non_null(strstr(err.text, "not a kernel log"));
	assert_int_equal(fd, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splats_are_told_from_others),
		cmocka_unit_test(records),
		cmocka_unit_test(the_first_splat_counts),
		cmocka_unit_test(what_is_no_log_is_refused),
	};

	return cmocka_run_group_tests_name("kmsg", tests, NULL, NULL);
}
