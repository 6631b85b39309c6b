// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cleanup.h"
#include "record.h"

static const struct metric *find(const char *name)
{
	const struct metric *metric = metric__find(SUITE_VERISTAT, name);

	assert_non_null(metric);
	return metric;
}

static void columns_join_rows_that_are_there(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	struct record_row *row;

	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	assert_int_equal(recording__add_row(rec, "a.bpf.o", "p", &row), 0);
	assert_int_equal(recording__set_num(rec, row, "kmallocs", 1), -ENOENT);
	assert_int_equal(recording__add_column(rec, find("kmallocs")), 0);
	assert_int_equal(recording__add_column(rec, find("kmallocs")), 0);
	assert_int_equal(rec->columns.n, 1);
	row = &rec->rows.v[0];
	assert_int_equal(row->cells[0].state, CELL_ABSENT);
	assert_int_equal(recording__set_num(rec, row, "kmallocs", 7), 0);
	assert_int_equal(row->cells[0].state, CELL_OK);
	assert_true(row->cells[0].num == 7);
	assert_int_equal(recording__set_missing(rec, row, "kmallocs", CELL_FAILED, "lost"), 0);
	assert_int_equal(row->cells[0].state, CELL_FAILED);
	assert_string_equal(row->cells[0].text, "lost");
	assert_int_equal(recording__set_num(rec, row, "no_such_metric", 7), -ENOENT);
}

/* Rows with both parts, with one unsupported, and with one absent. */
static void sums_need_all_parts(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	struct record_row *row;
	int col;

	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	assert_int_equal(recording__add_column(rec, find("kmallocs")), 0);
	assert_int_equal(recording__add_row(rec, "a", "both", &row), 0);
	assert_int_equal(recording__set_num(rec, row, "kmallocs", 30), 0);
	assert_int_equal(recording__add_sums(rec), 0);
	assert_int_equal(recording__column(rec, find("allocs")), -1);

	assert_int_equal(recording__add_column(rec, find("slab_allocs")), 0);
	assert_int_equal(recording__set_num(rec, &rec->rows.v[0], "slab_allocs", 12), 0);
	assert_int_equal(recording__add_row(rec, "a", "unsupported", &row), 0);
	assert_int_equal(recording__set_num(rec, row, "kmallocs", 30), 0);
	assert_int_equal(
		recording__set_missing(rec, row, "slab_allocs", CELL_UNSUPPORTED, "no event"), 0);
	assert_int_equal(recording__add_row(rec, "a", "absent", &row), 0);
	assert_int_equal(recording__set_num(rec, row, "slab_allocs", 5), 0);

	assert_int_equal(recording__add_sums(rec), 0);
	col = recording__column(rec, find("allocs"));
	assert_true(col >= 0);
	assert_int_equal(rec->rows.v[0].cells[col].state, CELL_OK);
	assert_true(rec->rows.v[0].cells[col].num == 42);
	assert_int_equal(rec->rows.v[1].cells[col].state, CELL_UNSUPPORTED);
	assert_string_equal(rec->rows.v[1].cells[col].text, "no event");
	assert_int_equal(rec->rows.v[2].cells[col].state, CELL_ABSENT);
}

/* Not every recording has nolocks; where they are, they belong to the sum. */
static void sums_have_spare_parts(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	static const char *const parts[] = { "kmallocs", "slab_allocs", "nolocks" };
	struct record_row *row;
	int col;

	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		assert_int_equal(recording__add_column(rec, find(parts[i])), 0);
	assert_int_equal(recording__add_row(rec, "a", "counted", &row), 0);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		assert_int_equal(recording__set_num(rec, row, parts[i], 10), 0);
	assert_int_equal(recording__add_row(rec, "a", "not counted", &row), 0);
	assert_int_equal(recording__set_num(rec, row, "kmallocs", 10), 0);
	assert_int_equal(recording__set_num(rec, row, "slab_allocs", 10), 0);
	assert_int_equal(recording__set_missing(rec, row, "nolocks", CELL_UNSUPPORTED, "no fexit"),
			 0);

	assert_int_equal(recording__add_sums(rec), 0);
	col = recording__column(rec, find("allocs"));
	assert_true(col >= 0);
	assert_true(rec->rows.v[0].cells[col].num == 30);
	assert_int_equal(rec->rows.v[1].cells[col].state, CELL_UNSUPPORTED);
	assert_string_equal(rec->rows.v[1].cells[col].text, "no fexit");
}

static void sums_that_were_recorded_stay(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;
	struct record_row *row;

	assert_int_equal(recording__new(SUITE_VERISTAT, &rec), 0);
	assert_int_equal(recording__add_column(rec, find("allocs")), 0);
	assert_int_equal(recording__add_column(rec, find("kmallocs")), 0);
	assert_int_equal(recording__add_column(rec, find("slab_allocs")), 0);
	assert_int_equal(recording__add_row(rec, "a", "p", &row), 0);
	assert_int_equal(recording__set_num(rec, row, "allocs", 100), 0);
	assert_int_equal(recording__set_num(rec, row, "kmallocs", 30), 0);
	assert_int_equal(recording__set_num(rec, row, "slab_allocs", 12), 0);
	assert_int_equal(recording__add_sums(rec), 0);
	assert_true(rec->rows.v[0].cells[0].num == 100);
}

static void env_is_set_once_per_key(void **state __unused_arg)
{
	_cleanup_(recording__freep) struct recording *rec = NULL;

	assert_int_equal(recording__new(SUITE_BENCH, &rec), 0);
	assert_null(recording__env(rec, "clock"));
	assert_int_equal(recording__set_env(rec, "clock", "host"), 0);
	assert_int_equal(recording__set_env(rec, "clock", "icount"), 0);
	assert_string_equal(recording__env(rec, "clock"), "icount");
	assert_int_equal(rec->env.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_join_rows_that_are_there),
		cmocka_unit_test(sums_need_all_parts),
		cmocka_unit_test(sums_have_spare_parts),
		cmocka_unit_test(sums_that_were_recorded_stay),
		cmocka_unit_test(env_is_set_once_per_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
