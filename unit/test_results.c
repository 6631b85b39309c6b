// SPDX-License-Identifier: GPL-2.0-only
/* Folders of results, some of them made to trick the reader. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "folder.h"
#include "results.h"

static char top[] = "/tmp/bpf-ab-results-XXXXXX";

static const char *at(const char *name)
{
	static char paths[2][256];
	static int turn;

	turn = !turn;
	snprintf(paths[turn], sizeof(paths[turn]), "%s/%s", top, name);
	return paths[turn];
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void folder(const char *name)
{
	assert_int_equal(mkdir(at(name), 0755), 0);
}

/* A boot as it should be. */
static void boot(const char *name, const char *insns)
{
	char path[128], text[128];

	folder(name);
	snprintf(path, sizeof(path), "%s/complete", name);
	put(path, "kernel\n");
	snprintf(path, sizeof(path), "%s/dmesg", name);
	put(path, "[    0.0] Linux\n");
	snprintf(path, sizeof(path), "%s/veristat.csv", name);
	snprintf(text, sizeof(text), "file_name,prog_name,total_insns\na.bpf.o,p,%s\n", insns);
	put(path, text);
}

static int setup(void **state __unused_arg)
{
	return mkdtemp(top) ? 0 : -1;
}

static int teardown(void **state __unused_arg)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

static struct results *read_side(const char *name)
{
	struct results *results = NULL;
	struct err err = {};

	assert_int_equal(results__read(at(name), -1, &results, &err), 0);
	assert_string_equal(err.text, "");
	return results;
}

static void boots_join_in_order(void **state __unused_arg)
{
	_cleanup_(results__freep) struct results *results = NULL;
	const struct recording *rec;

	folder("side");
	boot("side/boot-10", "30");
	boot("side/boot-2", "20");
	boot("side/boot-1", "10");
	boot("side/boot-3.part", "99");
	folder("side/notes");
	put("side/notes/text", "no boot\n");
	results = read_side("side/");
	assert_string_equal(results->path, at("side"));
	assert_int_equal(results->boots.n, 3);
	assert_string_equal(results->boots.v[2].name, "boot-10");
	for (size_t i = 0; i < 3; i++) {
		assert_null(results->boots.v[i].class);
		assert_string_equal(results->boots.v[i].log, "[    0.0] Linux\n");
	}
	rec = results->rec[RESULTS_VERISTAT];
	assert_int_equal(rec->rows.n, 3);
	assert_int_equal(rec->boots, 3);
	assert_true(rec->rows.v[2].cells[0].num == 30);
	assert_null(results->rec[RESULTS_BENCH]);
}

static void what_did_not_end_is_not_used(void **state __unused_arg)
{
	_cleanup_(results__freep) struct results *results = NULL;

	folder("half");
	boot("half/boot-1", "10");
	boot("half/boot-2", "666");
	unlink(at("half/boot-2/complete"));
	boot("half/boot-3.failed", "666");
	put("half/boot-3.failed/class", "panic\n");
	put("half/boot-3.failed/console", "Kernel panic - not syncing: x\n");
	boot("half/boot-4.failed", "666");
	put("half/boot-4.failed/class", "<script>\n");
	unlink(at("half/boot-1/dmesg"));
	results = read_side("half");
	assert_int_equal(results->rec[RESULTS_VERISTAT]->rows.n, 1);
	assert_int_equal(results->boots.n, 4);
	assert_null(results->boots.v[0].class);
	assert_null(results->boots.v[0].log);
	assert_string_equal(results->boots.v[0].log_why, "dmesg: No such file or directory");
	assert_string_equal(results->boots.v[1].class, "unfinished");
	assert_string_equal(results->boots.v[2].class, "panic");
	assert_string_equal(results->boots.v[2].log, "Kernel panic - not syncing: x\n");
	assert_string_equal(results->boots.v[3].class, "not measured");
}

/* err has the words. */
static void refused(const char *name, int code, const char *words)
{
	struct results *results = NULL;
	struct err err = {};

	assert_int_equal(results__read(at(name), -1, &results, &err), code);
	assert_null(results);
	assert_non_null(strstr(err.text, words));
}

static void nothing_outside_is_opened(void **state __unused_arg)
{
	_cleanup_(results__freep) struct results *results = NULL;

	folder("tricks");
	boot("tricks/boot-1", "10");
	boot("elsewhere", "666");
	/* A folder by a link is none; nor is a log or a mark. */
	assert_int_equal(symlink(at("elsewhere"), at("tricks/boot-2")), 0);
	unlink(at("tricks/boot-1/dmesg"));
	assert_int_equal(symlink("/etc/passwd", at("tricks/boot-1/dmesg")), 0);
	boot("tricks/boot-3", "666");
	unlink(at("tricks/boot-3/complete"));
	assert_int_equal(symlink(at("elsewhere/complete"), at("tricks/boot-3/complete")), 0);
	results = read_side("tricks");
	assert_int_equal(results->boots.n, 2);
	assert_int_equal(results->rec[RESULTS_VERISTAT]->rows.n, 1);
	assert_null(results->boots.v[0].log);
	assert_string_equal(results->boots.v[1].class, "unfinished");
	/* A recording by a link, or one that would block, is an error. */
	unlink(at("tricks/boot-1/veristat.csv"));
	assert_int_equal(symlink(at("elsewhere/veristat.csv"), at("tricks/boot-1/veristat.csv")),
			 0);
	refused("tricks", -ELOOP, "tricks/boot-1/veristat.csv: expected a file, not a link");
	unlink(at("tricks/boot-1/veristat.csv"));
	assert_int_equal(mkfifo(at("tricks/boot-1/veristat.csv"), 0600), 0);
	refused("tricks", -EINVAL, "tricks/boot-1/veristat.csv: expected a regular file");
}

static void a_side_may_be_a_boot_itself(void **state __unused_arg)
{
	_cleanup_(results__freep) struct results *results = NULL;

	boot("itself", "10");
	results = read_side("itself");
	assert_int_equal(results->boots.n, 1);
	assert_string_equal(results->boots.v[0].name, ".");
	assert_null(results->boots.v[0].class);
	assert_string_equal(results->boots.v[0].log, "[    0.0] Linux\n");
	assert_int_equal(results->rec[RESULTS_VERISTAT]->boots, 1);
}

static void bad_recordings_are_named(void **state __unused_arg)
{
	folder("bad");
	boot("bad/boot-1", "many");
	refused("bad", -EINVAL, "bad/boot-1/veristat.csv:2:11: expected a number, found 'many'");
	folder("empty");
	refused("empty", -EINVAL, "empty: expected recordings or folders of boots in it");
	refused("missing", -ENOENT, "missing: No such file or directory");
}

static void a_name_is_no_path(void **state __unused_arg)
{
	static const char *const names[] = { "", ".", "..", "../etc", "/etc", "a/b", "side/" };
	char *text = NULL;
	int fd = -1, sub = -1;

	assert_int_equal(folder__open(top, &fd), 0);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		assert_int_equal(folder__enter(fd, names[i], &sub), -EINVAL);
		assert_int_equal(folder__read(fd, names[i], 100, &text, NULL), -EINVAL);
	}
	put("ten", "0123456789");
	assert_int_equal(folder__read(fd, "ten", 9, &text, NULL), -EFBIG);
	assert_int_equal(folder__read(fd, "ten", 10, &text, NULL), 0);
	assert_string_equal(text, "0123456789");
	free(text);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boots_join_in_order),
		cmocka_unit_test(what_did_not_end_is_not_used),
		cmocka_unit_test(nothing_outside_is_opened),
		cmocka_unit_test(a_side_may_be_a_boot_itself),
		cmocka_unit_test(bad_recordings_are_named),
		cmocka_unit_test(a_name_is_no_path),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
