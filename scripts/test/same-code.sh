#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# same-code.pl on recordings whose answer is known, and the usage of the scripts
# that prove a series. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3
again=()
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head=file_name,prog_name,verdict,cause,prog_size_jited,xlated_hash
a='x.o,one,success,loaded,100,aa
x.o,two,success,loaded,50,bb
y.o,three,failure,rejected,"unsupported: not, loaded","unsupported: not, loaded"'
loads=$a

# same NAME STATUS OUTPUT B [OPTION...]: what is said of a recording against a.
same() {
	local name=$1 wanted=$2 output=$3 status=0
	printf '%s\n' "$head" "$a" > "$work/a"
	printf '%s\n' "$head" "$4" > "$work/b"
	shift 4
	scripts/same-code.pl "$@" "$work/a" "$work/b" "${again[@]}" > "$work/log" 2>&1 || status=$?
	check "$name" [ "$status: $(cat "$work/log")" = "$wanted: $output" ]
}
sum() { echo "2 objects, 3 programs; loaded: 2 on A, $1 on B, $2 on both; $3 differ"; }

same "a recording and itself" 0 "$(sum 2 2 0)" "$a"
same "other instructions" 1 "differs: x.o/one: xlated_hash: A aa, B ab
$(sum 2 2 1)" "${a/,aa/,ab}"
same "another size of machine code" 1 "differs: x.o/one: prog_size_jited: A 100, B 101
$(sum 2 2 1)" "${a/,100,/,101,}"
same "... which does not count" 0 "$(sum 2 2 0)" "${a/,100,/,101,}" --no-jited
same "a size that both sides have seen" 0 "$(sum 2 2 0)" "${a/,100,/,101,}
x.o,one,success,loaded,100,aa"
same "instructions that vary on one side" 1 "differs: x.o/one: xlated_hash: A aa, B aa or ab
$(sum 2 2 1)" "$a
x.o,one,success,loaded,100,ab"
same "a program of one side only" 1 "differs: x.o/two: program: A there, B missing
$(sum 1 1 1)" "$(grep -v two <<< "$a")"
same "loaded on one side only, the better one too" 1 "differs: y.o/three: cause: A rejected, B loaded
differs: y.o/three: verdict: A failure, B success
$(sum 3 2 1)" "${a/failure,rejected/success,loaded}"
same "the list is filters" 1 "x.o/one" "${a/,aa/,ab}" --list
same "a cell that is missing" 3 "same-code.pl: $work/b, line 2: expected 6 cells, found 5" \
	"${a/,aa/}"
a=${a//success,loaded/failure,rejected}
same "nothing loaded proves nothing" 3 "$(sum 0 0 0 | sed 's/loaded: 2/loaded: 0/')
same-code.pl: no program was loaded on both sides: nothing is proved" "$a"
a=$loads
printf '%s\n' "$head" x.o,one,success,loaded,100,aa > "$work/a2"
cp "$work/a2" "$work/b2"
again=("$work/a2" "$work/b2")
same "what was loaded again counts" 0 "$(sum 2 2 0)" "${a/,100,/,101,}"
again=()
: > "$work/empty"
again=("$work/empty" "$work/b2")
same "an empty recording" 3 "same-code.pl: $work/empty: is empty" "$a"

# ---- what the scripts around it refuse before they build anything ----------------

refused() { # refused NAME WORDS COMMAND...
	local name=$1 words=$2 status=0
	shift 2
	"$@" > "$work/log" 2>&1 || status=$?
	check "$name: usage" [ "$status: $(cat "$work/log")" = "2: $words" ]
}
refused "ab --xlated with nothing to compare" "xlated.sh: needs --patched SPEC (see --help)" \
	scripts/ab --xlated
refused "a pass that there is not" \
	"xlated.sh: there is no pass 'no'; there are: plain rnd-hi32 blinded tests tests-blinded" \
	scripts/xlated.sh --patched base --passes plain,no
refused "one size" \
	"growth.sh: --sizes wants two numbers or more with commas between, not 256" \
	scripts/growth.sh --sizes 256
refused "a program that growth.c has not" \
	"growth.sh: there is no program 'no' in progs/growth.c" scripts/growth.sh --programs no
refused "faults of nothing known" "faults.sh: unknown argument --no (see --help)" \
	scripts/faults.sh --no
refused "a prefix of no series" \
	"build-kernel.sh: --upto wants a number from 1, of a --series, not 2" \
	scripts/build-kernel.sh --upto 2
refused "more patches than there are" \
	"build-kernel.sh: $AB_TOP/patches/patch-list has 4 patches, not 5" \
	scripts/build-kernel.sh --series patch-list --upto 5 --print-key
echo "1..$n"
