// SPDX-License-Identifier: GPL-2.0-only
#include "interp_frame.h"

#include <errno.h>

#define LOOPS_MAX    (8 * 1024 * 1024) /* BPF_MAX_LOOPS */
#define FIXED_RESULT 1234 /* of functions whose result depends on when and where they run */

/* ---- maps ---- */

static const struct interp_map *map_at(const struct interp *in, uint64_t handle)
{
	for (size_t i = 0; i < in->env->n_maps; i++) {
		if (handle == (uintptr_t)&in->env->maps[i])
			return &in->env->maps[i];
	}
	return NULL;
}

const struct interp_map *interp__map_of_fd(const struct interp *in, int fd)
{
	for (size_t i = 0; in->env->map_fds && i < in->env->n_maps; i++) {
		if (in->env->map_fds[i] == fd)
			return &in->env->maps[i];
	}
	return NULL;
}

static int lookup(struct interp *in, struct frame *f, uint64_t *ret_r0)
{
	const struct interp_map *map = map_at(in, f->r[BPF_REG_1]);
	uint64_t key = f->r[BPF_REG_2];
	uint32_t index;

	if (!frame__knows(f, BPF_REG_1) || !map || !frame__knows(f, BPF_REG_2))
		return interp__fail(in, f, -EINVAL, "not a map and a key");
	if (!interp__may_access(in, f, key, map->key_size, false))
		return interp__fail(in, f, -EFAULT, "the key is not in memory of the program");
	index = interp__read(key, sizeof(index));
	for (size_t i = sizeof(index); i < map->key_size; i++) {
		if (interp__read(key + i, 1)) {
			*ret_r0 = 0;
			return 0;
		}
	}
	if (index >= map->n)
		*ret_r0 = 0;
	else if (map->inner)
		*ret_r0 = (uintptr_t)&in->env->maps[map->inner[index]];
	else
		*ret_r0 = (uintptr_t)(map->values + (size_t)index * map->value_size);
	return 0;
}

/* ---- loads of the packet: big endian; what is not there ends the function with 0 ---- */

int interp__load_packet(struct interp *in, struct frame *f, const struct bpf_insn *insn)
{
	int64_t at = insn->imm;
	size_t len = interp__width(insn->code);
	uint64_t value = 0;

	if (!frame__knows(f, BPF_REG_6) || f->r[BPF_REG_6] != (uintptr_t)&in->skb)
		return interp__fail(in, f, -EINVAL, "r6 is not the context");
	if (BPF_MODE(insn->code) == BPF_IND) {
		if (!frame__knows(f, insn->src_reg))
			return interp__fail(in, f, -EINVAL,
					    "a register that nothing was written to");
		at = (int32_t)(f->r[insn->src_reg] + (uint32_t)insn->imm);
	}
	if (at < 0)
		return interp__fail(in, f, -EINVAL, "offsets below 0 are not of the packet");
	for (unsigned int r = CALLER_SAVED_FIRST; r <= CALLER_SAVED_LAST; r++)
		f->known &= ~(1u << r);
	if ((uint64_t)at + len > in->env->packet_len) {
		frame__set(f, BPF_REG_0, 0);
		return 1;
	}
	for (size_t i = 0; i < len; i++)
		value = value << 8 | in->env->packet[at + i];
	frame__set(f, BPF_REG_0, value);
	return 0;
}

/* ---- calls ---- */

/* Returns 1 if the function is over: the other program has run in its place. */
static int tail_call(struct interp *in, struct frame *f, uint64_t *ret_r0)
{
	const struct interp_map *map = map_at(in, f->r[BPF_REG_2]);
	uint32_t index = f->r[BPF_REG_3];

	if (!frame__knows(f, BPF_REG_2) || !map || !map->values || !frame__knows(f, BPF_REG_3))
		return interp__fail(in, f, -EINVAL, "not a map of programs and an index");
	*ret_r0 = -ENOENT;
	if (index >= map->n || !interp__read((uintptr_t)map->values + 4 * index, 4))
		return 0;
	*ret_r0 = interp__read((uintptr_t)map->values + 4 * index, 4);
	return 1;
}

/* An iterator is its last and its end number, of 4 bytes each. */
static int call_iterator(struct interp *in, struct frame *f, enum interp_kfunc kfunc,
			 uint64_t *ret_r0)
{
	uint64_t it = f->r[BPF_REG_1];
	int32_t state[2];

	if (!frame__knows(f, BPF_REG_1) || !it ||
	    !interp__may_access(in, f, it, sizeof(state), true))
		return interp__fail(in, f, -EFAULT, "no place for an iterator");
	memcpy(state, (void *)(uintptr_t)it, sizeof(state));
	*ret_r0 = 0;
	if (kfunc == INTERP_ITER_NUM_NEW) {
		state[0] = (uint32_t)f->r[BPF_REG_2] - 1;
		state[1] = f->r[BPF_REG_3];
		if ((int32_t)f->r[BPF_REG_2] > state[1])
			*ret_r0 = -EINVAL;
		else if ((int64_t)state[1] - (int32_t)f->r[BPF_REG_2] > LOOPS_MAX)
			*ret_r0 = -E2BIG;
	} else if (kfunc == INTERP_ITER_NUM_NEXT && (int64_t)state[0] + 1 < state[1]) {
		state[0]++;
		*ret_r0 = it;
	}
	if (*ret_r0 != it && (kfunc != INTERP_ITER_NUM_NEW || *ret_r0))
		memset(state, 0, sizeof(state));
	memcpy((void *)(uintptr_t)it, state, sizeof(state));
	return 0;
}

int interp__call_kfunc(struct interp *in, struct frame *f, const struct bpf_insn *insn,
		       uint64_t *ret_r0)
{
	for (int i = 0; in->env->kfuncs && i < INTERP_KFUNCS; i++) {
		if (in->env->kfuncs[i] != insn->imm)
			continue;
		*ret_r0 = FIXED_RESULT;
		return i == INTERP_CAST_TO_KERN_CTX ? 0 : call_iterator(in, f, i, ret_r0);
	}
	return interp__fail(in, f, -EINVAL, "a function that is not known here");
}

static int call_loop(struct interp *in, struct frame *f, uint64_t *ret_r0)
{
	uint64_t rounds = f->r[BPF_REG_1], callback = f->r[BPF_REG_2], stop = 0;

	if (!frame__knows(f, BPF_REG_3) || !frame__knows(f, BPF_REG_4))
		return interp__fail(in, f, -EINVAL, "a register that nothing was written to");
	if (f->r[BPF_REG_4])
		*ret_r0 = -EINVAL;
	else if (rounds > LOOPS_MAX)
		*ret_r0 = -E2BIG;
	if (f->r[BPF_REG_4] || rounds > LOOPS_MAX)
		return 0;
	*ret_r0 = 0;
	for (uint64_t i = 0; i < rounds && !stop; i++) {
		uint64_t args[] = { i, f->r[BPF_REG_3] };
		int rc = interp__function(in, callback, args, ARRAY_SIZE(args), &stop);

		if (rc < 0)
			return rc;
		*ret_r0 = i + 1;
	}
	return 0;
}

int interp__call_helper(struct interp *in, struct frame *f, const struct bpf_insn *insn,
			uint64_t *ret_r0)
{
	switch (insn->imm) {
	case BPF_FUNC_map_lookup_elem:
		return lookup(in, f, ret_r0);
	case BPF_FUNC_jiffies64:
	case BPF_FUNC_get_smp_processor_id:
	case BPF_FUNC_get_current_task:
		*ret_r0 = FIXED_RESULT;
		return 0;
	case BPF_FUNC_tail_call:
		return tail_call(in, f, ret_r0);
	case BPF_FUNC_loop:
		return call_loop(in, f, ret_r0);
	}
	return interp__fail(in, f, -EINVAL, "a function that is not known here");
}

int interp__call_subprog(struct interp *in, struct frame *f, const struct bpf_insn *insn,
			 uint64_t *ret_r0)
{
	unsigned int n = 0;

	while (n < CALLER_SAVED_LAST && frame__knows(f, n + 1))
		n++;
	return interp__function(in, f->pc + 1 + insn->imm, &f->r[BPF_REG_1], n, ret_r0);
}
