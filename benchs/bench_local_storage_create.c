// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast sockets, tasks, control groups and inodes can be made when each
 * gets BPF local storage. Producers make a batch of owners, then end them all,
 * so that a batch of storage is alive at one time.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bench.h"
#include "bench_local_storage_create.skel.h"
#include "cleanup.h"
#include "storage_map.h"
#include "storage_source.h"

enum { MAX_MAPS = 8, DEFAULT_VALUE = 64 };

struct options {
	const char *storage_type, *hook, *family, *sock_type;
	int64_t batch_size, value_size, maps;
	bool deletes;
};

static const struct options defaults = {
	.storage_type = "socket",
	.hook = "auto",
	.family = "inet6",
	.sock_type = "dgram",
	.batch_size = 32,
	.value_size = DEFAULT_VALUE,
	.maps = 1,
};

#define O struct options
/* clang-format off */
static const struct opt option_table[] = {
	OPT_STR(O, storage_type, 0, "storage-type", "TYPE", "owners of the storage: socket (default), task, cgroup or inode"),
	OPT_STR(O, hook, 0, "hook", "HOOK", "what tells of a new owner: auto (default), lsm, cgroup or tp"),
	OPT_INT(O, batch_size, 0, "batch-size", "N", 1, 1 << 20, "owners alive at one time, per producer (32)"),
	OPT_INT(O, value_size, 0, "value-size", "BYTES", 1, 65535, "size of what is stored in each map (64)"),
	OPT_INT(O, maps, 0, "maps", "N", 1, MAX_MAPS, "maps that each owner is stored in; the first makes its storage too (1)"),
	OPT_FLAG(O, deletes, 0, "delete", "delete what was stored at once, instead of ending its owner with it"),
	OPT_STR(O, family, 0, "family", "FAMILY", "of sockets: inet6 (default), inet or unix"),
	OPT_STR(O, sock_type, 0, "sock-type", "TYPE", "of sockets: dgram (default) or stream"),
};
/* clang-format on */
#undef O

struct state {
	struct bench_local_storage_create_bpf *skel;
	struct bpf_link *link;
	struct options opts;
	const struct storage_source *source;
	enum owner_type type;
	struct owner_opts owner_opts;
	struct owners *owners; /* batch_size of each producer */
	int map_fds[MAX_MAPS];
	char variant[160];
	char *note;
};

/* ---- set-up ----------------------------------------------------------------------- */

/* Puts maps of our own in the places of the stand-ins, and leaves the other places empty. */
static int make_maps(struct state *state, struct err *err)
{
	struct bpf_map *map;
	int n = 0, rc;

	bpf_object__for_each_map(map, state->skel->obj)
	{
		if (!str_starts(bpf_map__name(map), "storage_"))
			continue;
		if (n == state->opts.maps) {
			bpf_map__set_autocreate(map, false);
			continue;
		}
		rc = storage_map__create(storage_source__map_type(state->type),
					 state->opts.value_size, &state->map_fds[n], err);
		if (rc == 0)
			rc = bpf_map__reuse_fd(map, state->map_fds[n++]);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int load(struct state *state, struct err *err)
{
	const char *name = storage_source__prog(state->source);
	LIBBPF_OPTS(bpf_test_run_opts, run);
	struct bpf_program *prog, *chosen;
	int rc;

	state->skel = bench_local_storage_create_bpf__open();
	if (!state->skel)
		return err__set(err, -errno, "opening the BPF object: %s", strerror(errno));
	chosen = bpf_object__find_program_by_name(state->skel->obj, name);
	bpf_object__for_each_program(prog, state->skel->obj) bpf_program__set_autoload(
		prog, prog == chosen || prog == state->skel->progs.learn_tgid);
	rc = make_maps(state, err);
	if (rc < 0)
		return rc;
	state->skel->rodata->n_maps = state->opts.maps;
	state->skel->rodata->deletes = state->opts.deletes;
	state->skel->rodata->fs_minor = owners__fs_minor(state->owners);
	rc = bench_local_storage_create_bpf__load(state->skel);
	if (rc < 0)
		return err__set(err, rc, "loading %s: %s", name, strerror(-rc));
	rc = bpf_prog_test_run_opts(bpf_program__fd(state->skel->progs.learn_tgid), &run);
	if (rc < 0)
		return err__set(err, rc, "running learn_tgid: %s", strerror(-rc));
	return storage_source__attach(state->source, chosen, &state->link, err);
}

static void teardown(void *arg)
{
	struct state *state = arg;

	if (!state)
		return;
	bpf_link__destroy(state->link);
	bench_local_storage_create_bpf__destroy(state->skel);
	for (int i = 0; i < MAX_MAPS; i++)
		cleanup_closep(&state->map_fds[i]);
	owners__free(state->owners);
	free(state->note);
	free(state);
}
DEFINE_CLEANUP(void, teardown);

static int parse_options(struct state *state, struct err *err)
{
	static const struct {
		const char *name;
		int number;
	} families[] = { { "inet6", AF_INET6 }, { "inet", AF_INET }, { "unix", AF_UNIX } },
	  sock_types[] = { { "dgram", SOCK_DGRAM }, { "stream", SOCK_STREAM } };
	const struct options *opts = &state->opts;
	struct owner_opts *o = &state->owner_opts;
	int rc;

	rc = owner__find(opts->storage_type, &state->type, err);
	if (rc < 0)
		return rc;
	o->type = state->type;
	for (size_t i = 0; i < ARRAY_SIZE(families); i++)
		if (streq(families[i].name, opts->family))
			o->family = families[i].number;
	for (size_t i = 0; i < ARRAY_SIZE(sock_types); i++)
		if (streq(sock_types[i].name, opts->sock_type))
			o->sock_type = sock_types[i].number;
	if (!o->family)
		return err__set(err, -EINVAL, "--family wants inet6, inet or unix, not '%s'",
				opts->family);
	if (!o->sock_type)
		return err__set(err, -EINVAL, "--sock-type wants dgram or stream, not '%s'",
				opts->sock_type);
	return 0;
}

static void add_to_name(struct state *state, const char *fmt, ...) __printf_like(2, 3);

static void add_to_name(struct state *state, const char *fmt, ...)
{
	size_t len = strlen(state->variant);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(state->variant + len, sizeof(state->variant) - len, fmt, ap);
	va_end(ap);
}

/* What is as it is by default is left out: most names are short, and keep. */
static void name_variant(struct state *state)
{
	const struct options *opts = &state->opts;

	state->variant[0] = '\0';
	add_to_name(state, "%s/%s,batch=%ld", opts->storage_type,
		    storage_source__hook(state->source), opts->batch_size);
	if (opts->value_size != DEFAULT_VALUE)
		add_to_name(state, ",value=%ld", opts->value_size);
	if (opts->maps != 1)
		add_to_name(state, ",maps=%ld", opts->maps);
	if (opts->deletes)
		add_to_name(state, ",delete=yes");
	if (state->type == OWNER_SOCKET && !streq(opts->family, defaults.family))
		add_to_name(state, ",family=%s", opts->family);
	if (state->type == OWNER_SOCKET && !streq(opts->sock_type, defaults.sock_type))
		add_to_name(state, ",sock-type=%s", opts->sock_type);
}

static int find_source(struct state *state, struct err *err)
{
	const struct storage_wish wish = {
		.type = state->type,
		.hook = state->opts.hook,
		.family = state->owner_opts.family,
		.deletes = state->opts.deletes,
	};

	return storage_source__find(&wish, &state->source, &state->note, err);
}

static int set_up_kernel(struct state *state, struct err *err)
{
	int rc = owners__open(&state->owner_opts, &state->owners, err);

	if (rc == 0)
		rc = load(state, err);
	/* The options are fine from here on: what the kernel finds invalid is not theirs. */
	return rc == -EINVAL ? -EIO : rc;
}

static int setup(const struct bench_env *env, void **ret_state, struct err *err)
{
	_cleanup_(teardownp) void *owned = NULL;
	struct state *state;
	int rc;

	state = owned = calloc(1, sizeof(*state));
	if (!state)
		return err__set(err, -ENOMEM, "out of memory");
	memset(state->map_fds, -1, sizeof(state->map_fds));
	state->opts = *(const struct options *)env->opts;
	state->owner_opts.slots = env->producers * state->opts.batch_size;
	rc = parse_options(state, err);
	if (rc == 0)
		rc = find_source(state, err);
	if (rc == 0)
		rc = set_up_kernel(state, err);
	if (rc < 0)
		return rc;
	name_variant(state);
	*ret_state = TAKE_PTR(owned);
	return 0;
}

/* ---- work -------------------------------------------------------------------------- */

static const char *variant(const void *arg)
{
	const struct state *state = arg;

	return state->variant;
}

static const char *note(const void *arg)
{
	const struct state *state = arg;

	return state->note;
}

static void batch(void *arg, unsigned int id, uint64_t want, struct bench_work *work)
{
	struct state *state = arg;
	size_t size = state->opts.batch_size, first = id * size;
	size_t end = first + (want < size ? want : size);

	size_t made = owners__make(state->owners, first, end);

	work->done += made;
	work->failed += end - first - made;
	owners__end(state->owners, first, end);
}

static void witness(const void *arg, struct bench_work *ret_work)
{
	const struct state *state = arg;
	struct bench_work work = { .failed = state->skel->bss->failed };

	for (size_t i = 0; i < ARRAY_SIZE(state->skel->bss->created); i++)
		work.done += state->skel->bss->created[i][0];
	*ret_work = work;
}

static void bare(void *arg, bool on)
{
	struct state *state = arg;

	state->skel->bss->bare = on;
}

static int left(const void *arg, uint64_t *ret_left, struct err *err)
{
	const struct state *state = arg;
	uint64_t sum = 0;

	for (int i = 0; i < state->opts.maps; i++) {
		uint64_t n;
		int rc = storage_map__elements(state->map_fds[i], &n, err);

		if (rc < 0)
			return rc;
		sum += n;
	}
	*ret_left = sum;
	return 0;
}

static const char *const metrics[] = {
	"ops_per_sec",
	"insns_per_op",
	"owner_share",
	"allocs_per_op",
	"kmallocs_per_op",
	"slab_allocs_per_op",
	"nolocks_per_op",
	"refills_per_op",
	"vmallocs_per_op",
	"alloc_bytes_req_per_op",
	"alloc_bytes_per_op",
	"frees_per_op",
	"own_allocs_per_op",
	"machine_kmallocs_per_op",
	"counting_cost",
	"left",
	"errors",
	NULL,
};

const struct bench bench_local_storage_create = {
	.name = "local-storage-create",
	.about = "sockets, tasks, cgroups or inodes with BPF local storage",
	.op = "create",
	.opts = option_table,
	.n_opts = ARRAY_SIZE(option_table),
	.opts_size = sizeof(struct options),
	.opts_default = &defaults,
	.metrics = metrics,
	.setup = setup,
	.teardown = teardown,
	.variant = variant,
	.note = note,
	.batch = batch,
	.witness = witness,
	.bare = bare,
	.left = left,
};
