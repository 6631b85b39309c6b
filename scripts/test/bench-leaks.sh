#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# After 100,000 creates of local storage and a grace period the kernel's slab
# caches hold as many objects as before, and the maps none. Needs root and a
# quiet kernel, so a guest, with slab_nomerge on its command line to name the
# caches. Prints TAP.
#
# usage: bench-leaks.sh [CREATES [TYPE...]]   (100000; socket task cgroup inode)
set -u
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
creates=${1:-100000}
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- socket task cgroup inode
[ -r /proc/slabinfo ] || { skip "leaks" "no /proc/slabinfo"; echo "1..$n"; exit; }

# name and objects in use of each cache, per-CPU stocks given back.
caches() {
	local c
	for c in /sys/kernel/slab/*/shrink; do
		echo 1 > "$c" 2>/dev/null
	done
	tail -n +3 /proc/slabinfo | awk '{ print $1, $2 }' | sort
}

run() {
	"$top/bench" local-storage-create --storage-type "$type" --batch-size "$1" -q -w 0 -d 1 \
		--count "$2" > "$work/log" 2>&1
}

for type; do
	# The first run makes what is made once.
	status=0
	run 32 2048 || status=$?
	if [ $status = 3 ]; then
		skip "$type" "$(tail -n 1 "$work/log")"
		continue
	fi
	sleep 3
	caches > "$work/before"
	check "$type: $creates creates" run 1024 "$creates"
	check "$type: no element is left in a map" \
		grep -q 'left of the creates in the kernel: 0$' "$work/log"
	sleep 3
	caches > "$work/after"
	# A leak of one object per create shows as all of them; what the kernel keeps
	# for itself (per-CPU lists, radix trees) as a few.
	join "$work/before" "$work/after" |
		awk -v n="$creates" '$3 - $2 > n / 100 { print $1 ": " $2 " -> " $3 " objects" }' \
			> "$work/grown"
	join "$work/before" "$work/after" | awk '{ d = $3 - $2; a += d; if (d > most) { most = d; who = $1 } }
		END { print "# all caches: " a " objects more; most: " who " " most }'
	cat "$work/grown" >> "$work/log"
	check "$type: every cache is back to where it was" [ ! -s "$work/grown" ]
done
echo "1..$n"
