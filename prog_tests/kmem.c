// SPDX-License-Identifier: GPL-2.0-only
/* The allocator counters on sequences whose outcome is known. */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "kmem.h"
#include "storage_map.h"
#include "test_progs.h"

enum { SOCKETS = 64, MAP_BYTES = 16 * 1024, WINDOWS = 20 };

/* Every window has to fulfil these. */
static bool check_sums(const struct kmem_counts *c)
{
	bool ok = ASSERT_EQ(c->lost, 0, "lost pointers");

	ok &= ASSERT_EQ(c->kmallocs + c->slab_allocs + c->nolocks,
			c->frees + c->frees_elsewhere + c->frees_after + c->live_objects,
			"allocations against frees and live objects");
	ok &= ASSERT_LE(c->live_end, c->live_peak, "live at the end against peak");
	ok &= ASSERT_LE(c->live_peak, c->kmalloc_bytes + c->slab_bytes + c->nolock_bytes,
			"peak against all bytes");
	ok &= ASSERT_LE(c->leaked, c->live_end, "what is left against what was");
	ok &= ASSERT_LE(c->kmalloc_bytes_req, c->kmalloc_bytes, "bytes asked for and given");
	return ok;
}

static bool load_counted(struct kmem *kmem, const char *name, struct kmem_counts *ret_counts)
{
	_cleanup_free_ char *path = NULL;
	struct bpf_object *obj;
	int load, rc;

	if (!ASSERT_OK(str__printf(&path, "%s/%s", test__env()->objdir, name), "path"))
		return false;
	obj = bpf_object__open(path);
	if (!ASSERT_OK_PTR(obj, path))
		return false;
	rc = kmem__begin(kmem, gettid(), KMEM_WINDOW_PROG_LOAD);
	if (!ASSERT_OK(rc, "begin")) {
		bpf_object__close(obj);
		return false;
	}
	load = bpf_object__load(obj);
	rc = kmem__end(kmem, ret_counts);
	bpf_object__close(obj);
	return ASSERT_OK(load, "load") && ASSERT_OK(rc, "end");
}

static void check_repeated_load(struct kmem *kmem)
{
	struct kmem_counts first = {}, again = {};

	if (!load_counted(kmem, "corpus_states.bpf.o", &first) ||
	    !load_counted(kmem, "corpus_states.bpf.o", &again))
		return;
	check_sums(&first);
	check_sums(&again);
	ASSERT_GE(first.loads, 1, "loads");
	/* Each state that the verifier pushes is several allocations. */
	ASSERT_GT(first.kmallocs, 1000, "kmallocs of a program with many states");
	ASSERT_EQ(again.kmallocs, first.kmallocs, "kmallocs");
	ASSERT_EQ(again.kmalloc_bytes_req, first.kmalloc_bytes_req, "kmalloc_bytes_req");
	ASSERT_EQ(again.kmalloc_bytes, first.kmalloc_bytes, "kmalloc_bytes");
	ASSERT_EQ(again.slab_allocs, first.slab_allocs, "slab_allocs");
	ASSERT_EQ(again.slab_bytes, first.slab_bytes, "slab_bytes");
	ASSERT_EQ(again.live_peak, first.live_peak, "live_peak");
}

/* With too small a table the allocations are still counted, and the loss is told. */
static void check_lost_pointers(struct kmem *kmem)
{
	_cleanup_kmem_ struct kmem *small = NULL;
	struct kmem_counts full = {}, lossy = {};

	if (!ASSERT_OK(kmem__open(&(struct kmem_opts){ .max_live = 4 }, &small, NULL), "open") ||
	    !load_counted(kmem, "corpus_states.bpf.o", &full) ||
	    !load_counted(small, "corpus_states.bpf.o", &lossy))
		return;
	ASSERT_EQ(full.lost, 0, "lost of a large table");
	ASSERT_GT(lossy.lost, 0, "lost of a table of 4");
	ASSERT_EQ(lossy.kmallocs, full.kmallocs, "kmallocs");
	ASSERT_EQ(lossy.slab_allocs, full.slab_allocs, "slab_allocs");
}

static bool sockets_counted(struct kmem *kmem, int n, struct kmem_counts *ret_counts)
{
	bool ok = ASSERT_OK(kmem__begin(kmem, gettid(), KMEM_WINDOW_THREAD), "begin");
	int made = 0;

	for (int i = 0; i < n; i++) {
		int fd = socket(AF_INET6, SOCK_DGRAM, 0);

		made += fd >= 0 && close(fd) == 0;
	}
	ok &= ASSERT_OK(kmem__end(kmem, ret_counts), "end");
	return ASSERT_EQ(made, n, "sockets") && ok;
}

static void check_proportional(struct kmem *kmem)
{
	struct kmem_counts warm_up = {}, once = {}, twice = {};

	if (!sockets_counted(kmem, SOCKETS, &warm_up) || !sockets_counted(kmem, SOCKETS, &once) ||
	    !sockets_counted(kmem, 2 * SOCKETS, &twice))
		return;
	check_sums(&once);
	check_sums(&twice);
	ASSERT_GE(once.slab_allocs, SOCKETS, "a socket is a slab object");
	ASSERT_EQ(once.loads, 0, "loads in a thread's window");
	ASSERT_EQ(twice.kmallocs, 2 * once.kmallocs, "kmallocs of twice as many");
	ASSERT_EQ(twice.slab_allocs, 2 * once.slab_allocs, "slab_allocs of twice as many");
}

/* What is allocated and kept is live at the end, with its size. */
static void check_live(struct kmem *kmem)
{
	struct kmem_counts c = {};
	int fd, rc;

	if (!ASSERT_OK(kmem__begin(kmem, gettid(), KMEM_WINDOW_THREAD), "begin"))
		return;
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "live", 4, MAP_BYTES, 1, NULL);
	rc = kmem__end(kmem, &c);
	if (fd >= 0)
		close(fd);
	if (!ASSERT_OK_FD(fd, "array map") || !ASSERT_OK(rc, "end"))
		return;
	check_sums(&c);
	ASSERT_GE(c.live_end, MAP_BYTES, "bytes of a map that is kept");
	ASSERT_LT(c.live_end, 4 * MAP_BYTES, "bytes of a map that is kept");
}

/* Storage of a socket, where the kernel has it by kmalloc_nolock(). */
static void store(int map, int n)
{
	for (int i = 0; i < n; i++) {
		int fd = socket(AF_INET6, SOCK_DGRAM, 0), value = i;

		ASSERT_OK_FD(fd, "socket");
		ASSERT_OK(bpf_map_update_elem(map, &fd, &value, BPF_ANY), "storage");
		close(fd);
	}
}

static void check_nolock(struct kmem *kmem __unused_arg)
{
	static const struct kmem_opts wants = { .kinds = KMEM_WANTS(NOLOCK) };
	_cleanup_kmem_ struct kmem *nolock = NULL;
	struct kmem_counts once = {}, twice = {};
	_cleanup_close_ int map = -1;

	if (!ASSERT_OK(storage_map__create(BPF_MAP_TYPE_SK_STORAGE, sizeof(int), &map, NULL),
		       "storage map") ||
	    !ASSERT_OK(kmem__open(&wants, &nolock, NULL), "open"))
		return;
	if (kmem__missing(nolock, KMEM_KIND_NOLOCK)) {
		test__skip("%s", kmem__missing(nolock, KMEM_KIND_NOLOCK));
		return;
	}
	store(map, SOCKETS);
	ASSERT_OK(kmem__begin(nolock, gettid(), KMEM_WINDOW_THREAD), "begin");
	store(map, SOCKETS);
	ASSERT_OK(kmem__end(nolock, &once), "end");
	ASSERT_OK(kmem__begin(nolock, gettid(), KMEM_WINDOW_THREAD), "begin");
	store(map, 2 * SOCKETS);
	ASSERT_OK(kmem__end(nolock, &twice), "end");
	check_sums(&once);
	check_sums(&twice);
	ASSERT_EQ(twice.nolocks, 2 * once.nolocks, "nolocks of twice as many");
	ASSERT_EQ(twice.kmallocs, 2 * once.kmallocs, "kmallocs of twice as many");
	ASSERT_LE(once.nolock_bytes_req, once.nolock_bytes, "bytes asked for and given");
	/* One or the other has it. */
	ASSERT_GE(once.nolocks + once.kmallocs, SOCKETS, "allocations for storage");
	if (libbpf_find_vmlinux_btf_id("bpf_map_kmalloc_nolock", BPF_TRACE_FENTRY) > 0)
		ASSERT_GE(once.nolocks, SOCKETS, "nolocks of a kernel that has storage by them");
}

static void check_nothing(struct kmem *kmem)
{
	static const struct kmem_counts zero;
	struct kmem_counts c = { .kmallocs = 1 };

	if (!ASSERT_OK(kmem__begin(kmem, gettid(), KMEM_WINDOW_THREAD), "begin") ||
	    !ASSERT_OK(kmem__end(kmem, &c), "end"))
		return;
	ASSERT_MEMEQ(&c, &zero, sizeof(c), "counts of a window without work");
}

struct other {
	pthread_barrier_t start, stop;
	int made;
};

static void *make_sockets(void *arg)
{
	struct other *other = arg;

	pthread_barrier_wait(&other->start);
	for (int i = 0; i < SOCKETS; i++) {
		int fd = socket(AF_INET6, SOCK_DGRAM, 0);

		other->made += fd >= 0 && close(fd) == 0;
	}
	pthread_barrier_wait(&other->stop);
	return NULL;
}

static void check_other_thread(struct kmem *kmem)
{
	struct kmem_counts c = { .kmallocs = 1 };
	struct other other = {};
	pthread_t thread;

	pthread_barrier_init(&other.start, NULL, 2);
	pthread_barrier_init(&other.stop, NULL, 2);
	if (!ASSERT_OK(pthread_create(&thread, NULL, make_sockets, &other), "thread"))
		return;
	ASSERT_OK(kmem__begin(kmem, gettid(), KMEM_WINDOW_THREAD), "begin");
	pthread_barrier_wait(&other.start);
	pthread_barrier_wait(&other.stop);
	ASSERT_OK(kmem__end(kmem, &c), "end");
	pthread_join(thread, NULL);
	ASSERT_EQ(other.made, SOCKETS, "sockets of the other thread");
	ASSERT_EQ(c.kmallocs + c.slab_allocs, 0, "allocations of this thread");
}

static void check_misuse(struct kmem *kmem)
{
	struct kmem_counts c = { .kmallocs = 7 };

	ASSERT_EQ(kmem__end(kmem, &c), -EINVAL, "end without begin");
	ASSERT_EQ(c.kmallocs, 7, "counts after a failure");
	ASSERT_OK(kmem__begin(kmem, gettid(), KMEM_WINDOW_THREAD), "begin");
	ASSERT_EQ(kmem__begin(kmem, gettid(), KMEM_WINDOW_THREAD), -EEXIST, "armed twice");
	ASSERT_EQ(kmem__begin(kmem, 1, KMEM_WINDOW_PROG_LOAD), -EBUSY, "another kind of window");
	ASSERT_OK(kmem__end(kmem, &c), "end");
	ASSERT_EQ(kmem__end(kmem, &c), -EINVAL, "end twice");
}

/* A worker of the kernel frees an arena's list of ranges after the arena is closed. */
static void *close_arenas(void *arg)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	const bool *done = arg;

	while (!__atomic_load_n(done, __ATOMIC_RELAXED)) {
		int fd = bpf_map_create(BPF_MAP_TYPE_ARENA, "arena", 0, 0, 16, &opts);

		if (fd < 0)
			return (void *)(intptr_t)fd;
		close(fd);
		usleep(100);
	}
	return NULL;
}

/* Windows that open and shut while others call what is traced: what goes wrong is a splat. */
static void check_nolock_in_use(struct kmem *kmem __unused_arg)
{
	static const struct kmem_opts wants = { .kinds = KMEM_WANTS(NOLOCK) };
	_cleanup_kmem_ struct kmem *nolock = NULL;
	struct kmem_counts counts;
	bool done = false;
	pthread_t thread;
	void *failed;

	if (!ASSERT_OK(kmem__open(&wants, &nolock, NULL), "open"))
		return;
	if (kmem__missing(nolock, KMEM_KIND_NOLOCK)) {
		test__skip("%s", kmem__missing(nolock, KMEM_KIND_NOLOCK));
		return;
	}
	if (!ASSERT_OK(pthread_create(&thread, NULL, close_arenas, &done), "thread"))
		return;
	for (int i = 0; i < WINDOWS; i++) {
		if (!ASSERT_OK(kmem__begin(nolock, gettid(), KMEM_WINDOW_THREAD), "begin"))
			break;
		/* -EAGAIN is an answer, too. */
		kmem__end(nolock, &counts);
	}
	__atomic_store_n(&done, true, __ATOMIC_RELAXED);
	pthread_join(thread, &failed);
	ASSERT_NULL(failed, "arenas");
}

static const struct {
	const char *name;
	void (*check)(struct kmem *kmem);
} subtests[] = {
	{ "repeated_load", check_repeated_load },
	{ "lost_pointers", check_lost_pointers },
	{ "proportional", check_proportional },
	{ "live", check_live },
	{ "nolock", check_nolock },
	{ "nolock_in_use", check_nolock_in_use },
	{ "nothing", check_nothing },
	{ "other_thread", check_other_thread },
	{ "misuse", check_misuse },
};

void test_kmem(void)
{
	_cleanup_kmem_ struct kmem *kmem = NULL;
	struct err err = {};
	int rc;

	rc = kmem__open(&(struct kmem_opts){}, &kmem, &err);
	if (rc == -EOPNOTSUPP || rc == -EPERM) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(subtests); i++) {
		if (test__start_subtest(subtests[i].name))
			subtests[i].check(kmem);
	}
}
