/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What random programs run on: maps, a packet, a context. All of it follows
 * from a seed, so that the kernel and the interpreter can be given the same.
 */
#ifndef BPF_AB_RANDWORLD_H
#define BPF_AB_RANDWORLD_H

#include "interp.h"

enum randworld_map {
	RAND_MAP_DATA, /* one value, used by address: see below */
	RAND_MAP_ARRAY8,
	RAND_MAP_ARRAY24,
	RAND_MAP_HASH4,
	RAND_MAP_HASH12,
	RAND_MAP_LRU,
	RAND_MAP_PERCPU_ARRAY, /* the same values on every CPU */
	RAND_MAP_PERCPU_HASH,
	RAND_MAP_ARRAY_OF_MAPS, /* all of its elements are the same map */
	RAND_MAP_HASH_OF_MAPS,
	RAND_MAP_PROGS, /* a program in slot RAND_TAIL_SLOT, and in no other */
	RAND_MAPS,
};

struct randworld_map_def {
	const char *name;
	enum bpf_map_type type;
	uint32_t key_size, value_size, max_entries;
	uint32_t n; /* elements: keys 0 to n - 1 */
	int inner;  /* enum randworld_map of maps in it, or -1 */
};

#define RAND_TAIL_SLOT	 2
#define RAND_TAIL_RETVAL 77 /* of the program in it */

extern const struct randworld_map_def randworld_maps[RAND_MAPS];

/*
 * The value of RAND_MAP_DATA, in numbers of 8 bytes: inputs that no program
 * writes, scratch that all may write, and two of their own.
 */
#define RAND_DATA_LEN	  4096
#define RAND_INPUTS	  64 /* numbers 0 to 63 */
#define RAND_SCRATCH	  64 /* the first of them */
#define RAND_SCRATCH_LEN  32
#define RAND_FUEL	  96 /* jumps backward left to the program */
#define RAND_FUEL_MAX	  24
#define RAND_ZERO	  97 /* is 0, which the verifier can't know */
#define RAND_DATA_NUMBERS 98

/* Source of random numbers; the same seed gives the same ones everywhere. */
struct rng {
	uint64_t state;
};

uint64_t rng__next(struct rng *rng);
/* 0 to n - 1; n > 0. */
uint32_t rng__below(struct rng *rng, uint32_t n);

#define RAND_PACKET_MAX 192
#define RAND_L2_LEN	14

struct randworld {
	uint8_t *data; /* RAND_DATA_LEN bytes, the caller's */
	uint8_t packet[RAND_PACKET_MAX];
	size_t packet_len; /* with its link layer header of RAND_L2_LEN bytes */
	struct __sk_buff skb;

	/* Owned: for the interpreter. */
	uint8_t *values[RAND_MAPS];
	uint32_t inner[RAND_MAPS][8];
	struct interp_map maps[RAND_MAPS];
};

/* Makes the maps, which do not depend on a seed. Returns 0 or -ENOMEM. */
int randworld__init(struct randworld *world, uint8_t *data);
void randworld__free(struct randworld *world);
/* Fills data, packet and context; also what a run before has changed in data. */
void randworld__fill(struct randworld *world, uint64_t seed);
/*
 * The same data, and else what annotated programs get: a test run of 64 zero
 * bytes, hash maps without elements and arrays of zeroes. For good: maps are not
 * filled again.
 */
void randworld__fill_plain(struct randworld *world, uint64_t seed);
/* The value of an element of a map that is looked up. */
void randworld__value(enum randworld_map map, uint32_t key, uint8_t *value);

#endif
