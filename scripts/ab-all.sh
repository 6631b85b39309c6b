#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The three claims that this project began with, one after the other and each
# with what it is about: builds what kernels are missing, runs scripts/ab, and
# puts the reports beside each other with the command, the date, the time it
# took and the size of the results.
#
# usage: ab-all.sh [--into DIR] [AB-OPTION...]
#
#   --into DIR    where SERIES.txt go (.output/ab-all; docs/results keeps ours)
#   AB-OPTION     of scripts/ab, for each of them: --boots 3, --dry-run
#
# Exit status: the worst of the three: 0 nothing is worse, 1 something is, 3 a
# kernel could not be built, booted or measured. An hour on 2 cores with nothing
# built.
set -euo pipefail
. "$(dirname "$0")/common.sh"

into=$AB_OUT/ab-all
case ${1:-} in
-h|--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
--into)
	[ $# -gt 1 ] || { say "ab-all.sh: --into wants a folder"; exit 2; }
	into=$2
	shift 2 ;;
esac
mkdir -p "$into"
into=$(cd "$into" && pwd)
cd "$AB_TOP"

about() { # about SERIES: what its claim is about
	case $1 in
	state-list-cache)  echo --only test_progs,veristat ;;
	patch-list)        echo --only test_progs,veristat --pyperf600 ;;
	sk-storage-bpf-ma) echo --only bench --variants socket:1:32,socket:4:32,socket:4:1024,task:1:32 ;;
	esac
}

worst=0
for series in state-list-cache patch-list sk-storage-bpf-ma; do
	out=$AB_OUT/ab/base-vs-$series
	read -ra options <<< "$(about "$series")"
	command=(scripts/ab --patched "$series" "${options[@]}" "$@")
	say "== ${command[*]}"
	began=$(date +%s) status=0
	"${command[@]}" --out "$out" || status=$?
	# A usage that is wrong is wrong for all, and who interrupts one means all.
	case $status in
	0|1|3) ;;
	*)     exit $status ;;
	esac
	[ $status -le $worst ] || worst=$status
	# A dry run, or nothing that could be measured.
	[ "$(stat -c %Y "$out/report.txt" 2> /dev/null || echo 0)" -ge "$began" ] || continue
	{
		echo "\$ ${command[*]}"
		echo "exit status $status; $(date -d "@$began" '+%-d %B %Y'), $((($(date +%s) - began + 59) / 60)) minutes with the kernels there were," \
			"$(du -sh "$out" | cut -f1) of results"
		echo
		cat "$out/report.txt"
	} > "$into/$series.txt.$$"
	mv "$into/$series.txt.$$" "$into/$series.txt"
done
exit $worst
