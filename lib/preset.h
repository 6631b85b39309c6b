/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values for the global variables of an object, set before it is loaded:
 *
 *	rounds = 16		a number, as C writes it
 *	mode = MODE_FAST	an enumerator of the variable's type
 *	grid[2][COLS].u.x = -1	elements and fields; an index may be any enumerator
 *
 * Integers and enumerations of up to 8 bytes can be set, bit fields cannot. A
 * number has to fit; a negative one fits an unsigned variable as it does in C
 * if its size has room for it.
 */
#ifndef BPF_AB_PRESET_H
#define BPF_AB_PRESET_H

#include "err.h"
#include "vec.h"

struct bpf_object;

/* What stands right of '=' or in brackets. */
struct preset_value {
	char *name; /* owned: an enumerator; NULL: a number: */
	uint64_t bits;
	bool negative;
};

struct preset_step {
	char *field; /* owned; NULL: an index: */
	struct preset_value index;
};

struct preset {
	char *text;		       /* owned: as it was written, for messages */
	VEC(struct preset_step) steps; /* the variable first, then the way into it */
	struct preset_value value;
};

struct presets {
	VEC(struct preset) list;
};

/*
 * Adds an expression, or those of @FILE: one a line; empty lines and those that
 * begin with # are passed over. Returns 0; -EINVAL with err "where:column: what
 * was expected"; what reading FILE returned, with err; -ENOMEM.
 */
int presets__add(struct presets *presets, const char *arg, struct err *err);
void presets__clear(struct presets *presets);
#define _cleanup_presets_ _cleanup_(presets__clear)

/*
 * Sets the variables of an object that is open and not loaded. -EINVAL with err
 * naming the preset: no such variable, field or enumerator, an index or value
 * out of range, or a type that has no number. Of two for one place the last counts.
 */
int presets__apply(const struct presets *presets, struct bpf_object *obj, struct err *err);

#endif
