// SPDX-License-Identifier: GPL-2.0-only
#include "testcase.h"

#include <bpf/btf.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "annot.h"
#include "cleanup.h"

#define OBJECT_PREFIX "verifier_"
#define OBJECT_SUFFIX ".bpf.o"

#define TEST(name) void test_##name(void);
#include "prog_tests.h"
#undef TEST

static const struct {
	const char *name;
	void (*run)(void);
} registry[] = {
#define TEST(name) { #name, test_##name },
#include "prog_tests.h"
#undef TEST
	{},
};

static void case_clear(struct test_case *test)
{
	free(test->name);
	free(test->object);
}

static int add_case(struct test_cases *cases, struct test_case test)
{
	int rc = test.name ? vec_push(&cases->cases, test) : -ENOMEM;

	if (rc < 0)
		case_clear(&test);
	return rc;
}

/* Whether functions of the object say what is expected of them. */
static bool is_annotated(const char *path)
{
	struct btf *btf = btf__parse(path, NULL);
	bool annotated = btf && annot__in_btf(btf);

	btf__free(btf);
	return annotated;
}

static int add_object(struct test_cases *cases, const char *objdir, const char *file)
{
	struct test_case test = {};

	if (str__printf(&test.object, "%s/%s", objdir, file) < 0)
		return -ENOMEM;
	if (!str_starts(file, OBJECT_PREFIX) && !is_annotated(test.object)) {
		free(test.object);
		return 0;
	}
	test.name = strndup(file, strlen(file) - strlen(OBJECT_SUFFIX));
	return add_case(cases, test);
}

static int add_objects(struct test_cases *cases, const char *objdir, bool any, struct err *err)
{
	_cleanup_closedir_ DIR *dir = opendir(objdir);
	struct dirent *entry;
	int rc = 0;

	if (!dir)
		return err__set(err, -errno, "%s: expected a folder with BPF objects: %s", objdir,
				strerror(errno));
	while (rc == 0 && (entry = readdir(dir))) {
		if (str_ends(entry->d_name, OBJECT_SUFFIX) &&
		    (any || str_starts(entry->d_name, OBJECT_PREFIX)))
			rc = add_object(cases, objdir, entry->d_name);
	}
	return rc;
}

static int case_compare(const void *a, const void *b)
{
	const struct test_case *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int test_cases__collect(struct test_cases *ret_cases, const char *objdir, bool any, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && registry[i].name; i++)
		rc = add_case(ret_cases, (struct test_case){ .name = strdup(registry[i].name),
							     .run = registry[i].run });
	if (rc == 0)
		rc = add_objects(ret_cases, objdir, any, err);
	if (rc < 0)
		return rc;
	qsort(ret_cases->cases.v, ret_cases->cases.n, sizeof(struct test_case), case_compare);
	for (size_t i = 0; i < ret_cases->cases.n; i++)
		ret_cases->cases.v[i].number = i + 1;
	return 0;
}

void test_cases__clear(struct test_cases *cases)
{
	for (size_t i = 0; i < cases->cases.n; i++)
		case_clear(&cases->cases.v[i]);
	vec_free(&cases->cases);
}
