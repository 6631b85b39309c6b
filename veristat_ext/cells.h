/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what was measured to the cells of a row. Every cell of a kind is set:
 * with its number, or with the reason why there is none. Columns that the
 * recording does not have are passed over.
 */
#ifndef VERISTAT_CELLS_H
#define VERISTAT_CELLS_H

#include "kmem.h"
#include "loader.h"
#include "phases.h"
#include "record.h"
#include "vmalloc.h"

/* A value, or the reason why there is none. */
struct missing {
	enum cell_state state; /* CELL_OK: there is one */
	const char *reason;
};

void cells__object(struct recording *rec, struct record_row *row, const struct loader_prog *prog);
void cells__load(struct recording *rec, struct record_row *row, const struct load_result *result);
void cells__info(struct recording *rec, struct record_row *row, const struct load_result *result);
void cells__memory(struct recording *rec, struct record_row *row, const struct missing *missing,
		   uint64_t bytes);
/*
 * kmem may be NULL where there is a reason; its lists of places are those of the
 * counts, of which the cell of call sites has the first n_sites.
 */
void cells__counters(struct recording *rec, struct record_row *row, const struct missing *missing,
		     const struct kmem *kmem, const struct kmem_counts *counts, size_t n_sites);
void cells__vmalloc(struct recording *rec, struct record_row *row, const struct missing *missing,
		    const struct vmalloc_counts *counts);
/* phases may be NULL where there is a reason. */
void cells__phases(struct recording *rec, struct record_row *row, const struct missing *missing,
		   const struct phases *phases, const struct phase_time *times);

#endif
