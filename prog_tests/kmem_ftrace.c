// SPDX-License-Identifier: GPL-2.0-only
/*
 * The allocator counters against an independent witness: while they count a
 * load, a tracing instance of our own records the kmem events of the same
 * thread, and the events between entry and exit of the load are counted.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "janitor.h"
#include "kmem.h"
#include "test_progs.h"

#define TRACEFS "/sys/kernel/tracing"

enum { BUFFER_KB = 32 * 1024 };

struct tracer {
	struct janitor *janitor;
	char dir[128]; /* the instance */
};

/* What the trace has of the last load. */
struct witness {
	uint64_t loads, kmallocs, slab_allocs, bytes_req, bytes_alloc;
};

static int tracer_write(const struct tracer *t, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", t->dir, name);
	return file__write(path, text);
}

/* Opening it to be truncated is what empties it. */
static int tracer_clear(const struct tracer *t)
{
	_cleanup_close_ int fd = -1;
	char path[256];

	snprintf(path, sizeof(path), "%s/trace", t->dir);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	return fd < 0 ? -errno : 0;
}

/* tracefs where it belongs; if nobody mounted it, for this process alone. */
static int mount_tracefs(void)
{
	if (access(TRACEFS "/instances", F_OK) == 0)
		return 0;
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tracefs", TRACEFS, "tracefs", 0, NULL) < 0)
		return -errno;
	return 0;
}

/*
 * Events are chosen by the number that the first PID namespace gives a thread.
 * The trace tells it of whoever writes into it.
 */
static bool trace_own_thread(const struct tracer *t)
{
	_cleanup_free_ char *text = NULL;
	char path[256], number[32];
	const char *mark;
	int tid, rc;

	rc = tracer_write(t, "trace_marker", "whoami");
	snprintf(path, sizeof(path), "%s/trace", t->dir);
	if (rc == 0)
		rc = file__read(path, &text, NULL);
	if (!ASSERT_OK(rc, "a mark in the trace"))
		return false;
	/* "   test_progs-4711    [001] ....1 12.345678: tracing_mark_write: whoami" */
	mark = strstr(text, ": whoami");
	while (mark && mark > text && *mark != '\n')
		mark--;
	mark = mark ? strstr(mark, " [") : NULL;
	while (mark && mark > text && *mark != '-')
		mark--;
	if (!ASSERT_TRUE(mark && sscanf(mark, "-%d", &tid) == 1, "number in the trace"))
		return false;
	snprintf(number, sizeof(number), "%d", tid);
	return ASSERT_OK(tracer_write(t, "set_event_pid", number), "set_event_pid");
}

/* False, with the test skipped or failed, if there can be no witness. */
static bool tracer_start(struct tracer *t)
{
	static const struct {
		const char *file, *text;
	} settings[] = {
		{ "events/kmem/kmalloc/enable", "1" },
		{ "events/kmem/kmem_cache_alloc/enable", "1" },
		{ "events/raw_syscalls/sys_enter/enable", "1" },
		{ "events/raw_syscalls/sys_exit/enable", "1" },
	};
	char text[32];
	int rc = mount_tracefs();

	if (rc < 0) {
		test__skip("no tracefs: %s", strerror(-rc));
		return false;
	}
	if (!ASSERT_OK(janitor__start(&t->janitor, NULL), "janitor"))
		return false;
	snprintf(t->dir, sizeof(t->dir), TRACEFS "/instances/bpf-ab-%d", getpid());
	if (!ASSERT_OK(janitor__add_dir(t->janitor, t->dir), "janitor"))
		return false;
	if (mkdir(t->dir, 0755) < 0) {
		test__skip("no tracing instance: %s", strerror(errno));
		return false;
	}
	snprintf(text, sizeof(text), "%d", BUFFER_KB);
	if (!ASSERT_OK(tracer_write(t, "buffer_size_kb", text), "buffer_size_kb") ||
	    !trace_own_thread(t) || !ASSERT_OK(tracer_write(t, "tracing_on", "0"), "tracing_on"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		rc = tracer_write(t, settings[i].file, settings[i].text);
		if (rc == -ENOENT) {
			test__skip("this kernel has no %s", settings[i].file);
			return false;
		}
		if (!ASSERT_OK(rc, settings[i].file))
			return false;
	}
	return true;
}

static void tracer_stop(struct tracer *t)
{
	if (t->janitor)
		ASSERT_OK(janitor__done(t->janitor), "removal of the tracing instance");
}

/*
 * "test_progs-4711 [001] d.h1. 12.345678: kmalloc: call_site=..." The third of
 * the flags tells what was interrupted: '.' for nothing.
 */
static void witness_line(struct witness *w, const char *line, bool *inside)
{
	const char *cpu = strstr(line, " ["), *event, *field;
	char flags[16];
	long nr, cmd;

	if (!cpu || sscanf(cpu, " [%*d] %15s", flags) != 1 || strlen(flags) < 4)
		return;
	event = strstr(cpu, ": ");
	if (!event)
		return;
	event += 2;
	if (sscanf(event, "sys_enter: NR %ld (%lx,", &nr, (unsigned long *)&cmd) == 2) {
		*inside = nr == __NR_bpf && cmd == BPF_PROG_LOAD;
		if (*inside)
			*w = (struct witness){ .loads = w->loads + 1 };
		return;
	}
	if (str_starts(event, "sys_exit: "))
		*inside = false;
	/* An allocation that failed is an event too, and none of ours. */
	if (!*inside || flags[2] != '.' || strstr(event, "ptr=0000000000000000 "))
		return;
	if (str_starts(event, "kmem_cache_alloc: ")) {
		w->slab_allocs++;
	} else if (str_starts(event, "kmalloc: ")) {
		uint64_t req, alloc;

		field = strstr(event, "bytes_req=");
		if (!field || sscanf(field, "bytes_req=%lu bytes_alloc=%lu", &req, &alloc) != 2)
			return;
		w->kmallocs++;
		w->bytes_req += req;
		w->bytes_alloc += alloc;
	}
}

static bool witness_read(const struct tracer *t, struct witness *w)
{
	_cleanup_free_ char *line = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	unsigned long kept = 0, written = 0;
	bool inside = false;
	char path[256];
	size_t cap = 0;

	snprintf(path, sizeof(path), "%s/trace", t->dir);
	f = fopen(path, "re");
	if (!ASSERT_OK_PTR(f, path))
		return false;
	while (getline(&line, &cap, f) > 0) {
		if (line[0] == '#')
			sscanf(line, "# entries-in-buffer/entries-written: %lu/%lu", &kept,
			       &written);
		else
			witness_line(w, line, &inside);
	}
	return ASSERT_GT(written, 0, "events in the trace") &&
	       ASSERT_EQ(kept, written, "events that the buffer could keep");
}

static bool load_watched(const struct tracer *t, struct kmem *kmem, const char *path,
			 struct kmem_counts *counts, struct witness *w)
{
	struct bpf_object *obj;
	int load, rc;

	obj = bpf_object__open(path);
	if (!ASSERT_OK_PTR(obj, path))
		return false;
	rc = tracer_clear(t);
	if (rc == 0)
		rc = tracer_write(t, "tracing_on", "1");
	if (rc == 0)
		rc = kmem__begin(kmem, gettid(), KMEM_WINDOW_PROG_LOAD);
	load = bpf_object__load(obj);
	if (rc == 0)
		rc = kmem__end(kmem, counts);
	tracer_write(t, "tracing_on", "0");
	bpf_object__close(obj);
	return ASSERT_OK(rc, "counters") && ASSERT_OK(load, "load") && witness_read(t, w);
}

static void compare(const struct tracer *t, struct kmem *kmem, const char *object)
{
	struct kmem_counts c = {};
	struct witness w = {};
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", test__env()->objdir, object);
	if (!load_watched(t, kmem, path, &c, &w))
		return;
	ASSERT_GT(w.kmallocs, 0, "kmalloc events of a load");
	ASSERT_EQ(c.loads, w.loads, "loads");
	ASSERT_EQ(c.kmallocs + c.own_kmallocs, w.kmallocs, "kmallocs");
	ASSERT_EQ(c.slab_allocs + c.own_slab_allocs, w.slab_allocs, "slab_allocs");
	/* What slab keeps for itself is in the trace and not in our bytes. */
	if (c.own_kmallocs) {
		ASSERT_LT(c.kmalloc_bytes_req, w.bytes_req, "kmalloc_bytes_req");
		ASSERT_LT(c.kmalloc_bytes, w.bytes_alloc, "kmalloc_bytes");
	} else {
		ASSERT_EQ(c.kmalloc_bytes_req, w.bytes_req, "kmalloc_bytes_req");
		ASSERT_EQ(c.kmalloc_bytes, w.bytes_alloc, "kmalloc_bytes");
	}
}

void test_kmem_ftrace(void)
{
	static const char *const objects[] = { "corpus_tiny.bpf.o", "corpus_states.bpf.o",
					       "corpus_lookups.bpf.o" };
	_cleanup_kmem_ struct kmem *kmem = NULL;
	struct tracer tracer = {};
	struct err err = {};
	int rc;

	rc = kmem__open(&(struct kmem_opts){}, &kmem, &err);
	if (rc == -EOPNOTSUPP || rc == -EPERM) {
		test__skip("%s", err.text);
		return;
	}
	if (!ASSERT_OK(rc, err.text))
		return;
	if (tracer_start(&tracer)) {
		for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
			if (test__start_subtest(objects[i]))
				compare(&tracer, kmem, objects[i]);
		}
		test__end_subtest();
	}
	tracer_stop(&tracer);
}
