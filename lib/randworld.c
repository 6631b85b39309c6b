// SPDX-License-Identifier: GPL-2.0-only
#include "randworld.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>

#define TEST_DATA_LEN	64 /* bytes in the test run of an annotated program */
#define ETHERTYPE_PLACE 12
#define ETHERTYPE	0x88b5 /* for local experiments: no protocol looks into the packet */
#define LO_IFINDEX	1

/* clang-format off */
const struct randworld_map_def randworld_maps[RAND_MAPS] = {
	[RAND_MAP_DATA] = { "data", BPF_MAP_TYPE_ARRAY, 4, RAND_DATA_LEN, 1, 1, -1 },
	[RAND_MAP_ARRAY8] = { "array8", BPF_MAP_TYPE_ARRAY, 4, 8, 8, 8, -1 },
	[RAND_MAP_ARRAY24] = { "array24", BPF_MAP_TYPE_ARRAY, 4, 24, 5, 5, -1 },
	[RAND_MAP_HASH4] = { "hash4", BPF_MAP_TYPE_HASH, 4, 8, 16, 7, -1 },
	[RAND_MAP_HASH12] = { "hash12", BPF_MAP_TYPE_HASH, 12, 40, 16, 3, -1 },
	[RAND_MAP_LRU] = { "lru", BPF_MAP_TYPE_LRU_HASH, 4, 16, 1024, 4, -1 },
	[RAND_MAP_PERCPU_ARRAY] = { "percpu_array", BPF_MAP_TYPE_PERCPU_ARRAY, 4, 16, 6, 6, -1 },
	[RAND_MAP_PERCPU_HASH] = { "percpu_hash", BPF_MAP_TYPE_PERCPU_HASH, 4, 8, 16, 5, -1 },
	[RAND_MAP_ARRAY_OF_MAPS] = { "array_of_maps", BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 4, 4,
				     RAND_MAP_ARRAY8 },
	[RAND_MAP_HASH_OF_MAPS] = { "hash_of_maps", BPF_MAP_TYPE_HASH_OF_MAPS, 4, 4, 8, 6,
				    RAND_MAP_HASH4 },
	[RAND_MAP_PROGS] = { "progs", BPF_MAP_TYPE_PROG_ARRAY, 4, 4, 4, 4, -1 },
};
/* clang-format on */

/* SplitMix64. */
uint64_t rng__next(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

uint32_t rng__below(struct rng *rng, uint32_t n)
{
	return (rng__next(rng) >> 32) * n >> 32;
}

void randworld__value(enum randworld_map map, uint32_t key, uint8_t *value)
{
	uint32_t retval = key == RAND_TAIL_SLOT ? RAND_TAIL_RETVAL : 0;

	if (map == RAND_MAP_PROGS) {
		memcpy(value, &retval, sizeof(retval));
		return;
	}
	for (uint32_t i = 0; i < randworld_maps[map].value_size; i++)
		value[i] = 7 + 31 * map + 59 * key + 13 * i;
}

int randworld__init(struct randworld *world, uint8_t *data)
{
	*world = (struct randworld){ .data = data };
	for (size_t i = 0; i < RAND_MAPS; i++) {
		const struct randworld_map_def *def = &randworld_maps[i];
		struct interp_map *map = &world->maps[i];

		map->key_size = def->key_size;
		map->value_size = def->value_size;
		map->n = def->n;
		if (i == RAND_MAP_DATA) {
			map->values = data;
		} else if (def->inner >= 0) {
			for (uint32_t k = 0; k < def->n; k++)
				world->inner[i][k] = def->inner;
			map->inner = world->inner[i];
		} else if (def->n) {
			world->values[i] = calloc(def->n, def->value_size);
			if (!world->values[i]) {
				randworld__free(world);
				return -ENOMEM;
			}
			for (uint32_t k = 0; k < def->n; k++)
				randworld__value(i, k, world->values[i] + k * def->value_size);
			map->values = world->values[i];
		}
	}
	return 0;
}

void randworld__free(struct randworld *world)
{
	for (size_t i = 0; i < RAND_MAPS; i++) {
		free(world->values[i]);
		world->values[i] = NULL;
	}
}

/* Numbers at which arithmetic and comparisons have their edges come more often. */
static uint64_t interesting(struct rng *rng)
{
	static const uint64_t edges[] = {
		0,
		1,
		2,
		3,
		UINT64_MAX,
		UINT32_MAX,
		INT32_MAX,
		INT64_MAX,
		(uint64_t)INT64_MIN,
		(uint32_t)INT32_MIN,
		(uint64_t)(int64_t)INT32_MIN,
		1ULL << 32,
	};

	switch (rng__below(rng, 4)) {
	case 0:
		return edges[rng__below(rng, ARRAY_SIZE(edges))];
	case 1:
		return rng__below(rng, 16);
	case 2:
		return (int64_t) - (int32_t)rng__below(rng, 100);
	default:
		return rng__next(rng);
	}
}

static void fill_data(struct randworld *world, struct rng *rng)
{
	uint64_t numbers[RAND_DATA_NUMBERS];

	for (size_t i = 0; i < RAND_FUEL; i++)
		numbers[i] = interesting(rng);
	numbers[RAND_FUEL] = rng__below(rng, RAND_FUEL_MAX + 1);
	numbers[RAND_ZERO] = 0;
	memcpy(world->data, numbers, sizeof(numbers));
}

static void fill_context(struct randworld *world)
{
	uint16_t protocol;

	memcpy(&protocol, world->packet + ETHERTYPE_PLACE, sizeof(protocol));
	world->skb = (struct __sk_buff){
		.len = world->packet_len - RAND_L2_LEN,
		.protocol = protocol,
		.ifindex = LO_IFINDEX,
	};
}

void randworld__fill(struct randworld *world, uint64_t seed)
{
	struct rng rng = { .state = seed ^ 0x5eed };
	uint16_t type = htons(ETHERTYPE);

	fill_data(world, &rng);
	world->packet_len = TEST_DATA_LEN + rng__below(&rng, RAND_PACKET_MAX - TEST_DATA_LEN);
	for (size_t i = 0; i < world->packet_len; i++)
		world->packet[i] = rng__next(&rng);
	/* Both addresses are the loopback device's, so that the packet is for this host. */
	memset(world->packet, 0, RAND_L2_LEN);
	memcpy(world->packet + ETHERTYPE_PLACE, &type, sizeof(type));
	fill_context(world);
}

void randworld__fill_plain(struct randworld *world, uint64_t seed)
{
	randworld__fill(world, seed);
	world->packet_len = TEST_DATA_LEN;
	memset(world->packet, 0, TEST_DATA_LEN);
	fill_context(world);
	for (size_t i = 0; i < RAND_MAPS; i++) {
		const struct randworld_map_def *def = &randworld_maps[i];

		if (!world->values[i])
			continue;
		if (def->type == BPF_MAP_TYPE_PROG_ARRAY)
			continue;
		if (def->type == BPF_MAP_TYPE_ARRAY || def->type == BPF_MAP_TYPE_PERCPU_ARRAY)
			memset(world->values[i], 0, (size_t)def->n * def->value_size);
		else
			world->maps[i].n = 0;
	}
	/* An Ethernet type of 0 is a length: eth_type_trans() makes it ETH_P_802_2. */
	world->skb.protocol = htons(0x0004);
}
