// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects that were cut off, or have wrong bytes in them: each section at many
 * places. They are opened or refused with words; nothing here may crash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <sys/mman.h>

#include "cleanup.h"
#include "loader.h"

#define PLACES 64

static const char *const objects[] = {
	".output/progs/loader_presets.bpf.o",
	".output/progs/loader_struct_ops.bpf.o",
	".output/progs/loader_maps.bpf.o",
};

struct damage {
	size_t opened, refused;
};

static void try_object(const char *bytes, size_t len, struct damage *damage)
{
	_cleanup_close_ int fd = memfd_create("damaged", 0);
	_cleanup_loader_ struct loader *loader = NULL;
	struct err err = {};
	char path[64];

	assert_true(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (loader__open(path, NULL, &loader, &err) == 0) {
		for (size_t i = 0; i < loader__count(loader); i++)
			assert_non_null(loader__prog(loader, i).name);
		damage->opened++;
	} else {
		assert_true(str_starts(err.text, path));
		damage->refused++;
	}
}

static const Elf64_Shdr *sections_of(const char *bytes, size_t len, size_t *ret_n)
{
	const Elf64_Ehdr *head = (const void *)bytes;

	assert_true(len > sizeof(*head) &&
		    head->e_shoff + head->e_shnum * sizeof(Elf64_Shdr) <= len);
	*ret_n = head->e_shnum;
	return (const void *)(bytes + head->e_shoff);
}

/* The offset of place n of a section, which may have fewer bytes than places. */
static size_t place_of(const Elf64_Shdr *section, size_t n)
{
	return section->sh_offset + section->sh_size * n / PLACES;
}

static bool has_bytes(const Elf64_Shdr *section)
{
	return section->sh_type != SHT_NOBITS && section->sh_size;
}

static void cut(const char *bytes, size_t len, struct damage *damage)
{
	const Elf64_Shdr *sections;
	size_t n;

	sections = sections_of(bytes, len, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t place = 0; has_bytes(&sections[i]) && place < PLACES; place++)
			try_object(bytes, place_of(&sections[i], place), damage);
}

/* A section that says it is shorter than it is: what refers to its end is wrong. */
static void shorten(char *bytes, size_t len, struct damage *damage)
{
	size_t n;
	Elf64_Shdr *sections = (Elf64_Shdr *)sections_of(bytes, len, &n);

	for (size_t i = 0; i < n; i++) {
		size_t size = sections[i].sh_size;

		for (size_t place = 0; place < PLACES; place++) {
			sections[i].sh_size = size * place / PLACES;
			try_object(bytes, len, damage);
		}
		sections[i].sh_size = size;
	}
}

static void spoil(char *bytes, size_t len, struct damage *damage)
{
	const Elf64_Shdr *sections;
	size_t n;

	sections = sections_of(bytes, len, &n);
	for (size_t i = 0; i < n; i++) {
		for (size_t place = 0; has_bytes(&sections[i]) && place < PLACES; place++) {
			size_t at = place_of(&sections[i], place);

			bytes[at] ^= 0xff;
			try_object(bytes, len, damage);
			bytes[at] ^= 0xff;
		}
	}
}

static char *read_object(size_t i, size_t *ret_len)
{
	char *bytes;

	assert_int_equal(file__read(objects[i], &bytes, ret_len), 0);
	return bytes;
}

static void cut_off(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		size_t len;
		_cleanup_free_ char *bytes = read_object(i, &len);
		struct damage damage = {};

		cut(bytes, len, &damage);
		/* Section headers are at the end of the file. */
		assert_int_equal(damage.opened, 0);
		assert_true(damage.refused > PLACES);
	}
}

static void with_short_sections(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		size_t len;
		_cleanup_free_ char *bytes = read_object(i, &len);
		struct damage damage = {};

		shorten(bytes, len, &damage);
		assert_true(damage.refused > PLACES);
	}
}

static void with_wrong_bytes(void **state __unused_arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		size_t len;
		_cleanup_free_ char *bytes = read_object(i, &len);
		struct damage damage = {};

		spoil(bytes, len, &damage);
		assert_true(damage.refused && damage.opened);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_off),
		cmocka_unit_test(with_short_sections),
		cmocka_unit_test(with_wrong_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
