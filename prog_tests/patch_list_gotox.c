// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of progs/patch_list_gotox.c, on kernels that have indirect
 * jumps: whoever has not cannot hold their jump tables either.
 */
#include <bpf/libbpf.h>

#include "annotated.h"
#include "cleanup.h"
#include "test_progs.h"

void test_patch_list_gotox(void)
{
	_cleanup_(annotated__freep) struct annotated *annotated = NULL;
	_cleanup_free_ char *path = NULL;
	struct err err = {};
	int rc;

	rc = libbpf_probe_bpf_map_type(BPF_MAP_TYPE_INSN_ARRAY, NULL);
	if (!ASSERT_TRUE(rc >= 0, "probing for maps of instructions"))
		return;
	if (rc == 0) {
		test__skip("this kernel has no maps of instructions, and so no indirect jumps");
		return;
	}
	rc = str__printf(&path, "%s/patch_list_gotox.bpf.o", test__env()->objdir);
	if (!ASSERT_OK(rc, "path"))
		return;
	if (annotated__open(path, test__env()->facts, test__env()->verbose, &annotated, &err) < 0) {
		PRINT_FAIL("%s", err.text);
		return;
	}
	annotated__run_subtests(annotated);
}
