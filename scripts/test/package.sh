#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The package, unpacked where there is nothing but a kernel and busybox: it records
# a side, and compares. In a chroot on this kernel and in one in a guest. Prints TAP.
#
# usage: package.sh [--here]
#   --here   on this kernel only
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

work=$AB_OUT/test-package
objects=corpus_tiny,corpus_calls

# A folder with busybox, the package and nothing else; what runs in it sees this
# kernel's files. Needs root.
make_root() { # make_root ROOT ARCHIVE
	local root=$1 archive=$2
	mkdir -p "$root"/{bin,proc,sys,dev,tmp,results}
	cp "$(command -v busybox)" "$root/bin/busybox"
	cp "$archive" "$root/package.tar.xz"
	chroot "$root" /bin/busybox --install -s /bin
}
in_root() { # in_root ROOT COMMANDS
	# Mounts of a name space of its own go with it.
	# shellcheck disable=SC2016 # for the shell in there
	unshare -m --propagation private sh -c '
		mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" &&
			mount --rbind /dev "$0/dev" && mount -t tmpfs tmpfs "$0/tmp" &&
			exec chroot "$0" /bin/busybox env -i PATH=/bin TMPDIR=/tmp sh -c "$1"
	' "$1" "$2"
}

# What is done in there; its statuses are left in results/.
inside() { # inside ARCHIVE DIR
	local root
	root=$(mktemp -d)
	make_root "$root" "$1" || return 1
	in_root "$root" '
		mkdir results/report && cd / && tar xJf package.tar.xz && mv bpf-ab-* bpf-ab || exit 1
		run() { name=$1; shift; "$@" > results/$name.out 2> results/$name.err; echo $? > results/$name.status; }
		run loader ls /lib /lib64 /usr
		run record bpf-ab/run-all.sh --objects '"$objects"' --repeat 1 results/base
		run again bpf-ab/run-all.sh --objects '"$objects"' --repeat 1 --only veristat results/patched
		run compare bpf-ab/compare.sh --out results/report results/base results/base
		run differ bpf-ab/compare.sh results/base results/nothing
		run jited bpf-ab/test_progs -t verifier_jited
		run usage bpf-ab/run-all.sh --no-such-option
		run tests bpf-ab/test_progs -t verifier_patch_list
		run leftovers ls -A /tmp
	'
	cp -R "$root/results/." "$2/"
	rm -rf "$root"
}
if [ "${1:-}" = --inside ]; then
	inside "$2" "$3"
	exit
fi

rm -rf "$work"
mkdir -p "$work"
need_cmd busybox "install busybox-static"
kernel=''
btf=()
if [ "${1:-}" != --here ]; then
	kernel=$(scripts/build-kernel.sh) || exit 3
	btf=(--btf "$kernel/vmlinux.btf")
fi
make package PACKAGE_ARGS="${btf[*]}" > "$work/log" 2>&1
archive=$(tail -n 1 "$work/log")
check "the package is made" [ -s "$archive" ]
is_static() { ! readelf -lW "$1" | grep -q INTERP; }
for program in test_progs veristat bench ab-report; do
	check "$program has no loader" is_static "$AB_OUT/static/$program"
done

says() { grep -qsE -- "$2" "$work/$1"; }
status_is() { [ "$(cat "$work/$1.status")" = "$2" ]; }
verify() { # verify NAME: what is in $work/NAME
	local at=$1 name
	for name in record again compare tests; do
		cp "$work/$at/$name.err" "$work/log"
		check "$at: $name exits 0" status_is "$at/$name" 0
	done
	check "$at: there is no libc to fall back on" status_is "$at/loader" 1
	for name in test_progs veristat bench; do
		check "$at: $name is recorded with its sidecar" \
			[ -s "$work/$at/base/boot-1/$name.csv" ] && [ -s "$work/$at/base/boot-1/$name.csv.env" ]
	done
	check "$at: programs were accepted" says "$at/base/boot-1/veristat.csv" '^corpus_tiny.*success'
	check "$at: the kernel's log is kept" [ -s "$work/$at/base/boot-1/dmesg" ]
	check "$at: one boot is one folder" [ ! -e "$work/$at/base/boot-2" ]
	check "$at: only what was asked for" [ ! -e "$work/$at/patched/boot-1/bench.csv" ]
	check "$at: a side equals itself" says "$at/compare.out" '^verdict: nothing is worse'
	check "$at: the report is left as a page too" [ -s "$work/$at/report/report.html" ]
	check "$at: a folder that is not there exits 3" status_is "$at/differ" 3
	check "$at: a wrong option exits 2" status_is "$at/usage" 2
	check "$at: a disassembler is skipped with the reason" \
		says "$at/jited.out" 'SKIP.*linked statically'
	check "$at: nothing is left in /tmp" [ ! -s "$work/$at/leftovers.out" ]
}

if [ "$(id -u)" = 0 ] && ./bench --probe > /dev/null 2>&1; then
	mkdir "$work/here"
	inside "$archive" "$work/here" > "$work/log" 2>&1
	verify here
else
	skip "in a chroot on this kernel" "this kernel or user may not load BPF"
fi
if [ -n "$kernel" ]; then
	scripts/vm.sh --kernel "$kernel/bzImage" --clock tcg-wall --share "$work/guest" --quiet \
		-- scripts/test/package.sh --inside "$archive" "$work/guest" > "$work/log" 2>&1
	check "the guest ends well" [ $? = 0 ]
	verify guest
fi
rm -rf "$work"
echo "1..$n"
