#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What runs without this checkout, put together in a folder: the programs, their
# objects, run-all.sh and compare.sh.
#
# usage: install-tree.sh PROGRAMS DIR
#   PROGRAMS   the folder that test_progs, veristat, bench and ab-report are taken from
#   DIR        made if it is not there
set -euo pipefail
. "$(dirname "$0")/common.sh"

[ $# = 2 ] || { say "install-tree.sh: wants the programs' folder and a destination"; exit 2; }
from=$1 to=$2

install -d "$to/progs" "$to/objects" "$to/scripts"
install -s -m 755 "$from"/{test_progs,veristat,bench,ab-report} "$to/"
install -m 755 "$AB_TOP"/scripts/package/{run-all,compare}.sh "$to/"
install -m 755 "$AB_TOP"/scripts/{ab-guest,run_bench_local_storage_create}.sh "$to/scripts/"
install -m 644 "$AB_OUT"/progs/*.bpf.o "$to/progs/"
shopt -s nullglob
objects=("$AB_OUT"/selftests/*.bpf.o)
if [ ${#objects[@]} -gt 0 ]; then
	install -m 644 "${objects[@]}" "$to/objects/"
else
	say "notice: without the kernel's selftest objects: scripts/selftests.sh was not run"
fi
