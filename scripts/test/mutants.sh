#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The table of scripts/mutants.sh from outcomes that are made up here, series
# that go on top of others, and our tests as a patch of one. Neither root nor BPF
# nor a build. Prints TAP.
set -u
. "$(dirname "$0")/tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kernel() { # kernel NAME SUMMARY: then recordings from lines "TEST SUBTEST OUTCOME MESSAGE"
	local test sub outcome message
	mkdir -p "$work/out/$1"
	printf 'summary=%s\nafter=\nversion=7.3.4\n' "$2" > "$work/out/$1/info"
	while read -r test sub outcome message; do
		[ -e "$work/out/$1/$test.csv" ] ||
			echo test_name,subtest_name,outcome,message > "$work/out/$1/$test.csv"
		echo "$test,$sub,$outcome,$message" >> "$work/out/$1/$test.csv"
	done
}
table() {
	status=0
	"$top/scripts/mutants-table.pl" "$work/out" "$@" > "$work/log" 2>&1 || status=$?
}
says() { grep -qF -- "$1" "$work/log"; }

kernel base 'no fault' <<'END'
verifier_a one pass
verifier_a two pass
verifier_b three pass
verifier_b four skip not here
patch_list_random programs pass
END
kernel seen 'is seen' <<'END'
verifier_a one fail xlated
verifier_a two pass
verifier_b three pass
verifier_b four skip not here
patch_list_random programs fail seed 7
END
kernel unseen 'is not seen' < <(tail -q -n +2 "$work"/out/base/*.csv | tr , ' ')
kernel dead 'ends a test' <<'END'
verifier_a one fail killed by signal 9
verifier_b three pass
verifier_b four skip not here
END
echo 'the guest ended: hang' > "$work/out/dead/patch_list_random.lost"

table base:seen base:dead
check "each fault is caught: status 0" [ "$status" = 0 ]
check "what passed and was skipped is counted" says '4 pass, 0 fail and 1 are skipped'
check "a subtest that fails is counted" \
	says '| is seen | `seen` | 1 subtest of 1 test | 1 subtest of 1 test |'
check "a subtest that fails is named" says '- `verifier_a`, 1 of 2: one'
check "a test that was killed is told" \
	says '- `verifier_a`, 1 of 2: one (killed by signal 9, 1 not reached)'
check "a test with which the guest ended is told" \
	says '- `patch_list_random` (the guest ended: hang, 1 not reached)'
check "a test that came out alike is not" [ "$(grep -c verifier_b "$work/log")" = 0 ]
table base:seen base:unseen
check "a fault that is not caught: status 1" [ "$status" = 1 ]
check "a fault that is not caught is told" says '| is not seen | `unseen` | no | no |'
check "faults that are caught are counted" says 'Caught by hand: 1 of 2.'
table base:none
check "no outcomes: status 2" [ "$status" = 2 ]

# ---- a series on top of another ------------------------------------------------

series() { # series NAME AFTER
	mkdir -p "$work/$1"
	printf 'base: 7.3\n%s\n' "${2:+after: $2}" > "$work/$1/series"
	printf -- '--- a/%s\n+++ b/%s\n' "$1" "$1" > "$work/$1/0001-x.patch"
}
key() { # key NAME: whatever there is to say goes to the log
	status=0
	"$top/scripts/build-kernel.sh" --series "$work/$1" --print-key 2> "$work/log" || status=$?
}
series round ../about
series about ../round
key round > /dev/null
check "series that go round in circles: status 3" [ "$status" = 3 ]
check "series that go round in circles are told" says "'after' goes round in circles"
series top ../nowhere
key top > /dev/null
check "a series on top of none: status 3" [ "$status" = 3 ]
check "the series that is missing is named" says 'no series file in '
check "and by its folder" says '/nowhere'

# The series carries our tests for the kernel's tree: what progs/ holds now.
fixed() { sed '/^Subject: /,/^---$/d; /^index /d' "$@"; }
in_series() {
	"$top/scripts/kernel-patch.sh" --number 4 > "$work/patch" || return 1
	diff <(fixed "$work/patch") <(fixed "$top"/patches/patch-list/0004-*.patch) > "$work/log"
}
check "patch-list adds the tests as they are in progs/" in_series

echo "1..$n"
