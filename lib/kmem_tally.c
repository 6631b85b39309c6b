// SPDX-License-Identifier: GPL-2.0-only
#include "kmem_tally.h"

#include <errno.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "kfeat.h"
#include "kmem_sites.h"
#include "kmem_tally.skel.h"
#include "ksym.h"
#include "pidns.h"
#include "vec.h"

struct kmem_tally {
	struct kmem_tally_bpf *skel;
	char *missing[KMEM_KIND_MAX]; /* owned */
	const char *caveat;
};

DEFINE_CLEANUP(struct btf, btf__free);

/* Allocators that are seen by tracing their function; names from new to old kernels. */
static const struct traced {
	enum kmem_kind kind;
	const char *prog;
	const char *functions[3];
} traced[] = {
	{ KMEM_KIND_NOLOCK,
	  "tally_nolock",
	  { "_kmalloc_nolock_noprof", "kmalloc_nolock_noprof", NULL } },
	{ KMEM_KIND_VMALLOC, "tally_vmalloc", { "__vmalloc_node_range_noprof", NULL } },
};

/* NULL: this kernel has none of them. */
static const char *find_function(const struct btf *btf, const struct traced *t)
{
	for (size_t i = 0; t->functions[i]; i++) {
		if (btf__find_by_name_kind(btf, t->functions[i], BTF_KIND_FUNC) > 0)
			return t->functions[i];
	}
	return NULL;
}

/* Whether functions can be traced is asked only if there is one to trace. */
static int set_traced(struct kmem_tally *tally, struct err *err)
{
	_cleanup_(btf__freep) struct btf *btf = btf__load_vmlinux_btf();
	int can = -1;

	if (!btf)
		return err__set(err, -EOPNOTSUPP, "kmem counters: no BTF of the kernel");
	for (size_t i = 0; i < ARRAY_SIZE(traced); i++) {
		const struct traced *t = &traced[i];
		const char *function = find_function(btf, t);
		struct bpf_program *prog;
		struct err why = {};
		int rc = 0;

		prog = bpf_object__find_program_by_name(tally->skel->obj, t->prog);
		if (function && can < 0)
			can = kfeat__probe(KFEAT_FENTRY, &why);
		if (function && can)
			rc = bpf_program__set_attach_target(prog, 0, function);
		else
			bpf_program__set_autoload(prog, false);
		if (function && !can)
			rc = str__printf(&tally->missing[t->kind],
					 "%s() fires no tracepoint, and this kernel lets no BPF "
					 "program "
					 "trace functions",
					 function);
		if (rc < 0)
			return err__set(err, rc, "kmem counters: %s: %s", t->prog, strerror(-rc));
	}
	return 0;
}

static int set_sites(struct kmem_tally *tally)
{
	int rc;

	if (kmem_sites__own(true, tally->skel->rodata->own_sites) < 0)
		tally->caveat = "the allocators' own records could not be told apart and are "
				"counted: counts vary by a few";
	rc = kmem_sites__refill(tally->skel->rodata->refill_sites);
	if (rc == 0)
		return 0;
	return str__printf(&tally->missing[KMEM_KIND_REFILL],
			   "where the BPF allocator lies can't be read from /proc/kallsyms: %s",
			   strerror(-rc));
}

static int load(struct kmem_tally *tally, const struct kmem_tally_opts *opts, struct err *err)
{
	int rc;

	tally->skel = kmem_tally_bpf__open();
	if (!tally->skel)
		return err__set(err, -errno, "kmem counters: %s", strerror(errno));
	tally->skel->rodata->wants_sites = opts->sites;
	pidns__inside(&tally->skel->rodata->pidns_dev, &tally->skel->rodata->pidns_ino);
	rc = set_sites(tally);
	if (rc < 0)
		return err__set(err, rc, "out of memory");
	rc = set_traced(tally, err);
	if (rc < 0)
		return rc;
	rc = kmem_tally_bpf__load(tally->skel);
	if (rc == -EPERM || rc == -EACCES)
		return err__set(err, -EPERM,
				"kmem counters: this user or kernel may not load their programs");
	if (rc < 0)
		return err__set(err, -EOPNOTSUPP, "kmem counters: loading: %s", strerror(-rc));
	rc = kmem_tally_bpf__attach(tally->skel);
	return rc < 0 ? err__set(err, rc, "kmem counters: attaching: %s", strerror(-rc)) : 0;
}

int kmem_tally__open(const struct kmem_tally_opts *opts, struct kmem_tally **ret_tally,
		     struct err *err)
{
	_cleanup_kmem_tally_ struct kmem_tally *tally = calloc(1, sizeof(*tally));
	libbpf_print_fn_t print;
	int rc;

	if (!tally)
		return err__set(err, -ENOMEM, "out of memory");
	/* A kernel that can't do this is an answer, not a reason for libbpf to shout. */
	print = libbpf_set_print(NULL);
	rc = load(tally, opts, err);
	libbpf_set_print(print);
	if (rc == 0)
		*ret_tally = TAKE_PTR(tally);
	return rc;
}

void kmem_tally__free(struct kmem_tally *tally)
{
	if (!tally)
		return;
	kmem_tally_bpf__destroy(tally->skel);
	for (size_t i = 0; i < KMEM_KIND_MAX; i++)
		free(tally->missing[i]);
	free(tally);
}

const char *kmem_tally__missing(const struct kmem_tally *tally, enum kmem_kind kind)
{
	return tally->missing[kind];
}

const char *kmem_tally__caveat(const struct kmem_tally *tally)
{
	return tally->caveat;
}

void kmem_tally__clear(struct kmem_tally *tally)
{
	tally->skel->bss->sums = (struct kmem_tally_sums){};
}

void kmem_tally__arm(struct kmem_tally *tally, pid_t tid)
{
	__atomic_fetch_or(&tally->skel->bss->armed[tid / 8], 1 << tid % 8, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&tally->skel->bss->n_armed, 1, __ATOMIC_SEQ_CST);
}

void kmem_tally__disarm(struct kmem_tally *tally, pid_t tid)
{
	__atomic_fetch_sub(&tally->skel->bss->n_armed, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_and(&tally->skel->bss->armed[tid / 8], ~(1 << tid % 8), __ATOMIC_SEQ_CST);
}

int kmem_tally__read(const struct kmem_tally *tally, struct kmem_tally_counts *ret_counts)
{
	const struct kmem_tally_sums *sums = &tally->skel->bss->sums;

	if (sums->machine_kmallocs + sums->machine_slab_allocs != sums->machine_again)
		return -EAGAIN;
	*ret_counts = (struct kmem_tally_counts){
		.kmallocs = sums->kmallocs,
		.kmalloc_bytes_req = sums->kmalloc_bytes_req,
		.kmalloc_bytes = sums->kmalloc_bytes,
		.slab_allocs = sums->slab_allocs,
		.slab_bytes_req = sums->slab_bytes_req,
		.slab_bytes = sums->slab_bytes,
		.own = sums->own,
		.frees = sums->frees,
		.nolocks = sums->nolocks,
		.nolock_bytes_req = sums->nolock_bytes_req,
		.nolock_bytes = sums->nolock_bytes,
		.vmallocs = sums->vmallocs,
		.vmalloc_bytes = sums->vmalloc_bytes,
		.refills = sums->refills,
		.refill_bytes_req = sums->refill_bytes_req,
		.refill_bytes = sums->refill_bytes,
		.machine_kmallocs = sums->machine_kmallocs,
		.machine_slab_allocs = sums->machine_slab_allocs,
	};
	return 0;
}

struct site_row {
	__u64 address;
	struct kmem_site_sum sum;
};

static int compare_sites(const void *a, const void *b)
{
	const struct site_row *x = a, *y = b;

	if (x->sum.allocs != y->sum.allocs)
		return x->sum.allocs < y->sum.allocs ? 1 : -1;
	return x->address < y->address ? -1 : x->address > y->address;
}

static int read_sites(struct kmem_tally *tally, struct site_row **ret_rows, size_t *ret_n)
{
	int fd = bpf_map__fd(tally->skel->maps.sites), rc = 0;
	VEC(struct site_row) rows = {};
	struct site_row row;
	const __u64 *last = NULL;

	while (rc == 0 && bpf_map_get_next_key(fd, last, &row.address) == 0) {
		rc = bpf_map_lookup_elem(fd, &row.address, &row.sum);
		if (rc == 0)
			rc = vec_push(&rows, row);
		last = &row.address;
	}
	if (rc < 0) {
		vec_free(&rows);
		return rc;
	}
	if (rows.n)
		qsort(rows.v, rows.n, sizeof(rows.v[0]), compare_sites);
	*ret_rows = rows.v;
	*ret_n = rows.n;
	return 0;
}

static void name_site(const struct ksym_place *place, struct kmem_site *site)
{
	if (place->address == KMEM_SITE_NOLOCK)
		snprintf(site->name, sizeof(site->name), "kmalloc_nolock()");
	else if (place->name[0])
		snprintf(site->name, sizeof(site->name), "%s+%#lx", place->name, place->offset);
	else
		snprintf(site->name, sizeof(site->name), "%#lx", place->address);
}

int kmem_tally__sites(struct kmem_tally *tally, struct kmem_site *ret_sites, size_t max,
		      size_t *ret_n)
{
	_cleanup_free_ struct ksym_place *places = NULL;
	_cleanup_free_ struct site_row *rows = NULL;
	size_t n;
	int rc = read_sites(tally, &rows, &n);

	if (rc < 0)
		return rc;
	n = n < max ? n : max;
	places = calloc(n + 1, sizeof(*places));
	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		places[i].address = rows[i].address;
	/* Without names an address still tells sites apart. */
	ksym__name("/proc/kallsyms", places, n);
	for (size_t i = 0; i < n; i++) {
		name_site(&places[i], &ret_sites[i]);
		ret_sites[i].allocs = rows[i].sum.allocs;
		ret_sites[i].bytes = rows[i].sum.bytes;
	}
	*ret_n = n;
	return 0;
}
