#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Static analysis with what Debian has: clang-tidy over each C file, scan-build over
# a build of the programs, shellcheck (by lint.sh). What is not asked of them, and why,
# is in .clang-tidy and lint.sh. Minutes on a slow machine.
#
# usage: ANALYZE_FLAGS='CFLAGS' analyze.sh [tidy|scan|shell] [FILE...]
#   FILE...   tidy: these files only
#
# Exit status: 0 clean, 1 something was found, 3 a tool is missing.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$AB_TOP"

what=all
case ${1:-} in
tidy|scan|shell) what=$1; shift ;;
-h|--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
esac
read -ra flags <<< "${ANALYZE_FLAGS:-}"
status=0

# need_tool NAME PACKAGE: that of the clang which set-up found; one of another version
# finds other things.
need_tool() {
	local version
	version=$(setup_value CLANG)
	version=${version#clang}
	command -v "$1$version" || die "needs $1$version: install $2$version"
}

tidy() {
	local tool files=("$@")
	tool=$(need_tool clang-tidy clang-tidy)
	[ ${#files[@]} -gt 0 ] || files=({lib,runner,prog_tests,veristat_ext,benchs,report}/*.c)
	say "clang-tidy: ${#files[@]} files"
	printf '%s\n' "${files[@]}" |
		xargs -P "$(nproc)" -n 8 sh -c 'tool=$1 flags=$2; shift 2
			exec "$tool" --quiet "$@" -- $flags' sh "$tool" "${flags[*]} -Irunner -w" \
			> "$AB_LOG/clang-tidy.log" 2>&1 || status=1
	grep -E '(warning|error): ' "$AB_LOG/clang-tidy.log" | sort -u || true
}

# In a tree of links, so that what is built here stays. It isn't asked what clang-tidy isn't.
scan() {
	local tool tree=$AB_OUT/scan/tree file off
	tool=$(need_tool scan-build clang-tools)
	mapfile -t off < <(sed -nE 's/^  -clang-analyzer-([A-Za-z.]+),?$/-disable-checker\n\1/p' .clang-tidy)
	rm -rf "$AB_OUT/scan"
	mkdir -p "$tree"
	for file in *; do
		case $file in
		test_progs|veristat|bench|ab-report) ;;
		*) ln -s "$AB_TOP/$file" "$tree/$file" ;;
		esac
	done
	say "scan-build: the programs"
	BPF_AB_CACHE=$AB_CACHE env -u MAKEFLAGS "$tool" --status-bugs -o "$AB_OUT/scan/report" \
		"${off[@]}" make -C "$tree" test_progs veristat bench ab-report \
		> "$AB_LOG/scan-build.log" 2>&1 || status=1
	grep -E 'warning: |scan-build: .*(bugs|removing)' "$AB_LOG/scan-build.log" | sort -u || true
	rm -rf "$tree"
}

case $what in
tidy)  tidy "$@" ;;
scan)  scan ;;
shell) scripts/lint.sh || status=1 ;;
all)
	scripts/lint.sh || status=1
	tidy
	scan ;;
esac
[ $status != 0 ] || say "analyze: clean"
exit $status
