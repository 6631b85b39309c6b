#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# The part of an A/B run that happens on one kernel: test_progs, veristat and
# bench, each leaving its recording in DIR.
#
# usage: ab-guest.sh DIR [--repeat N] [--only NAMES] [--variants LIST] [--count N] -- OBJECT...
#
# Exit status: 0 when everything was measured (a failed test is a result, not
# an error), 3 otherwise.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
dir=$1
shift
repeat=2 only="test_progs veristat bench" variants=socket:1:32,task:1:32 count=''
while [ $# -gt 0 ]; do
	case $1 in
	--repeat) repeat=$2; shift 2 ;;
	--only)   only=$2; shift 2 ;;
	--variants) variants=$2; shift 2 ;;
	--count)  count=$2; shift 2 ;;
	--)       shift; break ;;
	*)        echo "ab-guest.sh: unknown argument $1" >&2; exit 2 ;;
	esac
done

# Without prog_size_jited: the JIT picks encodings by address, and strobemeta's
# code is 80,891 or 80,894 bytes from one load to the next on one kernel.
columns=verdict,duration,insns,states,peak_states,prog_size,xlated_hash
columns=$columns,max_stack_depth,mem_peak,mem_peak_kib,kmallocs,kmalloc_bytes,slab_allocs,slab_bytes,allocs,alloc_bytes
columns=$columns,frees,live_peak

# Without frees_per_op and own_allocs_per_op, which follow grace periods, and what is
# of the whole machine or of the benchmark's own counting: two boots of one kernel
# differ in them.
bench_columns=ops_per_sec,insns_per_op,allocs_per_op,kmallocs_per_op,slab_allocs_per_op
bench_columns=$bench_columns,nolocks_per_op,refills_per_op,vmallocs_per_op,alloc_bytes_req_per_op
bench_columns=$bench_columns,alloc_bytes_per_op,left,errors

# stage NAME STATUSES-THAT-ARE-RESULTS CMD...
failed=''
stage() {
	local name=$1 fine=$2 status
	shift 2
	echo "stage $name" >&2
	"$@"
	status=$?
	case " $fine " in
	*" $status "*) ;;
	*)
		echo "$name ended with status $status: $*" >&2
		failed="$failed $name" ;;
	esac
}

wanted() { case " $only " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
if wanted test_progs; then
	stage test_progs "0 1" "$top/test_progs" -t verifier --record "$dir/test_progs.csv"
fi
if wanted veristat; then
	# For the page of the report; the code of one boot is enough.
	set -- --alloc-sites 10 "$@"
	case $dir in
	*/boot-1.part) mkdir -p "$dir/code" && set -- --dump-dir "$dir/code" "$@" ;;
	esac
	stage veristat "0" "$top/veristat" --progress --repeat "$repeat" -e "$columns" \
		--record "$dir/veristat.csv" -o csv "$@" > "$dir/veristat.out"
fi
if wanted bench; then
	[ "$variants" != all ] || variants=''
	stage bench "0" "$top/scripts/run_bench_local_storage_create.sh" --variants "$variants" --count "$count" \
		--record "$dir/bench.csv" -- -e "$bench_columns"
fi
[ -z "$failed" ] || exit 3
touch "$dir/measured"
