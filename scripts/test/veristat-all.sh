#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Does our veristat come to the same numbers as the kernel's own over all objects of
# the kernel's selftests, and what do both cost? Every exact column of every program
# is compared; what differs has to have one of the reasons in docs/veristat.md.
# Prints TAP. Not part of `make test`: 3 minutes here, 10 in a guest, once
# scripts/upstream.sh and the kernel are built.
#
# usage: veristat-all.sh [--guest full|ab] [--rounds N] [--into DIR]
#   --guest NAME   in a guest with that kernel (default: on the kernel that runs now);
#                  what it costs there is not judged, but whether progs/*.manifest
#                  tell what doesn't load ("ab")
#   --rounds N     run both N times, in turn; costs are those of the cheapest (1)
#   --into DIR     keep their output there (default: .output/veristat-all)
set -euo pipefail
. "$(dirname "$0")/../common.sh"

guest='' rounds=1 into='' upstream='' cost='' config=''
usage_error() { say "veristat-all.sh: $*"; exit 2; }
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
	--config)   config=$2 ;;
	*)          usage_error "unknown argument $1 (see --help)" ;;
	esac
	shift 2
done
[[ $rounds =~ ^[1-9][0-9]*$ ]] || usage_error "--rounds wants a number, not '$rounds'"
case $guest in
''|full|ab) ;;
*) usage_error "--guest is full or ab, not '$guest'" ;;
esac

[ -n "$into" ] || into=$AB_OUT/veristat-all/${guest:-here}
[ -n "$upstream" ] || upstream=$("$AB_TOP/scripts/upstream.sh")
mkdir -p "$into"
into=$(cd "$into" && pwd)
in_guest=$cost
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
		--timeout $((1800 + 1200 * rounds)) -- "$0" --into "$into" --rounds "$rounds" \
		--upstream "$upstream" --cost "$cost" --config "$guest"
fi

exact=verdict,insns,states,peak_states,max_states_per_insn,mark_read,prog_size
exact+=,prog_size_jited,stack,max_stack_depth,prog_type,attach_type

cd "$upstream"
objects=(*.bpf.o)
# An older verifier writes far outside of its memory at a program of this one, and it
# is no more than luck if the kernel survives it.
if [ "$(printf '%s\n' 7.0 "$(uname -r)" | sort -V | head -n 1)" != 7.0 ]; then
	crashes=verifier_subprog_precision.bpf.o
	echo "# left out, since it crashes kernels before 7.0: $crashes"
	mapfile -t objects < <(printf '%s\n' "${objects[@]}" | grep -vxF "$crashes")
fi

# one SIDE ROUND CMD...: ours says by 3 that something could not be measured, upstream's
# exits with 0 whatever becomes of an object.
one() {
	local side=$1 round=$2 status=0
	shift 2
	"$cost" "$into/$side.cost.$round" "$@" "${objects[@]}" \
		> "$into/$side.csv" 2> "$into/$side.err" < /dev/null || status=$?
	[ $status = 0 ] || [ $status = 3 ] ||
		die "$1 ended with status $status: $(tail -n 1 "$into/$side.err")"
	[ -s "$into/$side.csv" ] || die "$1 printed nothing: $(tail -n 1 "$into/$side.err")"
}

manifests=()
[ "$config" != ab ] ||
	manifests=(--manifest "$AB_TOP/progs/corpus.manifest" --manifest "$AB_TOP/progs/corpus-ab.manifest")
rm -f "$into"/{upstream,ours,ours-j2}.*
for ((round = 1; round <= rounds; round++)); do
	one upstream $round ./veristat -q -o csv -e "file,prog,$exact"
	one ours $round "$AB_TOP/veristat" -q -o csv -e "$exact,cause" "${manifests[@]}"
	[ -n "$in_guest" ] ||
		one ours-j2 $round "$AB_TOP/veristat" -q -j 2 -o csv -e "$exact,cause"
done

# field SIDE NAME...: the smallest of all rounds of the sum of these.
field() {
	local side=$1 file
	shift
	for file in "$into/$side".cost.*; do
		awk -F= -v names=" $* " 'index(names, " " $1 " ") { sum += $2 } END { print sum }' "$file"
	done | sort -g | head -n 1
}
# compare_cost SIDE FACTOR UNIT NAME...: fails if SIDE takes more than FACTOR times upstream's.
compare_cost() {
	local side=$1 factor=$2 unit=$3
	shift 3
	awk -v a="$(field upstream "$@")" -v b="$(field "$side" "$@")" -v factor="$factor" \
		-v what="$*" -v side="$side" -v unit="$unit" 'BEGIN {
		printf "# %s: upstream %s %s, %s %s %s, ratio %.2f\n", what, a, unit, side, b, unit, b / a
		exit b > factor * a
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
differences() {
	"$AB_TOP/scripts/test/veristat-diff.pl" "$into/upstream.csv" "$into/upstream.err" "$into/ours.csv" "$@"
}
# The JIT loads a per-CPU address that is far in three bytes more than one that is near,
# and a map is where there was room. Ours loads what differs by that again, with room in
# the first chunk of this memory, which is near, and (in a guest) without.
sizes() {
	local i
	"$AB_TOP/veristat" -q -o csv -e prog_size_jited "$@" 2> "$into/sizes.err" || true
	[ -n "$in_guest" ] || return 0
	for ((i = 0; i < 32; i++)); do
		ip netns add "fill$i"
	done
	"$AB_TOP/veristat" -q -o csv -e prog_size_jited "$@" 2> "$into/sizes.err" | tail -n +2 || true
}
agree() {
	local varying
	mapfile -t varying < <(differences |
		sed -n 's/^# no reason: \([^/]*\)\/[^:]*: prog_size_jited: .*/\1/p' | sort -u)
	[ ${#varying[@]} -gt 0 ] || { differences; return; }
	sizes "${varying[@]}" > "$into/sizes.csv"
	differences "$into/sizes.csv"
}
echo "# kernel $(uname -r), ${#objects[@]} objects, upstream of $(sed -n 's/^source=//p' "$upstream/info")"
check "veristat: every cell as upstream's, or different for a known reason" agree
# Anything else that doesn't load is said, and so is what does although it is named.
as_expected() {
	sed 's/^/# /' "$into/ours.err" | head -n 20
	[ ! -s "$into/ours.err" ]
}
[ "$config" != ab ] || check "veristat: what does not load is what the manifests name" as_expected
if [ -z "$in_guest" ]; then
	check "veristat: -j 2 prints what one process does" cmp "$into/ours.csv" "$into/ours-j2.csv"
	check "veristat: one process takes no longer than upstream" compare_cost ours 1 s wall
	check "veristat: -j 2 takes at most 0.6 of it" compare_cost ours-j2 0.6 s wall
	compare_cost ours 1 s user system || true
	compare_cost ours 1 s user || true
	check "veristat: its largest process is no larger than upstream's" \
		compare_cost ours 1 KiB max_rss_kib
	check "veristat: neither is the largest of -j 2" compare_cost ours-j2 1 KiB max_rss_kib
	compare_cost ours 1 KiB sum_rss_kib || true
fi
echo "1..$n"
exit $failed
