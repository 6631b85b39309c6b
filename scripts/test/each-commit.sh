#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Whoever bisects lands on any commit of a series: each builds and boots, and the
# tests of patched programs come out on it as they do on the base. Prints TAP.
#
# usage: [KSRC=TREE] each-commit.sh [SERIES...]
#
# Of patch-list and patch-list-more by default: a kernel and a boot for each patch,
# 2 minutes of them. Commits that change nothing in the kernel share theirs.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

[ $# -gt 0 ] || set -- patch-list patch-list-more
work=$AB_OUT/test-each-commit
rm -rf "$work"
mkdir -p "$work"

build() { scripts/build-kernel.sh "${@:2}" > "$work/$1.kernel" 2> "$work/log"; }
kernel_of() { cat "$work/$1.kernel"; }
boot() { # boot NAME: the tests on its kernel, once for each kernel
	local dir
	dir=$work/$(basename "$(kernel_of "$1")")
	[ -e "$dir/tests.csv" ] ||
		scripts/vm.sh --kernel "$(kernel_of "$1")/bzImage" --clock tcg-wall --quiet --share "$dir" \
			-- "$AB_TOP/test_progs" -t verifier_patch_list --record "$dir/tests.csv" \
			> "$work/log" 2>&1
	[ "$(cat "$dir/class")" = done ] && [ -s "$dir/tests.csv" ] && cp "$dir/tests.csv" "$work/$1.csv"
}
passed() { grep -c ',pass,' "$work/$1.csv" 2>/dev/null; }
as_on_base() { ./test_progs -C "$work/$1.csv" "$work/$2.csv" > "$work/log" 2>&1; }

for series; do
	name=$(basename "$series")
	linux=$(scripts/build-kernel.sh --print-linux --series "$series") || exit 3
	base=base-$linux
	if [ ! -e "$work/$base.csv" ]; then
		check "Linux $linux builds" build "$base" --linux "$linux"
		check "it boots and runs the tests" boot "$base"
		check "and passes $(passed "$base") of them" [ "$(passed "$base")" -gt 100 ]
	fi
	dir=$series
	[ -d "$dir" ] && [[ $series == */* ]] || dir=patches/$series
	number=0
	for patch in "$dir"/[0-9]*.patch; do
		number=$((number + 1))
		commit=$name-$number
		check "$commit builds: $(sed -n 's/^Subject: \[[^]]*\] //p' "$patch")" \
			build "$commit" --series "$series" --upto $number
		check "$commit boots" boot "$commit"
		check "$commit: $(passed "$commit") tests pass, all as on the base" \
			as_on_base "$base" "$commit"
	done
done
echo "1..$n"
