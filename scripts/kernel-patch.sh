#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Our patch-list tests as a patch for the kernel's own selftests: the files
# progs/verifier_patch_list*, and two lines for each in prog_tests/verifier.c.
# Prints the patch. The kernel's tree is not written to.
#
# usage: [KSRC=TREE] kernel-patch.sh [--number N] [--total N]
#   --number N  it is patch N of its series (1)
#   --total N   of that many (N)
set -euo pipefail
. "$(dirname "$0")/common.sh"

number=1 total=''
while [ $# -gt 0 ]; do
	case $1 in
	--number|--total)
		[[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { say "kernel-patch.sh: $1 wants a number"; exit 2; }
		declare "${1#--}=$2"
		shift 2 ;;
	-h|--help)
		sed -n '3,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'
		exit 0 ;;
	*)
		say "kernel-patch.sh: unknown argument $1 (see --help)"
		exit 2 ;;
	esac
done
total=${total:-$number}

ksrc=${KSRC:-$("$AB_TOP/scripts/get-linux.sh" 7.3)}
bpf=tools/testing/selftests/bpf
[ -r "$ksrc/$bpf/prog_tests/verifier.c" ] || die "$ksrc/$bpf/prog_tests/verifier.c: no such file"
need_cmd git "scripts/setup.sh installs it"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$bpf/prog_tests" "$work/$bpf/progs"

# A repository of its own, blind to what its user has configured.
export GIT_CONFIG_NOSYSTEM=1 HOME=$work
export GIT_AUTHOR_NAME='bpf-ab developers' GIT_AUTHOR_EMAIL=bpf-ab@example.org
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
export GIT_AUTHOR_DATE='2026-11-30T17:55:09Z' GIT_COMMITTER_DATE='2026-11-30T17:55:09Z'
repo() { git -C "$work" "$@"; }

cp "$ksrc/$bpf/prog_tests/verifier.c" "$work/$bpf/prog_tests/"
repo init -q
repo add tools
repo commit -q -m base

cp "$AB_TOP"/progs/verifier_patch_list* "$work/$bpf/progs/"
for file in "$AB_TOP"/progs/verifier_patch_list*.c; do
	name=$(basename "$file" .c)
	echo "/^#include \"verifier_and.skel.h\"/a #include \"$name.skel.h\""
	echo "/^void test_verifier_and(void)/a void test_$name(void) { RUN($name); }"
done | sed -i -f - "$work/$bpf/prog_tests/verifier.c"
repo add tools
repo commit -q -F - <<-MESSAGE
	selftests/bpf: Add tests of jumps and records around patches

	When the verifier replaces instructions by more than they were, all that
	names an instruction has to follow: jumps of every form, calls, callbacks,
	starts of subprograms, jump tables, records of tail calls, line info. Pin
	the code that comes out and what it returns, for each kind of patch with
	jumps over it, onto it, from right behind it and out of it, forward and
	backward, and in subprograms before and behind it.

	The tests pass before and after the other patches of this series: they
	tell that nothing changes.

	Signed-off-by: bpf-ab developers <bpf-ab@example.org>
MESSAGE
repo format-patch -q --zero-commit --no-signature --stdout --subject-prefix="PATCH $number/$total" -1
