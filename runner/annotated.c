// SPDX-License-Identifier: GPL-2.0-only
#include "annotated.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <sys/mman.h>

#include "cleanup.h"
#include "test_progs.h"

int annotated__beside(const struct annotated *annotated, const char *name, char **ret_path)
{
	const char *path = annotated->path;

	return str__printf(ret_path, "%.*s%s", (int)(path_base(path) - path), path, name);
}

int annotated__open_object(const struct annotated *annotated, const char *btf_name,
			   struct bpf_object **ret_obj, struct err *err)
{
	_cleanup_free_ char *btf_path = NULL;
	struct bpf_object *obj;

	if (btf_name && annotated__beside(annotated, btf_name, &btf_path) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = annotated->name,
		    .btf_custom_path = btf_path);
	obj = bpf_object__open_mem(annotated->bytes, annotated->len, &opts);
	if (!obj)
		return err__set(err, -errno, "%s: not a BPF object that can be opened: %s",
				annotated->path, strerror(errno));
	*ret_obj = obj;
	return 0;
}

static int read_annotations(struct annotated *annotated, struct err *err)
{
	struct bpf_object *obj;
	struct bpf_program *prog;
	int rc;

	rc = annotated__open_object(annotated, NULL, &obj, err);
	if (rc < 0)
		return rc;
	if (!bpf_object__btf(obj))
		rc = err__set(err, -EINVAL, "%s: no BTF, and so no annotations", annotated->path);
	bpf_object__for_each_program(prog, obj)
	{
		struct annotated_prog p = {};

		if (rc < 0)
			break;
		p.name = strdup(bpf_program__name(prog));
		if (!p.name)
			rc = -ENOMEM;
		else if (annot__read_btf(bpf_object__btf(obj), p.name, &p.annot, &p.err) == -ENOMEM)
			rc = -ENOMEM;
		if (rc == 0)
			rc = vec_push(&annotated->progs, p);
	}
	bpf_object__close(obj);
	if (rc == 0 && !annotated->progs.n)
		rc = err__set(err, -ENOENT, "%s: holds no program", annotated->path);
	return rc;
}

int annotated__open(const char *path, const struct facts *facts, int verbose,
		    struct annotated **ret_annotated, struct err *err)
{
	_cleanup_(annotated__freep) struct annotated *annotated = calloc(1, sizeof(*annotated));
	void *log;
	int rc;

	if (!annotated)
		return err__set(err, -ENOMEM, "out of memory");
	annotated->facts = facts;
	annotated->verbose = verbose;
	annotated->path = strdup(path);
	annotated->name = strndup(path_base(path), strcspn(path_base(path), "."));
	if (!annotated->path || !annotated->name)
		return err__set(err, -ENOMEM, "out of memory");
	rc = file__read(path, &annotated->bytes, &annotated->len);
	if (rc < 0)
		return err__set(err, rc, "%s: %s", path, strerror(-rc));
	log = mmap(NULL, ANNOTATED_LOG_LEN, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (log == MAP_FAILED)
		return err__set(err, -errno, "no memory for the verifier's log");
	annotated->log = log;
	annotated->log_len = ANNOTATED_LOG_LEN;
	rc = read_annotations(annotated, err);
	if (rc < 0)
		return rc;
	*ret_annotated = TAKE_PTR(annotated);
	return 0;
}

void annotated__free(struct annotated *annotated)
{
	if (!annotated)
		return;
	for (size_t i = 0; i < annotated->progs.n; i++) {
		annot__free(annotated->progs.v[i].annot);
		free(annotated->progs.v[i].name);
	}
	vec_free(&annotated->progs);
	if (annotated->log)
		munmap(annotated->log, ANNOTATED_LOG_LEN);
	free(annotated->bytes);
	free(annotated->path);
	free(annotated->name);
	free(annotated);
}

void annotated__freep(struct annotated **annotated)
{
	annotated__free(*annotated);
}

/* Two programs of one description would be one row of a recording. */
static bool description_is_taken(const struct annotated *annotated, size_t prog)
{
	const char *mine = annotated->progs.v[prog].annot->description;

	for (size_t i = 0; i < prog; i++) {
		const struct annot *other = annotated->progs.v[i].annot;

		if (other && other->description && streq(other->description, mine))
			return true;
	}
	return false;
}

/* What a program is called: its description, if it has one. */
static int subtest_desc(const struct annotated *annotated, size_t prog, const char *suffix,
			char **ret_desc)
{
	const struct annotated_prog *p = &annotated->progs.v[prog];

	if (!p->annot || !p->annot->description)
		return 0;
	if (description_is_taken(annotated, prog))
		return str__printf(ret_desc, "%s (%s)%s", p->annot->description, p->name, suffix);
	return str__printf(ret_desc, "%s%s", p->annot->description, suffix);
}

static void run_subtest(const struct annotated *annotated, size_t prog, enum annot_mode mode)
{
	const struct annotated_prog *p = &annotated->progs.v[prog];
	const char *suffix = mode == ANNOT_UNPRIV ? " @unpriv" : "";
	_cleanup_free_ char *name = NULL, *desc = NULL;
	struct err why = {};

	if (str__printf(&name, "%s%s", p->name, suffix) < 0 ||
	    subtest_desc(annotated, prog, suffix, &desc) < 0) {
		PRINT_FAIL("out of memory");
		return;
	}
	if (!test__start_subtest_with_desc(name, desc))
		return;
	switch (annotated__check(annotated, prog, mode, &why)) {
	case OUTCOME_FAIL:
		test__fail_at(path_base(annotated->path), 0, "%s", why.text);
		break;
	case OUTCOME_SKIP:
		test__skip("%s", why.text);
		break;
	case OUTCOME_PASS:
		break;
	}
	test__end_subtest();
}

void annotated__run_subtests(const struct annotated *annotated)
{
	for (size_t i = 0; i < annotated->progs.n; i++) {
		const struct annot *annot = annotated->progs.v[i].annot;

		/* What can't be read fails once, under the program's name. */
		if (!annot) {
			run_subtest(annotated, i, ANNOT_PRIV);
			continue;
		}
		if (annot->auxiliary)
			continue;
		for (int mode = 0; mode < ANNOT_MODES; mode++) {
			if (annot->expect[mode].wanted)
				run_subtest(annotated, i, mode);
		}
	}
}
