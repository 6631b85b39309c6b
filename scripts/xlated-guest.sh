#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The part of xlated.sh that happens on one kernel: one pass over the objects,
# or over the tests, each leaving recordings in DIR.
#
# usage: xlated-guest.sh DIR PASS LIST [OBJDIR...]
#
#   PASS    plain, rnd-hi32, blinded: LIST names objects
#           again-PASS: LIST holds filters; the programs many times, and their
#           code below DIR/code; objects are those of DIR/objects
#           tests, tests-blinded: the tests of each OBJDIR
#           again-tests, again-tests-blinded: of these what LIST names
#
# Exit status: 0 when everything was measured, 3 otherwise.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
dir=$1 pass=$2 list=$3
shift 3
objdirs=("$@")

columns=verdict,cause,errno,insns,states,peak_states,prog_size,max_stack_depth
columns+=,prog_size_jited,xlated_hash,finfo_hash,linfo_hash
flags=()
case $pass in
*rnd-hi32) flags+=(--rnd-hi32) ;;
*blinded)
	echo 2 > /proc/sys/net/core/bpf_jit_harden || exit 3
	# Instructions of blinded programs are shown to who may see addresses.
	echo 0 > /proc/sys/kernel/kptr_restrict || exit 3
	;;
esac

# Programs that this kernel cannot load are rows with a cause, and status 3.
measure() {
	local status=0
	"$top/veristat" --progress -e "$columns" "${flags[@]}" "$@" -o csv > /dev/null || status=$?
	[ $status = 0 ] || [ $status = 3 ] || exit 3
}

run_tests() { # run_tests NAMES: 2 is that there are none in this folder
	local n=0 objdir status
	for objdir in "${objdirs[@]}"; do
		n=$((n + 1)) status=0
		"$top/test_progs" -t "$1" --objdir "$objdir" --record "$dir/$pass-$n.csv" \
			> "$dir/$pass-$n.out" || status=$?
		[ $status -le 1 ] || { [ $status = 2 ] && [[ $pass == again-* ]]; } || exit 3
	done
}

case $pass in
again-tests*) run_tests "$(paste -sd, "$list")" ;;
again-*)
	mkdir -p "$dir/code"
	measure --repeat 8 --warmup 0 -f "@$list" --dump-dir "$dir/code" \
		--record "$dir/$pass.csv" "@$dir/objects"
	[ -s "$dir/$pass.csv" ] || exit 3 ;;
tests*) run_tests verifier ;;
*)
	measure --record "$dir/$pass.csv" "@$list"
	[ -s "$dir/$pass.csv" ] || exit 3 ;;
esac
exit 0
