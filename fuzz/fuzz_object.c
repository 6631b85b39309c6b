// SPDX-License-Identifier: GPL-2.0-only
/* An object file: opened or refused with words, and the annotations of its programs read. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sys/mman.h>

#include "annot.h"
#include "cleanup.h"
#include "fuzz.h"
#include "load_lack.h"
#include "loader.h"
#include "objset.h"

static int be_quiet(enum libbpf_print_level level __unused_arg, const char *fmt __unused_arg,
		    va_list ap __unused_arg)
{
	return 0;
}

static void look_at_programs(const char *path)
{
	_cleanup_loader_ struct loader *loader = NULL;
	struct err err = {};

	if (loader__open(path, NULL, &loader, &err) < 0) {
		fuzz_require(str_starts(err.text, path));
		return;
	}
	fuzz_require(objset__is_object(path));
	for (size_t i = 0; i < loader__count(loader); i++) {
		struct loader_prog prog = loader__prog(loader, i);

		fuzz_require(prog.name && prog.section && prog.type);
	}
}

/* Opened again because of a kfunc that this kernel lacks, whose symbol is then made weak. */
static void open_without_kfunc(const char *path)
{
	static const char reason[] = "extern (func ksym) 'bpf_ab_no_such_kfunc': not found";
	struct load_lacks lacks = {};
	struct bpf_object *obj;

	fuzz_require(load_lacks__add(&lacks, LOAD_NO_EXTERN, -ESRCH, reason) == 1);
	if (load_lacks__open(&lacks, path, &obj) == 0)
		bpf_object__close(obj);
	vec_free(&lacks.list);
}

/* As test_progs does: of the object's BTF, by the names of its programs. */
static void look_at_annotations(const uint8_t *data, size_t len)
{
	struct bpf_object *obj = bpf_object__open_mem(data, len, NULL);
	struct bpf_program *prog;

	if (!obj)
		return;
	bpf_object__for_each_program(prog, obj)
	{
		_cleanup_(annot__freep) struct annot *annot = NULL;
		struct err err = {};

		if (!bpf_object__btf(obj))
			break;
		annot__in_btf(bpf_object__btf(obj));
		fuzz_require((annot__read_btf(bpf_object__btf(obj), bpf_program__name(prog), &annot,
					      &err) == 0) == !!annot);
	}
	bpf_object__close(obj);
}

void fuzz_object(const uint8_t *data, size_t len)
{
	_cleanup_close_ int fd = memfd_create("fuzz", 0);
	char path[64];

	fuzz_require(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	libbpf_set_print(be_quiet);
	look_at_programs(path);
	open_without_kfunc(path);
	look_at_annotations(data, len);
}
