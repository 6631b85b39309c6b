// SPDX-License-Identifier: GPL-2.0-only
#include "randemit.h"

#include <errno.h>

#include "cleanup.h"
#include "randunit.h"

void randcode__free(struct randcode *code)
{
	vec_free(&code->insns);
	vec_free(&code->facts);
	vec_free(&code->funcs);
}

static void emitter__free(struct emitter *e)
{
	vec_free(&e->fixups);
}

void emitter__put(struct emitter *e, struct bpf_insn insn)
{
	struct patch_fact none = {};

	if (e->rc == 0)
		e->rc = vec_push(&e->code->insns, insn);
	if (e->rc == 0)
		e->rc = vec_push(&e->code->facts, none);
}

void emitter__fact(struct emitter *e, struct patch_fact fact)
{
	if (e->rc == 0)
		e->code->facts.v[e->code->facts.n - 1] = fact;
}

/* ---- which units there are: loops lack their end if they lack their beginning ---- */

static bool is_there(const struct rand_func *func, size_t at)
{
	const struct rand_unit *unit = &func->units.v[at];

	if (unit->kind == RAND_END)
		return true;
	if (unit->dropped)
		return false;
	if (unit->kind == RAND_BACK || unit->kind == RAND_COUNT_BACK)
		return !func->units.v[unit->target].dropped;
	return true;
}

/* This unit or the next that is there; the last one always is. */
static size_t there_from(const struct rand_func *func, size_t at)
{
	while (!is_there(func, at))
		at++;
	return at;
}

static uint32_t stack_depth(const struct rand_func *func)
{
	int lowest = 0;

	for (size_t i = 0; i < func->units.n; i++) {
		int slot = is_there(func, i) ? randunit__stack(&func->units.v[i]) : 0;

		lowest = slot < lowest ? slot : lowest;
	}
	return -lowest;
}

/*
 * A goto needs something else that leads to what is behind it, or that would
 * be dead. landed has the n units that are jumped to from in front of them. The
 * last one is the end, and no goto.
 */
static bool leave_out(const struct rand_func *func, size_t at, bool *landed, size_t n)
{
	size_t next;

	if (!is_there(func, at))
		return true;
	if (func->units.v[at].kind != RAND_GOTO || at + 1 >= n)
		return false;
	next = there_from(func, at + 1);
	if (landed[next])
		return false;
	landed[next] = landed[at];
	return true;
}

static void note_landing(const struct rand_func *func, const struct rand_unit *unit, bool *landed)
{
	if (unit->kind == RAND_JUMP || unit->kind == RAND_GOTO || unit->kind == RAND_MAY_GOTO)
		landed[there_from(func, unit->target)] = true;
}

/* ---- jumps, when it is known where all is ---- */

static void set_distance(struct bpf_insn *insn, ptrdiff_t distance)
{
	if (insn->code == (BPF_JMP32 | BPF_JA) || insn->code == (BPF_JMP | BPF_CALL) ||
	    insn->code == (BPF_LD | BPF_IMM | BPF_DW))
		insn->imm = distance;
	else
		insn->off = distance;
}

static void fix_units(struct emitter *e, const size_t *unit_at)
{
	for (size_t i = 0; i < e->fixups.n; i++) {
		const struct randunit_fixup *fixup = &e->fixups.v[i];

		if (fixup->kind == RAND_TO_UNIT)
			set_distance(&e->code->insns.v[fixup->insn],
				     (ptrdiff_t)unit_at[fixup->target] -
					     (ptrdiff_t)(fixup->insn + 1));
	}
}

static size_t start_of(const struct randcode *code, size_t func)
{
	size_t i = 0;

	while (code->funcs.v[i].func != func)
		i++;
	return code->funcs.v[i].start;
}

static void fix_funcs(struct emitter *e)
{
	for (size_t i = 0; e->rc == 0 && i < e->fixups.n; i++) {
		const struct randunit_fixup *fixup = &e->fixups.v[i];
		struct patch_fact *fact = &e->code->facts.v[fixup->insn];
		size_t start;

		if (fixup->kind != RAND_TO_FUNC)
			continue;
		start = start_of(e->code, fixup->target);
		/* The fact of a loop is at its call, and the instruction that loads the function
		 * not. */
		if (fact->kind == PATCH_LOOP)
			fact->callback = start;
		else
			set_distance(&e->code->insns.v[fixup->insn],
				     (ptrdiff_t)start - (ptrdiff_t)(fixup->insn + 1));
	}
}

/* ---- functions ---- */

static void emit_func(struct emitter *e, size_t func_index)
{
	const struct rand_func *func = &e->prog->funcs.v[func_index];
	const size_t n = func->units.n;
	_cleanup_free_ size_t *unit_at = calloc(n, sizeof(*unit_at));
	_cleanup_free_ bool *landed = calloc(n, sizeof(*landed));
	struct randcode_func place = { .start = e->code->insns.n, .func = func_index };

	if (e->rc == 0 && (!unit_at || !landed))
		e->rc = -ENOMEM;
	if (e->rc == 0)
		e->rc = vec_push(&e->code->funcs, place);
	if (e->rc < 0)
		return;
	e->func = func;
	e->stack_depth = stack_depth(func);
	randunit__emit_head(e);
	for (size_t i = 0; e->rc == 0 && i < n; i++) {
		unit_at[i] = e->code->insns.n;
		if (leave_out(func, i, landed, n))
			continue;
		note_landing(func, &func->units.v[i], landed);
		randunit__emit(e, &func->units.v[i]);
	}
	if (e->rc == 0)
		fix_units(e, unit_at);
	/* Those of the units are done with. */
	for (size_t i = 0; i < e->fixups.n;) {
		if (e->fixups.v[i].kind == RAND_TO_UNIT)
			e->fixups.v[i] = e->fixups.v[--e->fixups.n];
		else
			i++;
	}
}

static bool is_placed(const struct randcode *code, size_t func)
{
	for (size_t i = 0; i < code->funcs.n; i++) {
		if (code->funcs.v[i].func == func)
			return true;
	}
	return false;
}

/* Calls only lead to functions of a higher index, so this ends. */
static void emit_with_callees(struct emitter *e, size_t func_index)
{
	const struct rand_func *func = &e->prog->funcs.v[func_index];

	emit_func(e, func_index);
	for (size_t i = 0; e->rc == 0 && i < func->units.n; i++) {
		const struct rand_unit *unit = &func->units.v[i];

		if ((unit->kind == RAND_CALL || unit->kind == RAND_LOOP) && is_there(func, i) &&
		    !is_placed(e->code, unit->target))
			emit_with_callees(e, unit->target);
	}
}

int randemit__program(const struct randprog *prog, const struct randemit_opts *opts,
		      struct randcode *ret_code)
{
	_cleanup_(randcode__free) struct randcode code = {};
	_cleanup_(emitter__free) struct emitter e = { .prog = prog, .opts = opts, .code = &code };

	emit_with_callees(&e, 0);
	fix_funcs(&e);
	if (e.rc < 0)
		return e.rc;
	*ret_code = code;
	code = (struct randcode){};
	return 0;
}
