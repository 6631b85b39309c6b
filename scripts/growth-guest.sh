#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The part of growth.sh that happens on one kernel: programs of progs/growth.c at
# several sizes, leaving DIR/growth.csv and, of what only the JIT rewrites,
# DIR/blinded.csv.
#
# usage: growth-guest.sh DIR PROGRAMS OBJECT...
#
# Exit status: 0 when everything was measured, 3 otherwise.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
dir=$1 programs=$2
shift 2

columns=verdict,insns,prog_size,duration,live_peak,vmalloc_peak,vmalloc_bytes,mem_peak_kib
plain=() blinded=()
for program in ${programs//,/ }; do
	case $program in
	constants) blinded+=(-f "/$program") ;;
	*)         plain+=(-f "/$program") ;;
	esac
done

measure() { # measure NAME ARG...
	"$top/veristat" --progress --phases -e "$columns" --warmup 1 --record "$dir/$1.csv" \
		-o csv "${@:2}" > /dev/null || exit 3
}
[ ${#plain[@]} = 0 ] || measure growth "${plain[@]}" "$@"
if [ ${#blinded[@]} -gt 0 ]; then
	echo 2 > /proc/sys/net/core/bpf_jit_harden || exit 3
	measure blinded "${blinded[@]}" "$@"
fi
touch "$dir/measured"
