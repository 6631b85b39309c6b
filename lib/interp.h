/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a BPF program as it was before the verifier rewrote it, by the meaning
 * that the instruction set gives to its instructions (RFC 9669). What the
 * rewritten program returns on a kernel must be the same.
 *
 * Every access is checked against the memory that the program may use, and
 * every register has to be written before it is read, so that a program that
 * runs here without an error is also a sound one.
 */
#ifndef BPF_AB_INTERP_H
#define BPF_AB_INTERP_H

#include <linux/bpf.h>

#include "err.h"

/*
 * A map. An element's key is a number in its first four bytes and zeroes in
 * the others; keys 0 to n - 1 are there. The values of a map of programs are 4
 * bytes: what the program in that slot returns, 0 if there is none.
 */
struct interp_map {
	uint32_t key_size, value_size;
	uint32_t n;
	uint8_t *values;       /* n values, each at a multiple of value_size; NULL: map of maps */
	const uint32_t *inner; /* map of maps: n indices of maps */
};

/* Kfuncs that are understood. */
enum interp_kfunc {
	INTERP_CAST_TO_KERN_CTX, /* the result may not be used for anything */
	INTERP_ITER_NUM_NEW,
	INTERP_ITER_NUM_NEXT,
	INTERP_ITER_NUM_DESTROY,
	INTERP_KFUNCS,
};

struct interp_env {
	const struct interp_map *maps;
	size_t n_maps;
	/* Which of them a descriptor is (64-bit immediates of source 1 and 2), by index. */
	const int *map_fds;
	const int32_t *kfuncs; /* BTF ids of those of enum interp_kfunc */
	const uint8_t *packet; /* what LD_ABS 0 sees */
	size_t packet_len;
	const struct __sk_buff *skb; /* what r1 points to when the program begins */
	uint64_t max_steps;	     /* more instructions than this: -ELOOP */
};

/*
 * Runs the program of n instructions. Understood are helpers map_lookup_elem,
 * such whose result depends on time and place and is to be ignored (jiffies64,
 * get_smp_processor_id, get_current_task: they return a fixed number),
 * tail_call and loop. may_goto never jumps.
 *
 * Returns 0 with *ret_r0, -EFAULT (memory that isn't the program's), -EINVAL
 * (not initialised, or not an instruction), -ELOOP, -E2BIG (calls too deep),
 * each with err naming the instruction. Values in maps are changed.
 */
int interp__run(const struct interp_env *env, const struct bpf_insn *insns, size_t n,
		uint64_t *ret_r0, struct err *err);

#endif
