// SPDX-License-Identifier: GPL-2.0-only
#include "kmem_places.h"

#include <stdio.h>
#include <bpf/bpf.h>

#include "../progs/kmem_shared.h"
#include "cleanup.h"

struct row {
	__u64 place;
	struct kmem_place_sum sum;
};

struct rows {
	VEC(struct row) v;
};

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->sum.bytes != y->sum.bytes)
		return x->sum.bytes < y->sum.bytes ? 1 : -1;
	if (x->sum.allocs != y->sum.allocs)
		return x->sum.allocs < y->sum.allocs ? 1 : -1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* The table's rows of this generation in order; the table is empty then. */
static int take_rows(int table, uint32_t generation, struct rows *rows)
{
	struct kmem_place key;
	struct row row;
	int rc = 0;

	while (rc == 0 && bpf_map_get_next_key(table, NULL, &key) == 0) {
		rc = bpf_map_lookup_and_delete_elem(table, &key, &row.sum);
		row.place = key.place;
		if (rc == 0 && key.generation == generation)
			rc = vec_push(&rows->v, row);
	}
	if (rc == 0 && rows->v.n)
		qsort(rows->v.v, rows->v.n, sizeof(rows->v.v[0]), compare_rows);
	return rc;
}

static const struct ksym_place *find_known(const struct kmem_places *places, uint64_t address)
{
	for (size_t i = 0; i < places->known.n; i++)
		if (places->known.v[i].address == address)
			return &places->known.v[i];
	return NULL;
}

/* All of the kernel's symbols are read for it, so once for all that are new. */
static int look_up(struct kmem_places *places, const struct rows *rows)
{
	size_t before = places->known.n;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < rows->v.n; i++) {
		struct ksym_place place = { .address = rows->v.v[i].place };

		if (place.address != KMEM_SITE_NOLOCK && !find_known(places, place.address))
			rc = vec_push(&places->known, place);
	}
	/* Without names an address still tells sites apart. */
	if (rc == 0 && places->known.n > before)
		ksym__name("/proc/kallsyms", places->known.v + before, places->known.n - before);
	return rc;
}

static void name_site(const struct kmem_places *places, uint64_t address, char *ret, size_t size)
{
	const struct ksym_place *place = find_known(places, address);

	if (address == KMEM_SITE_NOLOCK)
		snprintf(ret, size, "kmalloc_nolock()");
	else if (place && place->name[0])
		snprintf(ret, size, "%s+%#lx", place->name, place->offset);
	else
		snprintf(ret, size, "%#lx", address);
}

static void name_cache(const struct row *row, char *ret, size_t size)
{
	if (row->sum.name[0])
		snprintf(ret, size, "%.*s", KMEM_NAME_MAX, row->sum.name);
	else if (row->place < UINT32_MAX)
		snprintf(ret, size, "kmalloc-%llu", row->place);
	else
		snprintf(ret, size, "cache %#llx", row->place);
}

int kmem_places__take_sites(struct kmem_places *places, int table, uint32_t generation)
{
	struct rows rows = {};
	int rc;

	places->sites.n = 0;
	rc = take_rows(table, generation, &rows);
	if (rc == 0)
		rc = look_up(places, &rows);
	for (size_t i = 0; rc == 0 && i < rows.v.n; i++) {
		const struct row *row = &rows.v.v[i];
		struct kmem_listed site = { .allocs = row->sum.allocs, .bytes = row->sum.bytes };

		name_site(places, row->place, site.name, sizeof(site.name));
		rc = vec_push(&places->sites, site);
	}
	vec_free(&rows.v);
	return rc;
}

int kmem_places__take_caches(struct kmem_places *places, int table, uint32_t generation)
{
	struct rows rows = {};
	int rc;

	places->caches.n = 0;
	rc = take_rows(table, generation, &rows);
	for (size_t i = 0; rc == 0 && i < rows.v.n; i++) {
		const struct row *row = &rows.v.v[i];
		struct kmem_listed cache = { .allocs = row->sum.allocs, .bytes = row->sum.bytes };

		name_cache(row, cache.name, sizeof(cache.name));
		rc = vec_push(&places->caches, cache);
	}
	vec_free(&rows.v);
	return rc;
}

void kmem_places__clear(struct kmem_places *places)
{
	vec_free(&places->sites);
	vec_free(&places->caches);
	vec_free(&places->known);
}
