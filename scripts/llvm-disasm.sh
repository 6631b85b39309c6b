#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# LLVM's disassembler for this machine alone, as a library of a few MiB, from the
# static libraries that LLVM's development packages have. The whole libLLVM, which
# lib/native.c takes otherwise, is ten times the memory of a test.
#
# usage: llvm-disasm.sh OUT.so
# Where there are no static libraries OUT.so is empty, and nothing is wrong.
set -euo pipefail
. "$(dirname "$0")/common.sh"

out=${1:?usage: llvm-disasm.sh OUT.so}
exports=$out.exports

# The functions of LLVM that native.c calls, but those with the target in their name.
functions() { sed -n 's/^\t{ "\(LLVM[A-Za-z]*\)", offsetof.*/\1/p' "$AB_TOP/lib/native.c"; }

build() {
	local config=$1 libs native names='' roots=() f
	command -v "$config" > /dev/null || return 1
	libs=$("$config" --link-static --libs native mcdisassembler target core 2>/dev/null) || return 1
	# -lLLVMX86Disassembler: this machine is X86
	native=$(grep -o 'LLVM[A-Za-z0-9]*Disassembler' <<< "$libs" | grep -v MCDis | head -n 1)
	native=${native#LLVM} native=${native%Disassembler}
	for f in $(functions) "LLVMInitialize$native"{TargetInfo,TargetMC,Disassembler}; do
		roots+=("-Wl,-u,$f")
		names+="$f;"
	done
	echo "{ global: $names local: *; };" > "$exports"
	# shellcheck disable=SC2046,SC2086 # lists of flags
	g++ -shared -o "$out.part" -Wl,--gc-sections "-Wl,--version-script=$exports" \
		-Wl,--no-undefined "${roots[@]}" $("$config" --ldflags) \
		-Wl,--start-group $libs -Wl,--end-group -lz -ltinfo > "$AB_LOG/llvm-disasm.log" 2>&1 ||
		return 1
	strip --strip-unneeded "$out.part"
	mv "$out.part" "$out"
}

mkdir -p "$(dirname "$out")"
build llvm-config-22 || build llvm-config-19 || build llvm-config || : > "$out"
rm -f "$exports" "$out.part"
