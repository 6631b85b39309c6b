// SPDX-License-Identifier: GPL-2.0-only
#include "memcheck.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stddef.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <linux/filter.h>

/* A peak of so many times of what is known has something else in it. */
enum { TIMES = 16, INSNS_MAX = 65536 };

DEFINE_CLEANUP(struct btf, btf__free);

/* r0 = 0 as often as it takes, and an exit. */
static void write_notes(struct bpf_insn *code, size_t n)
{
	for (size_t i = 0; i < n; i++)
		code[i] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K };
	code[n - 1].code = BPF_JMP | BPF_EXIT;
}

/* if (skb->len == i) goto exit; each keeps the state of the branch not taken yet. */
static void write_states(struct bpf_insn *code, size_t n)
{
	write_notes(code, n);
	code[1] = (struct bpf_insn){ .code = BPF_LDX | BPF_MEM | BPF_W,
				     .dst_reg = BPF_REG_2,
				     .src_reg = BPF_REG_1,
				     .off = offsetof(struct __sk_buff, len) };
	for (size_t i = 2; i < n - 1; i++)
		code[i] = (struct bpf_insn){ .code = BPF_JMP | BPF_JEQ | BPF_K,
					     .dst_reg = BPF_REG_2,
					     .off = n - 2 - i,
					     .imm = i };
}

static const struct {
	void (*write)(struct bpf_insn *code, size_t n);
	size_t insns, things; /* of which it has so many */
	const char *type;
	uint64_t least; /* bytes of one, if BTF does not tell */
	const char *lacks;
} programs[] = {
	/* The verifier gives up at 8192 of these. */
	[MEMCHECK_STATES] = { write_states, 6000, 5997, "bpf_func_state", 1024,
			      "this kernel does not charge the verifier's memory" },
	[MEMCHECK_NOTES] = { write_notes, INSNS_MAX, INSNS_MAX, "bpf_insn_aux_data", 40,
			     "this kernel does not charge what the verifier notes of each "
			     "instruction" },
};

static uint64_t size_of(const struct btf *btf, size_t kind)
{
	int id = btf ? btf__find_by_name_kind(btf, programs[kind].type, BTF_KIND_STRUCT) : -ENOENT;

	return id > 0 ? btf__type_by_id(btf, id)->size : programs[kind].least;
}

static int load(size_t kind)
{
	size_t n = programs[kind].insns;
	_cleanup_free_ struct bpf_insn *code = calloc(n, sizeof(*code));
	int fd;

	if (!code)
		return -ENOMEM;
	programs[kind].write(code, n);
	fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, NULL, "GPL", code, n, NULL);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* kind MEMCHECK_KINDS: the peak of nothing. */
static int weigh(struct memcg *memcg, size_t kind, uint64_t *ret_peak, struct err *err)
{
	int rc = memcg__reset(memcg), loaded = 0;

	if (rc == 0 && kind < MEMCHECK_KINDS)
		loaded = load(kind);
	if (loaded < 0)
		return err__set(err, loaded,
				"the program that shows what a peak is worth does not load: %s",
				strerror(-loaded));
	if (rc == 0)
		rc = memcg__peak(memcg, ret_peak);
	return rc < 0 ? err__set(err, rc, "the control group cannot be read: %s", strerror(-rc))
		      : 0;
}

static int judge(const struct memcheck *check, struct err *err)
{
	uint64_t known = check->kinds[MEMCHECK_STATES].known >> 10;
	uint64_t peak = check->kinds[MEMCHECK_STATES].peak >> 10;

	if (!check->kinds[MEMCHECK_STATES].charged)
		return err__set(err, 1,
				"%s: a program that takes %" PRIu64 " KiB or more has a peak "
				"of %" PRIu64 " KiB",
				programs[MEMCHECK_STATES].lacks, known, peak);
	if (peak > TIMES * known || check->idle >> 10 > known)
		return err__set(err, 1,
				"others allocate in this control group: no work at all has a "
				"peak of %" PRIu64 " KiB, and a program that takes some %" PRIu64
				" KiB one of %" PRIu64 " KiB",
				check->idle >> 10, known, peak);
	return 0;
}

/* On one CPU what was charged in advance is one batch, however many there are. */
static void stay_here(cpu_set_t *before)
{
	int cpu = sched_getcpu();
	cpu_set_t here;

	if (sched_getaffinity(0, sizeof(*before), before) < 0 || cpu < 0 || cpu >= CPU_SETSIZE) {
		CPU_ZERO(before);
		return;
	}
	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	sched_setaffinity(0, sizeof(here), &here);
}

static int weigh_all(struct memcg *memcg, struct memcheck *check, struct err *err)
{
	_cleanup_(btf__freep) struct btf *btf = btf__load_vmlinux_btf();
	int rc;

	rc = weigh(memcg, MEMCHECK_KINDS, &check->idle, err);
	for (size_t i = 0; rc == 0 && i < MEMCHECK_KINDS; i++) {
		check->kinds[i].known = programs[i].things * size_of(btf, i);
		rc = weigh(memcg, i, &check->kinds[i].peak, err);
		check->kinds[i].charged =
			check->kinds[i].peak + memcg__quantum(1) >= check->kinds[i].known;
	}
	return rc;
}

int memcheck__run(struct memcg *memcg, struct memcheck *ret_check, struct err *err)
{
	struct memcheck check = { .quantum = memcg__quantum(sysconf(_SC_NPROCESSORS_CONF)) };
	cpu_set_t before;
	int rc;

	stay_here(&before);
	rc = weigh_all(memcg, &check, err);
	if (CPU_COUNT(&before))
		sched_setaffinity(0, sizeof(before), &before);
	if (rc < 0)
		return rc;
	*ret_check = check;
	return judge(&check, err);
}

const char *memcheck__lacks(const struct memcheck *check)
{
	return check->kinds[MEMCHECK_NOTES].charged ? NULL : programs[MEMCHECK_NOTES].lacks;
}
