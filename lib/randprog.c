// SPDX-License-Identifier: GPL-2.0-only
#include "randprog.h"

#include <errno.h>

#include "cleanup.h"
#include "randworld.h"

#define MAX_DEPTH      5 /* of calls; the kernel allows 8 frames */
#define MAX_BACKS      3 /* in a function */
#define COUNT_BODY_MAX 9

enum kind_needs {
	NEEDS_CTX = 1 << 0,
	NEEDS_PLACE = 1 << 1, /* is not drawn: it is put where it is due */
	NEEDS_KFUNCS = 1 << 2,
};

static const struct {
	const char *name;
	unsigned int weight;
	unsigned int needs;
} kinds[RAND_KINDS] = {
	[RAND_ALU] = { "alu", 6, 0 },
	[RAND_DIVIDE] = { "divide", 10, 0 },
	[RAND_LOAD] = { "load", 4, 0 },
	[RAND_STORE] = { "store", 4, 0 },
	[RAND_SPILL] = { "spill", 2, 0 },
	[RAND_FILL] = { "fill", 2, 0 },
	[RAND_ATOMIC] = { "atomic", 2, 0 },
	[RAND_LOOKUP] = { "lookup", 10, 0 },
	[RAND_LOOKUP_NESTED] = { "lookup_nested", 3, 0 },
	[RAND_PACKET] = { "packet", 4, NEEDS_CTX },
	[RAND_PACKET_AT] = { "packet_at", 3, NEEDS_CTX },
	[RAND_CTX_READ] = { "ctx_read", 6, NEEDS_CTX },
	[RAND_CTX_WRITE] = { "ctx_write", 3, NEEDS_CTX },
	[RAND_JIFFIES] = { "jiffies", 4, 0 },
	[RAND_CPU] = { "cpu", 4, 0 },
	[RAND_TAIL_CALL] = { "tail_call", 3, NEEDS_CTX },
	[RAND_CAST] = { "cast", 3, NEEDS_CTX | NEEDS_KFUNCS },
	[RAND_ITERATE] = { "iterate", 3, NEEDS_KFUNCS },
	[RAND_CALL] = { "call", 0, NEEDS_PLACE },
	[RAND_LOOP] = { "loop", 0, NEEDS_PLACE },
	[RAND_JUMP] = { "jump", 14, 0 },
	[RAND_GOTO] = { "goto", 6, 0 },
	[RAND_MAY_GOTO] = { "may_goto", 2, 0 },
	[RAND_BACK] = { "back", 0, NEEDS_PLACE },
	[RAND_COUNT] = { "count", 0, NEEDS_PLACE },
	[RAND_COUNT_BACK] = { "count_back", 0, NEEDS_PLACE },
	[RAND_EXIT_IF] = { "exit_if", 1, 0 },
	[RAND_END] = { "end", 0, NEEDS_PLACE },
};

struct maker {
	struct rng rng;
	const struct randprog_opts *opts;
	struct randprog *prog;
	unsigned int weights[RAND_KINDS]; /* of this program: each has a character of its own */
	bool subprogs;
};

const char *randprog__kind(enum rand_kind kind)
{
	return kinds[kind].name;
}

void randprog__free(struct randprog *prog)
{
	for (size_t i = 0; i < prog->funcs.n; i++)
		vec_free(&prog->funcs.v[i].units);
	vec_free(&prog->funcs);
}

size_t randprog__size(const struct randprog *prog)
{
	size_t n = 0;

	for (size_t i = 0; i < prog->funcs.n; i++) {
		for (size_t j = 0; j < prog->funcs.v[i].units.n; j++)
			n += !prog->funcs.v[i].units.v[j].dropped;
	}
	return n;
}

static struct rand_unit new_unit(struct maker *m, enum rand_kind kind)
{
	struct rand_unit unit = { .kind = kind };

	for (size_t i = 0; i < RAND_PARAMS; i++)
		unit.r[i] = rng__next(&m->rng) >> 32;
	return unit;
}

/* Some kinds are left out of a program, some come in plenty. */
static void pick_weights(struct maker *m)
{
	static const unsigned int factors[] = { 0, 0, 1, 1, 1, 4 };

	for (size_t i = 0; i < RAND_KINDS; i++) {
		unsigned int needs = kinds[i].needs;
		unsigned int factor = factors[rng__below(&m->rng, ARRAY_SIZE(factors))];

		if (needs & NEEDS_PLACE || (needs & NEEDS_KFUNCS && !m->opts->kfuncs))
			factor = 0;
		m->weights[i] = kinds[i].weight * factor;
	}
	m->weights[RAND_ALU]++;
	m->weights[RAND_DIVIDE]++;
}

static enum rand_kind pick_kind(struct maker *m, const struct rand_func *func)
{
	unsigned int sum = 0, at;
	size_t i;

	for (i = 0; i < RAND_KINDS; i++)
		sum += func->ctx || !(kinds[i].needs & NEEDS_CTX) ? m->weights[i] : 0;
	at = rng__below(&m->rng, sum);
	for (i = 0; i < RAND_KINDS - 1; i++) {
		unsigned int weight =
			func->ctx || !(kinds[i].needs & NEEDS_CTX) ? m->weights[i] : 0;

		if (at < weight)
			break;
		at -= weight;
	}
	return i;
}

static int insert_unit(struct rand_func *func, size_t at, struct rand_unit unit)
{
	int rc = vec_push(&func->units, unit);

	for (size_t i = func->units.n; rc == 0 && --i > at;) {
		func->units.v[i] = func->units.v[i - 1];
		func->units.v[i - 1] = unit;
	}
	return rc;
}

/* ---- functions: a tree, and some more calls ---- */

static unsigned int pick_length(struct maker *m, bool is_main)
{
	uint32_t size = rng__below(&m->rng, 1000);

	if (!is_main)
		return 1 + rng__below(&m->rng, size < 950 ? 10 : 40);
	if (size < 800)
		return 3 + rng__below(&m->rng, 22);
	if (size < 975)
		return 20 + rng__below(&m->rng, 80);
	return 100 + rng__below(&m->rng, 600);
}

static unsigned int pick_funcs(struct maker *m)
{
	uint32_t size = rng__below(&m->rng, 100);

	if (size < 40)
		return 1;
	return 2 + rng__below(&m->rng, size < 95 ? 4 : RAND_FUNCS_MAX - 1);
}

/* Who calls a function must have what it takes, and be a frame above it. */
static bool may_call(const struct rand_func *caller, const struct rand_func *callee)
{
	return (caller->ctx || !callee->ctx) && caller->depth < MAX_DEPTH;
}

static int add_func(struct maker *m, bool is_main)
{
	struct rand_func func = {
		.ctx = is_main || rng__below(&m->rng, 2),
		.global = !is_main && rng__below(&m->rng, 2),
		.head = rng__next(&m->rng) >> 32,
	};
	unsigned int n = pick_length(m, is_main);
	int rc = 0;

	if (!is_main && !func.ctx && rng__below(&m->rng, 2)) {
		func.callback = true;
		func.global = false;
	}
	for (unsigned int i = 0; rc == 0 && i < n; i++)
		rc = vec_push(&func.units, new_unit(m, pick_kind(m, &func)));
	if (rc == 0)
		rc = vec_push(&func.units, new_unit(m, RAND_END));
	if (rc == 0)
		rc = vec_push(&m->prog->funcs, func);
	if (rc < 0)
		vec_free(&func.units);
	return rc;
}

static int add_call(struct maker *m, size_t caller, size_t callee)
{
	struct rand_func *from = &m->prog->funcs.v[caller], *to = &m->prog->funcs.v[callee];
	struct rand_unit unit = new_unit(m, to->callback ? RAND_LOOP : RAND_CALL);

	unit.target = callee;
	if (to->depth <= from->depth)
		to->depth = from->depth + 1;
	return insert_unit(from, rng__below(&m->rng, from->units.n), unit);
}

static int add_funcs(struct maker *m)
{
	unsigned int n = pick_funcs(m);
	int rc = add_func(m, true);

	for (size_t i = 1; rc == 0 && i < n; i++) {
		size_t caller;

		rc = add_func(m, false);
		if (rc < 0)
			break;
		/* The first one always may. */
		do {
			caller = rng__below(&m->rng, i);
		} while (!may_call(&m->prog->funcs.v[caller], &m->prog->funcs.v[i]));
		rc = add_call(m, caller, i);
		/* A second call, from a function that is above it in any case. */
		if (rc == 0 && !rng__below(&m->rng, 4))
			rc = add_call(m, caller, i);
	}
	return rc;
}

/* ---- jumps: their targets, when all units are in place ---- */

/* Index of the unit that ends the loop around this one, or that of this one. */
static size_t loop_end(const struct rand_func *func, size_t at)
{
	for (size_t i = at; i < func->units.n; i++) {
		if (func->units.v[i].kind == RAND_COUNT && i > at)
			break;
		if (func->units.v[i].kind == RAND_COUNT_BACK)
			return i;
	}
	return at;
}

static bool in_loop(const struct rand_func *func, size_t at)
{
	return func->units.v[at].kind != RAND_COUNT &&
	       (loop_end(func, at) != at || func->units.v[at].kind == RAND_COUNT_BACK);
}

/*
 * Loops with a constant number of rounds, which nothing may jump into. Nor may
 * they call what is verified along with them: if that ends by a load of the
 * packet, Linux 6.18 loses track of whose stack the number of rounds is on
 * ("static subprog leftover stack slots").
 */
static int add_count_loop(struct maker *m, struct rand_func *func)
{
	size_t body = 1 + rng__below(&m->rng, COUNT_BODY_MAX), n = func->units.n, at;
	int rc;

	if (n < body + 2)
		return 0;
	at = rng__below(&m->rng, n - body - 1);
	if (in_loop(func, at))
		return 0;
	for (size_t i = at; i < at + body; i++) {
		const struct rand_unit *unit = &func->units.v[i];

		if (unit->kind == RAND_COUNT || unit->kind == RAND_COUNT_BACK ||
		    (unit->kind == RAND_CALL && !m->prog->funcs.v[unit->target].global))
			return 0;
	}
	rc = insert_unit(func, at, new_unit(m, RAND_COUNT));
	return rc ?: insert_unit(func, at + 1 + body, new_unit(m, RAND_COUNT_BACK));
}

/* A unit behind this one: mostly near, sometimes anywhere. */
static size_t pick_forward(struct maker *m, const struct rand_func *func, size_t from)
{
	size_t left = func->units.n - 1 - from, far = left;
	size_t to;

	if (rng__below(&m->rng, 4) && far > 5)
		far = 5;
	to = from + 1 + rng__below(&m->rng, far);
	/* Into another loop: to where that begins. */
	if (in_loop(func, to) && loop_end(func, to) != loop_end(func, from)) {
		while (func->units.v[to].kind != RAND_COUNT)
			to--;
	}
	return to;
}

/*
 * The last unit that jumps back to this one, or itself: behind it is where a
 * may_goto has to lead, or the verifier sees a loop that may never end.
 */
static size_t last_back(const struct rand_func *func, size_t head)
{
	size_t last = head;

	for (size_t i = head; i < func->units.n; i++) {
		if (func->units.v[i].kind == RAND_BACK && func->units.v[i].target == head)
			last = i;
	}
	return last;
}

static void pick_targets(struct maker *m, struct rand_func *func)
{
	for (size_t i = 0; i < func->units.n; i++) {
		struct rand_unit *unit = &func->units.v[i];

		switch (unit->kind) {
		case RAND_JUMP:
		case RAND_GOTO:
			unit->target = pick_forward(m, func, i);
			break;
		case RAND_MAY_GOTO:
			unit->target = pick_forward(m, func, last_back(func, i));
			break;
		case RAND_COUNT_BACK:
			unit->target = i;
			while (func->units.v[unit->target].kind != RAND_COUNT)
				unit->target--;
			break;
		default:
			break;
		}
	}
}

/* A may_goto, and behind it a jump back to it. */
static int add_back_loop(struct maker *m, struct rand_func *func)
{
	size_t n = func->units.n, head = rng__below(&m->rng, n), tail;
	struct rand_unit unit = new_unit(m, RAND_BACK);
	int rc;

	tail = head + rng__below(&m->rng, n - head < 12 ? n - head : 12);
	if (in_loop(func, head) || in_loop(func, tail))
		return 0;
	rc = insert_unit(func, tail, unit);
	return rc ?: insert_unit(func, head, new_unit(m, RAND_MAY_GOTO));
}

/* The nearest may_goto in front that is in no counted loop, if there is one. */
static void aim_back(struct rand_func *func)
{
	for (size_t i = func->units.n; i-- > 0;) {
		struct rand_unit *unit = &func->units.v[i];
		size_t head = i;

		if (unit->kind != RAND_BACK)
			continue;
		while (head > 0 &&
		       (func->units.v[head].kind != RAND_MAY_GOTO || in_loop(func, head)))
			head--;
		unit->target = head;
		if (func->units.v[head].kind != RAND_MAY_GOTO)
			unit->kind = RAND_ALU;
	}
}

static int add_jumps(struct maker *m, struct rand_func *func)
{
	unsigned int counts = rng__below(&m->rng, 4) ? 0 : 1 + rng__below(&m->rng, 2);
	unsigned int backs = rng__below(&m->rng, 3) ? 0 : 1 + rng__below(&m->rng, MAX_BACKS);
	int rc = 0;

	for (unsigned int i = 0; rc == 0 && i < counts; i++)
		rc = add_count_loop(m, func);
	for (unsigned int i = 0; rc == 0 && i < backs; i++)
		rc = add_back_loop(m, func);
	aim_back(func);
	pick_targets(m, func);
	return rc;
}

int randprog__make(uint64_t seed, const struct randprog_opts *opts, struct randprog *ret_prog)
{
	_cleanup_(randprog__free) struct randprog prog = { .seed = seed };
	struct maker m = { .rng = { seed }, .opts = opts, .prog = &prog };
	int rc;

	pick_weights(&m);
	rc = add_funcs(&m);
	for (size_t i = 0; rc == 0 && i < prog.funcs.n; i++)
		rc = add_jumps(&m, &prog.funcs.v[i]);
	if (rc < 0)
		return rc;
	*ret_prog = prog;
	prog = (struct randprog){};
	return 0;
}
