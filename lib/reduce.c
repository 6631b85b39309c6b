// SPDX-License-Identifier: GPL-2.0-only
#include "reduce.h"

#include "cleanup.h"

struct reduction {
	const struct reduce_opts *opts;
	struct randprog *prog;
	VEC(struct rand_unit *) units; /* all but those that can't be dropped */
	size_t tries;
	size_t insns; /* of the smallest one so far */
	int rc;
};

static void reduction__free(struct reduction *r)
{
	vec_free(&r->units);
}

/* Only a program that still fails and has grown no longer is taken. */
static bool still_fails(struct reduction *r)
{
	size_t insns = 0;
	int rc;

	if (r->rc < 0 || r->tries >= r->opts->max_tries)
		return false;
	r->tries++;
	rc = r->opts->fails(r->opts->ctx, r->prog, &insns);
	if (rc < 0)
		r->rc = rc;
	if (rc <= 0 || insns > r->insns)
		return false;
	r->insns = insns;
	return true;
}

static int collect_units(struct reduction *r)
{
	int rc = 0;

	for (size_t i = 0; i < r->prog->funcs.n; i++) {
		struct rand_func *func = &r->prog->funcs.v[i];

		for (size_t j = 0; rc == 0 && j < func->units.n; j++) {
			if (func->units.v[j].kind != RAND_END && !func->units.v[j].dropped)
				rc = vec_push(&r->units, &func->units.v[j]);
		}
	}
	return rc;
}

static void keep_undropped(struct reduction *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->units.n; i++) {
		if (!r->units.v[i]->dropped)
			r->units.v[n++] = r->units.v[i];
	}
	r->units.n = n;
}

/* Tries without each run of len units, the last ones first: what calls comes before what is called.
 */
static bool drop_runs(struct reduction *r, size_t len)
{
	bool dropped = false;

	for (size_t end = r->units.n; end > 0;) {
		size_t start = end > len ? end - len : 0;

		for (size_t i = start; i < end; i++)
			r->units.v[i]->dropped = true;
		if (still_fails(r)) {
			dropped = true;
		} else {
			for (size_t i = start; i < end; i++)
				r->units.v[i]->dropped = false;
		}
		end = start;
	}
	keep_undropped(r);
	return dropped;
}

static void swap_units(struct rand_func *a, struct rand_func *b)
{
	struct rand_func old = *a;

	memcpy(&a->units, &b->units, sizeof(a->units));
	memcpy(&b->units, &old.units, sizeof(b->units));
}

/*
 * A function may do without who calls it. It only calls functions behind it, so
 * that nothing of what the program began with until now is left.
 */
static bool hoist(struct reduction *r)
{
	size_t insns = r->insns;

	for (size_t i = 1; i < r->prog->funcs.n; i++) {
		struct rand_func *func = &r->prog->funcs.v[i];

		swap_units(&r->prog->funcs.v[0], func);
		if (!still_fails(r))
			swap_units(&r->prog->funcs.v[0], func);
	}
	return r->insns < insns;
}

/* A parameter that is simpler is one that makes fewer instructions. */
static bool simplify_param(struct reduction *r, uint32_t *param)
{
	static const uint32_t simple[] = { 0, 1, 3, 8 };
	uint32_t old = *param;
	size_t insns = r->insns;

	for (size_t i = 0; i < ARRAY_SIZE(simple); i++) {
		*param = simple[i];
		if (*param != old && still_fails(r) && r->insns < insns)
			return true;
	}
	*param = old;
	return false;
}

static bool simplify(struct reduction *r)
{
	bool simpler = false;

	for (size_t i = 0; i < r->units.n; i++) {
		for (size_t j = 0; j < RAND_PARAMS; j++)
			simpler |= simplify_param(r, &r->units.v[i]->r[j]);
	}
	for (size_t i = 0; i < r->prog->funcs.n; i++) {
		struct rand_func *func = &r->prog->funcs.v[i];

		simpler |= simplify_param(r, &func->head);
		for (size_t j = 0; j < RAND_PARAMS; j++)
			simpler |= simplify_param(r, &func->units.v[func->units.n - 1].r[j]);
	}
	return simpler;
}

int reduce__program(struct randprog *prog, const struct reduce_opts *opts)
{
	_cleanup_(reduction__free) struct reduction r = { .opts = opts,
							  .prog = prog,
							  .insns = SIZE_MAX };
	bool smaller = true;
	int rc = collect_units(&r);

	if (rc < 0)
		return rc;
	hoist(&r);
	for (size_t len = r.units.n / 2; len > 1; len /= 2)
		drop_runs(&r, len);
	while (smaller && r.rc == 0 && r.tries < opts->max_tries) {
		smaller = drop_runs(&r, 1);
		smaller |= hoist(&r);
		smaller |= simplify(&r);
	}
	return r.rc;
}
