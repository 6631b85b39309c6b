#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The series of patches/ are what a maintainer can take: numbered, and "git am"
# applies them to the Linux that they name. Prints TAP.
#
# Of Linux only what a series touches is copied. One that is for a Linux which is
# not here is skipped: it would have to be downloaded.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

linux_here() { # linux_here SERIES-BASE: prints the folder, if there is one
	local dir
	dir=$(cat "$AB_CACHE/linux/$1.current" 2>/dev/null) || dir=$(setup_value KSRC_FOUND)
	[[ $dir == */linux-$1.* ]] || [[ $(setup_value KVERSION) == "$1".* ]] && echo "$dir"
}
field() { sed -n "s/^$2: *//p" "patches/$1/series"; }
commit() { git -C "$work/$1" -c user.name=x -c user.email=x@example.org "${@:2}"; }

# Patches of a series behind those of the one that it goes on top of.
patches_of() {
	local after
	after=$(field "$1" after)
	[ -z "$after" ] || patches_of "$after"
	printf '%s\n' "$PWD/patches/$1"/[0-9]*.patch
}
tree() { # tree SERIES LINUX: a repository of what the patches change
	local file
	git init -q "$work/$1" &&
		patches_of "$1" | xargs sed -n 's,^--- a/\([^[:space:]]*\).*,\1,p' | sort -u |
		while read -r file; do
			# What an earlier patch adds is not there.
			[ ! -e "$2/$file" ] || (cd "$2" && cp --parents "$file" "$work/$1/")
		done
	commit "$1" add -A && commit "$1" commit -qm base
}
apply() {
	patches_of "$1" | xargs git -C "$work/$1" -c user.name=x -c user.email=x@example.org am \
		> "$work/log" 2>&1
}
numbered() { # as format-patch does, each the next of all
	local i=0 total=$#
	[ $total -gt 1 ] || { grep -q '^Subject: \[PATCH\] ' "$1"; return; }
	for patch; do
		i=$((i + 1))
		grep -q "^Subject: \[PATCH $i/$total\] " "$patch" || return 1
	done
}
for dir in patches/*/; do
	series=$(basename "$dir")
	check "$series: subjects are numbered" numbered "$dir"[0-9]*.patch
	linux=$(linux_here "$(field "$series" base)")
	if [ -z "$linux" ]; then
		skip "$series applies" "no Linux $(field "$series" base) here"
		continue
	fi
	check "$series: Linux $(field "$series" base) is there" tree "$series" "$linux"
	check "$series applies" apply "$series"
done
echo "1..$n"
