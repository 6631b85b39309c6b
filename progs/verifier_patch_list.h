/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the verifier_patch_list*.c files share: how their programs begin and
 * end, and the instructions that the kernel makes of one. A program adds up
 * in r6 marks of the places that it passes, and returns the sum.
 */
#ifndef BPF_AB_VERIFIER_PATCH_LIST_H
#define BPF_AB_VERIFIER_PATCH_LIST_H

/* r7 = 0 and r8 = 1, both unknown to the verifier, from variables of these names. */
#define UNKNOWN "r7 = %[unknown] ll; r7 = *(u64 *)(r7 + 0);"
#define ONE	"r8 = %[one] ll; r8 = *(u64 *)(r8 + 0);"
#define RETURN	"r0 = r6; exit;"
/* Two keys on the stack: one that the array has at r10 - 8, one that it hasn't at r10 - 16. */
#define KEYS "r2 = 0; *(u64 *)(r10 - 8) = r2; r2 = 7; *(u64 *)(r10 - 16) = r2;"
/* Arguments of a lookup. */
#define HASH   "r2 = r10; r2 += -8; r1 = %[map_hash] ll;"
#define ARRAY  "r2 = r10; r2 += -8; r1 = %[map_array] ll;"
#define LOOKUP "call %[bpf_map_lookup_elem];"

#define XLATED_KEYS                                                                                \
	__xlated("r2 = 0{{$}}")                                                                    \
	__xlated("*(u64 *)(r10 -8) = r2")                                                          \
	__xlated("r2 = 7{{$}}")                                                                    \
	__xlated("*(u64 *)(r10 -16) = r2")

/* Offsets into the kernel's structures, addresses and map ids are its own business. */
#define XLATED_HASH                                                                                \
	__xlated("call {{.*}}")                                                                    \
	__xlated("if r0 == 0x0 goto pc+1{{$}}")                                                    \
	__xlated("r0 += {{[0-9]+$}}")
#define XLATED_ARRAY                                                                               \
	__xlated("r1 += {{[0-9]+$}}")                                                              \
	__xlated("r0 = *(u32 *)(r2 +0)")                                                           \
	__xlated("if r0 >= 0x1 goto pc+3{{$}}")                                                    \
	__xlated("r0 <<= 3")                                                                       \
	__xlated("r0 += r1")                                                                       \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated("r0 = 0{{$}}")

/* Divisions of a register by another, both by name: "r9", or "w9" for 32 bits. */
#define XLATED_DIV64(dst, src)                                                                     \
	__xlated("if " src " != 0x0 goto pc+2{{$}}")                                               \
	__xlated("^= w")                                                                           \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated(dst " /= " src)
#define XLATED_DIV32(dst, src) XLATED_DIV64(dst, src)
#define XLATED_MOD64(dst, src)                                                                     \
	__xlated("if " src " == 0x0 goto pc+1{{$}}")                                               \
	__xlated(dst " %= " src)
#define XLATED_MOD32(dst, src)                                                                     \
	__xlated("if " src " == 0x0 goto pc+2{{$}}")                                               \
	__xlated(dst " %= " src)                                                                   \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated(dst " = " dst)
/* The register in which zero and minus one become 1 and 0 has a number by kernel. */
#define XLATED_PLUS_ONE(limit)                                                                     \
	__xlated("r{{1[12]}} = r")                                                                 \
	__xlated("{{[rw]}}{{1[12]}} += 1{{$}}")                                                    \
	__xlated("if {{[rw]}}{{1[12]}} > 0x1 goto pc+" limit "{{$}}")
#define XLATED_SDIV64(dst, src)                                                                    \
	XLATED_PLUS_ONE("4")                                                                       \
	__xlated("if {{[rw]}}{{1[12]}} == 0x0 goto pc+1{{$}}")                                     \
	__xlated(dst " = 0{{$}}")                                                                  \
	__xlated(dst " = -" dst)                                                                   \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated(dst " s/= " src)
#define XLATED_SDIV32(dst, src) XLATED_SDIV64(dst, src)
#define XLATED_SMOD64(dst, src)                                                                    \
	XLATED_PLUS_ONE("3")                                                                       \
	__xlated("if r{{1[12]}} == 0x1 goto pc+3{{$}}")                                            \
	__xlated("= 0{{$}}")                                                                       \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated(dst " s%= " src)
#define XLATED_SMOD32(dst, src)                                                                    \
	XLATED_PLUS_ONE("3")                                                                       \
	__xlated("if w{{1[12]}} == 0x1 goto pc+4{{$}}")                                            \
	__xlated("= 0{{$}}")                                                                       \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated(dst " s%= " src)                                                                  \
	__xlated("goto pc+1{{$}}")                                                                 \
	__xlated(dst " = " dst)

#define XLATED_JIFFIES                                                                             \
	__xlated("r0 = 0x")                                                                        \
	__xlated("r0 = *(u64 *)(r0 +0)")
#define XLATED_CPU                                                                                 \
	__xlated("r0 = {{-?[0-9]+$}}")                                                             \
	__xlated("r0 = &(void __percpu *)(r0)")                                                    \
	__xlated("r0 = *(u32 *)(r0 +0)")

/* Noise in the upper half of a register that nobody reads (BPF_F_TEST_RND_HI32). */
#define XLATED_NOISE(reg)                                                                          \
	__xlated("r{{1[12]}} = {{-?[0-9]+$}}")                                                     \
	__xlated("r{{1[12]}} <<= 32")                                                              \
	__xlated(reg " |= r{{1[12]}}")

#endif
