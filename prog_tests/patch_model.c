// SPDX-License-Identifier: GPL-2.0-only
/*
 * What patch_model predicts of each kind of instruction, beside what the
 * kernel makes of it.
 */
#include "cleanup.h"
#include "disasm.h"
#include "patch_frame.h"
#include "prog_info.h"
#include "test_progs.h"

static void show(const char *what, const struct bpf_insn *insns, size_t n, size_t at)
{
	char text[DISASM_LEN] = "nothing";

	if (at < n)
		disasm__insn(&insns[at], n - at, &disasm_xlated, text, sizeof(text), NULL);
	printf("%s at %zu of %zu: %s\n", what, at, n, text);
}

static void check_frame(const struct patch_world *world, size_t index)
{
	_cleanup_(patch_model__free) struct patch_model model = {};
	_cleanup_(prog_info__free) struct prog_info info = {};
	_cleanup_close_ int fd = -1;
	static char log[1 << 16];
	struct patch_frame frame;
	struct err err = {};
	size_t at = 0;

	patch_frame__build(world, index, &frame);
	if (frame.lacks) {
		test__skip("%s", frame.lacks);
		return;
	}
	fd = patch_frame__load(&frame, world, NULL, 0, log, sizeof(log));
	if (fd < 0 && frame.wants) {
		test__skip("this kernel does not load %s", frame.wants);
		return;
	}
	if (!ASSERT_OK_FD(fd, frame.name)) {
		printf("%s\n", log);
		return;
	}
	if (!ASSERT_OK(prog_info__read(fd, &info, &err), err.text) ||
	    !ASSERT_OK(patch_model__expand(frame.insns, frame.n, frame.facts,
					   patch_world__env(world), &model, &err),
		       err.text))
		return;
	if (ASSERT_OK(patch_model__compare(&model, info.insns, info.n_insns, &at), "comparison"))
		return;
	show("expected", model.insns, model.n, at);
	show("actual", info.insns, info.n_insns, at);
}

void test_patch_model(void)
{
	_cleanup_(patch_world__freep) struct patch_world *world = NULL;
	struct err err = {};
	int rc = patch_world__new(&world, &err);

	if (rc == -EOPNOTSUPP) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text))
		return;
	for (size_t i = 0; i < patch_frame__count(); i++)
		if (test__start_subtest(patch_frame__name(i)))
			check_frame(world, i);
}
