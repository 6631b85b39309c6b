#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Everything that a build needs: packages, the kernel tree that libbpf and
# bpftool come from, and which clang. What was found is written to
# .output/setup.mk, which the Makefile reads.
#
# usage: [KSRC=/path/to/linux] setup.sh
set -euo pipefail
. "$(dirname "$0")/common.sh"

wanted_ksrc=${KSRC:-}

installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# For a row of scripts/packages: what is to be installed, or nothing. That is the
# best of the alternatives that is on offer, for who may install; any that is
# installed is good enough for who may not, or where apt knows none.
missing_of() {
	local alt offer=''
	for alt in ${1//|/ }; do
		if installed "$alt"; then
			[ -n "$offer" ] && [ "$(id -u)" = 0 ] || return 0
			break
		fi
		[ -n "$offer" ] || ! apt-cache show "$alt" >/dev/null 2>&1 || offer=$alt
	done
	echo "${offer:-${1%%|*}}"
}

install_packages() {
	local row want missing=()
	local rows
	rows=$(grep -v '^#' "$AB_TOP/scripts/packages")

	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		say "not a Debian system: install what these are called there, then go on:"
		say "  ${rows//$'\n'/ }"
		return
	fi
	for row in $rows; do
		want=$(missing_of "$row")
		[ -z "$want" ] || missing+=("$want")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" = 0 ] || die "packages are missing; as root: apt-get install ${missing[*]}"
	step "packages: ${missing[*]}"
	run_logged apt-update apt-get update
	# The index may have changed what is on offer.
	missing=()
	for row in $rows; do
		want=$(missing_of "$row")
		[ -z "$want" ] || missing+=("$want")
	done
	DEBIAN_FRONTEND=noninteractive run_logged apt-install \
		apt-get install -y --no-install-recommends "${missing[@]}"
}

find_clang() {
	local v
	for v in 22 19; do
		if command -v "clang-$v" >/dev/null; then
			echo "clang-$v"
			return
		fi
	done
	command -v clang >/dev/null || die "needs clang: install clang-22, clang-19 or any clang"
	# Older ones can't assemble all of progs/.
	v=$(clang -dumpversion)
	[ "${v%%.*}" -ge 19 ] || die "clang $v is too old: install clang-22 or clang-19"
	[ "${v%%.*}" -ge 22 ] ||
		say "notice: no clang-22: programs with jump tables (gotox) are left out"
	echo clang
}

# libbpf and bpftool of the tree, kept in the cache by tree.
build_tools() {
	local src=$1 out=$2

	if [ ! -e "$out/.done" ]; then
		step "libbpf and bpftool from $src"
		rm -rf "$out"
		mkdir -p "$out/libbpf" "$out/bpftool"
		run_logged libbpf make -C "$src/tools/lib/bpf" -j"$(nproc)" \
			OUTPUT="$out/libbpf/" DESTDIR="$out" prefix= \
			"$out/libbpf/libbpf.a" install_headers
		run_logged bpftool make -C "$src/tools/bpf/bpftool" -j"$(nproc)" \
			OUTPUT="$out/bpftool/" bootstrap
		touch "$out/.done"
	fi
}

install_packages

if [ -n "$wanted_ksrc" ]; then
	[ -e "$wanted_ksrc/tools/lib/bpf/libbpf.h" ] ||
		die "KSRC=$wanted_ksrc holds no kernel tree (no tools/lib/bpf/libbpf.h)"
	src=$(cd "$wanted_ksrc" && pwd)
else
	src=$("$AB_TOP/scripts/get-linux.sh" 7.3)
fi
clang=$(find_clang)
# Below another make it would say which folder it enters, in what is read here.
version=$(env -u MAKEFLAGS -u MAKELEVEL make -s -C "$src" kernelversion 2>/dev/null)
tools=$AB_CACHE/tools/$(tree_key "$src")
(
	lock "$AB_CACHE/tools.lock"
	build_tools "$src" "$tools"
)

suffix=${clang#clang}
mkdir -p "$AB_OUT"
cat > "$AB_OUT/setup.mk.tmp" <<END
KSRC_WANTED := $wanted_ksrc
KSRC_FOUND := $src
KVERSION := $version
TOOLS := $tools
CLANG := $clang
LLVM_STRIP := $(command -v "llvm-strip$suffix" || echo true)
BPF_CACHE := $AB_CACHE
END
mv "$AB_OUT/setup.mk.tmp" "$AB_OUT/setup.mk"
step "set up: linux $version in $src, $clang"
