#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# The benchmark local-storage-create in its variants on the kernel that runs
# now: kinds of owners by producers by batches, as one recording.
#
# usage: run_bench_local_storage_create.sh [options] [-- BENCH-OPTION...]
#
#   --record FILE      the recording (bench.csv here); an older one is replaced
#   --types LIST       kinds of owners (socket,task,cgroup,inode)
#   --producers LIST   (1,4)
#   --batches LIST     (32,1024)
#   --count N          creates in a round, for all kinds (20000; task 8192, cgroup 4096)
#   --rounds N         measured rounds, after one to warm up (3)
#   --variants LIST    instead of all combinations, these: TYPE:PRODUCERS:BATCH
#
# A kind that this kernel can't do is named and left out. Exit status: 0 all
# else was measured, 1 creates failed, 2 usage, 3 nothing could be measured.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
say() { echo "$*" >&2; }

record=bench.csv types=socket,task,cgroup,inode producers=1,4 batches=32,1024 count='' rounds=3
variants=''
while [ $# -gt 0 ]; do
	case $1 in
	--)          shift; break ;;
	-h|--help)   sed -n '4,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
	--record|--types|--producers|--batches|--count|--rounds|--variants)
		[ $# -gt 1 ] || { say "${0##*/}: $1 wants a value"; exit 2; }
		case $1 in
		--record)    record=$2 ;;
		--types)     types=$2 ;;
		--producers) producers=$2 ;;
		--batches)   batches=$2 ;;
		--count)     count=$2 ;;
		--rounds)    rounds=$2 ;;
		--variants)  variants=$2 ;;
		esac
		shift 2 ;;
	*)           say "${0##*/}: unknown argument $1 (see --help)"; exit 2 ;;
	esac
done

words() { echo "$1" | tr , ' '; }
if [ -z "$variants" ]; then
	for type in $(words "$types"); do
		for p in $(words "$producers"); do
			for batch in $(words "$batches"); do
				variants="$variants $type:$p:$batch"
			done
		done
	done
fi

# Some owners are dear themselves.
count_of() {
	case $1 in
	task)   echo "${count:-8192}" ;;
	cgroup) echo "${count:-4096}" ;;
	*)      echo "${count:-20000}" ;;
	esac
}

rm -f "$record" "$record.env"
measured=0 worst=0
for variant in $(words "$variants"); do
	type=${variant%%:*} batch=${variant##*:}
	p=${variant#*:}
	p=${p%:*}
	status=0
	"$top/bench" local-storage-create --storage-type "$type" -p "$p" --batch-size "$batch" \
		-q -w 1 -d "$rounds" --count "$(count_of "$type")" --record "$record" --append "$@" ||
		status=$?
	case $status in
	0) measured=$((measured + 1)) ;;
	2) exit 2 ;;
	3) say "left out: $type -p $p --batch-size $batch" ;;
	esac
	# That a kernel lacks a kind is said and no failure, if there is another.
	[ $status = 3 ] || [ $status -le $worst ] || worst=$status
done
[ $measured -gt 0 ] || exit 3
exit $worst
