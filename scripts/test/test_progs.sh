#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What test_progs tells other programs: strict KTAP, JSON and a recording, which
# agree. Prints TAP.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

check() { # check NAME CONDITION...: its output is shown if it does not hold
	local name=$1
	shift
	n=$((n + 1))
	if "$@" > "$work/log" 2>&1; then
		echo "ok $n - test_progs: $name"
	else
		sed 's/^/# /' "$work/log"
		echo "# condition: $*"
		echo "not ok $n - test_progs: $name"
	fi
}
ktap_row() {
	"$top/test_progs" -C -o csv "$work/good.ktap" "$work/good.ktap" > "$work/log" 2>&1 &&
		grep -q "$1" "$work/log"
}
ktap() { awk -f "$top/scripts/test/ktap-check.awk" "$@"; }
says() { grep -qE -- "$1" "$2"; }
is() { [ "$1" = "$2" ] || { echo "is '$1', expected '$2'"; return 1; }; }
# status EXPECTED CMD...
status() {
	local expected=$1 status=0
	shift
	"$@" > "$work/out" 2> "$work/err" || status=$?
	is $status "$expected" || { cat "$work/err"; return 1; }
}

# Annotations that are wrong on purpose fail, some are skipped; the rest of the tests pass.
mkdir "$work/objs"
ln -s "$top"/.output/progs/verifier_*.bpf.o "$work/objs"
ln -s "$top/.output/progs/wrong_annotations.bpf.o" "$work/objs/verifier_wrong.bpf.o"
wrong=(--objdir "$work/objs" -t verifier)

# ---- what is a test ---------------------------------------------------------------

mkdir "$work/tagged"
ln -s "$top"/.output/progs/{wrong_annotations,corpus_tiny}.bpf.o "$work/tagged"
check "--objdir: -l lists what is there" status 0 "$top/test_progs" -l --objdir "$work/tagged"
check "--objdir: an object of any name with annotations is a test" \
	says '^wrong_annotations$' "$work/out"
check "--objdir: one without is none" is "$(grep -c '^corpus_tiny$' "$work/out")" 0

# ---- KTAP ----------------------------------------------------------------------

check "--ktap: a failed test exits 1" status 1 "$top/test_progs" --ktap \
	-J "$work/good.json" --record "$work/good.csv" "${wrong[@]}"
cp "$work/out" "$work/good.ktap"
check "--ktap: nothing but KTAP" ktap "$work/good.ktap"
check "--ktap: a pass is in it" says '^  ok [0-9]+ right$' "$work/good.ktap"
check "--ktap: a skip is in it" says '^  ok .* # SKIP .' "$work/good.ktap"
check "--ktap: a failure is in it" says '^  not ok [0-9]+ wrong_retval$' "$work/good.ktap"
check "--ktap: a failure's log is in it" says '^  # returned 7, expected 8$' "$work/good.ktap"
check "a failed __xlated shows both sides, the first difference marked" \
	says '^  # --> +[0-9]+ r0 = 8 +\| +[0-9]+ r0 = 7$' "$work/good.ktap"
check "--ktap: as a recording, a failure" ktap_row 'wrong_retval,outcome,,fail,fail,'
check "--ktap: as a recording, a pass" ktap_row 'right,outcome,,pass,pass,'
check "--ktap -j4 exits 1" status 1 "$top/test_progs" --ktap -j4 "${wrong[@]}"
check "--ktap -j4: nothing but KTAP" ktap "$work/out"
check "--ktap -v exits 1" status 1 "$top/test_progs" --ktap -v "${wrong[@]}"
check "--ktap -v: nothing but KTAP" ktap "$work/out"
check "--ktap: no subtest asked for exits 2" status 2 "$top/test_progs" --ktap -a 'isolation/no_such'
check "--ktap: and nothing else" ktap "$work/out"
check "--ktap: no match exits 2" status 2 "$top/test_progs" --ktap -t no_such_test
check "--ktap: and prints nothing" is "$(wc -c < "$work/out")" 0
check "--ktap -o csv exits 2" status 2 "$top/test_progs" --ktap -o csv -t no_such_test

# ---- JSON and the recording agree with it ---------------------------------------

outcomes() { "$top/scripts/test/outcomes.pl" "$@"; }
agree() { # agree BASE: JSON, recording and KTAP of one run
	outcomes json "$1.json" > "$work/json" || return 1
	outcomes csv "$1.csv" > "$work/csv" || return 1
	awk -v outcomes=1 -f "$top/scripts/test/ktap-check.awk" "$1.ktap" > "$work/ktap" || return 1
	[ -s "$work/json" ] || return 1
	# KTAP has tests as they end, and a reason only of what was skipped.
	diff "$work/json" "$work/csv" &&
		diff <(cut -f 1-3 "$work/json" | sort) <(sort "$work/ktap")
}
check "JSON, recording and KTAP of a run agree" agree "$work/good"
check "JSON counts what KTAP counts" is "$(outcomes counts "$work/good.json")" \
	"$(sed -n 's/^# \(Summary: \)/\1/p' "$work/good.ktap")"
check "JSON has the log of a failure" says '"message": ".*not found +.r0 = 8.*\\n' "$work/good.json"
check "two tests at a time exit 0" status 0 "$top/test_progs" --ktap -j2 \
	-t annotations,isolation,memcg -J "$work/two.json" --record "$work/two.csv"
cp "$work/out" "$work/two.ktap"
check "JSON, recording and KTAP of tests side by side agree" agree "$work/two"
check "-o csv exits 1 when a test failed" status 1 "$top/test_progs" -o csv \
	-J "$work/csv.json" --record "$work/csv.csv" "${wrong[@]}"
check "-o csv prints what --record writes" cmp "$work/out" "$work/csv.csv"
check "JSON beside -o csv agrees with it" diff <(outcomes json "$work/csv.json") \
	<(outcomes csv "$work/out")
check "JSON into a folder that is not there exits 3" status 3 "$top/test_progs" -t memcg \
	-J "$work/none/x.json"
check "and says so" says "none/x.json: No such file" "$work/err"
# A difference is seen: each of the three, changed.
disagree() {
	! cmp "$work/good.json" "$work/changed.json" || ! cmp "$work/good.csv" "$work/changed.csv" ||
		! cmp "$work/good.ktap" "$work/changed.ktap" || return 1
	! agree "$work/changed"
}
for change in json:'s/"pass"/"skip"/' \
	json:'s/for other arch/of other arch/' csv:'s/,pass,/,skip,/' ktap:'s/^(  ok [0-9]+ .)/\1x/'; do
	cp "$work/good.json" "$work/changed.json"
	cp "$work/good.csv" "$work/changed.csv"
	cp "$work/good.ktap" "$work/changed.ktap"
	sed -i -E "${change#*:}" "$work/changed.${change%%:*}"
	check "a ${change%%:*} that differs (${change#*:}) is seen" disagree
done

# ---- against upstream's output (verifier-upstream.sh) ------------------------------

# The same outcomes as upstream prints them, failures a second time at the end.
outcomes json "$work/good.json" | awk -F '\t' '
	BEGIN { word["pass"] = "OK"; word["fail"] = "FAIL"; word["skip"] = "SKIP" }
	$2 == "" { print "#1      " $1 ":" word[$3]; next }
	$1 != test { test = $1; n = 0 }
	{ line = "#1/" ++n "    " $1 "/" $2 ":" word[$3]; print line }
	$3 == "fail" { again[++m] = line }
	END { for (i = 1; i <= m; i++) print again[i] }' > "$work/upstream"
agree_upstream() { "$top/scripts/test/agree.pl" "$@" "$work/upstream" "$work/good.json"; }
check "agree.pl: the same outcomes" status 0 agree_upstream
check "agree.pl: it counted them" says '^ours: [1-9][0-9]* subtests' "$work/out"
sed -i '/\/right:OK$/s/OK$/FAIL/; /\/wrong_msg:/d' "$work/upstream"
check "agree.pl: another outcome, and one that is not there, are differences" \
	status 1 agree_upstream
check "agree.pl: the one is named" says '/right: upstream fail, ours pass$' "$work/out"
check "agree.pl: the other is named" says '/wrong_msg: only ours \(fail\)$' "$work/out"
check "agree.pl: no subtest in a file is an error" status 2 "$top/scripts/test/agree.pl" \
	/dev/null "$work/good.json"

# ---- the check itself ------------------------------------------------------------

# broken NAME SED-SCRIPT WORDS: the checker refuses good KTAP so changed, with these words
broken() {
	sed -E "$2" "$work/good.ktap" > "$work/bad.ktap"
	check "the KTAP check refuses $1" refused "$3"
}
refused() {
	! cmp "$work/good.ktap" "$work/bad.ktap" || return 1
	! ktap "$work/bad.ktap" > "$work/why" || return 1
	says "$1" "$work/why" || { cat "$work/why"; return 1; }
}
tests=$(grep -cE '^(not )?ok ' "$work/good.ktap")
broken "no version line" 1d 'KTAP version 1 first'
broken "another version" '1s/1$/2/' 'expected KTAP version 1'
broken "no plan" 2d 'before the plan'
broken "a plan that is too large" "2s/.*/1..$((tests + 1))/" "but $tests results"
broken "a plan that is too small" "2s/.*/1..$((tests - 1))/" "but $tests results"
broken "a second plan" '2p' 'second plan'
broken "a nested block without a version line" '/^  KTAP/d' 'indentation'
broken "a nested plan that is wrong" '/^  1\.\./s/$/0/' 'results'
broken "a nested block without indentation" 's/^  //' 'indentation'
broken "an indentation of three" 's/^  (ok|not)/   \1/' 'indentation'
broken "a number that is left out" '/^  ok 2 /d' 'expected 2'
broken "a number that comes twice" 's/^  ok 3 /  ok 2 /' 'expected 3'
broken "numbers that begin with 0" 's/^(  )?ok 1 /\1ok 0 /' 'expected 1'
broken "a # in a name" 's/^  ok 1 ./&#/' "'#' in a name"
broken "a result without a name" 's/^(  ok 1) .*/\1/' 'a name'
broken "a skip without a reason" 's/(# SKIP).*/\1/' 'without a reason'
broken "an unknown directive" 's/# SKIP/# LATER/' 'unknown directive'
broken "a parent that passes though a subtest fails" 's/^not ok/ok/' 'subtests failed'
broken "a line of something else" '3s/^/Summary: all is well\n/' 'not a line of KTAP'
broken "an end that is cut off" '0,/^ok /!d' 'but 1 results'
broken "an end within a nested block" '/^(not )?ok/,$d' "without its parent's result"
broken "an empty file" d 'no KTAP'
echo "1..$n"
