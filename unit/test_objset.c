// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "objset.h"

struct place {
	char dir[64];
	char cwd[4096];
};

static void write_file(const char *path, const void *data, size_t len)
{
	_cleanup_fclose_ FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, len, f), len);
}

static void write_text(const char *path, const char *text)
{
	write_file(path, text, strlen(text));
}

static void write_object(const char *path, int machine)
{
	Elf64_Ehdr head = { .e_type = ET_REL, .e_machine = machine };

	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = ELFCLASS64;
	write_file(path, &head, sizeof(head));
}

/* A working directory of its own: names relative to it are part of the contract. */
static int setup(void **state)
{
	static struct place place;

	strcpy(place.dir, "/tmp/test_objset.XXXXXX");
	if (!getcwd(place.cwd, sizeof(place.cwd)) || !mkdtemp(place.dir) || chdir(place.dir) < 0)
		return -1;
	mkdir("a", 0755);
	mkdir("b", 0755);
	mkdir("b/a", 0755);
	write_object("one.bpf.o", EM_BPF);
	write_object("old.bpf.o", EM_NONE);
	write_object("host.o", EM_X86_64);
	write_object("odd[1].bpf.o", EM_BPF);
	write_object("a/bpf.bpf.o", EM_BPF);
	write_object("b/bpf.bpf.o", EM_BPF);
	write_object("b/a/bpf.bpf.o", EM_BPF);
	write_text("short.o", "\x7f"
			      "ELF");
	*state = &place;
	return 0;
}

static int remove_one(const char *path, const struct stat *st __unused_arg, int type __unused_arg,
		      struct FTW *ftw __unused_arg)
{
	return remove(path);
}

static int teardown(void **state)
{
	struct place *place = *state;

	if (chdir(place->cwd) < 0)
		return -1;
	return nftw(place->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void add(struct objset *set, const char *arg)
{
	struct err err = {};

	if (objset__add(set, arg, &err) != 0)
		fail_msg("%s: %s", arg, err.text);
}

static void expect_names(struct objset *set, const char *const *names, size_t n)
{
	objset__name(set);
	assert_int_equal(set->objects.n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(set->objects.v[i].name, names[i]);
}

static void looks_like_an_object(void **state __unused_arg)
{
	assert_true(objset__is_object("one.bpf.o"));
	assert_true(objset__is_object("old.bpf.o"));
	assert_false(objset__is_object("host.o"));
	assert_false(objset__is_object("short.o"));
	assert_false(objset__is_object("missing.o"));
	assert_false(objset__is_object("a"));
}

static void names_are_file_names(void **state __unused_arg)
{
	static const char *const names[] = { "one.bpf.o", "old.bpf.o", "missing.o" };
	_cleanup_objset_ struct objset set = {};

	add(&set, "./one.bpf.o");
	add(&set, ".//./old.bpf.o");
	/* Named, so it stays: whoever opens it says what is wrong. */
	add(&set, "missing.o");
	/* Once is enough. */
	add(&set, "one.bpf.o");
	expect_names(&set, names, ARRAY_SIZE(names));
	assert_string_equal(set.objects.v[1].path, "old.bpf.o");
}

static void one_name_twice(void **state)
{
	static const char *const names[] = { "one.bpf.o", "a/bpf.bpf.o", "b/bpf.bpf.o",
					     "b/a/bpf.bpf.o" };
	struct place *place = *state;
	_cleanup_objset_ struct objset set = {};
	_cleanup_free_ char *path = NULL;

	add(&set, "one.bpf.o");
	add(&set, "a/bpf.bpf.o");
	add(&set, "b/bpf.bpf.o");
	add(&set, "b/a/bpf.bpf.o");
	expect_names(&set, names, ARRAY_SIZE(names));
	/* Absolute and relative: the folders in front tell them apart. */
	assert_int_equal(str__printf(&path, "%s/a/bpf.bpf.o", place->dir), 0);
	add(&set, path);
	objset__name(&set);
	for (size_t i = 0; i < set.objects.n; i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(set.objects.v[i].name, set.objects.v[j].name);
}

static void patterns(void **state __unused_arg)
{
	static const char *const names[] = { "odd[1].bpf.o", "a/bpf.bpf.o", "b/bpf.bpf.o",
					     "old.bpf.o", "one.bpf.o" };
	_cleanup_objset_ struct objset set = {};
	struct err err = {};

	/* A file of that name goes before the pattern. */
	add(&set, "odd[1].bpf.o");
	add(&set, "[ab]/*.o");
	add(&set, "*.o");
	expect_names(&set, names, ARRAY_SIZE(names));

	assert_int_equal(objset__add(&set, "nowhere/*.o", &err), -ESRCH);
	assert_non_null(strstr(err.text, "nowhere/*.o"));
	/* Matches, but nothing that is an object. */
	assert_int_equal(objset__add(&set, "h*.o", &err), -ESRCH);
	assert_int_equal(set.objects.n, ARRAY_SIZE(names));
}

static void lists(void **state __unused_arg)
{
	static const char *const names[] = { "one.bpf.o", "a/bpf.bpf.o", "b/bpf.bpf.o",
					     "with space.o" };
	_cleanup_objset_ struct objset set = {};

	write_text("list", "# objects\n\n  one.bpf.o \r\n[ab]/bpf.bpf.o\nwith space.o");
	add(&set, "@list");
	expect_names(&set, names, ARRAY_SIZE(names));
}

static void bad_lists(void **state __unused_arg)
{
	static const struct {
		const char *text; /* NULL: no such file */
		int rc;
		const char *words;
	} bad[] = {
		{ NULL, -ENOENT, "list" },
		{ "one.bpf.o\n@more\n", -EINVAL, "list:2:1: expected a path" },
		{ "one.bpf.o\n\nzzz*.o\n", -ESRCH, "list:3:1: zzz*.o" },
	};
	_cleanup_objset_ struct objset set = {};
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		remove("list");
		if (bad[i].text)
			write_text("list", bad[i].text);
		err.text[0] = '\0';
		assert_int_equal(objset__add(&set, "@list", &err), bad[i].rc);
		if (!strstr(err.text, bad[i].words))
			fail_msg("'%s' does not say '%s'", err.text, bad[i].words);
	}
	assert_int_equal(objset__add(&set, "@", &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(looks_like_an_object),
		cmocka_unit_test(names_are_file_names),
		cmocka_unit_test(one_name_twice),
		cmocka_unit_test(patterns),
		cmocka_unit_test(lists),
		cmocka_unit_test(bad_lists),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
