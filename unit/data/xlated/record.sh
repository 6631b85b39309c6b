#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Loads an object on the running kernel and records each of its programs:
# DIR/PROGRAM.insns and DIR/PROGRAM.txt (see README). As root, with the full
# bpftool, in a mount namespace of its own:
#
#   unshare -m ./record.sh BPFTOOL OBJECT DIR [USER]
#
# USER, a number, loads the object instead of root.
set -eu
bpftool=$1 object=$2 dir=$3 user=${4:-0}

pins=$(mktemp -d)
mount -t bpf -o mode=1777 bpf "$pins"
trap 'umount "$pins"; rmdir "$pins"' EXIT
setpriv --reuid="$user" --clear-groups "$bpftool" prog loadall "$object" "$pins/all"

mkdir -p "$dir"
for pin in "$pins"/all/*; do
	name=$(basename "$pin")
	"$bpftool" prog dump xlated pinned "$pin" | grep -E '^ *[0-9]+: ' >"$dir/$name.txt"
	"$bpftool" prog dump xlated pinned "$pin" file "$dir/$name.bin"
	# The index in front of a line of text is the number of the instruction's
	# line of bytes; the callee is what kallsyms has added.
	od -An -v -tx1 -w8 "$dir/$name.bin" | tr -d ' ' | awk '
		NR == FNR {
			if (match($0, / call pc[+-][0-9]+#/) || match($0, / call /)) {
				callee = substr($0, RSTART + RLENGTH)
				sub(/#.*/, "", callee)
				if (callee !~ /^pc/)
					of[$1 + 0] = " " callee
			}
			next
		}
		{ print $0 of[FNR - 1] }
	' "$dir/$name.txt" - >"$dir/$name.insns"
	rm "$dir/$name.bin"
done
