#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The tests of the three programs, in a guest with the base kernel. Prints TAP.
set -eu
. "$(dirname "$0")/../common.sh"

kernel=$("$AB_TOP/scripts/build-kernel.sh")
# What a guest, which sees all this read-only, cannot build itself.
"$AB_TOP/scripts/selftests.sh" --btf "$kernel/vmlinux.btf" > /dev/null
"$AB_TOP/scripts/test/veristat-upstream.sh" --build
exec "$AB_TOP/scripts/vm.sh" --kernel "$kernel/bzImage" --clock tcg-wall --timeout 1200 -- \
	"$AB_TOP/scripts/test/programs.sh"
