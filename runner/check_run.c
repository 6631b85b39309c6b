// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>

#include "check.h"
#include "cleanup.h"
#include "prefill.h"

#define PACKET_LEN 64 /* of a test run; TEST_DATA_LEN of bpf_misc.h */
#define STREAM_OUT 1
#define STREAM_ERR 2

struct links {
	VEC(struct bpf_link *) list;
};

static enum outcome check_stream(struct check *c, enum annot_text text, int stream,
				 const char *title)
{
	LIBBPF_OPTS(bpf_prog_stream_read_opts, opts);
	char *log = c->annotated->log;
	int rc;

	if (!annot__texts(c->annot, c->mode, text)->patterns.n)
		return OUTCOME_PASS;
	rc = bpf_prog_stream_read(bpf_program__fd(c->bpf), stream, log, c->annotated->log_len - 1,
				  &opts);
	if (rc < 0)
		return FAIL(c, "the program's %s can't be read: %s", title, strerror(-rc));
	log[rc] = '\0';
	return check__text(c, text, title, log);
}

static int test_run(const struct check *c, int *ret_retval)
{
	uint8_t in[PACKET_LEN] = {}, out[4 * PACKET_LEN] = {};
	struct __sk_buff skb = { .data_end = c->annot->linear_size };
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int rc;

	/* Syscall programs take neither packet nor repetition. */
	if (bpf_program__type(c->bpf) != BPF_PROG_TYPE_SYSCALL) {
		opts.data_in = in;
		opts.data_size_in = sizeof(in);
		opts.data_out = out;
		opts.data_size_out = sizeof(out);
		opts.repeat = 1;
	}
	if (c->annot->linear_size) {
		opts.ctx_in = &skb;
		opts.ctx_size_in = sizeof(skb);
	}
	rc = bpf_prog_test_run_opts(bpf_program__fd(c->bpf), &opts);
	if (rc < 0)
		return rc;
	*ret_retval = opts.retval;
	return 0;
}

static void links_free(struct links *links)
{
	for (size_t i = 0; i < links->list.n; i++)
		bpf_link__destroy(links->list.v[i]);
	vec_free(&links->list);
}

/* Registers the object's struct_ops maps, whose programs the run may cause to be called. */
static int attach_struct_ops(const struct check *c, struct links *links)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, c->obj)
	{
		struct bpf_link *link;

		if (bpf_map__type(map) != BPF_MAP_TYPE_STRUCT_OPS || !bpf_map__autocreate(map))
			continue;
		link = bpf_map__attach_struct_ops(map);
		if (!link)
			return err__set(c->why, -errno, "struct_ops map '%s' can't be attached: %s",
					bpf_map__name(map), strerror(errno));
		if (vec_push(&links->list, link) < 0) {
			bpf_link__destroy(link);
			return err__set(c->why, -ENOMEM, "out of memory");
		}
	}
	return 0;
}

enum outcome check__run(struct check *c)
{
	const struct annot_expect *expect = check__expect(c);
	_cleanup_(links_free) struct links links = {};
	enum outcome outcome;
	int retval, rc;

	if (!expect->runs || expect->fails)
		return OUTCOME_PASS;
	if (c->annot->prog_flags & BPF_F_ANY_ALIGNMENT && !c->annotated->facts->unaligned)
		return SKIP(c, "this machine may not run unaligned accesses");
	if (attach_struct_ops(c, &links) < 0 ||
	    prefill__object(c->obj, c->annotated->name, c->why) < 0)
		return OUTCOME_FAIL;
	rc = test_run(c, &retval);
	if (rc < 0)
		return FAIL(c, "can't be run: %s", strerror(-rc));
	if (retval != expect->retval && expect->retval != ANNOT_POINTER_VALUE)
		return FAIL(c, "returned %d, expected %d", retval, expect->retval);
	outcome = check_stream(c, ANNOT_STDERR, STREAM_ERR, "stderr");
	if (outcome == OUTCOME_PASS)
		outcome = check_stream(c, ANNOT_STDOUT, STREAM_OUT, "stdout");
	return outcome;
}
