#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Compare what run-all.sh recorded on two kernels, the base first: what the
# kernels differ in, a verdict for each program, what got worse or better, then
# the kernels' logs. Needs neither root nor BPF.
#
# usage: compare.sh [options] BASE PATCHED
#
#   --out DIR   write the report there too, as text, Markdown, HTML and JSON
#
# Further options are those of ab-report. Exit status: 0 nothing is worse,
# 1 something is, 2 usage, 3 something could not be read or compared.
set -eu
top=$(dirname "$(readlink -f "$0")")

case ${1:-} in
-h|--help) sed -n '4,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
esac
if [ $# -lt 2 ]; then
	echo "compare.sh: wants two folders of run-all.sh (see --help)" >&2
	exit 2
fi
exec "$top/ab-report" "$@"
