#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report.html of thousands of rows in headless Chromium: a click sorts, words
# filter, a row opens; see page.py. Prints TAP; 15 seconds.
#
# usage: page.sh [--shots DIR]    DIR: pictures of it, to be looked at
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$chromium" ]; then
	skip "a report in a browser" "there is no chromium (Debian's package chromium)"
	echo "1..$n"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# 3,000 programs, of which the last ten are worse and one is better; two loads each
# in two boots; and a name that a browser must not obey.
recording() { # recording SIDE BOOT
	awk -v b="$([ "$1" = patched ] && echo 1 || echo 0)" -v boot="$2" 'BEGIN {
		print "file_name,prog_name,verdict,duration,total_insns,allocs,alloc_sites,xlated_hash,phase.check,phase.fixups"
		for (i = 0; i < 3000; i++)
			for (load = 0; load < 2; load++) {
				time = i + 1
				if (b && i >= 2990)
					time = time * (1.09 + (i - 2989) / 1000)
				if (b && i == 500)
					time = time / 2
				printf "object-%d.bpf.o,prog,success,%.3f,%d,%d,%s,%s,%.3f,%.3f\n", i,
					time * (1 + (2 * boot + load - 2) / 100000), 10 * i + 10, i,
					i == 2999 ? (b ? "push_stack.isra.0+0x2c 12 1536" : "push_stack+0x1c 12 768") : "",
					i == 2999 && b ? "bb" : "aa", time / 2, time / 4
			}
		print "<img src=x onerror=document.title=666>,<script>,success,5,50,5,,aa,1,1"
		print "" (b ? "new" : "old") ".bpf.o,prog,success,5,50,5,,aa,1,1"
	}'
}
code() { # code LAST-LINE-BUT-ONE
	for i in 0 1 2 3 4 5 6; do
		echo "$i: r$i = $i"
	done
	echo "7: $1"
	echo "8: exit"
}
for side in base patched; do
	for boot in 1 2; do
		dir=$work/results/$side/boot-$boot
		mkdir -p "$dir/code"
		recording $side $boot > "$dir/veristat.csv"
		printf 'kernel=7.3.4\nclock=icount\nbuild_id=%s\nseries=%s\n' $side $side > "$dir/veristat.csv.env"
		echo "[    0.000000] Linux version 7.3.4" > "$dir/dmesg"
		echo key > "$dir/complete"
	done
done
code 'r7 = 7' > "$work/results/base/boot-1/code/object-2999.bpf.o.prog.txt"
code '<b>r7</b> = 0' > "$work/results/patched/boot-1/code/object-2999.bpf.o.prog.txt"

status=0
./ab-report "$work/results" > "$work/log" 2>&1 || status=$?
check "a report of thousands of rows" [ "$status" = 1 ]
python3 scripts/test/page.py "$chromium" "$work/results/report.html" "$@" > "$work/tap" 2> "$work/log"
status=$?
[ $status != 3 ] || cat "$work/log" >&2
sed "s/^\(not \)\{0,1\}ok [0-9]*/\1ok/; /^1\.\./d" "$work/tap"
check "the browser could be used" [ $status -le 1 ]
