#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
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
set -euo pipefail
. "$(dirname "$0")/common.sh"

record=bench.csv types=socket,task,cgroup,inode producers=1,4 batches=32,1024 count='' rounds=3
variants=''
while [ $# -gt 0 ]; do
	case $1 in
	--)          shift; break ;;
	-h|--help)   sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
	--record|--types|--producers|--batches|--count|--rounds|--variants)
		[ $# -gt 1 ] || { say "${0##*/}: $1 wants a value"; exit 2; }
		declare "${1#--}=$2"
		shift 2 ;;
	*)           say "${0##*/}: unknown argument $1 (see --help)"; exit 2 ;;
	esac
done

if [ -z "$variants" ]; then
	for type in ${types//,/ }; do
		for p in ${producers//,/ }; do
			for batch in ${batches//,/ }; do
				variants+=" $type:$p:$batch"
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
for variant in ${variants//,/ }; do
	IFS=: read -r type p batch <<< "$variant"
	status=0
	"$AB_TOP/bench" local-storage-create --storage-type "$type" -p "$p" --batch-size "$batch" \
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
