#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Record one side of a comparison: run test_progs, veristat and bench on the
# kernel that runs now. Needs root.
#
# usage: run-all.sh [options] DIR
#
# DIR gets a folder for this boot of the machine, boot-1 and so on: with two or
# more boots of each kernel a comparison knows how much they differ by themselves.
# A boot that was recorded already is recorded anew.
#
#   --only LIST      of test_progs, veristat and bench, these (all)
#   --objects LIST   only these objects (globs on file names, commas between)
#   --repeat N       timed loads of each program (2)
#   --variants LIST  variants of the benchmark, TYPE:PRODUCERS:BATCH with commas
#                    between, or "all" (socket:1:32,task:1:32)
#
# Exit status: 0 all was measured, 2 usage, 3 something could not be measured.
set -eu
top=$(dirname "$(readlink -f "$0")")
say() { echo "$*" >&2; }
usage() {
	say "run-all.sh: $1 (see --help)"
	exit 2
}

dir='' only=test_progs,veristat,bench objects='*' repeat=2 variants=socket:1:32,task:1:32
while [ $# -gt 0 ]; do
	case $1 in
	--only|--objects|--repeat|--variants)
		[ $# -gt 1 ] || usage "$1 wants a value"
		case $1 in
		--only)     only=$2 ;;
		--objects)  objects=$2 ;;
		--repeat)   repeat=$2 ;;
		--variants) variants=$2 ;;
		esac
		shift 2 ;;
	-h|--help) sed -n '4,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
	-*) usage "unknown argument $1" ;;
	*)
		[ -z "$dir" ] || usage "one folder is enough, and $dir was named before $1"
		dir=$1
		shift ;;
	esac
done
[ -n "$dir" ] || usage "needs a folder for the recording"
case $repeat in
''|*[!0-9]*|0*) usage "--repeat wants a number from 1, not '$repeat'" ;;
esac
only=$(echo "$only" | tr , ' ')
for name in $only; do
	case $name in
	test_progs|veristat|bench) ;;
	*) usage "--only takes test_progs, veristat and bench, not '$name'" ;;
	esac
done
[ "$(id -u)" = 0 ] || { say "run-all.sh: needs root: only that may load BPF"; exit 3; }

# Objects by name, all of them by default.
set -f
set --
for pattern in $(echo "$objects" | tr , ' '); do
	set +f
	for object in "$top"/progs/corpus_*.bpf.o "$top"/objects/*.bpf.o; do
		# shellcheck disable=SC2254 # a pattern on purpose
		case ${object##*/} in
		$pattern|$pattern.bpf.o) [ ! -e "$object" ] || set -- "$@" "$object" ;;
		esac
	done
	set -f
done
set +f
[ $# -gt 0 ] || usage "no object matches --objects $objects"

# One folder a boot: rows of one boot are not independent of each other.
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
id=$(cat /proc/sys/kernel/random/boot_id)
n=1
while [ -e "$dir/boot-$n" ] && [ "$(cat "$dir/boot-$n/boot_id" 2>/dev/null)" != "$id" ]; do
	n=$((n + 1))
done
boot=$dir/boot-$n
rm -rf "$boot.part"
mkdir "$boot.part"
trap 'rm -rf "$boot.part"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
echo "$id" > "$boot.part/boot_id"

# With & and wait: a shell acts on a signal only when what it runs has ended.
"$top/scripts/ab-guest.sh" "$boot.part" --repeat "$repeat" --only "$only" \
	--variants "$variants" -- "$@" > "$boot.part/stdout" &
child=$!
trap 'kill -TERM $child 2>/dev/null; wait $child; exit 130' INT
trap 'kill -TERM $child 2>/dev/null; wait $child; exit 143' TERM HUP
status=0
wait $child || status=$?
dmesg > "$boot.part/dmesg" 2>/dev/null || rm -f "$boot.part/dmesg"
trap - EXIT INT TERM HUP
rm -rf "$boot.failed"
if [ $status != 0 ] || [ ! -e "$boot.part/measured" ]; then
	mv "$boot.part" "$boot.failed"
	say "run-all.sh: not all was measured; what was is kept in $boot.failed"
	exit 3
fi
# A report uses no boot without this mark.
uname -r > "$boot.part/complete"
rm -rf "$boot"
mv "$boot.part" "$boot"
say "recorded: $boot"
