#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Does our test_progs come to the same results as the kernel's own? Both run all
# verifier tests of the tree that set-up found, two at a time, from the same
# objects, and the outcomes of all subtests are compared. Prints TAP, with every
# difference, and what both cost. Not part of `make test`: it takes 2 minutes here
# and 15 in a guest, once scripts/upstream.sh and the kernel are built.
#
# usage: verifier-upstream.sh [--guest full|ab] [--rounds N] [--into DIR]
#   --guest NAME   in a guest with that kernel, "full" with the test modules
#                  (default: on the kernel that runs now)
#   --rounds N     run both N times, in turn; times are those of the fastest (1)
#   --into DIR     keep their output there (default: .output/verifier-upstream)
set -euo pipefail
. "$(dirname "$0")/../common.sh"

guest='' rounds=1 into='' upstream='' cost='' modules=''
usage_error() { say "verifier-upstream.sh: $*"; exit 2; }
while [ $# -gt 0 ]; do
	case $1 in
	-h|--help)
		sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"
		exit 0 ;;
	--*) [ $# -gt 1 ] || usage_error "$1 wants a value" ;;&
	--guest)    guest=$2 ;;
	--rounds)   rounds=$2 ;;
	--into)     into=$2 ;;
	--upstream) upstream=$2 ;; # these are for the run inside the guest
	--cost)     cost=$2 ;;
	--modules)  modules=$2 ;;
	*)          usage_error "unknown argument $1 (see --help)" ;;
	esac
	shift 2
done
[[ $rounds =~ ^[1-9][0-9]*$ ]] || usage_error "--rounds wants a number, not '$rounds'"
case $guest in
''|full|ab) ;;
*) usage_error "--guest is full or ab, not '$guest'" ;;
esac

[ -n "$into" ] || into=$AB_OUT/verifier-upstream/${guest:-here}
[ -n "$upstream" ] || upstream=$("$AB_TOP/scripts/upstream.sh")
mkdir -p "$into"
into=$(cd "$into" && pwd)
if [ -z "$cost" ]; then
	cost=$AB_OUT/cost
	gcc -std=gnu11 -O2 -Wall -o "$cost" "$AB_TOP/scripts/test/cost.c"
fi
if [ -n "$guest" ]; then
	case $guest in
	full) kernel=$("$AB_TOP/scripts/build-kernel.sh" --config full) ;;
	ab)   kernel=$("$AB_TOP/scripts/build-kernel.sh") ;;
	esac
	exec "$AB_TOP/scripts/vm.sh" --kernel "$kernel/bzImage" --clock tcg-wall --share "$into" \
		--timeout $((900 + 900 * rounds)) -- "$0" --into "$into" --rounds "$rounds" \
		--upstream "$upstream" --cost "$cost" --modules "$kernel/modules"
fi

# The module that verifier tests call into. Upstream's test_progs takes it anew from
# the folder that it is started in, and takes it out when it ends.
module_in() {
	[ ! -d "$modules" ] || grep -q '^bpf_testmod ' /proc/modules ||
		insmod "$modules/bpf_testmod.ko"
}

# Three tests expect the instruction that loads a far per-CPU address. In a kernel that
# has just booted the first chunk of that memory, which is near, still has room.
fill_percpu() {
	local i
	for ((i = 0; i < 32; i++)); do
		ip netns add "fill$i"
	done
}
[ -z "$modules" ] || fill_percpu

# What all but verifier_log, a test in C, are annotated objects under both.
tests=(-t verifier_,ksock_lsm_verifier -j2 -w 600)
# An older verifier writes far outside of its memory at this one, and it is no more
# than luck if the kernel survives it.
crashes=verifier_subprog_precision/ld_abs_backtrack_both_paths
if [ "$(printf '%s\n' 7.0 "$(uname -r)" | sort -V | head -n 1)" != 7.0 ]; then
	echo "# left out, since it crashes kernels before 7.0: $crashes"
	tests+=(-d "$crashes")
fi

# one SIDE ROUND CMD...: in a folder that has objects and modules, as upstream's wants
# it; a failed test is no failure of ours.
one() {
	local side=$1 round=$2 status=0
	shift 2
	(cd "$work" && "$cost" "$into/$side.cost.$round" "$@" "${tests[@]}") \
		> "$into/$side.out" 2> "$into/$side.err" < /dev/null || status=$?
	[ $status -le 1 ] || die "$1 ended with status $status: $(tail -n 1 "$into/$side.err")"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$upstream"/* "$work/"
[ ! -d "$modules" ] || ln -s "$modules"/*.ko "$work/"
rm -f "$into"/{upstream,ours}.*
for ((round = 1; round <= rounds; round++)); do
	one upstream $round ./test_progs
	module_in
	one ours $round "$AB_TOP/test_progs" --objdir "$upstream" -J "$into/ours.json"
done

# field SIDE NAME: the smallest of all rounds.
field() { cat "$into/$1".cost.* | sed -n "s/^$2=//p" | sort -g | head -n 1; }
# cost NAME UNIT: both and their ratio; fails if ours is larger.
compare_cost() {
	awk -v a="$(field upstream "$1")" -v b="$(field ours "$1")" -v name="$1" -v unit="$2" 'BEGIN {
		printf "# %s: upstream %s %s, ours %s %s, ratio %.2f\n", name, a, unit, b, unit, b / a
		exit b > a
	}'
}

n=0 failed=0
check() { # check NAME CMD...
	n=$((n + 1))
	if "${@:2}"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		failed=1
	fi
}
agree() {
	local status=0
	"$AB_TOP/scripts/test/agree.pl" --not verifier_log "$into/upstream.out" \
		"$into/ours.json" > "$into/differences" || status=$?
	sed 's/^/# /' "$into/differences"
	return "$status"
}
echo "# kernel $(uname -r), upstream of $(sed -n 's/^source=//p' "$upstream/info")"
check "verifier tests: every subtest as under upstream's test_progs" agree
check "verifier tests: no slower than upstream" compare_cost wall s
compare_cost system s || true
compare_cost user s || true
check "verifier tests: the largest process is no larger than upstream's" compare_cost max_rss_kib KiB
check "verifier tests: all processes are no larger than upstream's" compare_cost sum_rss_kib KiB
echo "1..$n"
exit $failed
