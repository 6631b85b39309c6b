#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The Debian package is built by dpkg-buildpackage, of what is built here already,
# holds what "make install" installs, and lintian finds no error. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

work=$AB_OUT/debian
tree=$work/bpf-ab
rm -rf "$work"
mkdir -p "$tree"
wants() { # what a package of the distribution is for, without its alternatives' blanks
	sed -n '/^Build-Depends:/,/^[A-Z]/p' debian/control | grep '^ ' | tr -d ' ,' | grep -v '^debhelper'
}
check "it is built with what setup.sh installs" diff <(wants) <(grep -v '^#' scripts/packages)

if ! command -v dh > /dev/null || ! command -v dpkg-buildpackage > /dev/null; then
	skip "the package" "no debhelper and dpkg-dev"
	echo "1..$n"
	exit 0
fi
# The tree by links: what is packaged is put into debian/, the package beside the tree.
# All but debian/ itself.
for file in * .output .clang-format; do
	[ "$file" = debian ] || ln -s "$AB_TOP/$file" "$tree/$file"
done
cp -R debian "$tree/"
build() { (cd "$tree" && env -u MAKEFLAGS BPF_AB_CACHE="$AB_CACHE" dpkg-buildpackage -b -uc -us -nc -d) > "$work/log" 2>&1; }
check "dpkg-buildpackage" build
deb=$(echo "$work"/bpf-ab_*.deb)
check "the package is there" [ -s "$deb" ]
dpkg-deb -c "$deb" | awk '{ print $6 }' | sort > "$work/files"
for file in bin/test_progs bin/veristat bin/bench bin/ab-report bin/bpf-ab-run-all \
	lib/bpf-ab/test_progs lib/bpf-ab/progs/corpus_tiny.bpf.o share/man/man1/veristat.1.gz \
	share/bash-completion/completions/bench; do
	check "it has $file" grep -qx "./usr/$file" "$work/files"
done
dpkg-deb -x "$deb" "$work/root"
check "its programs run" [ -n "$("$work/root/usr/bin/test_progs" -l 2> "$work/log")" ]
check "its BPF objects are whole" \
	cmp "$work/root/usr/lib/bpf-ab/progs/corpus_tiny.bpf.o" .output/progs/corpus_tiny.bpf.o
if command -v lintian > /dev/null; then
	lintian --fail-on error --allow-root "$deb" > "$work/log" 2>&1
	check "lintian finds no error" [ $? = 0 ]
	grep -E '^[EW]:' "$work/log" | sed 's/^/# /'
else
	skip "lintian" "no lintian"
fi
rm -rf "$work"
echo "1..$n"
