#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Our benchmark beside the kernel's own on one kernel: it is no slower, and
# counting allocations makes a create at most 1.5 times as dear. Meant for a
# guest with counted instructions: a rate by a wall clock proves nothing here.
# Prints TAP.
#
# usage: bench-upstream.sh BENCH [SECONDS]   (the kernel's program; 2)
set -u
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
theirs=$1 seconds=${2:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "${BPF_AB_CLOCK:-}" != icount ]; then
	skip "ours beside the kernel's own" "the clock does not count instructions"
	echo "1..$n"
	exit
fi

# Thousands of creates in a second: the median of its seconds without the first. Its
# summary takes each for a second to the dot, which with one CPU they are not.
rate_of_theirs() {
	"$theirs" -p 1 -w 1 -d "$((seconds + 1))" local-storage-create --storage-type socket \
		> "$work/log" 2>&1
	sed -n 's/^Iter *[1-9][0-9]* .*creates *\([0-9.]*\)k.*/\1/p' "$work/log" | sort -n |
		awk '{ r[NR] = $1 } END { if (NR) print (r[int((NR + 1) / 2)] + r[int(NR / 2) + 1]) / 2 }'
}
measure_ours() {
	"$top/bench" local-storage-create -p 1 -w 1 -d "$seconds" --hook lsm --record "$work/ours.csv" \
		> "$work/log" 2>&1
}
column() { # column NAME: its median
	python3 -c 'import csv, statistics, sys
print(statistics.median(float(r[sys.argv[1]]) for r in csv.DictReader(open(sys.argv[2])) if r[sys.argv[1]]))' \
		"$1" "$work/ours.csv"
}
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'; }

theirs_rate=$(rate_of_theirs)
check "the kernel's own benchmark gives a rate" [ -n "$theirs_rate" ]
check "ours gives one" measure_ours
ours_rate=$(column ops_per_sec)
cost=$(column counting_cost)
echo "# theirs $theirs_rate k/s, ours $ours_rate /s, ratio $(awk -v a="$ours_rate" -v b="$theirs_rate" \
	'BEGIN { printf "%.4f", b ? a / b / 1000 : 0 }'); counting costs $cost times"
check "ours is no slower" at_least "$ours_rate" "$(awk -v b="${theirs_rate:-0}" 'BEGIN { print b * 990 }')"
check "counting makes a create at most 1.5 times as dear" at_least 1.5 "$cost"
echo "1..$n"
