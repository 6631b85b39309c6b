#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Do we measure what the kernel's own veristat measures? Builds that from the
# tree that set-up found, into the cache, runs both over the same objects on
# this kernel and compares verdict, insns, states and peak_states of each
# program. Prints TAP, a line per object.
#
# A program that we say was not measured counts as agreed on if upstream has it
# as a failure: it prints numbers for programs that no verifier has seen.
#
# usage: veristat-upstream.sh [--build | --all [OPTION...] | OBJECT...]
#   --build   only what a guest, which sees all this read-only, needs built
#   --all     all objects of the kernel's selftests, in one run of each, and all
#             exact columns: veristat-all.sh --help has its options
#   OBJECT    default: the corpus and the selftests
set -euo pipefail
. "$(dirname "$0")/../common.sh"

[ -e "$AB_OUT/setup.mk" ] || die "not set up yet: run make first"
ksrc=$(setup_value KSRC_FOUND)
tools=$(setup_value TOOLS)
[ "${1:-}" != --all ] || exec "$AB_TOP/scripts/test/veristat-all.sh" "${@:2}"
theirs=$AB_CACHE/veristat/$(tree_key "$ksrc")/veristat
columns=verdict,insns,states,peak_states

# A guest sees the cache read-only: there it has to be built already.
if [ ! -x "$theirs" ]; then
	mkdir -p "${theirs%/*}"
	run_logged veristat-upstream gcc -O2 -g -w -isystem "$tools/include" \
		-isystem "$ksrc/tools/include/uapi" -I"$ksrc/tools/include" -o "$theirs.part" \
		"$ksrc/tools/testing/selftests/bpf/veristat.c" "$tools/libbpf/libbpf.a" -lelf -lz
	mv "$theirs.part" "$theirs"
fi
[ -e "$AB_OUT/selftests/pyperf180.bpf.o" ] || [ ! -w "$AB_OUT" ] ||
	"$AB_TOP/scripts/selftests.sh" > /dev/null ||
	say "notice: only the corpus is compared"
[ "${1:-}" != --build ] || exit 0

objects=("$@")
[ ${#objects[@]} -gt 0 ] ||
	objects=("$AB_OUT"/selftests/*.bpf.o "$AB_OUT"/progs/corpus_*.bpf.o)

# Lines "program verdict insns states peak", sorted. Of a program that was not
# measured we write "failed: reason" into its cells, quoted if need be.
ours() {
	local status=0
	"$AB_TOP/veristat" -q -o csv -e $columns "$1" 2>/dev/null || status=$?
	[ $status = 0 ] || [ $status = 3 ] || echo "status,$status"
}
rows() { tail -n +2 | cut -d, -f2- | tr ',' ' ' | LC_ALL=C sort; }

compare() {
	awk '
	FNR == NR { theirs[$1] = $2 " " $3 " " $4 " " $5; verdict[$1] = $2; next }
	{
		seen[$1] = 1
		if (!($1 in theirs))
			print $1 ": upstream has no such program"
		else if ($2 ~ /^"?failed:/ && verdict[$1] == "failure")
			unmeasured++
		else if ($2 " " $3 " " $4 " " $5 != theirs[$1])
			print $1 ": ours " $2 " " $3 " " $4 " " $5 ", upstream " theirs[$1]
		else
			same++
	}
	END {
		for (program in theirs)
			if (!(program in seen))
				print program ": we have no such program"
		print "# " same + 0 " same, " unmeasured + 0 " not measured"
	}' "$1" "$2"
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
for object in "${objects[@]}"; do
	[ -e "$object" ] || continue
	# Two seconds a load here, a minute in a guest: only when it is asked for.
	[ $# -gt 0 ] || [ "${object##*/}" != pyperf600.bpf.o ] || continue
	n=$((n + 1))
	name=$(basename "$object")
	"$theirs" -q -o csv -e "file,prog,$columns" "$object" 2> "$dir/err" | rows > "$dir/theirs" || true
	ours "$object" | rows > "$dir/ours"
	compare "$dir/theirs" "$dir/ours" > "$dir/result"
	count=$(sed -n 's/^# //p' "$dir/result")
	test="veristat agrees with upstream on $name ($count)"
	# It then calls every program a failure that no verifier has seen.
	if grep -qE 'Failed to (prepare|process)' "$dir/err"; then
		echo "ok $n - $test # SKIP upstream could not prepare the object: $(head -n 1 "$dir/err")"
	elif [ ! -s "$dir/theirs" ] || grep -qv '^#' "$dir/result"; then
		[ -s "$dir/theirs" ] || echo "# upstream measures no program of $name"
		grep -v '^#' "$dir/result" | sed 's/^/# /' || true
		echo "not ok $n - $test"
		failed=1
	elif [[ $count == 0\ same* ]]; then
		echo "ok $n - $test # SKIP neither can load a program of it on this kernel"
	else
		echo "ok $n - $test"
	fi
done
# Where all of it is measured, the files are the same, and each of the two reads both.
csv_columns=verdict,insns,states,peak_states,max_states_per_insn,mark_read,prog_size,stack,prog_type
"$theirs" -q -o csv -e "file,prog,$csv_columns" "$AB_OUT"/progs/corpus_t*.bpf.o > "$dir/theirs.csv"
"$AB_TOP/veristat" -q -o csv -e "$csv_columns" "$AB_OUT"/progs/corpus_t*.bpf.o > "$dir/ours.csv"
both_read() { # both_read A B
	"$theirs" -C "$1" "$2" | grep -q MATCH &&
		"$AB_TOP/veristat" -C --no-env "$1" "$2" | grep -qE '^result: nothing got worse: [0-9]+ equal$'
}
n=$((n + 1))
test="veristat and upstream's write the same CSV and read each other's"
if cmp "$dir/theirs.csv" "$dir/ours.csv" && both_read "$dir/theirs.csv" "$dir/ours.csv" &&
	both_read "$dir/ours.csv" "$dir/theirs.csv"; then
	echo "ok $n - $test"
else
	echo "not ok $n - $test"
	failed=1
fi
echo "1..$n"
exit $failed
