// SPDX-License-Identifier: GPL-2.0-only
/* Where in an object a preset goes, by the object's BTF. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "preset.h"

/* A part of a variable. */
struct place {
	const struct btf *btf;
	struct bpf_map *map; /* that holds the variable's section */
	uint32_t type;	     /* without qualifiers and typedefs */
	uint64_t offset;     /* bytes into the section */
};

static int refuse(struct err *err, const struct preset *preset, const char *why, const char *name)
{
	return err__set(err, -EINVAL, "'%s': %s%s%s%s", preset->text, why, name ? " '" : "",
			name ?: "", name ? "'" : "");
}

static const struct btf_type *type_of(const struct place *place)
{
	return btf__type_by_id(place->btf, place->type);
}

static int set_type(struct place *place, uint32_t type)
{
	int resolved = btf__resolve_type(place->btf, type);

	if (resolved < 0)
		return resolved;
	place->type = resolved;
	return 0;
}

/* ---- enumerators ------------------------------------------------------------- */

static bool find_in_enum(const struct btf *btf, const struct btf_type *type, const char *name,
			 struct preset_value *ret)
{
	bool wide = btf_is_enum64(type), is_signed = btf_kflag(type);

	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const struct btf_enum *e = wide ? NULL : btf_enum(type) + i;
		const struct btf_enum64 *e64 = wide ? btf_enum64(type) + i : NULL;
		int64_t value;

		if (!streq(btf__name_by_offset(btf, wide ? e64->name_off : e->name_off), name))
			continue;
		if (wide)
			value = btf_enum64_value(e64);
		else
			value = is_signed ? e->val : (int64_t)(uint32_t)e->val;
		*ret = (struct preset_value){ .bits = value, .negative = is_signed && value < 0 };
		return true;
	}
	return false;
}

static bool find_enumerator(const struct btf *btf, const char *name, struct preset_value *ret)
{
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (btf_is_any_enum(type) && find_in_enum(btf, type, name, ret))
			return true;
	}
	return false;
}

/* ---- the way into a variable ------------------------------------------------- */

static int enter_element(struct place *place, const struct preset *preset,
			 const struct preset_value *index, struct err *err)
{
	const struct btf_type *type = type_of(place);
	struct preset_value number = *index;
	int64_t size;

	if (!btf_is_array(type))
		return refuse(err, preset, "an index, but this is no array", NULL);
	if (index->name && !find_enumerator(place->btf, index->name, &number))
		return refuse(err, preset, "no enumerator", index->name);
	if (number.negative || number.bits >= btf_array(type)->nelems)
		return err__set(err, -EINVAL, "'%s': an index of 0 to %lld is expected",
				preset->text, (long long)btf_array(type)->nelems - 1);
	size = btf__resolve_size(place->btf, btf_array(type)->type);
	if (size < 0)
		return refuse(err, preset, "elements without a size", NULL);
	place->offset += number.bits * size;
	return set_type(place, btf_array(type)->type);
}

/* -ESRCH: no such field, also not in members without a name. */
static int enter_field(struct place *place, const struct preset *preset, const char *name,
		       struct err *err)
{
	const struct btf_type *type = type_of(place);

	if (!btf_is_composite(type))
		return refuse(err, preset, "no struct or union that has a field", name);
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *member = btf_members(type) + i;
		struct place inner = *place;
		int rc;

		if (set_type(&inner, member->type) < 0)
			continue;
		inner.offset += btf_member_bit_offset(type, i) / 8;
		if (streq(btf__name_by_offset(place->btf, member->name_off), name)) {
			if (btf_member_bitfield_size(type, i))
				return refuse(err, preset, "a bit field:", name);
		} else if (!member->name_off && btf_is_composite(type_of(&inner))) {
			rc = enter_field(&inner, preset, name, err);
			if (rc == -ESRCH)
				continue;
			if (rc < 0)
				return rc;
		} else {
			continue;
		}
		*place = inner;
		return 0;
	}
	return -ESRCH;
}

static int enter(struct place *place, const struct preset *preset, struct err *err)
{
	for (size_t i = 1; i < preset->steps.n; i++) {
		const struct preset_step *step = &preset->steps.v[i];
		int rc;

		rc = step->field ? enter_field(place, preset, step->field, err)
				 : enter_element(place, preset, &step->index, err);
		if (rc == -ESRCH)
			return refuse(err, preset, "no field", step->field);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* How many variables of that name there are; the place is the last one's. */
static size_t find_in_section(const struct btf *btf, const struct btf_type *section,
			      struct bpf_map *map, const char *name, struct place *ret_place)
{
	const struct btf_var_secinfo *info = btf_var_secinfos(section);
	size_t found = 0;

	for (uint32_t i = 0; i < btf_vlen(section); i++) {
		const struct btf_type *var = btf__type_by_id(btf, info[i].type);
		struct place place = { .btf = btf, .map = map, .offset = info[i].offset };

		if (!btf_is_var(var) || !streq(btf__name_by_offset(btf, var->name_off), name) ||
		    set_type(&place, var->type) < 0)
			continue;
		*ret_place = place;
		found++;
	}
	return found;
}

static int find_variable(struct bpf_object *obj, const struct preset *preset,
			 struct place *ret_place, struct err *err)
{
	const struct btf *btf = bpf_object__btf(obj);
	const char *name = preset->steps.v[0].field;
	size_t found = 0;

	if (!btf)
		return refuse(err, preset, "the object has no BTF to find variables by", NULL);
	for (uint32_t id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		struct bpf_map *map;

		if (!btf_is_datasec(type))
			continue;
		map = bpf_object__find_map_by_name(obj, btf__name_by_offset(btf, type->name_off));
		if (map)
			found += find_in_section(btf, type, map, name, ret_place);
	}
	if (found == 1)
		return 0;
	return refuse(err, preset, found ? "more than one variable" : "no variable", name);
}

/* ---- values ------------------------------------------------------------------ */

static bool is_signed(const struct btf_type *type)
{
	return btf_is_int(type) ? btf_int_encoding(type) & BTF_INT_SIGNED : btf_kflag(type);
}

static int check_range(const struct preset *preset, const struct btf_type *type,
		       const struct preset_value *value, struct err *err)
{
	unsigned int bits = type->size * 8;
	int64_t lowest = -(INT64_C(1) << (bits - 1));
	uint64_t highest = (UINT64_C(1) << (bits - is_signed(type))) - 1;
	bool fits = value->negative ? (int64_t)value->bits >= lowest : value->bits <= highest;

	if (fits)
		return 0;
	return err__set(err, -EINVAL, "'%s': a value of %lld to %llu is expected", preset->text,
			(long long)lowest, (unsigned long long)highest);
}

static int resolve_value(const struct place *place, const struct preset *preset,
			 struct preset_value *ret_value, struct err *err)
{
	const struct btf_type *type = type_of(place);

	if ((!btf_is_int(type) && !btf_is_any_enum(type)) || type->size > 8 || !type->size)
		return refuse(err, preset, "no integer or enumeration of up to 8 bytes", NULL);
	*ret_value = preset->value;
	if (preset->value.name) {
		if (!btf_is_any_enum(type))
			return refuse(err, preset, "an integer has no enumerator",
				      preset->value.name);
		if (!find_in_enum(place->btf, type, preset->value.name, ret_value))
			return refuse(err, preset, "its type has no enumerator",
				      preset->value.name);
	}
	return type->size < 8 ? check_range(preset, type, ret_value, err) : 0;
}

static int store(const struct place *place, const struct preset *preset,
		 const struct preset_value *value, struct err *err)
{
	size_t room, size = type_of(place)->size;
	const char *from = (const char *)&value->bits;
	char *data = bpf_map__initial_value(place->map, &room);

	if (!data || place->offset > room || room - place->offset < size)
		return refuse(err, preset, "its section has no values to set", NULL);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	from += sizeof(value->bits) - size;
#endif
	memcpy(data + place->offset, from, size);
	return 0;
}

static int apply(const struct preset *preset, struct bpf_object *obj, struct err *err)
{
	struct preset_value value;
	struct place place;
	int rc;

	rc = find_variable(obj, preset, &place, err);
	if (rc == 0)
		rc = enter(&place, preset, err);
	if (rc == 0)
		rc = resolve_value(&place, preset, &value, err);
	return rc < 0 ? rc : store(&place, preset, &value, err);
}

int presets__apply(const struct presets *presets, struct bpf_object *obj, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < presets->list.n; i++)
		rc = apply(&presets->list.v[i], obj, err);
	return rc;
}
