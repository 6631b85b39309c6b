// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <bpf/btf.h>

#include "btf_params.h"
#include "cleanup.h"

DEFINE_CLEANUP(struct btf, btf__free);
#define _cleanup_btf_ _cleanup_(btf__freep)

static int add_proto(struct btf *btf, int type, const char *const *params, size_t n)
{
	int proto = btf__add_func_proto(btf, type);

	assert_true(proto > 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(btf__add_func_param(btf, params[i], type), 0);
	return proto;
}

#define PROTO(btf, type, ...)                                      \
	add_proto(btf, type, (const char *const[]){ __VA_ARGS__ }, \
		  ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })))

static int add_func(struct btf *btf, const char *name, int proto)
{
	int id = btf__add_func(btf, name, BTF_FUNC_STATIC, proto);

	assert_true(id > 0);
	return id;
}

static void is_param(const struct btf *btf, int func, uint32_t i, const char *name,
		     const char *type)
{
	const struct btf_type *proto = btf__type_by_id(btf, btf__type_by_id(btf, func)->type);
	const struct btf_param *param = &btf_params(proto)[i];

	assert_true(btf_is_func_proto(proto));
	assert_true(i < btf_vlen(proto));
	assert_string_equal(btf__name_by_offset(btf, param->name_off), name);
	assert_string_equal(btf__name_by_offset(btf, btf__type_by_id(btf, param->type)->name_off),
			    type);
}

/* As clang 22 has it of a naked function, and of the same one in C. */
static void names_come_and_types_stay(void **state __unused_arg)
{
	_cleanup_btf_ struct btf *btf = btf__new_empty(), *names = btf__new_empty();
	int type = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int other = btf__add_int(names, "long", 8, BTF_INT_SIGNED);
	int func = add_func(btf, "sum", PROTO(btf, type, NULL, NULL));

	/* Its id is not the same there. */
	add_func(names, "first", PROTO(names, other, "x"));
	add_func(names, "sum", PROTO(names, other, "a", "b"));
	assert_int_equal(btf_params__name(btf, names, NULL), 0);
	is_param(btf, func, 0, "a", "int");
	is_param(btf, func, 1, "b", "int");
}

static void a_shared_prototype_stays_as_it_is(void **state __unused_arg)
{
	_cleanup_btf_ struct btf *btf = btf__new_empty(), *names = btf__new_empty();
	int type = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int shared = PROTO(btf, type, NULL);
	int known = add_func(btf, "known", shared), unknown = add_func(btf, "unknown", shared);

	type = btf__add_int(names, "int", 4, BTF_INT_SIGNED);
	add_func(names, "known", PROTO(names, type, "a"));
	assert_int_equal(btf_params__name(btf, names, NULL), 0);
	is_param(btf, known, 0, "a", "int");
	is_param(btf, unknown, 0, "", "int");
}

static void what_does_not_fit_is_left_alone(void **state __unused_arg)
{
	_cleanup_btf_ struct btf *btf = btf__new_empty(), *names = btf__new_empty();
	int type = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int named = add_func(btf, "named", PROTO(btf, type, "mine"));
	int longer = add_func(btf, "longer", PROTO(btf, type, NULL, NULL));
	int none = add_func(btf, "none", btf__add_func_proto(btf, 0));
	uint32_t before = btf__type_cnt(btf);

	type = btf__add_int(names, "int", 4, BTF_INT_SIGNED);
	add_func(names, "named", PROTO(names, type, "theirs"));
	add_func(names, "longer", PROTO(names, type, "a"));
	add_func(names, "none", btf__add_func_proto(names, 0));
	assert_int_equal(btf_params__name(btf, names, NULL), 0);
	is_param(btf, named, 0, "mine", "int");
	is_param(btf, longer, 1, "", "int");
	assert_true(none > 0);
	assert_int_equal(btf__type_cnt(btf), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_come_and_types_stay),
		cmocka_unit_test(a_shared_prototype_stays_as_it_is),
		cmocka_unit_test(what_does_not_fit_is_left_alone),
	};

	return cmocka_run_group_tests_name("btf_params", tests, NULL, NULL);
}
