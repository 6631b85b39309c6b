#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own selftest objects that a verifier patch is judged by, built
# from the tree that set-up found into .output/selftests/. Nothing is built
# that is there already for this tree, compiler and BTF. Prints the objects.
#
# usage: selftests.sh [--btf FILE] [--pyperf600] [--names]
#   --btf FILE    types of the kernel that will run them, for vmlinux.h
#                 (default: the running kernel's)
#   --pyperf600   that one too: a minute a load in a guest
#   --names       build nothing, print what the objects are called
set -euo pipefail
. "$(dirname "$0")/common.sh"

names='' objects=(pyperf180 strobemeta test_verif_scale2 bpf_flow bpf_loop arena_strsearch bpf_gotox)
btf=/sys/kernel/btf/vmlinux

while [ $# -gt 0 ]; do
	case $1 in
	--btf)
		[ $# -gt 1 ] || { say "selftests.sh: --btf wants a file"; exit 2; }
		btf=$2
		shift 2 ;;
	--pyperf600)
		objects+=(pyperf600)
		shift ;;
	--names)
		names=1
		shift ;;
	-h|--help)
		sed -n '3,/^set/s/^# \{0,1\}//p' "$0"
		exit 0 ;;
	*)
		say "selftests.sh: unknown argument $1 (see --help)"
		exit 2 ;;
	esac
done

if [ -n "$names" ]; then
	printf '%s.bpf.o\n' "${objects[@]}"
	exit 0
fi
[ -e "$AB_OUT/setup.mk" ] || die "not set up yet: run make first"
[ -r "$btf" ] || die "$btf: no such BTF: a kernel with CONFIG_DEBUG_INFO_BTF has it"
ksrc=$(setup_value KSRC_FOUND)
tools=$(setup_value TOOLS)
clang=$(setup_value CLANG)
bpftool=$tools/bpftool/bootstrap/bpftool
src=$ksrc/tools/testing/selftests/bpf
out=$AB_OUT/selftests
[ -d "$src/progs" ] || die "$src/progs: this tree has no selftests"

# Jump tables need an instruction of cpu v4 that clang emits from 22 on; without
# it the source compiles to stubs, which would be measured as if they were it.
has_gotox() {
	# Not grep -q: leaving early it would end clang by SIGPIPE, and pipefail would see that.
	echo | "$clang" -target bpf -mcpu=v4 -dM -E - 2>/dev/null |
		grep __BPF_FEATURE_GOTOX >/dev/null
}

# Why an object cannot be built here; nothing if it can.
obstacle() {
	if [ ! -e "$src/progs/$1.c" ]; then
		echo "this tree has no progs/$1.c"
	elif [ "$1" = bpf_gotox ] && ! has_gotox; then
		echo "$clang has no indirect jumps (clang-22 has)"
	fi
}

flags=(-target bpf -std=gnu11 -g -O2 -w -fno-strict-aliasing -mlittle-endian
	-D__TARGET_ARCH_x86 -fms-extensions -I"$out" -I"$src" -I"$src/libarena/include"
	-I"$ksrc/tools/include/uapi" -I"$ksrc/tools/include" -isystem "$tools/include"
	-idirafter "/usr/include/$(gcc -print-multiarch)" -idirafter /usr/include)

compile() {
	local cpu=v3
	[ "$1" != bpf_gotox ] || cpu=v4
	run_logged "selftest-$1" "$clang" "${flags[@]}" -mcpu=$cpu -c "$src/progs/$1.c" \
		-o "$out/$1.part"
	mv "$out/$1.part" "$out/$1.bpf.o"
}

key=$(tree_key "$ksrc")-$({ "$clang" --version; cat "$btf" "$0"; } | sha256sum | cut -c1-12)
mkdir -p "$out"
(
	lock "$out/.lock"
	if [ "$(cat "$out/.key" 2>/dev/null)" != "$key" ]; then
		rm -f "$out"/*.bpf.o "$out/.key" "$out/vmlinux.h"
		"$bpftool" btf dump file "$btf" format c > "$out/vmlinux.part" 2> "$AB_LOG/vmlinux.h.log" ||
			die "$btf: bpftool cannot read it, see $AB_LOG/vmlinux.h.log"
		mv "$out/vmlinux.part" "$out/vmlinux.h"
		echo "$key" > "$out/.key"
	fi
	n=0 start=$SECONDS
	for object in "${objects[@]}"; do
		n=$((n + 1))
		why=$(obstacle "$object")
		if [ -n "$why" ]; then
			say "notice: $object is left out: $why"
		elif [ ! -e "$out/$object.bpf.o" ]; then
			progress "selftest objects" "$n" ${#objects[@]} $start
			compile "$object"
		fi
	done
	progress_end
)
for object in "${objects[@]}"; do
	[ ! -e "$out/$object.bpf.o" ] || echo "$out/$object.bpf.o"
done
