// SPDX-License-Identifier: GPL-2.0-only
#include "vmalloc.h"

#include <errno.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include "../progs/vmalloc_shared.h"
#include "pidns.h"
#include "vmalloc.skel.h"

/* Functions by their names from new to old kernels. */
static const struct {
	const char *prog;
	bool needed; /* else a kernel without that function never does it */
	const char *functions[3];
} attached[] = {
	{ "vmalloc_ends", true, { "__vmalloc_node_range_noprof", "__vmalloc_node_range" } },
	{ "vrealloc_begins", false, { "vrealloc_node_align_noprof", "vrealloc_noprof" } },
	{ "vrealloc_ends", false, { "vrealloc_node_align_noprof", "vrealloc_noprof" } },
};

struct vmalloc {
	struct vmalloc_bpf *skel;
	bool open;
	uint64_t live_end;
};

static int choose_function(struct vmalloc *vmalloc, const struct btf *btf, size_t i)
{
	struct bpf_program *prog =
		bpf_object__find_program_by_name(vmalloc->skel->obj, attached[i].prog);

	for (size_t f = 0; f < ARRAY_SIZE(attached[i].functions); f++) {
		const char *function = attached[i].functions[f];

		if (function && btf__find_by_name_kind(btf, function, BTF_KIND_FUNC) > 0)
			return bpf_program__set_attach_target(prog, 0, function);
	}
	return attached[i].needed ? -ENOENT : bpf_program__set_autoload(prog, false);
}

static int choose_functions(struct vmalloc *vmalloc)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int rc = btf ? 0 : -errno;

	for (size_t i = 0; rc == 0 && i < ARRAY_SIZE(attached); i++)
		rc = choose_function(vmalloc, btf, i);
	btf__free(btf);
	return rc;
}

static int load(struct vmalloc *vmalloc, struct err *err)
{
	int rc;

	vmalloc->skel = vmalloc_bpf__open();
	if (!vmalloc->skel)
		return err__set(err, -errno, "vmalloc: %s", strerror(errno));
	pidns__inside(&vmalloc->skel->rodata->pidns_dev, &vmalloc->skel->rodata->pidns_ino);
	rc = choose_functions(vmalloc);
	if (rc == 0)
		rc = vmalloc_bpf__load(vmalloc->skel);
	/* Whether they can be attached is known by trying. */
	if (rc == 0)
		rc = vmalloc_bpf__attach(vmalloc->skel);
	vmalloc_bpf__detach(vmalloc->skel);
	if (rc == -ENOMEM)
		return err__set(err, rc, "vmalloc: out of memory");
	if (rc < 0)
		return err__set(err, rc == -EPERM || rc == -EACCES ? -EPERM : -EOPNOTSUPP,
				"vmalloc fires no tracepoint, and takes no fexit program: %s",
				strerror(-rc));
	return 0;
}

int vmalloc__open(struct vmalloc **ret_vmalloc, struct err *err)
{
	_cleanup_vmalloc_ struct vmalloc *vmalloc = calloc(1, sizeof(*vmalloc));
	libbpf_print_fn_t print;
	int rc;

	if (!vmalloc)
		return err__set(err, -ENOMEM, "out of memory");
	/* A kernel that can't do this is an answer, not a reason for libbpf to shout. */
	print = libbpf_set_print(NULL);
	rc = load(vmalloc, err);
	libbpf_set_print(print);
	if (rc < 0)
		return rc;
	*ret_vmalloc = TAKE_PTR(vmalloc);
	return 0;
}

void vmalloc__free(struct vmalloc *vmalloc)
{
	if (!vmalloc)
		return;
	vmalloc_bpf__destroy(vmalloc->skel);
	free(vmalloc);
}

/* Areas of the window before that are still there are not this one's. */
static void forget_areas(struct vmalloc *vmalloc)
{
	int fd = bpf_map__fd(vmalloc->skel->maps.areas);
	uint64_t key;

	while (bpf_map_get_next_key(fd, NULL, &key) == 0 && bpf_map_delete_elem(fd, &key) == 0)
		;
}

int vmalloc__begin(struct vmalloc *vmalloc, pid_t tid)
{
	struct vmalloc_bpf *skel = vmalloc->skel;
	int rc;

	forget_areas(vmalloc);
	memset(skel->bss, 0, sizeof(*skel->bss));
	rc = vmalloc_bpf__attach(skel);
	if (rc < 0) {
		vmalloc_bpf__detach(skel);
		return rc;
	}
	skel->bss->armed_tid = tid;
	vmalloc->open = true;
	return 0;
}

void vmalloc__over(struct vmalloc *vmalloc)
{
	struct vmalloc_bpf *skel = vmalloc->skel;

	if (skel->bss->over)
		return;
	skel->bss->over = true;
	vmalloc->live_end = vmalloc__left(vmalloc) + skel->bss->sums.by_chance;
}

uint64_t vmalloc__left(const struct vmalloc *vmalloc)
{
	const volatile __u64 *live = &vmalloc->skel->bss->sums.live;

	return *live;
}

int vmalloc__end(struct vmalloc *vmalloc, struct vmalloc_counts *ret_counts)
{
	const struct vmalloc_sums *sums = &vmalloc->skel->bss->sums;

	if (!vmalloc->open)
		return -EINVAL;
	vmalloc__over(vmalloc);
	vmalloc->skel->bss->armed_tid = 0;
	vmalloc_bpf__detach(vmalloc->skel);
	vmalloc->open = false;
	*ret_counts = (struct vmalloc_counts){
		.allocs = sums->allocs,
		.bytes_req = sums->bytes_req,
		.bytes = sums->bytes,
		.live_peak = sums->peak,
		.live_end = vmalloc->live_end,
		.leaked = sums->live,
		.reallocs = sums->reallocs,
		.moves = sums->moves,
		.copied = sums->copied,
		.lost = sums->lost,
		.unknown = sums->unknown,
	};
	return 0;
}
