#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# patch_list_random on the kernel that runs now: what it does when a program
# fails (the model is made wrong for that), and that the tests that it writes
# are what they should be. Needs root and a kernel that loads BPF. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run CMD...: output in $work/log, sets $status
run() {
	status=0
	"$@" > "$work/log" 2>&1 || status=$?
}
says() { grep -qE -- "$1" "$work/log"; }
ends() { [ "$status" = "$1" ]; }
setup() { sed -n "s/^$1 := //p" .output/setup.mk; }

# compile DIR: each test of it, as progs/ are
compile() {
	local file failed=0
	for file in "$1"/verifier_random_*.c; do
		"$(setup CLANG)" -target bpf -mcpu=v3 -g -O2 -Wall -Werror -D__TARGET_ARCH_x86 -Iprogs \
			-isystem "$(setup TOOLS)/include" \
			-isystem "$(setup KSRC_FOUND)/tools/include/uapi" \
			-idirafter "/usr/include/$(gcc -print-multiarch)" \
			-c -o "${file%.c}.bpf.o" "$file" >> "$work/log" 2>&1 || failed=1
	done
	return $failed
}

# ---- a program that fails is made small and written out -------------------------

mkdir "$work/failed" "$work/all"
run env RANDOM_FAULT=model RANDOM_DIR="$work/failed" ./test_progs -t patch_list_random --count 50
check "a wrong model is found" ends 1
check "the seed and the difference are told" \
	says "seed [0-9]+: instruction [0-9]+ of [0-9]+ is 'if r[0-9] == 0x0 goto pc\+1', expected '.*pc\+2'"
# A unit of a program is 25 instructions at most, with what it needs.
sed -n 's/^of [0-9]* instructions, \([0-9]*\) are left.*/\1/p' "$work/log" | sort -n > "$work/left"
check "25 instructions at most are left of each" [ "$(tail -n 1 "$work/left")" -le 25 ]
check "10 of one" [ "$(head -n 1 "$work/left")" -le 10 ]
written=$(ls "$work/failed")
check "the file is named, and in the output" says "^written to $work/failed/${written%%.c*}.c"
check "it is a test that compiles" compile "$work/failed"
run ./test_progs -t verifier_random --objdir "$work/failed"
check "which fails here, where the model was wrong" ends 1
check "for just that reason" says "not found +.*if r[0-9] == 0x0 goto pc\+2"
for file in "$work"/failed/*.c; do
	sed -i -E 's/(if r[0-9] == 0x0 goto pc\+)2/\11/' "$file"
done
check "corrected, it still compiles" compile "$work/failed"
run ./test_progs -t verifier_random --objdir "$work/failed"
check "and passes" ends 0

# ---- tests that are written pass, whatever is in them --------------------------

run env RANDOM_FAULT=write RANDOM_DIR="$work/all" ./test_progs -t patch_list_random --count 16
check "programs can be written out as they are" ends 0
check "all of them" [ "$(find "$work/all" -name '*.c' | wc -l)" = 16 ]
check "they compile" compile "$work/all"
run ./test_progs -t verifier_random --objdir "$work/all"
check "they pass: instructions and return values" ends 0
check "all 16" says '^Summary: 16/16 PASSED, 0 SKIPPED, 0 FAILED'

# ---- seeds and recordings --------------------------------------------------------

run ./test_progs -v -t patch_list_random --seed 7000 --count 30 --record "$work/a.csv"
check "programs of another seed pass" ends 0
check "the seed is told" says '--seed 7000 --count 30'
check "each program has a row" [ "$(grep -cE '^patch_list_random,seed:70[0-2][0-9],pass,' "$work/a.csv")" = 30 ]
./test_progs -t patch_list_random --seed 7000 --count 30 --record "$work/b.csv" > "$work/log" 2>&1
run ./test_progs -C "$work/a.csv" "$work/b.csv"
check "the same kernel makes the same of them" ends 0
sed -i -E '/seed:7005,/s/[0-9a-f]+$/0123456789abcdef/' "$work/b.csv"
run ./test_progs -C "$work/a.csv" "$work/b.csv"
check "another code is worse" ends 1
check "and named" says 'seed:7005 .*0123456789abcdef'
run ./test_progs --seed x
check "a seed is a number" ends 2
echo "1..$n"
