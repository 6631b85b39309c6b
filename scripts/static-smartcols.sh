#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# libsmartcols as a static library, for programs that are to run on any machine:
# Debian's package has only the shared one. Built once from the source package of
# the installed version, without root and without touching apt's own lists.
# Prints the archive.
#
# usage: static-smartcols.sh
set -euo pipefail
. "$(dirname "$0")/common.sh"

have=$(cc -print-file-name=libsmartcols.a)
if [ "$have" != libsmartcols.a ]; then
	echo "$have"
	exit 0
fi
need_cmd apt-get "or a static libsmartcols.a where cc finds it"
version=$(dpkg-query -W -f '${source:Version}' libsmartcols-dev)
out=$AB_CACHE/tools/smartcols-${version//[^a-z0-9.+-]/_}
work=''
trap '[ -z "$work" ] || rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The machine's own sources, but the source packages of them.
fetch() {
	local file apt=(-qq -o "Dir::Etc::sourcelist=$work/none" -o "Dir::Etc::sourceparts=$work/parts"
		-o "Dir::State::lists=$work/lists" -o "APT::Sandbox::User=$(id -un)")
	mkdir -p "$work/parts" "$work/lists/partial" "$work/src"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
		[ -r "$file" ] || continue
		# Other vendors' lists have no source of ours, and some none at all.
		grep -qE '^[^#]*debian' "$file" || continue
		sed -E 's/^Types:.*/Types: deb-src/; s/^deb(-src)? /deb-src /' "$file" \
			> "$work/parts/$(basename "$file" | sed 's/^sources.list$/main.list/')"
	done
	run_logged smartcols-lists apt-get "${apt[@]}" update
	cd "$work/src"
	run_logged smartcols-source apt-get "${apt[@]}" source --download-only "util-linux=$version"
	tar xf util-linux_*.orig.tar.*
	cd util-linux-*/
}

build() {
	run_logged smartcols-configure ./configure --disable-all-programs --enable-libsmartcols \
		--disable-shared --enable-static --disable-nls --disable-asciidoc \
		--without-python --without-systemd --without-udev --without-ncurses \
		--without-ncursesw --without-tinfo
	run_logged smartcols-make make -j"$(nproc)" libsmartcols.la
}

(
	lock "$AB_CACHE/smartcols.lock"
	if [ ! -e "$out/libsmartcols.a" ]; then
		step "a static libsmartcols, from Debian's util-linux $version"
		work=$(mktemp -d "$AB_CACHE/tools/smartcols.XXXXXX")
		trap 'rm -rf "$work"' EXIT
		fetch
		build
		mkdir -p "$out"
		mv .libs/libsmartcols.a "$out/libsmartcols.a"
	fi
)
echo "$out/libsmartcols.a"
