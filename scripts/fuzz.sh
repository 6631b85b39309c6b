#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fuzzes the readers: each target of fuzz/ is built with libFuzzer and the
# sanitizers and looks at its seeds and what it makes of them. What breaks one is
# left in .output/fuzz/ and named; put it into fuzz/seeds/TARGET when it's mended.
#
# usage: FUZZ_FLAGS='CFLAGS' fuzz.sh LIBBPF.A [TARGET...]
#   FUZZ_SECONDS=N   for each target (60)
#
# Exit status: 0 nothing was found, 1 something was, 2 no such target, 3 not built.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$AB_TOP"

libbpf=$1
shift
seconds=${FUZZ_SECONDS:-60}
clang=$(setup_value CLANG)
out=$AB_OUT/fuzz
mkdir -p "$out"
[ $# -gt 0 ] || {
	targets=(fuzz/fuzz_*.c)
	targets=("${targets[@]#fuzz/fuzz_}")
	set -- "${targets[@]%.c}"
}
read -ra flags <<< "${FUZZ_FLAGS:-}"
flags+=(-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined)
# What clang warns of and gcc does not has its place elsewhere.
flags+=(-Wno-error '-DBPF_AB_REVISION="fuzz"')

echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' > "$out/probe.c"
"$clang" -fsanitize=fuzzer,address,undefined -o "$out/probe" "$out/probe.c" 2> "$out/probe.err" || {
	say "$clang has no libFuzzer (Debian: libclang-rt-${clang#clang-}-dev):"
	head -n 1 "$out/probe.err" >&2
	exit 3
}

build() {
	local target=$1
	[ -e "fuzz/fuzz_$target.c" ] || { say "fuzz.sh: no target '$target' in fuzz/"; exit 2; }
	# The sources of lib/ that a target needs are found by the linker, from an archive.
	"$clang" "${flags[@]}" -fsanitize=fuzzer "-DFUZZ_TARGET=fuzz_$target" -o "$out/$target" \
		fuzz/driver.c "fuzz/fuzz_$target.c" "$out/lib.a" "$libbpf" -lsmartcols -lelf -lz -lm
}

build_lib() {
	local file objects=()
	mkdir -p "$out/lib"
	for file in lib/*.c; do
		objects+=("$out/lib/$(basename "$file" .c).o")
		[ "${objects[-1]}" -nt "$file" ] ||
			"$clang" "${flags[@]}" -fsanitize=fuzzer-no-link -c -o "${objects[-1]}" "$file"
	done
	rm -f "$out/lib.a"
	ar rcs "$out/lib.a" "${objects[@]}"
}

build_lib > "$AB_LOG/fuzz-build.log" 2>&1 || { tail -n 20 "$AB_LOG/fuzz-build.log" >&2; exit 3; }
status=0
for target; do
	build "$target" >> "$AB_LOG/fuzz-build.log" 2>&1 || { tail -n 20 "$AB_LOG/fuzz-build.log" >&2; exit 3; }
	mkdir -p "$out/corpus/$target"
	echo "fuzz $target: $seconds s"
	"$out/$target" -max_total_time="$seconds" -timeout=10 -max_len=8192 -print_final_stats=1 \
		-artifact_prefix="$out/$target-" "$out/corpus/$target" "fuzz/seeds/$target" \
		> "$AB_LOG/fuzz-$target.log" 2>&1 || {
		status=1
		grep -hE 'ERROR|SUMMARY|Test unit written' "$AB_LOG/fuzz-$target.log" || tail -n 5 "$AB_LOG/fuzz-$target.log"
		continue
	}
	sed -n 's/^stat::number_of_executed_units: */  inputs: /p' "$AB_LOG/fuzz-$target.log"
done
exit $status
