// SPDX-License-Identifier: GPL-2.0-only
/* patch_env__read(): how the running kernel differs from others in what it rewrites. */
#include "patch_model.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>

#include "cleanup.h"
#include "prog_info.h"

const struct patch_env patch_env_unknown = {
	.ax = 11,
	.array_value = -1,
	.htab_key = -1,
	.htab_lru_ref = -1,
	.skb = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
};

static void free_btf(struct btf **btf)
{
	btf__free(*btf);
}

/* ---- offsets ------------------------------------------------------------------ */

/* Bits from the beginning of a structure to a member, also of an anonymous one in it; -1: none. */
static int64_t member_bits(const struct btf *btf, int32_t type_id, const char *name, size_t len,
			   int32_t *ret_type)
{
	const struct btf_type *t;

	type_id = btf__resolve_type(btf, type_id);
	t = type_id < 0 ? NULL : btf__type_by_id(btf, type_id);
	for (uint16_t i = 0; t && btf_is_composite(t) && i < btf_vlen(t); i++) {
		const struct btf_member *member = &btf_members(t)[i];
		const char *its = btf__name_by_offset(btf, member->name_off);
		const int64_t bits = btf_member_bit_offset(t, i);
		int64_t inner;

		if (its && strlen(its) == len && strncmp(its, name, len) == 0) {
			*ret_type = member->type;
			return bits;
		}
		inner = its && *its ? -1 : member_bits(btf, member->type, name, len, ret_type);
		if (inner >= 0)
			return bits + inner;
	}
	return -1;
}

/* Bytes to "member.member" of a structure, -1 if there is none. */
static int32_t offset_of(const struct btf *btf, const char *type, const char *path)
{
	int32_t type_id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);
	int64_t bits = 0;

	while (type_id >= 0) {
		const size_t len = strcspn(path, ".");
		const int64_t more = member_bits(btf, type_id, path, len, &type_id);

		if (more < 0)
			return -1;
		bits += more;
		if (!path[len])
			return bits / 8;
		path += len + 1;
	}
	return -1;
}

#define OFFSET(member) offsetof(struct patch_env, member)

static const struct {
	size_t at;
	const char *type, *path;
} offsets[] = {
	{ OFFSET(array_value), "bpf_array", "value" },
	{ OFFSET(htab_key), "htab_elem", "key" },
	{ OFFSET(htab_lru_ref), "htab_elem", "lru_node.ref" },
	{ OFFSET(skb.len), "sk_buff", "len" },
	{ OFFSET(skb.protocol), "sk_buff", "protocol" },
	{ OFFSET(skb.vlan_proto), "sk_buff", "vlan_proto" },
	{ OFFSET(skb.priority), "sk_buff", "priority" },
	{ OFFSET(skb.skb_iif), "sk_buff", "skb_iif" },
	{ OFFSET(skb.dev), "sk_buff", "dev" },
	{ OFFSET(skb.hash), "sk_buff", "hash" },
	{ OFFSET(skb.mark), "sk_buff", "mark" },
	{ OFFSET(skb.pkt_type), "sk_buff", "pkt_type" },
	{ OFFSET(skb.queue_mapping), "sk_buff", "queue_mapping" },
	{ OFFSET(skb.vlan_all), "sk_buff", "vlan_all" },
	{ OFFSET(skb.vlan_tci), "sk_buff", "vlan_tci" },
	{ OFFSET(skb.netdev_ifindex), "net_device", "ifindex" },
};

static void read_offsets(const struct btf *btf, struct patch_env *env)
{
	const int32_t cb = offset_of(btf, "sk_buff", "cb");
	const int32_t data = offset_of(btf, "qdisc_skb_cb", "data");

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		const int32_t off = offset_of(btf, offsets[i].type, offsets[i].path);

		memcpy((char *)env + offsets[i].at, &off, sizeof(off));
	}
	env->skb.cb_data = cb < 0 || data < 0 ? -1 : cb + data;
}

/* ---- programs ------------------------------------------------------------------ */

#define INSN(op, dst, src, offset, value)                                                         \
	{                                                                                         \
		.code = (op), .dst_reg = (dst), .src_reg = (src), .off = (offset), .imm = (value) \
	}
#define SET(dst, value) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define EXIT		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define CALL(src, id)	INSN(BPF_JMP | BPF_CALL, 0, src, 0, id)

/* What the kernel makes of a program; the caller frees with prog_info__free(). */
static int rewrite(const struct bpf_insn *insns, size_t n, struct prog_info *ret_info,
		   struct err *err)
{
	_cleanup_close_ int fd =
		bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "probe", "GPL", insns, n, NULL);
	int rc;

	if (fd < 0)
		return err__set(err, -errno, "a program of %zu instructions did not load: %s", n,
				strerror(errno));
	rc = prog_info__read(fd, ret_info, err);
	if (rc < 0)
		return rc;
	if (ret_info->jited_len && ret_info->n_insns)
		return 0;
	err__set(err, -EOPNOTSUPP, "%s",
		 ret_info->jited_len ? "this kernel does not show instructions"
				     : "this kernel has no JIT");
	prog_info__free(ret_info);
	return -EOPNOTSUPP;
}

static int read_count(const struct bpf_insn *insns, size_t n, size_t *ret_n, struct err *err)
{
	struct prog_info info = {};
	int rc = rewrite(insns, n, &info, err);

	if (rc == 0)
		*ret_n = info.n_insns;
	prog_info__free(&info);
	return rc;
}

int patch_env__blinds(struct err *err)
{
	static const struct bpf_insn insns[] = { SET(BPF_REG_0, 0x1234567), EXIT };
	size_t n = 0;
	int rc = read_count(insns, ARRAY_SIZE(insns), &n, err);

	return rc < 0 ? rc : n > ARRAY_SIZE(insns);
}

static int read_ax(struct patch_env *env, struct err *err)
{
	static const struct bpf_insn insns[] = {
		SET(BPF_REG_0, 7),
		SET(BPF_REG_1, 7),
		INSN(BPF_ALU64 | BPF_DIV | BPF_X, BPF_REG_0, BPF_REG_1, 1, 0),
		EXIT,
	};
	struct prog_info info = {};
	int rc = rewrite(insns, ARRAY_SIZE(insns), &info, err);

	if (rc == 0)
		env->ax = info.insns[2].dst_reg;
	prog_info__free(&info);
	return rc;
}

/* Each of these stands in its program for at least one instruction, and for more if inlined. */
static int read_switches(struct patch_env *env, struct err *err)
{
	static const struct bpf_insn cpu[] = { CALL(0, BPF_FUNC_get_smp_processor_id),
					       SET(BPF_REG_0, 0), EXIT };
	static const struct bpf_insn task[] = { CALL(0, BPF_FUNC_get_current_task),
						SET(BPF_REG_0, 0), EXIT };
	static const struct bpf_insn may_goto[] = {
		SET(BPF_REG_0, 0),
		INSN(BPF_JMP | BPF_JCOND, 0, 0, 1, 0),
		INSN(BPF_JMP | BPF_JA, 0, 0, -2, 0),
		EXIT,
	};
	/* The calls are by count and clock in 7 instructions and 2 in front, by count in 4 and 1.
	 */
	const size_t timed = ARRAY_SIZE(may_goto) + 6 + 2;
	size_t n;
	int rc;

	rc = read_count(cpu, ARRAY_SIZE(cpu), &n, err);
	if (rc == 0) {
		env->smp = n > ARRAY_SIZE(cpu);
		rc = read_count(task, ARRAY_SIZE(task), &n, err);
	}
	if (rc == 0) {
		env->task_inlined = n > ARRAY_SIZE(task);
		rc = read_count(may_goto, ARRAY_SIZE(may_goto), &n, err);
	}
	if (rc == 0)
		env->timed_may_goto = n == timed;
	return rc;
}

static int read_iter(const struct btf *btf, struct patch_env *env, struct err *err)
{
	const int32_t id_new = btf__find_by_name_kind(btf, "bpf_iter_num_new", BTF_KIND_FUNC);
	const int32_t id_destroy =
		btf__find_by_name_kind(btf, "bpf_iter_num_destroy", BTF_KIND_FUNC);
	const struct bpf_insn insns[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8),
		SET(BPF_REG_2, 0),
		SET(BPF_REG_3, 4),
		CALL(BPF_PSEUDO_KFUNC_CALL, id_new),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8),
		CALL(BPF_PSEUDO_KFUNC_CALL, id_destroy),
		SET(BPF_REG_0, 0),
		EXIT,
	};
	size_t n;
	int rc;

	if (id_new < 0 || id_destroy < 0)
		return 0;
	rc = read_count(insns, ARRAY_SIZE(insns), &n, err);
	if (rc == 0)
		env->iter_num_inlined = n > ARRAY_SIZE(insns);
	return rc;
}

int patch_env__read(struct patch_env *ret_env, struct err *err)
{
	_cleanup_(free_btf) struct btf *btf = btf__load_vmlinux_btf();
	struct patch_env env = patch_env_unknown;
	int rc;

#if !defined(__x86_64__)
	return err__set(err, -EOPNOTSUPP, "the model knows no machine but x86-64");
#endif
	rc = patch_env__blinds(err);
	if (rc > 0)
		rc = err__set(err, -EOPNOTSUPP,
			      "constants are blinded here "
			      "(net.core.bpf_jit_harden), which the model leaves out");
	if (rc == 0)
		rc = read_ax(&env, err);
	if (rc == 0)
		rc = read_switches(&env, err);
	if (rc == 0 && btf) {
		read_offsets(btf, &env);
		rc = read_iter(btf, &env, err);
	}
	if (rc == 0)
		*ret_env = env;
	return rc;
}
