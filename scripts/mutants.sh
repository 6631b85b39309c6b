#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Which of our tests see a fault in a kernel's patching code? Builds a kernel
# for each series with one deliberate fault, runs the tests on it and on the
# kernel without the fault, and tells which tests came out differently.
#
# usage: [KSRC=TREE] mutants.sh [options]
#
#   --series-prefix P  the faults: the series scripts/test/series/P* (mutant-)
#   --only LIST        only these, by the names behind the prefix, with commas
#   --tests NAMES      tests to run, as test_progs -t (patch_list,patch_model)
#   --out DIR          where the outcomes go (.output/mutants)
#   --table FILE       write the table there (docs/mutants.md if all of the
#                      faults and tests were run, else standard output)
#   --fresh            run again what ran before
#
# A series with lines "fault: NAME WORDS" holds several, of which the kernel has
# the one that bpf_fault=NAME on its command line asks for. A series with "after:"
# is compared with the kernel that it goes on top of.
#
# Exit status: 0 each fault was caught by some test, 1 one was not, 2 usage, 3 a
# kernel could not be built or booted.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prefix=mutant- only='' tests_named=patch_list,patch_model out=$AB_OUT/mutants table='' fresh=''
while [ $# -gt 0 ]; do
	case $1 in
	--series-prefix) prefix=$2; shift 2 ;;
	--only)          only=$2; shift 2 ;;
	--tests)         tests_named=$2; shift 2 ;;
	--out)           out=$2; shift 2 ;;
	--table)         table=$2; shift 2 ;;
	--fresh)         fresh=1; shift ;;
	-h|--help)       sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
	*) say "mutants.sh: unknown argument $1 (see --help)"; exit 2 ;;
	esac
done
all_series=$AB_TOP/scripts/test/series
[ -x "$AB_TOP/test_progs" ] || die "no test_progs: run make first"

# Lines "NAME SERIES FAULT", of which FAULT may be empty.
list_faults() {
	local dir series fault
	for dir in "$all_series/$prefix"*; do
		[ -r "$dir/series" ] || continue
		series=$(basename "$dir")
		if grep -q '^fault: ' "$dir/series"; then
			while read -r fault; do
				echo "$series-$fault $series $fault"
			done < <(sed -n 's/^fault: *\([^ ]*\).*/\1/p' "$dir/series")
		else
			echo "$series $series"
		fi
	done
}
faults=()
while read -r name series fault; do
	[ -z "$only" ] || [[ ,$only, == *",${name#"$prefix"},"* ]] || continue
	faults+=("$name $series $fault")
done < <(list_faults)
[ ${#faults[@]} -gt 0 ] || { say "mutants.sh: no series $all_series/$prefix*"; exit 2; }
mapfile -t tests < <("$AB_TOP/test_progs" -l -t "$tests_named")
[ ${#tests[@]} -gt 0 ] || { say "mutants.sh: no test has $tests_named in its name"; exit 2; }
if [ -z "$table" ] && [ "$prefix$only$tests_named" = mutant-patch_list,patch_model ]; then
	table=$AB_TOP/docs/mutants.md
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)

child='' # a guest or a build
leave() {
	trap - EXIT INT TERM HUP
	[ -z "$child" ] || { kill -TERM "$child" && wait "$child"; } 2>/dev/null || true
	rm -rf "$out"/*/boot "$out/kernel"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# What the outcomes stand on beside the kernel.
programs_key() {
	sha256sum < "$AB_TOP/test_progs"
	echo "${tests[@]}"
	cat "$AB_OUT"/progs/*.bpf.o "$0" "$AB_TOP/scripts/mutants-guest.sh" | sha256sum
}
programs=$(programs_key)

# One boot for the tests of $pending. Moves what came of them into DIR, takes
# them out of $pending, and the one with which the guest ended too. A guest that
# comes to no test, as when the host is too busy, has two more tries.
boot() { # DIR KERNEL FAULT
	local dir=$1 status=0 left=() test class

	rm -rf "${dir:?}/boot"
	mkdir -p "$dir/boot"
	env --default-signal=INT "$AB_TOP/scripts/vm.sh" --kernel "$2/bzImage" --clock tcg-wall \
		--share "$dir/boot" --quiet --timeout 1800 ${3:+--append "bpf_fault=$3"} -- \
		"$AB_TOP/scripts/mutants-guest.sh" "$dir/boot" "${pending[@]}" 2> "$dir/vm" &
	child=$!
	wait "$child" || status=$?
	child=''
	class=$(cat "$dir/boot/class")
	for test in "${pending[@]}"; do
		if [ -e "$dir/boot/$test.csv" ]; then
			mv "$dir/boot/$test".{csv,log,status} "$dir"
		elif [ -e "$dir/boot/$test.status" ]; then
			mv "$dir/boot/$test".{log,status} "$dir"
			echo "test_progs ended with status $(cat "$dir/$test.status")" > "$dir/$test.lost"
		elif [ "$(cat "$dir/boot/running" 2>/dev/null)" = "$test" ]; then
			echo "the guest ended: $class" > "$dir/$test.lost"
		else
			left+=("$test")
		fi
	done
	[ "$class" = "done" ] || cp "$dir/boot/console" "$dir/console"
	if [ ${#left[@]} -lt ${#pending[@]} ]; then
		idle=0
	elif [ $((idle += 1)) -gt 2 ]; then
		cat "$dir/vm" >&2
		die "$2 runs no test ($class, status $status)"
	fi
	pending=("${left[@]}")
}

# run NAME KERNEL SERIES FAULT SUMMARY AFTER
run() {
	local dir=$out/$1 kernel=$2 start=$SECONDS pending=("${tests[@]}") boots=0 idle=0

	local key
	key=$(basename "$kernel")$'\n'$programs
	if [ -z "$fresh" ] && [ "$(cat "$dir/complete" 2>/dev/null)" = "$key" ]; then
		step "$1: ran before"
		return
	fi
	rm -rf "$dir"
	mkdir -p "$dir"
	printf 'series=%s\nfault=%s\nsummary=%s\nafter=%s\nversion=%s\n' "$3" "$4" "$5" "$6" \
		"$(sed -n 's/^version=//p' "$kernel/info")" > "$dir/info"
	while [ ${#pending[@]} -gt 0 ]; do
		boot "$dir" "$kernel" "$4"
		boots=$((boots + 1))
	done
	rm -rf "${dir:?}/boot" "$dir/vm"
	[ "$(programs_key)" = "$programs" ] || die "test_progs or its objects changed meanwhile"
	echo "$key" > "$dir/complete"
	step "$1: ran in $boots boots, $(mmss $((SECONDS - start)))"
}

series_value() { sed -n "s/^$2: *//p" "$all_series/$1/series"; }
summary_of() { # SERIES FAULT
	if [ -n "$2" ]; then
		series_value "$1" "fault" | sed -n "s/^$2 //p"
	else
		series_value "$1" summary | sed 's/^test input: //'
	fi
}

# Sets kernel. In the background, so that a signal is not kept waiting.
build() {
	local status=0
	setpriv --pdeathsig TERM "$AB_TOP/scripts/build-kernel.sh" "$@" > "$out/kernel" &
	child=$!
	wait "$child" || status=$?
	child=''
	[ $status = 0 ] || exit 3
	kernel=$(cat "$out/kernel")
}

declare -A have_base=()
rows=()
for line in "${faults[@]}"; do
	read -r name series fault <<< "$line"
	after=$(series_value "$series" after)
	base=base${after:+-$(basename "$after")}
	if [ -z "${have_base[$base]:-}" ]; then
		build ${after:+--series "$after"}
		run "$base" "$kernel" '' '' "no fault" "$after"
		have_base[$base]=1
	fi
	build --series "$all_series/$series"
	run "$name" "$kernel" "$series" "$fault" "$(summary_of "$series" "$fault")" "$after"
	rows+=("$base:$name")
done

status=0
"$AB_TOP/scripts/mutants-table.pl" "$out" "${rows[@]}" > "$out/table.md" || status=$?
[ $status -le 1 ] || die "no table could be made of $out"
if [ -n "$table" ]; then
	cp "$out/table.md" "$table"
	say "the table is $table"
else
	cat "$out/table.md"
fi
exit $status
