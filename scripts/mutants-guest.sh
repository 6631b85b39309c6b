#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The part of scripts/mutants.sh that happens on one kernel: each test by a
# test_progs of its own, whose recording is on disk before the next one begins,
# since the kernel may not live that long. Stops behind a test in which the
# kernel died a little (an oops): what came then would be no outcome of its own.
#
# usage: mutants-guest.sh DIR TEST...    leaves DIR/TEST.csv
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
dir=$1
shift
died() { (($(cat /proc/sys/kernel/tainted) >> 7 & 1)); }

echo 0 > /proc/sys/kernel/unprivileged_bpf_disabled
for test; do
	echo "$test" > "$dir/running"
	"$top/test_progs" -w 600 -a "$test" --record "$dir/$test.part" > "$dir/$test.log" 2>&1
	echo $? > "$dir/$test.status"
	rm -f "$dir/running"
	[ ! -e "$dir/$test.part" ] || mv "$dir/$test.part" "$dir/$test.csv"
	if died; then
		break
	fi
done
