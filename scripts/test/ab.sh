#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The A/B driver against kernels whose answer is known: the same kernel twice,
# one that is worse, one that panics. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

work=$AB_OUT/test-ab
rm -rf "$work"
mkdir -p "$work"
run_ab() { # sets $status and $work/log
	status=0
	scripts/ab --boots 1 --objects 'corpus_*' "$@" > "$work/log" 2>&1 || status=$?
}
says() { grep -qE "$1" "$work/log"; }
# The comparison as CSV; the last two columns are the verdict and why.
comparison() { "./$1" -C -o csv "$work/$2/base" "$work/$2/patched" | tail -n +2; }
all_equal() { # all_equal PROGRAM DIR
	comparison "$1" "$2" > "$work/rows"
	[ -s "$work/rows" ] && ! grep -vE ',equal,("[^"]*"|[^,]*)$' "$work/rows" >> "$work/log"
}
some_worse() { comparison "$1" "$2" | grep -E "$3" | grep -qE ',worse,("[^"]*"|[^,]*)$'; }
all_pass() { [ -s "$1" ] && ! tail -n +2 "$1" | grep -vE ',pass,$' >> "$work/log"; }

# The base boots once; the other comparisons take it over as measured.
share_base() {
	mkdir -p "$work/$1"
	cp -a "$work/same/base" "$work/$1/"
}

run_ab --patched base --out "$work/same"
check "the same kernel twice: exit 0" [ "$status" = 0 ]
check "the same kernel twice: nothing is worse" says '^verdict: nothing is worse'
for program in test_progs veristat bench; do
	check "the same kernel twice: $program: every number is equal" all_equal $program same
done
check "every test passes on the base kernel" all_pass "$work/same/base/boot-1/test_progs.csv"
check "counted instructions were the clock" \
	grep -q '^clock=icount' "$work/same/base/boot-1/veristat.csv.env"
check "veristat measured every object of the corpus" [ "$(cut -d, -f1 "$work/same/base/boot-1/veristat.csv" |
	sort -u | grep -c corpus_)" = "$(find progs -name 'corpus_*.c' | wc -l)" ]
reported_again() {
	scripts/ab report --no-files "$work/same" 2>> "$work/log" | diff "$work/same/report.txt" - >> "$work/log"
}
check "the same kernel twice: the report again, without a kernel" reported_again

share_base broken
run_ab --patched scripts/test/series/broken --out "$work/broken"
check "a worse kernel: exit 1" [ "$status" = 1 ]
check "a worse kernel: the report says worse" says '^verdict: worse'
check "a worse kernel: tests fail that pin inlined lookups" \
	some_worse test_progs broken '^verifier_patch_list,.*array lookup,outcome,'
check "a worse kernel: programs take more instructions" \
	some_worse veristat broken '^corpus_.*,total_insns,'
check "a worse kernel: they take longer" some_worse veristat broken '^corpus_.*,duration,'
json_says() { # json_says DIR EXPRESSION-OF-PERL: of the report in $r
	perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>); exit !eval $ARGV[0]' "$2" \
		< "$work/$1/report.json"
}
check "a worse kernel: report.json says so" \
	json_says broken '$r->{status} == 1 && $r->{verdicts}{veristat} eq "worse"'
check "a worse kernel: the page has code beside code" \
	grep -qP '^\t*"lines": \[$' "$work/broken/report.html"

status=0
scripts/ab --xlated --fresh --patched scripts/test/series/broken --only-ours \
	--objects verifier_patch_list.bpf.o --out "$work/xlated" > "$work/log" 2>&1 || status=$?
check "other code: exit 1" [ "$status" = 1 ]
check "other code: the verdict says so" says '^verdict: something differs'
check "other code: which program, and both hashes" \
	says '^differs: verifier_patch_list\.bpf\.o/[a-z0-9_]+: xlated_hash: A [0-9a-f]+, B [0-9a-f]+$'
check "other code: both dumps are shown side by side" \
	eval 'says "^verifier_patch_list\.bpf\.o\.[a-z0-9_]+: A at the left, B at the right" && says "^  .{64}[|<>]"'

# From a worse kernel to a better one: what passes now differs, too.
status=0
scripts/ab --xlated --fresh --base scripts/test/series/broken --patched base --only-ours \
	--objects verifier_patch_list.bpf.o --passes tests --out "$work/better" > "$work/log" 2>&1 || status=$?
check "tests that come out better: exit 1" [ "$status" = 1 ]
check "tests that come out better: the verdict says so" says '^verdict: something differs'
check "tests that come out better: which" says '^again: .*verifier_patch_list'

share_base panic
run_ab --patched scripts/test/series/panic --out "$work/panic"
check "a panic: exit 3" [ "$status" = 3 ]
check "a panic: the class is said" says ': panic \(console: '
console=$work/panic/patched/boot-1.failed/console
check "a panic before init: tried once more" [ "$(wc -l < "$work/panic/retries")" = 1 ]
check "a panic: its console is kept" grep -q 'Kernel panic' "$console"
# The console ends when the kernel does.
died=$(stat -c %Y "$console")
said=$(sed -n 's/^\[\([0-9:]*\)\] panic, boot 1: panic .*/\1/p' "$work/log" | tail -n 1)
check "a panic: said within 30 seconds of it" \
	[ $(($(date -d "${said:-tomorrow}" +%s) - died)) -le 30 ]
check "a panic: the report says which boot" \
	json_says panic '$r->{b}{boots}[0]{class} eq "panic" && $r->{status} == 3'
check "a panic: the base's recording is kept" [ -s "$work/panic/base/boot-1/veristat.csv" ]

# ---- killed -------------------------------------------------------------------

a_guest() { pgrep -f "qemu-system.*path=$work/killed" > /dev/null; }
no_guest() { ! a_guest; }
no_part() { [ -z "$(find "$work/killed" -name '*.part')" ]; }
wait_for() { # wait_for SECONDS CONDITION
	local i
	for ((i = 0; i < $1 * 5; i++)); do
		"$2" && return 0
		sleep 0.2
	done
	return 1
}
for sig in TERM KILL; do
	scripts/ab --boots 1 --objects corpus_tiny --patched base --out "$work/killed" \
		> "$work/log" 2>&1 &
	pid=$!
	check "ab runs guests" wait_for 60 a_guest
	kill -$sig $pid
	wait $pid 2>/dev/null
	check "ab killed by $sig: no guest is left" wait_for 10 no_guest
	# What is killed outright cannot tidy up: the next run does.
	[ $sig = KILL ] || check "ab killed by $sig: no half boot is left" no_part
done
rm -rf "$work/killed"
echo "1..$n"
