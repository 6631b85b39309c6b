/* SPDX-License-Identifier: GPL-2.0-only */
/* Two small recordings, their comparison, and what is asserted about it. */
#ifndef BPF_AB_UNIT_PAIR_H
#define BPF_AB_UNIT_PAIR_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "cleanup.h"
#include "compare.h"

struct pair {
	struct recording *a, *b;
	struct comparison *cmp;
};

static inline void pair__reset(struct pair *pair)
{
	comparison__free(pair->cmp);
	recording__free(pair->a);
	recording__free(pair->b);
}

#define _cleanup_pair_ _cleanup_(pair__reset)

static inline void compare_with(struct pair *pair, const struct compare_opts *opts)
{
	assert_int_equal(recording__add_sums(pair->a), 0);
	assert_int_equal(recording__add_sums(pair->b), 0);
	assert_int_equal(compare__run(pair->a, pair->b, opts, &pair->cmp), 0);
}

static inline void compare(struct pair *pair)
{
	compare_with(pair, &(struct compare_opts){});
}

static inline struct recording *side(enum suite suite, const char *clock)
{
	struct recording *rec = NULL;

	assert_int_equal(recording__new(suite, &rec), 0);
	if (clock)
		assert_int_equal(recording__set_env(rec, "clock", clock), 0);
	return rec;
}

static inline struct pair pair_of_two(enum suite suite, const char *clock_a, const char *clock_b)
{
	return (struct pair){ .a = side(suite, clock_a), .b = side(suite, clock_b) };
}

static inline struct pair pair_of(enum suite suite, const char *clock)
{
	return pair_of_two(suite, clock, clock);
}

static inline struct record_row *add_row(struct recording *rec, const char *program)
{
	struct record_row *row;

	assert_int_equal(recording__add_row(rec, "obj", program, &row), 0);
	return row;
}

static inline void set(struct recording *rec, struct record_row *row, const char *name,
		       double value)
{
	const struct metric *metric = metric__find(rec->suite, name);

	assert_non_null(metric);
	assert_int_equal(recording__add_column(rec, metric), 0);
	assert_int_equal(recording__set_num(rec, row, name, value), 0);
}

static inline void set_word(struct recording *rec, struct record_row *row, const char *name,
			    const char *word)
{
	assert_int_equal(recording__add_column(rec, metric__find(rec->suite, name)), 0);
	assert_int_equal(recording__set_text(rec, row, name, word), 0);
}

/* One row per value; boots > 0: that many rows each. */
static inline void samples(struct recording *rec, const char *program, const char *name,
			   size_t per_boot, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct record_row *row = add_row(rec, program);

		set(rec, row, name, values[i]);
		if (per_boot) {
			row->boot = i / per_boot;
			rec->boots = row->boot + 1;
		}
	}
}

#define SAMPLES(rec, program, name, per_boot, ...)                             \
	samples(rec, program, name, per_boot, (const double[]){ __VA_ARGS__ }, \
		sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))

static inline const struct compare_row *row_of(const struct comparison *cmp, const char *program)
{
	for (size_t i = 0; i < cmp->rows.n; i++)
		if (streq(cmp->rows.v[i].program, program))
			return &cmp->rows.v[i];
	fail_msg("no row %s", program);
	return NULL;
}

static inline const struct compare_cell *cell_of(const struct comparison *cmp, const char *program,
						 const char *name)
{
	const struct compare_row *row = row_of(cmp, program);
	const struct metric *metric = metric__find(cmp->suite, name);

	for (size_t i = 0; i < cmp->metrics.n; i++)
		if (cmp->metrics.v[i] == metric)
			return &row->cells[i];
	fail_msg("no metric %s", name);
	return NULL;
}

static inline void assert_verdict(const struct comparison *cmp, const char *program,
				  const char *name, enum verdict verdict)
{
	const struct compare_cell *cell = cell_of(cmp, program, name);

	if (cell->verdict != verdict)
		fail_msg("%s of %s is %s, expected %s (%s)", name, program,
			 verdict__name(cell->verdict), verdict__name(verdict), cell->why ?: "");
}

static inline void assert_why(const struct comparison *cmp, const char *program, const char *name,
			      const char *why)
{
	const char *text = cell_of(cmp, program, name)->why ?: "";

	if (!strstr(text, why))
		fail_msg("'%s' is not in '%s'", why, text);
}

#define assert_near(value, expected, within)                                             \
	do {                                                                             \
		double near_v = (value), near_e = (expected);                            \
		if (!(fabs(near_v - near_e) <= (within)))                                \
			fail_msg("%s is %.12g, expected %.12g", #value, near_v, near_e); \
	} while (0)

#endif
