/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of annotated__check(). */
#ifndef BPF_AB_CHECK_H
#define BPF_AB_CHECK_H

#include "annotated.h"

/* One program while it is checked. */
struct check {
	const struct annotated *annotated;
	const struct annotated_prog *prog;
	const struct annot *annot;
	enum annot_mode mode;
	struct bpf_object *obj;
	struct bpf_program *bpf;
	uint64_t old_caps;
	bool dropped;
	struct err *why;
};

static inline const struct annot_expect *check__expect(const struct check *c)
{
	return &c->annot->expect[c->mode];
}

/* The step's end: why, in a line. */
#define FAIL(c, ...) (err__set((c)->why, 0, __VA_ARGS__), OUTCOME_FAIL)
#define SKIP(c, ...) (err__set((c)->why, 0, __VA_ARGS__), OUTCOME_SKIP)

/* A text against what is expected of it; shows it if that is not there. */
enum outcome check__text(struct check *c, enum annot_text text, const char *title,
			 const char *actual);

/* Runs the loaded program if that is asked for: return value and streams. */
enum outcome check__run(struct check *c);

#endif
