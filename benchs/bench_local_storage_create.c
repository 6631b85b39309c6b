// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast sockets or tasks can be made when each gets BPF local storage.
 * Producers make a batch of owners, then end them all, so that a batch of
 * storage is alive at one time.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bench.h"
#include "bench_local_storage_create.skel.h"
#include "cgroup.h"
#include "cleanup.h"
#include "kfeat.h"

/* Descriptors for everything but the batches. */
enum { SPARE_FDS = 128 };

enum { TASK_STACK = 32 * 1024 };

struct options {
	const char *storage_type;
	int64_t batch_size;
};

static const struct options defaults = { .storage_type = "socket", .batch_size = 32 };

static const struct opt option_table[] = {
	OPT_STR(struct options, storage_type, 0, "storage-type", "TYPE",
		"local-storage-create: owners of the storage, socket (default) or task"),
	OPT_INT(struct options, batch_size, 0, "batch-size", "N", 1, 1 << 20,
		"local-storage-create: owners alive at one time, per producer (32)"),
};

struct owner {
	int fd;		  /* socket */
	pthread_t thread; /* task */
	bool made;
};

struct state {
	struct bench_local_storage_create_bpf *skel;
	struct bpf_link *link;
	const struct source *source;
	const struct storage_type *type;
	uint64_t batch_size;
	struct owner *owners; /* batch_size of each producer */
	char variant[96];
	char note[640];
};

/* A way to be told of new owners. */
struct source {
	const char *name;
	enum kfeat needs;
	const char *prog;
	int (*attach)(struct state *state, struct bpf_program *prog, struct err *err);
};

struct storage_type {
	const char *name;
	bool (*make)(struct owner *owner);
	void (*end)(struct owner *owner);
	bool needs_fds;
	struct source sources[3]; /* best first; prog NULL ends */
};

static bool make_socket(struct owner *owner)
{
	owner->fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return owner->fd >= 0;
}

static void end_socket(struct owner *owner)
{
	close(owner->fd);
}

static void *do_nothing(void *arg)
{
	return arg;
}

/*
 * Small stacks: the C library keeps a batch of them for the next one, where it
 * would map and unmap default ones, which costs more than all the rest.
 */
static bool make_task(struct owner *owner)
{
	pthread_attr_t attr;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, TASK_STACK);
	rc = pthread_create(&owner->thread, &attr, do_nothing, NULL);
	pthread_attr_destroy(&attr);
	return rc == 0;
}

static void end_task(struct owner *owner)
{
	pthread_join(owner->thread, NULL);
}

static int attach_plain(struct state *state, struct bpf_program *prog, struct err *err)
{
	state->link = bpf_program__attach(prog);
	return state->link ? 0 : err__set(err, -errno, "attaching: %s", strerror(errno));
}

/* To our own cgroup: nobody else's sockets run the program. */
static int attach_cgroup(struct state *state, struct bpf_program *prog, struct err *err)
{
	_cleanup_place_ struct cgroup_place place = {};
	_cleanup_free_ char *dir = NULL;
	_cleanup_close_ int fd = -1;
	int rc;

	rc = cgroup_place__find("", NULL, &place, err);
	if (rc < 0)
		return rc;
	if (str__printf(&dir, "%s%s", place.mount, place.own) < 0)
		return err__set(err, -ENOMEM, "out of memory");
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err__set(err, -errno, "%s: %s", dir, strerror(errno));
	state->link = bpf_program__attach_cgroup(prog, fd);
	return state->link ? 0 : err__set(err, -errno, "attaching: %s", strerror(errno));
}

static const struct storage_type types[] = {
	{ "socket",
	  make_socket,
	  end_socket,
	  true,
	  { { "lsm", KFEAT_LSM, "socket_by_lsm", attach_plain },
	    { "cgroup", KFEAT_CGROUP_SOCK_CREATE, "socket_by_cgroup", attach_cgroup } } },
	{ "task",
	  make_task,
	  end_task,
	  false,
	  { { "tp_btf", KFEAT_TP_BTF, "task_by_fork", attach_plain } } },
};

static int find_type(const char *name, const struct storage_type **ret_type, struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (streq(types[i].name, name)) {
			*ret_type = &types[i];
			return 0;
		}
	}
	return err__set(err, -EINVAL, "--storage-type wants socket or task, not '%s'", name);
}

/* The first source that this kernel has; what speaks against better ones is noted. */
static int find_source(struct state *state, struct err *err)
{
	struct err why = {};

	for (const struct source *s = state->type->sources; s->prog; s++) {
		if (kfeat__probe(s->needs, &why)) {
			state->source = s;
			if (why.text[0])
				snprintf(state->note, sizeof(state->note),
					 "storage is created by %s, because: %s", s->name,
					 why.text);
			return 0;
		}
	}
	return err__set(err, -EOPNOTSUPP, "%s storage: %s", state->type->name, why.text);
}

static int raise_fd_limit(uint64_t need, struct err *err)
{
	struct rlimit lim;
	rlim_t had;

	if (getrlimit(RLIMIT_NOFILE, &lim) < 0)
		return err__set(err, -errno, "getrlimit: %s", strerror(errno));
	had = lim.rlim_max;
	if (lim.rlim_cur >= need)
		return 0;
	lim.rlim_cur = need;
	if (lim.rlim_max < need)
		lim.rlim_max = need;
	if (setrlimit(RLIMIT_NOFILE, &lim) < 0)
		return err__set(err, -errno,
				"%lu sockets at one time need more descriptors than this process "
				"may have (%lu, see ulimit -Hn): lower --batch-size or -p",
				need - SPARE_FDS, had);
	return 0;
}

static int load(struct state *state, struct err *err)
{
	struct bpf_program *prog, *chosen;
	int rc;

	state->skel = bench_local_storage_create_bpf__open();
	if (!state->skel)
		return err__set(err, -errno, "opening the BPF object: %s", strerror(errno));
	chosen = bpf_object__find_program_by_name(state->skel->obj, state->source->prog);
	bpf_object__for_each_program(prog, state->skel->obj)
		bpf_program__set_autoload(prog, prog == chosen);
	bpf_map__set_autocreate(state->skel->maps.sockets, state->type->needs_fds);
	bpf_map__set_autocreate(state->skel->maps.tasks, !state->type->needs_fds);
	rc = bench_local_storage_create_bpf__load(state->skel);
	if (rc < 0)
		return err__set(err, rc, "loading %s: %s", state->source->prog, strerror(-rc));
	state->skel->bss->bench_tgid = getpid();
	return state->source->attach(state, chosen, err);
}

static void teardown(void *arg)
{
	struct state *state = arg;

	if (!state)
		return;
	bpf_link__destroy(state->link);
	bench_local_storage_create_bpf__destroy(state->skel);
	free(state->owners);
	free(state);
}
DEFINE_CLEANUP(void, teardown);

/* One owner as a trial, so that what every one would fail by is said once and early. */
static int try_one(const struct storage_type *type, struct err *err)
{
	struct owner owner = {};

	if (!type->make(&owner))
		return err__set(err, -errno ?: -EAGAIN, "making a %s: %s", type->name,
				strerror(errno));
	type->end(&owner);
	return 0;
}

static int setup(const struct bench_env *env, void **ret_state, struct err *err)
{
	const struct options *opts = env->opts;
	_cleanup_(teardownp) void *owned = NULL;
	struct state *state;
	int rc;

	state = owned = calloc(1, sizeof(*state));
	if (!state)
		return err__set(err, -ENOMEM, "out of memory");
	rc = find_type(opts->storage_type, &state->type, err);
	if (rc < 0)
		return rc;
	state->batch_size = opts->batch_size;
	state->owners = calloc(env->producers * state->batch_size, sizeof(*state->owners));
	if (!state->owners)
		return err__set(err, -ENOMEM, "out of memory");
	if (state->type->needs_fds)
		rc = raise_fd_limit(env->producers * state->batch_size + SPARE_FDS, err);
	if (rc == 0)
		rc = try_one(state->type, err);
	if (rc == 0)
		rc = find_source(state, err);
	if (rc == 0)
		rc = load(state, err);
	/* The options are fine from here on: what the kernel finds invalid is not theirs. */
	if (rc < 0)
		return rc == -EINVAL ? -EIO : rc;
	snprintf(state->variant, sizeof(state->variant), "%s/%s,batch=%lu", state->type->name,
		 state->source->name, state->batch_size);
	*ret_state = TAKE_PTR(owned);
	return 0;
}

static const char *variant(const void *arg)
{
	const struct state *state = arg;

	return state->variant;
}

static const char *note(const void *arg)
{
	const struct state *state = arg;

	return state->note[0] ? state->note : NULL;
}

static void batch(void *arg, unsigned int id, uint64_t want, struct bench_work *work)
{
	struct state *state = arg;
	struct owner *owners = state->owners + id * state->batch_size;
	uint64_t n = want < state->batch_size ? want : state->batch_size;

	for (uint64_t i = 0; i < n; i++) {
		owners[i].made = state->type->make(&owners[i]);
		if (owners[i].made)
			work->done++;
		else
			work->failed++;
	}
	for (uint64_t i = 0; i < n; i++) {
		if (owners[i].made)
			state->type->end(&owners[i]);
	}
}

static void witness(const void *arg, struct bench_work *ret_work)
{
	const struct state *state = arg;
	struct bench_work work = { .failed = state->skel->bss->failed };

	for (size_t i = 0; i < ARRAY_SIZE(state->skel->bss->created); i++)
		work.done += state->skel->bss->created[i][0];
	*ret_work = work;
}

const struct bench bench_local_storage_create = {
	.name = "local-storage-create",
	.about = "sockets or tasks with BPF local storage",
	.op = "create",
	.opts = option_table,
	.n_opts = ARRAY_SIZE(option_table),
	.opts_size = sizeof(struct options),
	.opts_default = &defaults,
	.setup = setup,
	.teardown = teardown,
	.variant = variant,
	.note = note,
	.batch = batch,
	.witness = witness,
};
