// SPDX-License-Identifier: GPL-2.0-only
/* Lookups in maps and accesses through a struct __sk_buff. */
#include "patch_kind.h"

#include <errno.h>

static uint32_t round_up8(uint32_t n)
{
	return (n + 7) & ~7U;
}

static bool is_power_of_2(uint32_t n)
{
	return n && !(n & (n - 1));
}

/* The smallest power of two that is not below n. */
static uint32_t power_of_2(uint32_t n)
{
	uint32_t power = 1;

	while (power < n)
		power *= 2;
	return power;
}

/* reg += off + more, off being of a structure and perhaps not known. */
static void add_offset(struct patch *patch, uint8_t reg, int32_t off, uint32_t more)
{
	struct patch_slot *slot = patch__emit(patch, BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0);

	if (off == -1)
		slot->any |= PATCH_ANY_IMM;
	else
		slot->insn.imm = off + more;
}

/* An element by its hash; what follows it is for the type to say. */
static void find_element(const struct patch_job *job, struct patch *patch, size_t n)
{
	const bool lru = job->fact->map.type == BPF_MAP_TYPE_LRU_HASH;

	patch__call_any(patch);
	patch__jump(patch, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, n);
	if (lru) {
		const int32_t ref = job->env->htab_lru_ref;

		patch__load(patch, BPF_B, BPF_REG_1, BPF_REG_0, ref);
		patch__jump(patch, BPF_JMP | BPF_JNE | BPF_K, BPF_REG_1, 0, 5);
		patch__store_imm(patch, BPF_B, BPF_REG_0, ref, 1);
	}
	add_offset(patch, BPF_REG_0, job->env->htab_key, round_up8(job->fact->map.key_size));
}

/* r0 = where element *r2 is, on the way to the last instruction, "r0 = 0", if there is none. */
static void index_element(const struct patch_job *job, struct patch *patch, uint32_t elem_size,
			  size_t n)
{
	const uint32_t max_entries = job->fact->map.max_entries;

	add_offset(patch, BPF_REG_1, job->env->array_value, 0);
	patch__load(patch, BPF_W, BPF_REG_0, BPF_REG_2, 0);
	patch__jump(patch, BPF_JMP | BPF_JGE | BPF_K, BPF_REG_0, max_entries, n - 1);
	if (job->fact->map.masked)
		patch__emit(patch, BPF_ALU | BPF_AND | BPF_K, BPF_REG_0, 0,
			    power_of_2(max_entries) - 1);
	if (is_power_of_2(elem_size))
		patch__emit(patch, BPF_ALU64 | BPF_LSH | BPF_K, BPF_REG_0, 0,
			    __builtin_ctz(elem_size));
	else
		patch__emit(patch, BPF_ALU64 | BPF_MUL | BPF_K, BPF_REG_0, 0, elem_size);
	patch__emit(patch, BPF_ALU64 | BPF_ADD | BPF_X, BPF_REG_0, BPF_REG_1, 0);
}

static void end_of_index(struct patch *patch, size_t n)
{
	patch__goto(patch, n);
	patch__set(patch, BPF_REG_0, 0);
}

int patch_access__lookup(const struct patch_job *job, struct patch *patch, struct err *err)
{
	const size_t masks = job->fact->map.masked;
	const uint32_t value_size = job->fact->map.value_size;
	size_t n;

	switch (job->fact->map.type) {
	case BPF_MAP_TYPE_HASH:
		find_element(job, patch, 3);
		return 1;
	case BPF_MAP_TYPE_LRU_HASH:
		find_element(job, patch, 6);
		return 1;
	case BPF_MAP_TYPE_PERCPU_HASH:
		find_element(job, patch, 5);
		patch__load(patch, BPF_DW, BPF_REG_0, BPF_REG_0, 0);
		patch__percpu(patch, BPF_REG_0);
		return 1;
	case BPF_MAP_TYPE_HASH_OF_MAPS:
		find_element(job, patch, 4);
		patch__load(patch, BPF_DW, BPF_REG_0, BPF_REG_0, 0);
		return 1;
	case BPF_MAP_TYPE_ARRAY:
		n = 7 + masks;
		index_element(job, patch, round_up8(value_size), n);
		end_of_index(patch, n);
		return 1;
	case BPF_MAP_TYPE_PERCPU_ARRAY:
		n = 9 + masks;
		index_element(job, patch, sizeof(void *), n);
		patch__load(patch, BPF_DW, BPF_REG_0, BPF_REG_0, 0);
		patch__percpu(patch, BPF_REG_0);
		end_of_index(patch, n);
		return 1;
	case BPF_MAP_TYPE_ARRAY_OF_MAPS:
		n = 9 + masks;
		index_element(job, patch, round_up8(value_size), n);
		patch__load(patch, BPF_DW, BPF_REG_0, BPF_REG_0, 0);
		patch__jump(patch, BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, n - 1);
		end_of_index(patch, n);
		return 1;
	default:
		return err__set(err, -EINVAL, "the model has no inlined lookup for maps of type %d",
				job->fact->map.type);
	}
}

/* ---- struct __sk_buff -------------------------------------------------------- */

enum access {
	FIELD_PLAIN,
	FIELD_IFINDEX,	/* of the device that it came to or goes to */
	FIELD_PKT_TYPE, /* three bits */
	FIELD_PRESENT,	/* whether a word is not 0 */
	FIELD_CB,	/* bytes as they are, of any size */
};

#define FIELD(name)  offsetof(struct __sk_buff, name)
#define KERNEL(name) offsetof(struct patch_env, skb.name)

/* size: of what it is in the kernel. */
static const struct field {
	uint32_t offset;
	uint32_t length;
	size_t env;
	enum access access;
	uint8_t size;
	bool writable;
} fields[] = {
	{ FIELD(len), 4, KERNEL(len), FIELD_PLAIN, BPF_W, false },
	{ FIELD(pkt_type), 4, KERNEL(pkt_type), FIELD_PKT_TYPE, BPF_B, false },
	{ FIELD(mark), 4, KERNEL(mark), FIELD_PLAIN, BPF_W, true },
	{ FIELD(queue_mapping), 4, KERNEL(queue_mapping), FIELD_PLAIN, BPF_H, false },
	{ FIELD(protocol), 4, KERNEL(protocol), FIELD_PLAIN, BPF_H, false },
	{ FIELD(vlan_present), 4, KERNEL(vlan_all), FIELD_PRESENT, BPF_W, false },
	{ FIELD(vlan_tci), 4, KERNEL(vlan_tci), FIELD_PLAIN, BPF_H, false },
	{ FIELD(vlan_proto), 4, KERNEL(vlan_proto), FIELD_PLAIN, BPF_H, false },
	{ FIELD(priority), 4, KERNEL(priority), FIELD_PLAIN, BPF_W, true },
	{ FIELD(ingress_ifindex), 4, KERNEL(skb_iif), FIELD_PLAIN, BPF_W, false },
	{ FIELD(ifindex), 4, KERNEL(dev), FIELD_IFINDEX, BPF_W, false },
	{ FIELD(hash), 4, KERNEL(hash), FIELD_PLAIN, BPF_W, false },
	{ FIELD(cb), 20, KERNEL(cb_data), FIELD_CB, 0, true },
};

static const struct field *field_at(uint32_t offset)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (offset - fields[i].offset < fields[i].length)
			return &fields[i];
	return NULL;
}

bool patch_model__field_known(uint32_t offset)
{
	return field_at(offset);
}

static uint32_t bytes_of(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return 1;
	case BPF_H:
		return 2;
	case BPF_W:
		return 4;
	default:
		return 8;
	}
}

/* The whole of the field, as 32 bits. */
static void load_field(const struct patch_job *job, const struct field *field, int32_t off,
		       struct patch *patch)
{
	const uint8_t dst = job->insn->dst_reg, src = job->insn->src_reg;

	switch (field->access) {
	case FIELD_IFINDEX:
		patch__load(patch, BPF_DW, dst, src, off);
		patch__jump(patch, BPF_JMP | BPF_JEQ | BPF_K, dst, 0, 3);
		patch__load(patch, BPF_W, dst, dst, job->env->skb.netdev_ifindex);
		break;
	case FIELD_PKT_TYPE:
		patch__load(patch, BPF_B, dst, src, off);
		patch__emit(patch, BPF_ALU | BPF_AND | BPF_K, dst, 0, 7);
		break;
	case FIELD_PRESENT:
		patch__load(patch, BPF_W, dst, src, off);
		patch__jump(patch, BPF_JMP | BPF_JEQ | BPF_K, dst, 0, 3);
		patch__emit(patch, BPF_ALU | BPF_MOV | BPF_K, dst, 0, 1);
		break;
	default:
		patch__load(patch, field->size, dst, src, off);
		break;
	}
}

/* The bytes of the field that were asked for, if the field has more. */
static void narrow(const struct bpf_insn *insn, const struct field *field, struct patch *patch)
{
	const uint32_t size = bytes_of(insn->code), shift = (insn->off & 3) * 8;

	if (size >= 4 || size >= bytes_of(field->size))
		return;
	if (shift)
		patch__emit(patch, BPF_ALU | BPF_RSH | BPF_K, insn->dst_reg, 0, shift);
	patch__emit(patch, BPF_ALU | BPF_AND | BPF_K, insn->dst_reg, 0, (1 << size * 8) - 1);
}

static void store_field(const struct bpf_insn *insn, uint8_t size, int32_t off, struct patch *patch)
{
	if (BPF_CLASS(insn->code) == BPF_STX)
		patch__store(patch, size, insn->dst_reg, insn->src_reg, off);
	else
		patch__store_imm(patch, size, insn->dst_reg, off, insn->imm);
}

int patch_access__ctx(const struct patch_job *job, struct patch *patch, struct err *err)
{
	const struct bpf_insn *insn = job->insn;
	const struct field *field = field_at(insn->off);
	const bool is_load = BPF_CLASS(insn->code) == BPF_LDX;
	int32_t off;

	if (!field)
		return err__set(err, -EINVAL, "the model knows no field at %d of the context",
				insn->off);
	if (!is_load && !field->writable)
		return err__set(err, -EINVAL, "the model knows no store at %d of the context",
				insn->off);
	memcpy(&off, (const char *)job->env + field->env, sizeof(off));
	if (field->access == FIELD_CB && off != -1)
		off += insn->off - field->offset;
	if (!is_load)
		store_field(insn, field->access == FIELD_CB ? BPF_SIZE(insn->code) : BPF_W, off,
			    patch);
	else if (field->access == FIELD_CB)
		patch__load(patch, BPF_SIZE(insn->code), insn->dst_reg, insn->src_reg, off);
	else {
		load_field(job, field, off, patch);
		narrow(insn, field, patch);
	}
	if (is_load && BPF_MODE(insn->code) == BPF_MEMSX)
		patch__move(patch, insn->dst_reg, insn->dst_reg)->insn.off =
			bytes_of(insn->code) * 8;
	return 1;
}
