#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fetch the newest Linux point release of a series from Debian and unpack it.
#
# usage: get-linux.sh 7.3|6.12
#
# Prints the source folder on stdout. Debian's archive is reached through an
# apt configuration of our own (own source list, own lists, own cache), so the
# user's sources stay as they are. The mirror is the one this machine uses.
set -euo pipefail
. "$(dirname "$0")/common.sh"

series=${1:?usage: get-linux.sh 7.3|6.12}
pkg=linux-source-$series
dir=$AB_CACHE/linux
apt=$dir/apt-$series

case $series in
7.3)  suites="trixie-backports" ;;
6.12) suites="bookworm-security bookworm-backports trixie" ;;
*)    die "no Debian suite is known for linux $series: give a tree by KSRC=" ;;
esac

have=$(cat "$dir/$series.current" 2>/dev/null || true)
if [ -n "$have" ] && [ -e "$have/.bpf-ab-complete" ]; then
	echo "$have"
	exit 0
fi

need_cmd apt-get "linux-source can only be fetched on Debian; give a tree by KSRC=/path/to/linux"
need_cmd xz "install xz-utils"

# The archive of the running suite carries the other suites too. Security has
# a site of its own.
site_of() {
	local re=$1
	apt-get indextargets --format '$(SITE) $(CODENAME)' 'Created-By: Packages' |
		awk -v re="$re" '$2 ~ re { print $1; exit }'
}

mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
: > "$apt/sources.list"
key=/usr/share/keyrings/debian-archive-keyring.gpg
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
for suite in $suites; do
	case $suite in
	*-security) site=$(site_of '-security$') ;;
	*)          site=$(site_of "^$codename\$") ;;
	esac
	[ -n "$site" ] || continue
	echo "deb [signed-by=$key] $site $suite main" >> "$apt/sources.list"
done
[ -s "$apt/sources.list" ] || die "apt names no Debian mirror here; give a tree by KSRC=/path/to/linux"

aptopts=(
	-o "Dir::Etc::sourcelist=$apt/sources.list"
	-o "Dir::Etc::sourceparts=-"
	-o "Dir::Etc::preferencesparts=-"
	-o "Dir::State::lists=$apt/lists"
	-o "Dir::Cache=$apt/cache"
	-o "APT::Sandbox::User=root"
)

step "index of Debian's $pkg"
run_logged "apt-$series" apt-get "${aptopts[@]}" update
version=$(apt-cache "${aptopts[@]}" madison "$pkg" | awk -F'|' '{ gsub(/ /, "", $2); print $2 }' |
	  sort -V | tail -n 1)
[ -n "$version" ] || die "$pkg is in none of: $suites"

src=$dir/linux-${version//[:~+]/_}
if [ ! -e "$src/.bpf-ab-complete" ]; then
	step "$pkg $version: download"
	(cd "$apt" && run_logged "download-$series" apt-get "${aptopts[@]}" download "$pkg=$version")
	step "$pkg $version: unpack"
	rm -rf "$src.tmp" "$apt/deb"
	mkdir -p "$src.tmp"
	dpkg-deb --fsys-tarfile "$apt"/"$pkg"_*.deb |
		tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
		xz -dc -T0 | tar -x -C "$src.tmp" --strip-components=1
	rm -f "$apt"/"$pkg"_*.deb
	echo "$pkg $version" > "$src.tmp/.bpf-ab-complete"
	rm -rf "$src"
	mv "$src.tmp" "$src"
fi
echo "$src" > "$dir/$series.current"
echo "$src"
