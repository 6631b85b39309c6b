// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "cleanup.h"
#include "recfile.h"

static char folder[] = "/tmp/bpf-ab-recfile-XXXXXX";

/* A path in the scratch folder, good until the next call but one. */
static const char *at(const char *name)
{
	static char paths[2][256];
	static int turn;

	turn = !turn;
	snprintf(paths[turn], sizeof(paths[turn]), "%s/%s", folder, name);
	return paths[turn];
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int setup(void **state __unused_arg)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state __unused_arg)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static const struct cell *cell(const struct recording *rec, size_t row, const char *name)
{
	int col = recording__column(rec, metric__find(rec->suite, name));

	assert_true(col >= 0);
	assert_true(row < rec->rows.n);
	return &rec->rows.v[row].cells[col];
}

static void columns_in_any_order(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	_cleanup_free_ char *notes = NULL;

	put("a.csv", "peak_states,verdict,prog_name,file_name,insns,colour,kmallocs\n"
		     "5,success,alpha,obj.bpf.o,100,red,31\n");
	assert_int_equal(recfile__read(at("a.csv"), SUITE_VERISTAT, &rec, &notes, NULL), 0);
	assert_int_equal(rec->rows.n, 1);
	assert_string_equal(rec->rows.v[0].object, "obj.bpf.o");
	assert_string_equal(rec->rows.v[0].program, "alpha");
	assert_true(cell(rec, 0, "peak_states")->num == 5);
	assert_true(cell(rec, 0, "total_insns")->num == 100);
	assert_true(cell(rec, 0, "kmallocs")->num == 31);
	assert_string_equal(cell(rec, 0, "verdict")->text, "success");
	assert_non_null(strstr(notes, "a.csv:1:47: column 'colour' is passed over"));
	assert_int_equal(rec->boots, 1);
	assert_true(rec->complete);
	assert_int_equal(rec->env.n, 0);
}

static void absent_is_never_a_number(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;

	put("a.csv", "file_name,prog_name,mem_peak,attach_type,kmallocs,frees\n"
		     "o,minus_one,-1,N/A,,3\n"
		     "o,reasons,unsupported: no memory controller,,failed: lost 3 events,N/A\n"
		     "o,zero,0,x,0,0\n");
	assert_int_equal(recfile__read(at("a.csv"), SUITE_VERISTAT, &rec, NULL, NULL), 0);
	assert_int_equal(cell(rec, 0, "mem_peak")->state, CELL_ABSENT);
	assert_int_equal(cell(rec, 0, "attach_type")->state, CELL_ABSENT);
	assert_int_equal(cell(rec, 0, "kmallocs")->state, CELL_ABSENT);
	assert_true(cell(rec, 0, "frees")->num == 3);
	assert_int_equal(cell(rec, 1, "mem_peak")->state, CELL_UNSUPPORTED);
	assert_string_equal(cell(rec, 1, "mem_peak")->text, "no memory controller");
	assert_int_equal(cell(rec, 1, "kmallocs")->state, CELL_FAILED);
	assert_string_equal(cell(rec, 1, "kmallocs")->text, "lost 3 events");
	assert_int_equal(cell(rec, 1, "frees")->state, CELL_ABSENT);
	assert_int_equal(cell(rec, 2, "mem_peak")->state, CELL_OK);
	assert_int_equal(cell(rec, 2, "kmallocs")->state, CELL_OK);
}

static void bad_files_say_where_and_what(void **state __unused_arg)
{
	static const char *const cases[][2] = {
		{ "", ":1:1: expected a header" },
		{ "file_name,verdict\no,success\n", ":1:1: expected a header with the columns" },
		{ "test_name,subtest_name,outcome\nt,s,pass\n", ":1:1: expected a recording of "
								"veristat, found one of "
								"test_progs" },
		{ "file_name,prog_name,verdict,verdict\no,p,success,success\n", ":1:29: expected "
										"each column "
										"once" },
		{ "file_name,prog_name,insns,total_insns\no,p,1,1\n", ":1:27: expected each column "
								      "once" },
		{ "file_name,prog_name,x,x\no,p,1,1\n", ":1:23: expected each column once" },
		{ "file_name,prog_name,\no,p,1\n", ":1:21: expected the name of a column" },
		{ "file_name,prog_name,verdict\no,p,sucess\n", ":2:5: expected success or failure, "
							       "found 'sucess'" },
		{ "file_name,prog_name,verdict\no,p,text: s\n", ":2:5: expected success or "
								"failure, found" },
		{ "file_name,prog_name,insns\no,p,12x\n", ":2:5: expected a number, found '12x'" },
		{ "file_name,prog_name,insns\no,p,nan\n", ":2:5: expected a number" },
		{ "file_name,prog_name,insns\no,p,0x10\n", ":2:5: expected a number" },
		{ "file_name,prog_name,insns\no,p,1e999\n", ":2:5: expected a number" },
		{ "file_name,prog_name,insns\no,p,-1\n", ":2:5: expected a number of 0 or more" },
		{ "file_name,prog_name,mem_peak\no,p,-2\n", ":2:5: expected a number of 0 or "
							    "more" },
		{ "file_name,prog_name,alloc_sites\no,p,f+0x1 2\n", ":2:5: expected a list of "
								    "NAME ALLOCS BYTES" },
		{ "file_name,prog_name,insns\n,p,1\n", ":2:1: expected a name" },
		{ "file_name,prog_name,insns\no,p,1,2\no,q,1\n", ":2:7: expected 3 cells, found "
								 "4" },
		{ "file_name,prog_name,insns\no,p\no,q,1\n", ":2:3: expected 3 cells, found 2" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct recording *rec = NULL;
		struct err err = {};

		put("bad.csv", cases[i][0]);
		assert_int_equal(recfile__read(at("bad.csv"), SUITE_VERISTAT, &rec, NULL, &err),
				 -EINVAL);
		assert_null(rec);
		assert_memory_equal(err.text, folder, strlen(folder));
		if (!strstr(err.text, cases[i][1]))
			fail_msg("'%s' is not in '%s'", cases[i][1], err.text);
	}
}

static void a_cut_last_line_costs_itself_only(void **state __unused_arg)
{
	static const struct {
		const char *tail, *note;
		size_t rows;
		bool complete;
	} cases[] = {
		{ "o,q,failure,2\n", NULL, 2, true },
		{ "o,q,failure,2\r\n", NULL, 2, true },
		{ "o,q,failure,2", ":3: the file ends without a line end", 2, true },
		{ "o,q,failure,", ":3: the file ends without a line end", 2, true },
		{ "o,q,failure", ":3: the last line is cut off (it has fewer cells", 1, false },
		{ "o,q,failure\n", ":3: the last line is cut off (it has fewer cells", 1, false },
		{ "o", ":3: the last line is cut off (it has fewer cells", 1, false },
		{ "o,q,\"fail", ":3: the last line is cut off (its quotes", 1, false },
		{ "o,q,\"failure\",\"2\n", ":3: the last line is cut off (its quotes", 1, false },
		{ "o,q,fail,2", ":3: the last line is cut off (", 1, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(recording__freep) struct recording *rec = NULL;
		_cleanup_free_ char *notes = NULL;
		char text[256];

		snprintf(text, sizeof(text), "file_name,prog_name,verdict,insns\no,p,success,1\n%s",
			 cases[i].tail);
		put("cut.csv", text);
		assert_int_equal(recfile__read(at("cut.csv"), SUITE_VERISTAT, &rec, &notes, NULL),
				 0);
		assert_int_equal(rec->rows.n, cases[i].rows);
		assert_int_equal(rec->complete, cases[i].complete);
		assert_true(cell(rec, 0, "insns")->num == 1);
		if (!cases[i].note)
			assert_string_equal(notes, "");
		else if (!strstr(notes, cases[i].note))
			fail_msg("'%s' is not in '%s'", cases[i].note, notes);
	}
}

static void what_is_not_there(void **state __unused_arg)
{
	struct recording *rec = NULL;
	struct err err = {};

	assert_int_equal(recfile__read(at("none.csv"), SUITE_BENCH, &rec, NULL, &err), -ENOENT);
	assert_non_null(strstr(err.text, "none.csv"));
	assert_int_equal(mkdir(at("empty"), 0755), 0);
	assert_int_equal(recfile__read(at("empty"), SUITE_BENCH, &rec, NULL, &err), -ENOENT);
	assert_non_null(strstr(err.text, "expected bench.csv in it or in its folders"));
	assert_null(rec);
}

/* Boots are the folders by name, 10 behind 9; what they disagree on is told. */
static void a_folder_is_one_recording_of_many_boots(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	const char *head = "file_name,prog_name,duration\n";
	char text[128];

	assert_int_equal(mkdir(at("boots"), 0755), 0);
	for (int i = 8; i <= 10; i++) {
		char name[64];

		snprintf(name, sizeof(name), "boots/%d", i);
		assert_int_equal(mkdir(at(name), 0755), 0);
		snprintf(name, sizeof(name), "boots/%d/veristat.csv", i);
		snprintf(text, sizeof(text), "%so,p,%d\no,p,%d\n", head, i, i * 10);
		put(name, text);
		snprintf(name, sizeof(name), "boots/%d/veristat.csv.env", i);
		snprintf(text, sizeof(text), "clock=icount\ncpu=%s\ndate=%d\n", i == 9 ? "y" : "x",
			 i);
		put(name, text);
	}
	assert_int_equal(mkdir(at("boots/11.part"), 0755), 0);
	put("boots/11.part/veristat.csv", "half a rec");
	assert_int_equal(mkdir(at("boots/12.failed"), 0755), 0);
	put("boots/12.failed/veristat.csv", "half a rec");
	assert_int_equal(recfile__read(at("boots"), SUITE_VERISTAT, &rec, NULL, NULL), 0);
	assert_int_equal(rec->boots, 3);
	assert_int_equal(rec->rows.n, 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(rec->rows.v[i].boot, i / 2);
	assert_true(cell(rec, 0, "duration")->num == 8);
	assert_true(cell(rec, 5, "duration")->num == 100);
	assert_string_equal(recording__env(rec, "clock"), "icount");
	assert_string_equal(recording__env(rec, "cpu"), "x | y");
	assert_string_equal(recording__env(rec, "date"), "8");
}

static void boots_with_other_columns_join(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;

	assert_int_equal(mkdir(at("mixed"), 0755), 0);
	assert_int_equal(mkdir(at("mixed/later"), 0755), 0);
	put("mixed/veristat.csv", "file_name,prog_name,duration\no,p,1\n");
	put("mixed/later/veristat.csv", "file_name,prog_name,kmallocs,duration\no,p,7,2\no,");
	assert_int_equal(recfile__read(at("mixed"), SUITE_VERISTAT, &rec, NULL, NULL), 0);
	assert_int_equal(rec->rows.n, 2);
	assert_int_equal(cell(rec, 0, "kmallocs")->state, CELL_ABSENT);
	assert_true(cell(rec, 1, "kmallocs")->num == 7);
	assert_true(cell(rec, 1, "duration")->num == 2);
	assert_false(rec->complete);
}

static void sidecars(void **state __unused_arg)
{
	static const char *const bad[][2] = {
		{ "kernel 7.3\n", ".env:1:1: expected key=value" },
		{ "clock=host\n=x\n", ".env:2:1: expected key=value" },
		{ "clock=host\nclock=kvm\n", ".env:2:1: expected each key once" },
	};
	_cleanup_(recording__freep) struct recording *rec = NULL;

	put("s.csv", "bench_name,variant_name,errors\nb,v,0\n");
	put("s.csv.env", "kernel=7.3.4 #1 a=b\n\nclock=host\ncomplete=no\n");
	assert_int_equal(recfile__read(at("s.csv"), SUITE_BENCH, &rec, NULL, NULL), 0);
	assert_string_equal(recording__env(rec, "kernel"), "7.3.4 #1 a=b");
	assert_false(rec->complete);
	assert_null(recording__env(rec, "complete"));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct recording *none = NULL;
		struct err err = {};

		put("s.csv.env", bad[i][0]);
		assert_int_equal(recfile__read(at("s.csv"), SUITE_BENCH, &none, NULL, &err),
				 -EINVAL);
		assert_non_null(strstr(err.text, bad[i][1]));
	}
}

/* One column per metric, each state and every word that could be mistaken. */
static void what_is_written_reads_back(void **state __unused_arg)
{
	static const char *const words[] = {
		"plain", "with, comma",	   "with \"quotes\"", "two\nlines", "",
		"N/A",	 "failed: a test", "unsupported: x",  "-1",	    "text: x",
	};
	static const double numbers[] = { 0, 1, 0.1, 1.0 / 3, 4.15, 123456789012.0, 1e300, 12.5 };
	_cleanup_(recording__freep) struct recording *rec = NULL, *back = NULL;
	struct record_row *row;

	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	assert_int_equal(recording__add_column(rec, metric__find(SUITE_VERISTAT, "cause")), 0);
	assert_int_equal(recording__add_column(rec, metric__find(SUITE_VERISTAT, "duration")), 0);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		assert_int_equal(recording__add_row(rec, words[0], words[i], &row), 0);
		assert_int_equal(recording__set_text(rec, row, "cause", words[i]), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		assert_int_equal(recording__add_row(rec, "numbers", "", &row), 0);
		assert_int_equal(recording__set_num(rec, row, "duration", numbers[i]), 0);
		assert_int_equal(
			recording__set_missing(rec, row, "cause", CELL_FAILED, "why, \"x\""), 0);
	}
	assert_int_equal(recording__set_env(rec, "kernel", "7.3.4\n#1"), 0);
	rec->complete = false;
	assert_int_equal(recfile__write(rec, at("w.csv"), NULL), 0);
	assert_int_equal(recfile__read(at("w.csv"), SUITE_VERISTAT, &back, NULL, NULL), 0);
	assert_int_equal(back->rows.n, rec->rows.n);
	assert_int_equal(back->columns.n, 2);
	assert_string_equal(recording__env(back, "kernel"), "7.3.4 #1");
	assert_false(back->complete);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		assert_string_equal(back->rows.v[i].program, words[i]);
		assert_int_equal(cell(back, i, "cause")->state, CELL_OK);
		assert_string_equal(cell(back, i, "cause")->text, words[i]);
		assert_int_equal(cell(back, i, "duration")->state, CELL_ABSENT);
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		size_t at_row = ARRAY_SIZE(words) + i;

		assert_true(cell(back, at_row, "duration")->num == numbers[i]);
		assert_int_equal(cell(back, at_row, "cause")->state, CELL_FAILED);
		assert_string_equal(cell(back, at_row, "cause")->text, "why, \"x\"");
	}
}

static void an_old_sidecar_does_not_speak_for_a_new_recording(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;

	put("n.csv", "junk");
	put("n.csv.env", "kernel=old\n");
	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(recfile__write(rec, at("n.csv"), NULL), 0);
	assert_int_not_equal(access(at("n.csv.env"), F_OK), 0);
}

static void only_regular_files_are_replaced(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	struct err err = {};

	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_int_equal(symlink("/dev/null", at("link.csv")), 0);
	assert_int_equal(recfile__write(rec, at("link.csv"), &err), -EINVAL);
	assert_non_null(strstr(err.text, "expected a regular file"));
	assert_int_equal(access(at("link.csv"), F_OK), 0);
	assert_int_equal(recfile__write(rec, at("nowhere/x.csv"), &err), -ENOENT);
	assert_non_null(strstr(err.text, "nowhere/x.csv"));
}

/* Writers killed at many moments: the CSV is whole or not there, and nothing else is. */
static void killed_writers_leave_nothing(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	const size_t rows = 2000;
	struct record_row *row;

	assert_int_equal(mkdir(at("killed"), 0755), 0);
	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	assert_int_equal(recording__add_column(rec, metric__find(SUITE_VERISTAT, "duration")), 0);
	assert_int_equal(recording__set_env(rec, "clock", "host"), 0);
	for (size_t i = 0; i < rows; i++) {
		assert_int_equal(recording__add_row(rec, "object.bpf.o", "program", &row), 0);
		assert_int_equal(recording__set_num(rec, row, "duration", i), 0);
	}
	for (int i = 0; i < 40; i++) {
		_cleanup_(recording__freep) struct recording *back = NULL;
		_cleanup_closedir_ DIR *dir = NULL;
		struct dirent *entry;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (pid == 0)
			for (;;)
				recfile__write(rec, at("killed/x.csv"), NULL);
		usleep(200 * i);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		dir = opendir(at("killed"));
		assert_non_null(dir);
		while ((entry = readdir(dir)))
			if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2)
				assert_true(streq(entry->d_name, "x.csv") ||
					    streq(entry->d_name, "x.csv.env"));
		if (access(at("killed/x.csv"), F_OK))
			continue;
		assert_int_equal(
			recfile__read(at("killed/x.csv"), SUITE_VERISTAT, &back, NULL, NULL), 0);
		assert_int_equal(back->rows.n, rows);
		assert_true(back->complete);
		assert_string_equal(recording__env(back, "clock"), "host");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_in_any_order),
		cmocka_unit_test(absent_is_never_a_number),
		cmocka_unit_test(bad_files_say_where_and_what),
		cmocka_unit_test(a_cut_last_line_costs_itself_only),
		cmocka_unit_test(what_is_not_there),
		cmocka_unit_test(a_folder_is_one_recording_of_many_boots),
		cmocka_unit_test(boots_with_other_columns_join),
		cmocka_unit_test(sidecars),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(an_old_sidecar_does_not_speak_for_a_new_recording),
		cmocka_unit_test(only_regular_files_are_replaced),
		cmocka_unit_test(killed_writers_leave_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
