// SPDX-License-Identifier: GPL-2.0-only
#include "phases.h"

#include <errno.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include "../progs/phases_shared.h"
#include "phases.skel.h"
#include "pidns.h"

#define FUNCTION_NAMES 2

/*
 * Functions by their names in 7.3 and before. In the order in which they run;
 * the first is around all others.
 */
static const struct {
	const char *name;
	const char *functions[FUNCTION_NAMES];
} table[] = {
	{ "rest", { "bpf_check" } },
	{ "btf", { "bpf_check_btf_info", "check_btf_info" } },
	{ "cfg", { "bpf_check_cfg", "check_cfg" } },
	{ "postorder", { "bpf_compute_postorder", "compute_postorder" } },
	{ "liveness", { "bpf_stack_liveness_init" } },
	{ "const_regs", { "bpf_compute_const_regs" } },
	{ "prune", { "bpf_prune_dead_branches" } },
	{ "args", { "bpf_compute_subprog_arg_access" } },
	{ "scc", { "bpf_compute_scc", "compute_scc" } },
	{ "live_regs", { "bpf_compute_live_registers", "compute_live_registers" } },
	{ "check", { "do_check_common" } },
	{ "spills", { "bpf_remove_fastcall_spills_fills", "remove_fastcall_spills_fills" } },
	{ "loops", { "bpf_optimize_bpf_loop", "optimize_bpf_loop" } },
	{ "dead_code", { "bpf_opt_remove_dead_code", "opt_remove_dead_code" } },
	{ "nops", { "bpf_opt_remove_nops", "opt_remove_nops" } },
	{ "ctx", { "bpf_convert_ctx_accesses", "convert_ctx_accesses" } },
	{ "fixups", { "bpf_do_misc_fixups", "do_misc_fixups" } },
	{ "zext", { "bpf_opt_subreg_zext_lo32_rnd_hi32", "opt_subreg_zext_lo32_rnd_hi32" } },
	{ "calls", { "bpf_fixup_call_args", "fixup_call_args" } },
	{ "blinding", { "bpf_jit_blind_constants" } },
	{ "jit", { "bpf_int_jit_compile" } },
};
_Static_assert(ARRAY_SIZE(table) <= PHASES_MAX, "the programs have room for every phase");

struct phases {
	struct phases_bpf *skel;
	bool has[ARRAY_SIZE(table)];
};

size_t phases__count(void)
{
	return ARRAY_SIZE(table);
}

const char *phases__name(size_t i)
{
	return table[i].name;
}

bool phases__has(const struct phases *phases, size_t i)
{
	return phases->has[i];
}

/* A phase of which this kernel has no function keeps neither program. */
static int choose_functions(struct phases *phases, const struct btf *btf)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, phases->skel->obj)
	{
		uint64_t phase = ARRAY_SIZE(table);
		const char *function = NULL;
		int rc;

		str__to_u64(strrchr(bpf_program__name(prog), '_') + 1, 10, &phase);

		for (size_t i = 0; phase < ARRAY_SIZE(table) && i < FUNCTION_NAMES; i++) {
			const char *name = table[phase].functions[i];

			if (!function && name &&
			    btf__find_by_name_kind(btf, name, BTF_KIND_FUNC) > 0)
				function = name;
		}
		bpf_program__set_autoload(prog, function);
		if (!function)
			continue;
		rc = bpf_program__set_attach_target(prog, 0, function);
		if (rc < 0)
			return rc;
		phases->has[phase] = true;
	}
	return 0;
}

static int load(struct phases *phases, struct err *err)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int rc;

	if (!btf)
		return err__set(err, -EOPNOTSUPP, "phases: no BTF of the kernel: %s",
				strerror(errno));
	phases->skel = phases_bpf__open();
	rc = phases->skel ? choose_functions(phases, btf) : -errno;
	btf__free(btf);
	if (rc == 0) {
		pidns__inside(&phases->skel->rodata->pidns_dev, &phases->skel->rodata->pidns_ino);
		rc = phases_bpf__load(phases->skel);
	}
	if (rc == 0)
		rc = phases_bpf__attach(phases->skel);
	if (rc == -ENOMEM)
		return err__set(err, rc, "phases: out of memory");
	if (rc < 0)
		return err__set(err, rc == -EPERM || rc == -EACCES ? -EPERM : -EOPNOTSUPP,
				"phases: fentry and fexit programs: %s", strerror(-rc));
	return 0;
}

int phases__open(struct phases **ret_phases, struct err *err)
{
	_cleanup_phases_ struct phases *phases = calloc(1, sizeof(*phases));
	libbpf_print_fn_t print;
	int rc;

	if (!phases)
		return err__set(err, -ENOMEM, "out of memory");
	/* A kernel that can't do this is an answer, not a reason for libbpf to shout. */
	print = libbpf_set_print(NULL);
	rc = load(phases, err);
	libbpf_set_print(print);
	if (rc < 0)
		return rc;
	*ret_phases = TAKE_PTR(phases);
	return 0;
}

void phases__free(struct phases *phases)
{
	if (!phases)
		return;
	phases_bpf__destroy(phases->skel);
	free(phases);
}

void phases__begin(struct phases *phases, pid_t tid)
{
	memset(phases->skel->bss, 0, sizeof(*phases->skel->bss));
	phases->skel->bss->armed_tid = tid;
}

int phases__end(struct phases *phases, struct phase_time *ret_times)
{
	struct phases_bpf__bss *bss = phases->skel->bss;

	bss->armed_tid = 0;
	if (bss->torn || bss->depth)
		return -EAGAIN;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		ret_times[i] = (struct phase_time){
			.self_ns = bss->sums[i].self_ns,
			.calls = bss->sums[i].calls,
		};
	return 0;
}
