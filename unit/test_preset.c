// SPDX-License-Identifier: GPL-2.0-only
/* Values of global variables: how they are written, and where in an object they go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "preset.h"

#define OBJECT ".output/progs/loader_presets.bpf.o"

static void what_is_written_wrong(void **state __unused_arg)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
		{ "", "'':1: expected the name of a variable, found the end" },
		{ " 1 = 2", "' 1 = 2':2: expected the name of a variable, found '1 = 2'" },
		{ "x", "'x':2: expected '=' and a value, found the end" },
		{ "x y = 1", "'x y = 1':3: expected '=' and a value, found 'y = 1'" },
		{ "x =", "'x =':4: expected a number or an enumerator, found the end" },
		{ "x = -", "'x = -':6: expected a number or an enumerator, found the end" },
		{ "x = -A", "'x = -A':5: expected a number or an enumerator, found '-A'" },
		{ "x = 1z", "'x = 1z':5: expected a number or an enumerator, found '1z'" },
		{ "x = 0x10000000000000000", "'x = 0x10000000000000000':5: expected a number of at "
					     "most 64 bits, found '0x10000000000000000'" },
		{ "x = 1 2", "'x = 1 2':7: expected nothing more, found '2'" },
		{ "x[", "'x[':3: expected an index, found the end" },
		{ "x[]", "'x[]':3: expected an index, found ']'" },
		{ "x[1 = 2", "'x[1 = 2':5: expected ']', found '= 2'" },
		{ "x. = 2", "'x. = 2':4: expected the name of a field, found '= 2'" },
		{ "x.2 = 2", "'x.2 = 2':3: expected the name of a field, found '2 = 2'" },
	};
	_cleanup_presets_ struct presets presets = {};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct err err = {};

		assert_int_equal(presets__add(&presets, wrong[i].text, &err), -EINVAL);
		assert_string_equal(err.text, wrong[i].message);
	}
	assert_int_equal(presets.list.n, 0);
}

static void how_it_is_read(void **state __unused_arg)
{
	_cleanup_presets_ struct presets presets = {};
	const struct preset *preset;

	assert_int_equal(presets__add(&presets, "a [ 0x10 ][ X ] . b.c=ON ", NULL), 0);
	assert_int_equal(presets__add(&presets, "a=-1", NULL), 0);
	assert_int_equal(presets__add(&presets, "a=18446744073709551615", NULL), 0);
	preset = &presets.list.v[0];
	assert_int_equal(preset->steps.n, 5);
	assert_string_equal(preset->steps.v[0].field, "a");
	assert_null(preset->steps.v[1].field);
	assert_int_equal(preset->steps.v[1].index.bits, 16);
	assert_string_equal(preset->steps.v[2].index.name, "X");
	assert_string_equal(preset->steps.v[4].field, "c");
	assert_string_equal(preset->value.name, "ON");
	assert_true(presets.list.v[1].value.negative);
	assert_false(presets.list.v[2].value.negative);
	assert_true(presets.list.v[2].value.bits == UINT64_MAX);
}

static void from_a_file(void **state __unused_arg)
{
	char path[] = "/tmp/bpf-ab-presets-XXXXXX", arg[64], expected[96];
	_cleanup_presets_ struct presets presets = {};
	_cleanup_close_ int fd = mkstemp(path);
	struct err err = {};

	assert_true(fd >= 0);
	dprintf(fd, "# no value\n\n  a = 1\r\nb=2\nc\n");
	snprintf(arg, sizeof(arg), "@%s", path);
	snprintf(expected, sizeof(expected), "%s:5:2: expected '=' and a value, found the end",
		 path);
	assert_int_equal(presets__add(&presets, arg, &err), -EINVAL);
	assert_string_equal(err.text, expected);
	assert_int_equal(presets.list.n, 2);
	unlink(path);
	assert_int_equal(presets__add(&presets, arg, &err), -ENOENT);
}

static struct bpf_object *open_object(void)
{
	struct bpf_object *obj = bpf_object__open_file(OBJECT, NULL);

	assert_non_null(obj);
	return obj;
}

static void what_an_object_refuses(void **state __unused_arg)
{
	static const struct {
		const char *text, *message;
	} refused[] = {
		{ "nosuch=1", "'nosuch=1': no variable 'nosuch'" },
		{ "u8=256", "'u8=256': a value of -128 to 255 is expected" },
		{ "u8=-129", "'u8=-129': a value of -128 to 255 is expected" },
		{ "s32=2147483648", "'s32=2147483648': a value of -2147483648 to 2147483647 is "
				    "expected" },
		{ "u8=MODE_FAST", "'u8=MODE_FAST': an integer has no enumerator 'MODE_FAST'" },
		{ "mode=WIDE_MOST", "'mode=WIDE_MOST': its type has no enumerator 'WIDE_MOST'" },
		{ "grid[2][0].filler=1", "'grid[2][0].filler=1': an index of 0 to 1 is expected" },
		{ "grid[-1][0].filler=1", "'grid[-1][0].filler=1': an index of 0 to 1 is "
					  "expected" },
		{ "grid[NONE][0].filler=1", "'grid[NONE][0].filler=1': no enumerator 'NONE'" },
		{ "grid[0][0].nosuch=1", "'grid[0][0].nosuch=1': no field 'nosuch'" },
		{ "grid[0][0].bits=1", "'grid[0][0].bits=1': a bit field: 'bits'" },
		{ "grid[0]=1", "'grid[0]=1': no integer or enumeration of up to 8 bytes" },
		{ "pointer=0", "'pointer=0': no integer or enumeration of up to 8 bytes" },
		{ "u8[0]=1", "'u8[0]=1': an index, but this is no array" },
		{ "u8.x=1", "'u8.x=1': no struct or union that has a field 'x'" },
	};
	struct bpf_object *obj = open_object();

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		_cleanup_presets_ struct presets presets = {};
		struct err err = {};

		assert_int_equal(presets__add(&presets, refused[i].text, NULL), 0);
		assert_int_equal(presets__apply(&presets, obj, &err), -EINVAL);
		assert_string_equal(err.text, refused[i].message);
	}
	bpf_object__close(obj);
}

/* In an array of ints, where the offset of each is known without BTF. */
static void where_it_goes(void **state __unused_arg)
{
	_cleanup_presets_ struct presets presets = {};
	struct bpf_object *obj = open_object();
	const int32_t *data;
	size_t size;

	data = bpf_map__initial_value(bpf_object__find_map_by_name(obj, ".data"), &size);
	assert_non_null(data);
	assert_int_equal(size, 8);
	assert_int_equal(data[0], 1);
	assert_int_equal(data[1], 2);
	assert_int_equal(presets__add(&presets, "data[1] = 77", NULL), 0);
	assert_int_equal(presets__add(&presets, "data[1] = -2", NULL), 0);
	assert_int_equal(presets__apply(&presets, obj, NULL), 0);
	assert_int_equal(data[0], 1);
	assert_int_equal(data[1], -2);
	bpf_object__close(obj);
}

static int be_quiet(enum libbpf_print_level level __unused_arg, const char *fmt __unused_arg,
		    va_list ap __unused_arg)
{
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_wrong), cmocka_unit_test(how_it_is_read),
		cmocka_unit_test(from_a_file),		 cmocka_unit_test(what_an_object_refuses),
		cmocka_unit_test(where_it_goes),
	};

	libbpf_set_print(be_quiet);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
