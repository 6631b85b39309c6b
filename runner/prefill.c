// SPDX-License-Identifier: GPL-2.0-only
#include "prefill.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>

/* An index that points at the seventh of the numbers behind it. */
static const uint32_t test_val[12] = { [0] = 7 * sizeof(uint32_t), [7] = 0xabcdef12 };

static const struct {
	const char *object; /* file name up to the first dot */
	const char *map;
	uint32_t key;
	const void *value;
	size_t value_len;
} rows[] = {
	{ "verifier_array_access", "map_array_ro", 0, test_val, sizeof(test_val) },
	{ "verifier_value_ptr_arith", "map_array_48b", 0, test_val, sizeof(test_val) },
};

int prefill__object(const struct bpf_object *obj, const char *name, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bpf_map *map;

		if (!streq(rows[i].object, name))
			continue;
		map = bpf_object__find_map_by_name(obj, rows[i].map);
		if (!map)
			return err__set(err, -ENOENT, "%s: expected a map '%s'", name, rows[i].map);
		if (bpf_map__update_elem(map, &rows[i].key, sizeof(rows[i].key), rows[i].value,
					 rows[i].value_len, 0) < 0)
			return err__set(err, -errno, "%s: map '%s' can't be filled: %s", name,
					rows[i].map, strerror(errno));
	}
	return 0;
}
