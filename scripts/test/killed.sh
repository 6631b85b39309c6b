#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Killed at any time, a program leaves no cgroup, mount, pinned object, tracing
# instance, process or temporary file. Prints TAP.
#
# usage: killed.sh [ROUNDS]
set -u
. "$(dirname "$0")/../common.sh"
cd "$AB_TOP" || exit 3
rounds=${1:-4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

# Everything of ours that could outlive us, one line each.
leftovers() {
	find /sys/fs/cgroup -type d -name '*bpf*ab*' 2>/dev/null
	find /sys/fs/bpf /sys/kernel/tracing/instances /sys/kernel/debug/tracing/instances \
		-mindepth 1 2>/dev/null
	grep -E 'bpf.?ab' /proc/mounts
	find "$work" -mindepth 1 -name '.*'
	find "$work" -mindepth 1 -name '*.tmp*'
	local name
	for name in test_progs veristat bench; do
		pgrep -x $name | sed "s/^/process $name /"
	done
}
before=$(leftovers)

# try NAME CMD...: kill it KILL, TERM and INT at growing delays.
try() {
	local name=$1 sig i pid left bad='' waited
	shift
	for sig in KILL TERM INT; do
		for ((i = 1; i <= rounds; i++)); do
			rm -rf "${work:?}"/*
			env --default-signal=INT "$@" > "$work/out" 2>&1 &
			pid=$!
			sleep "0.$((i * 17 % 90))"
			kill -$sig $pid 2>/dev/null
			wait $pid 2>/dev/null
			# What cleans up behind a killed program needs a moment.
			for waited in 1 2 3 4 5 6 7 8 9 10 end; do
				left=$(leftovers)
				[ "$left" != "$before" ] || break
				[ $waited = end ] || sleep 0.3
			done
			[ "$left" = "$before" ] || bad+="SIG$sig after 0.$((i * 17 % 90)) s: $left; "
		done
	done
	n=$((n + 1))
	if [ -z "$bad" ]; then
		echo "ok $n - $name leaves nothing when killed"
	else
		echo "# $bad"
		echo "not ok $n - $name leaves nothing when killed"
	fi
}

try test_progs ./test_progs --record "$work/t.csv"
try veristat ./veristat -e insns,duration,mem_peak_kib,kmallocs --repeat 3 \
	--record "$work/v.csv" .output/progs/corpus_*.bpf.o
try bench ./bench local-storage-create -d 2 -w 1 -p 2 --storage-type task --record "$work/b.csv"
echo "1..$n"
