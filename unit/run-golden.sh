#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Golden tests: each folder of unit/golden with a file "cmd" is one. The
# command runs in a scratch folder that holds a copy of the test's folder and
# "cases", the recorded pairs; its output (stdout and stderr) has to be
# "expected" and its exit status "status". Needs no root and loads no BPF.
#
# usage: run-golden.sh [--update] [NAME...]
#
#   --update   writes "expected" and "status" and shows what changed, for you
#              to check against what is right
#
# Prints TAP. Exit status: 0 all passed, 1 a test failed, 2 no such test.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
golden=$top/unit/golden

update=''
if [ "${1:-}" = --update ]; then
	update=1
	shift
fi

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# Nothing of the caller's terminal, language, zone or settings gets in.
clean_env() {
	env -i PATH="$top:/usr/bin:/bin" HOME="$scratch" TMPDIR="$scratch" LC_ALL=C TZ=UTC \
		TERM=dumb "$@"
}

# run NAME: leaves output and status in the scratch folder.
run() {
	local work=$scratch/$1
	mkdir "$work" && cp -R "$golden/$1/." "$work" && ln -s "$golden/cases" "$work/cases" || return
	rm -f "$work/expected" "$work/status" "$work/cmd"
	(cd "$work" && clean_env sh "$golden/$1/cmd") \
		> "$scratch/$1.out" 2>&1 < /dev/null
	echo $? > "$scratch/$1.status"
}

# check NAME: compares; what differs goes to stdout as TAP comments.
check() {
	diff -u --label expected --label output "$golden/$1/expected" "$scratch/$1.out" &&
		diff -u --label "expected status" --label status "$golden/$1/status" \
			"$scratch/$1.status"
}

if [ $# = 0 ]; then
	for cmd in "$golden"/*/cmd; do
		[ -e "$cmd" ] || continue
		name=${cmd%/cmd}
		set -- "$@" "${name##*/}"
	done
fi
[ $# != 0 ] || { echo "run-golden.sh: no test in $golden" >&2; exit 2; }

n=0 failed=0
echo "1..$#"
for name; do
	[ -e "$golden/$name/cmd" ] || { echo "run-golden.sh: no test $name" >&2; exit 2; }
	n=$((n + 1))
	run "$name"
	if [ -n "$update" ]; then
		check "$name" 2>&1 | sed 's/^/# /'
		cp "$scratch/$name.out" "$golden/$name/expected"
		cp "$scratch/$name.status" "$golden/$name/status"
	elif ! difference=$(check "$name" 2>&1); then
		failed=$((failed + 1))
		printf '%s\n' "$difference" | sed 's/^/# /'
		echo "not ok $n - golden $name"
		continue
	fi
	echo "ok $n - golden $name"
done
[ $failed = 0 ]
