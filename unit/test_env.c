// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <sys/stat.h>
#include <zlib.h>

#include "cleanup.h"
#include "env.h"
#include "envdiff.h"

static char folder[] = "/tmp/bpf-ab-env-XXXXXX";

static const char *at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	return path;
}

static void put(const char *name, const void *data, size_t len)
{
	FILE *f = fopen(at(name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void put_text(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

static void put_config(const char *name, const char *text)
{
	gzFile gz = gzopen(at(name), "w");

	assert_non_null(gz);
	assert_int_equal(gzputs(gz, text), strlen(text));
	assert_int_equal(gzclose(gz), Z_OK);
}

static int setup(void **state __unused_arg)
{
	unsetenv("BPF_AB_CLOCK");
	unsetenv("BPF_AB_HOST");
	unsetenv("BPF_AB_SERIES");
	unsetenv("BPF_AB_COMPILER");
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state __unused_arg)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static struct recording *collect(const char *root)
{
	char *argv[] = { "./veristat", "a.o", NULL };
	struct recording *rec = NULL;
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", folder, root);
	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	assert_int_equal(env__collect(rec, path, 2, argv), 0);
	return rec;
}

static void assert_env(const struct recording *rec, const char *key, const char *value)
{
	const char *found = recording__env(rec, key);

	if (!value && !found)
		return;
	if (!value || !found || !streq(found, value))
		fail_msg("%s is '%s', expected '%s'", key, found ?: "(none)", value ?: "(none)");
}

/* A guest's tree: note of another kind first, 2 CPUs, cgroup v2. */
static void facts_of_a_recorded_tree(void **state __unused_arg)
{
	static const char notes[] = "\x06\0\0\0\x04\0\0\0\x01\x01\0\0Linux\0\0\0\0\0\0\0"
				    "\x04\0\0\0\x04\0\0\0\x03\0\0\0GNU\0\xde\xad\xbe\x01";
	_cleanup_(recording__freep) struct recording *rec = NULL;

	put_text("g/proc/sys/kernel/osrelease", "7.3.4\n");
	put_text("g/proc/sys/kernel/version", "#1 SMP PREEMPT\n");
	put_text("g/proc/sys/kernel/hostname", "guest\n");
	put_text("g/proc/sys/kernel/unprivileged_bpf_disabled", "2\n");
	put_text("g/proc/sys/net/core/bpf_jit_enable", "1\n");
	put("g/sys/kernel/notes", notes, sizeof(notes) - 1);
	put_config("g/proc/config.gz", "# x\nCONFIG_CPU_MITIGATIONS=y\nCONFIG_BPF=y\n");
	put_text("g/proc/cmdline", "BOOT_IMAGE=/boot/v ro BPF_AB_SHARE=/tmp/x quiet initrd=i "
				   "panic=-1\n");
	put_text("g/proc/cpuinfo", "processor\t: 0\nmodel name\t: QEMU TCG CPU version 2.5+\n\n"
				   "processor\t: 1\nmodel name\t: QEMU TCG CPU version 2.5+\n");
	put_text("g/proc/meminfo", "MemTotal:        4026528 kB\nMemFree: 1 kB\n");
	put_text("g/sys/fs/cgroup/cgroup.controllers", "memory\n");
	setenv("BPF_AB_CLOCK", "icount", 1);
	setenv("BPF_AB_SERIES", "state-list-cache", 1);
	rec = collect("g");
	unsetenv("BPF_AB_CLOCK");
	unsetenv("BPF_AB_SERIES");
	assert_env(rec, "kernel", "7.3.4 #1 SMP PREEMPT");
	assert_env(rec, "build_id", "deadbe01");
	assert_env(rec, "series", "state-list-cache");
	assert_env(rec, "cmdline", "ro quiet panic=-1");
	assert_env(rec, "mitigations", "on");
	assert_env(rec, "cpu", "QEMU TCG CPU version 2.5+");
	assert_env(rec, "vcpus", "2");
	assert_env(rec, "memory", "3968 MiB");
	assert_env(rec, "cgroup", "v2");
	assert_env(rec, "clock", "icount");
	assert_env(rec, "host", "guest");
	assert_env(rec, "sysctl.kernel.unprivileged_bpf_disabled", "2");
	assert_env(rec, "sysctl.net.core.bpf_jit_enable", "1");
	assert_env(rec, "sysctl.net.core.bpf_jit_harden", NULL);
	assert_env(rec, "program", "./veristat a.o");
	assert_int_equal(strlen(recording__env(rec, "config")), 16);
	assert_int_equal(strlen(recording__env(rec, "date")), 20);
	assert_int_equal(env__clock(rec), ENV_CLOCK_ICOUNT);
	assert_int_equal(env__vcpus(rec), 2);
}

static void what_cannot_be_had_is_left_out(void **state __unused_arg)
{
	static const char *const facts[] = { "kernel", "build_id", "series",	  "compiler",
					     "config", "cmdline",  "mitigations", "cpu",
					     "vcpus",  "memory",   "cgroup",	  "host" };
	_cleanup_(recording__freep) struct recording *rec = NULL;

	assert_int_equal(mkdir(at("nothing"), 0755), 0);
	rec = collect("nothing");
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		assert_env(rec, facts[i], NULL);
	assert_env(rec, "clock", "host");
	assert_int_equal(env__vcpus(rec), 1);
}

static void notes_that_lie_are_harmless(void **state __unused_arg)
{
	static const char *const notes[] = {
		"\xff\xff\xff\xff\xff\xff\xff\xff\x03\0\0\0",
		"\x04\0\0\0\xff\xff\xff\x7f\x03\0\0\0",
		"\x04\0\0\0\x14\0\0\0\x03\0\0\0",
	};

	for (size_t i = 0; i < ARRAY_SIZE(notes); i++) {
		_cleanup_(recording__freep) struct recording *rec = NULL;

		put("lie/sys/kernel/notes", notes[i], 12);
		rec = collect("lie");
		assert_env(rec, "build_id", NULL);
	}
}

static void mitigations_and_config(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *on = NULL, *off = NULL, *out = NULL;

	put_config("m/proc/config.gz", "# x\nCONFIG_CPU_MITIGATIONS=y\n");
	put_text("m/proc/cmdline", "quiet\n");
	on = collect("m");
	put_text("m/proc/cmdline", "quiet mitigations=off\n");
	off = collect("m");
	put_config("m/proc/config.gz", "# x\n# CONFIG_CPU_MITIGATIONS is not set\n");
	out = collect("m");
	assert_env(on, "mitigations", "on");
	assert_env(off, "mitigations", "off");
	assert_env(out, "mitigations", "not built");
	assert_string_equal(recording__env(on, "config"), recording__env(off, "config"));
	assert_string_not_equal(recording__env(on, "config"), recording__env(out, "config"));
}

static struct recording *side(const char *const pairs[][2], size_t n)
{
	struct recording *rec = NULL;

	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(recording__set_env(rec, pairs[i][0], pairs[i][1]), 0);
	return rec;
}

#define SIDE(...)                                     \
	side((const char *const[][2]){ __VA_ARGS__ }, \
	     ARRAY_SIZE(((const char *const[][2]){ __VA_ARGS__ })))

static void differences_by_importance(void **state __unused_arg)
{
	static const char *const order[] = { "kernel",	 "clock", "mitigations", "config",
					     "sysctl.a", "vcpus", "host",	 "zzz" };
	_cleanup_(recording__freep) struct recording *a = NULL, *b = NULL;
	_cleanup_free_ struct env_diff *diffs = NULL;
	size_t n;

	a = SIDE({ "date", "1" }, { "zzz", "1" }, { "host", "h" }, { "vcpus", "1" },
		 { "sysctl.a", "1" }, { "kernel", "k" }, { "same", "s" }, { "clock", "icount" },
		 { "program", "a" }, { "config", "1" });
	b = SIDE({ "date", "2" }, { "zzz", "2" }, { "host", "i" }, { "vcpus", "2" },
		 { "sysctl.a", "2" }, { "kernel", "l" }, { "same", "s" }, { "clock", "host" },
		 { "program", "b" }, { "config", "2" }, { "mitigations", "off" });
	assert_int_equal(env_diff__list(a, b, &diffs, &n), 0);
	assert_int_equal(n, ARRAY_SIZE(order));
	for (size_t i = 0; i < n; i++)
		assert_string_equal(diffs[i].key, order[i]);
	assert_true(diffs[0].kernel);
	assert_false(diffs[1].kernel);
	assert_null(diffs[2].a);
	assert_string_equal(diffs[2].b, "off");
}

static void hosts_do_not_matter_where_instructions_are_counted(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *a = NULL, *b = NULL;
	struct env_diff *diffs = NULL;
	size_t n;

	a = SIDE({ "host", "h" }, { "clock", "icount" });
	b = SIDE({ "host", "i" }, { "clock", "icount" });
	assert_int_equal(env_diff__list(a, b, &diffs, &n), 0);
	assert_int_equal(n, 0);
	free(diffs);
	assert_int_equal(recording__set_env(a, "clock", "kvm"), 0);
	assert_int_equal(recording__set_env(b, "clock", "kvm"), 0);
	assert_int_equal(env_diff__list(a, b, &diffs, &n), 0);
	assert_int_equal(n, 1);
	assert_string_equal(diffs[0].key, "host");
	free(diffs);
}

static void a_side_without_sidecar_has_no_differences(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *a = NULL, *b = NULL;
	_cleanup_free_ struct env_diff *diffs = NULL;
	size_t n;

	a = SIDE({ "clock", "host" });
	assert_int_equal(recording__new(SUITE_VERISTAT, &b), 0);
	assert_int_equal(env_diff__list(a, b, &diffs, &n), 0);
	assert_int_equal(n, 0);
}

static void one_build_is_one_kernel_whatever_it_is_called(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *a = NULL, *b = NULL;
	struct env_diff *diffs = NULL;
	size_t n;

	a = SIDE({ "series", "base" }, { "build_id", "aaaa" });
	b = SIDE({ "series", "base-again" }, { "build_id", "aaaa" });
	assert_int_equal(env_diff__list(a, b, &diffs, &n), 0);
	assert_int_equal(n, 0);
	free(diffs);
	assert_int_equal(recording__set_env(b, "build_id", "bbbb"), 0);
	assert_int_equal(env_diff__list(a, b, &diffs, &n), 0);
	assert_int_equal(n, 2);
	free(diffs);
}

/* Boots that disagree are a difference even if both sides disagree in the same way. */
static void boots_of_one_side_may_disagree(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *a = NULL, *b = NULL, *more = NULL;
	_cleanup_(recording__freep) struct recording *silent = NULL;
	_cleanup_free_ struct env_diff *diffs = NULL;
	size_t n;

	a = SIDE({ "clock", "icount" }, { "cpu", "x" }, { "host", "p | q" }, { "date", "1" });
	more = SIDE({ "clock", "icount" }, { "cpu", "y" }, { "host", "p | q" }, { "date", "2" });
	b = SIDE({ "clock", "icount" }, { "cpu", "x | y" });
	assert_int_equal(env_diff__join(a, more), 0);
	assert_int_equal(env_diff__join(a, more), 0);
	assert_env(a, "cpu", "x | y");
	/* No list of two, and nothing that boots disagree on. */
	assert_env(a, "host", "p | q");
	assert_env(a, "date", "1");
	assert_int_equal(env_diff__list(a, b, &diffs, &n), 0);
	assert_int_equal(n, 1);
	assert_string_equal(diffs[0].key, "cpu");
	assert_int_equal(env__clock(a), ENV_CLOCK_ICOUNT);

	assert_int_equal(recording__new(SUITE_VERISTAT, &silent), 0);
	assert_int_equal(env_diff__join(a, silent), 0);
	assert_env(a, "clock", "icount | (not recorded)");
	assert_int_equal(env__clock(a), ENV_CLOCK_MIXED);
}

static void clocks(void **state __unused_arg)
{
	static const struct {
		const char *name;
		enum env_clock clock;
	} cases[] = {
		{ "icount", ENV_CLOCK_ICOUNT },	  { "host", ENV_CLOCK_WALL },
		{ "kvm", ENV_CLOCK_WALL },	  { "tcg-wall", ENV_CLOCK_TCG_WALL },
		{ "sundial", ENV_CLOCK_UNKNOWN },
	};
	_cleanup_(recording__freep) struct recording *rec = NULL;

	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	assert_int_equal(env__clock(rec), ENV_CLOCK_UNKNOWN);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(recording__set_env(rec, "clock", cases[i].name), 0);
		assert_int_equal(env__clock(rec), cases[i].clock);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_a_recorded_tree),
		cmocka_unit_test(what_cannot_be_had_is_left_out),
		cmocka_unit_test(notes_that_lie_are_harmless),
		cmocka_unit_test(mitigations_and_config),
		cmocka_unit_test(differences_by_importance),
		cmocka_unit_test(hosts_do_not_matter_where_instructions_are_counted),
		cmocka_unit_test(a_side_without_sidecar_has_no_differences),
		cmocka_unit_test(one_build_is_one_kernel_whatever_it_is_called),
		cmocka_unit_test(boots_of_one_side_may_disagree),
		cmocka_unit_test(clocks),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
