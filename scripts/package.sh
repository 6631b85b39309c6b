#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# An archive that records and compares on another machine of this architecture,
# whatever its distribution: static programs and shell scripts, no compiler, no
# Python. Prints the archive; "make package" calls this.
#
# usage: package.sh [--btf FILE]
#   --btf FILE   types for the kernel's selftest objects (the running kernel's)
set -euo pipefail
. "$(dirname "$0")/common.sh"

btf=()
case ${1:-} in
'') ;;
--btf)
	[ $# = 2 ] || { say "package.sh: --btf wants a file"; exit 2; }
	btf=("$@") ;;
-h|--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
*) say "package.sh: unknown argument $1 (see --help)"; exit 2 ;;
esac
need_cmd xz "install xz-utils"

version=$(git -C "$AB_TOP" describe --always --dirty 2>/dev/null || echo unknown)
name=bpf-ab-$version-$(uname -m)
out=$AB_OUT/package
"$AB_TOP/scripts/selftests.sh" "${btf[@]}" > /dev/null
rm -rf "$out"
mkdir -p "$out"
"$AB_TOP/scripts/install-tree.sh" "$AB_OUT/static" "$out/$name"
install -m 644 "$AB_TOP/COPYING" "$out/$name/"
install -m 644 "$AB_TOP/scripts/package/README" "$out/$name/"

# The same bytes for the same commit.
date=$(git -C "$AB_TOP" log -1 --format=%cI 2>/dev/null || echo 2026-01-01)
tar -C "$out" --sort=name --mtime="$date" --owner=0 --group=0 --numeric-owner \
	-cf - "$name" | xz -T1 > "$out/$name.tar.xz.part"
mv "$out/$name.tar.xz.part" "$out/$name.tar.xz"
rm -rf "${out:?}/$name"
echo "$out/$name.tar.xz"
