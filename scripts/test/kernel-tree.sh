#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Our patch-list tests are files that the kernel's own selftests could take: in a
# copy of their folder they build there, by two lines each in
# prog_tests/verifier.c, and pass under the kernel's test_progs in a guest, as
# many subtests as under ours. Prints TAP.
#
# The copy keeps what prog_tests/verifier.c names and leaves the rest of the
# thousand objects out. It stays in .output/kernel-tree, so that only the first
# run takes minutes; the kernel's tree is not written to.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

setup() { sed -n "s/^$1 := //p" "$AB_OUT/setup.mk"; }
ksrc=$(setup KSRC_FOUND)
clang=$(setup CLANG)
copy=$AB_OUT/kernel-tree
bpf=$copy/tools/testing/selftests/bpf
work=$AB_OUT/test-kernel-tree
rm -rf "$work"
mkdir -p "$work" "$copy"
kernel=$(scripts/build-kernel.sh) || exit 3
names=()
for file in progs/verifier_patch_list*.c; do
	names+=("$(basename "$file" .c)")
done

# ---- the copy ------------------------------------------------------------------

# Skeletons that a test of the tree includes, by name.
skeletons() { sed -n 's/^#include "\([a-z0-9_]*\)\.skel\.h"/\1/p' "$1"; }

# Puts TEXT into FILE unless it holds that already, so that make sees no news.
put() { cmp -s - "$1" <<< "$2" || cat > "$1" <<< "$2"; }

with_ours() { # the tree's verifier.c with two lines for each of our files
	local name
	for name in "${names[@]}"; do
		echo "/^#include \"verifier_and.skel.h\"/a #include \"$name.skel.h\""
		echo "/^void test_verifier_and(void)/a void test_$name(void) { RUN($name); }"
	done | sed -f - "$1"
}

copy_tree() {
	local from=$ksrc/tools/testing/selftests/bpf keep
	(cd "$ksrc" && rsync -aR --exclude='*.o' --exclude='*.d' --exclude=/tools/perf \
		--exclude=/tools/testing/selftests/bpf/progs/'*.c' \
		--exclude=/tools/testing/selftests/bpf/prog_tests/'*' \
		tools scripts include kernel/bpf/disasm.[ch] arch/x86/include/uapi "$copy/") || return 1
	mkdir -p "$bpf/prog_tests" "$bpf/progs"
	put "$bpf/prog_tests/verifier.c" "$(with_ours "$from/prog_tests/verifier.c")"
	for keep in $(skeletons "$from/prog_tests/verifier.c"); do
		rsync -a "$from/progs/$keep.c" "$bpf/progs/" || return 1
	done
	rsync -ac progs/verifier_patch_list*.[ch] "$bpf/progs/"
	# It ends without a word where the kernel has no asymmetric keys, as the guest's.
	sed -i '/err = register_session_key/,/return err;/s/if (err < 0)/if (0)/' "$bpf/test_progs.c"
}

# Lists of objects that are no longer there, and what other tests run.
build() {
	make -C "$bpf" -j"$(nproc)" BPF_STRICT_BUILD=1 RELEASE=1 SAN_CFLAGS=-Wno-error \
		CLANG="$clang" VMLINUX_BTF="$kernel/vmlinux.btf" KDIR=/nonexistent LSKELS= \
		LSKELS_EXTRA= LSKELS_SIGNED= LINKED_SKELS= TRUNNER_EXTRA_FILES= test_progs
}

check_log() { "$@" > "$work/log" 2>&1; }
check "the copy is made" check_log copy_tree
check "each of our files is in verifier.c by two lines" \
	[ "$(diff "$ksrc/tools/testing/selftests/bpf/prog_tests/verifier.c" \
		"$bpf/prog_tests/verifier.c" | grep -c '^>')" = $((2 * ${#names[@]})) ]
check "it builds in the kernel's tree" check_log build

# ---- both runs -----------------------------------------------------------------

# outcomes LOG: "TEST/SUBTEST:OUTCOME" of what either test_progs prints
outcomes() {
	sed -nE 's,^#[0-9]+/[0-9]+ +([^:]*:?.*):(OK|FAIL|SKIP).*,\1:\2,p' "$1" | sort -u
}
run() { # run NAME DIR CMD...
	local name=$1 dir=$2
	shift 2
	scripts/vm.sh --kernel "$kernel/bzImage" --clock tcg-wall --share "$work/$name" --quiet \
		-- sh -c 'echo 0 > /proc/sys/kernel/unprivileged_bpf_disabled; cd "$0" && "$@"' \
		"$dir" "$@" > "$work/log" 2>&1
}
run theirs "$bpf" ./test_progs -t verifier_patch_list
check "the kernel's test_progs passes" [ $? = 0 ]
run ours "$AB_TOP" ./test_progs -t verifier_patch_list
check "ours passes" [ $? = 0 ]
outcomes "$work/theirs/stdout" > "$work/theirs.txt"
outcomes "$work/ours/stdout" > "$work/ours.txt"
same_outcomes() {
	[ -s "$work/ours.txt" ] && diff "$work/ours.txt" "$work/theirs.txt" > "$work/log"
}
check "the outcome of each of $(wc -l < "$work/ours.txt") subtests is the same" same_outcomes
echo "1..$n"
