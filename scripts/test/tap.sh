# SPDX-License-Identifier: GPL-2.0-only
# Numbered TAP lines, for the tests here. A test keeps what explains a failure
# in $work/log.
# shellcheck shell=bash disable=SC2154 # work is the test's

n=0
ok() { n=$((n + 1)) && echo "ok $n - $1"; }
skip() { n=$((n + 1)) && echo "ok $n - $1 # SKIP $2"; }
not_ok() {
	n=$((n + 1))
	tail -n 40 "$work/log" 2>/dev/null | sed 's/^/# /'
	echo "not ok $n - $1"
}
check() { # check NAME CONDITION...
	local name=$1
	shift
	if "$@"; then
		ok "$name"
	else
		echo "# failed: $*"
		not_ok "$name"
	fi
}
