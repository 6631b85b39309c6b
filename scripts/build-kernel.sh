#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Build a guest kernel, or find it in the cache. Prints its folder, which holds
# bzImage, config, vmlinux.btf and info (key=value lines).
#
# usage: [KSRC=TREE] build-kernel.sh [--series NAME|DIR | --linux VERSION]
#                                    [--config NAME] [--print-key | --print-linux]
#
# --linux VERSION is for a kernel without a series: 7.3 (default) or 6.12. A
# series names the one that it is for; --print-linux says which.
#
# --config NAME merges scripts/kernel/NAME.config over ab.config: "debug" is a
# kernel that watches its memory and its locks and can fail allocations; "full"
# has what the kernel's own verifier tests ask for. With CONFIG_MODULES the
# folder has the selftests' modules in `modules`.
#
# A series is a folder below patches/, or any folder with a slash in its name:
# a file `series` ("base: 7.3", "summary: ...", perhaps "after: NAME|DIR", the
# series that it goes on top of) and 000N-*.patch. It is applied in place in one
# source tree with one object folder, so that only what it touches is compiled,
# and it is taken out again whatever happens. A tree given by KSRC is mirrored
# into the cache first and never written to.
set -euo pipefail
. "$(dirname "$0")/common.sh"

series='' config='' linux='' print_key='' print_linux=''
while [ $# -gt 0 ]; do
	case $1 in
	--series)    series=$2; shift 2 ;;
	--config)    config=$2; shift 2 ;;
	--linux)     linux=$2; shift 2 ;;
	--print-key) print_key=1; shift ;;
	--print-linux) print_linux=1; shift ;;
	*) say "build-kernel.sh: unknown argument $1"; exit 2 ;;
	esac
done

series_dir='' base=${linux:-7.3} patches=()
[ -z "$series" ] || [ -z "$linux" ] ||
	{ say "build-kernel.sh: a series names its Linux: no --linux with it"; exit 2; }

# A name below patches/ or a folder, which may be relative to one that names it.
series_folder() { # SPEC FROM
	case $1 in
	/*)  echo "$1" ;;
	*/*) echo "$2/$1" ;;
	*)   echo "$AB_TOP/patches/$1" ;;
	esac
}

# Sets base, and patches to its own behind those of the series that it goes on top of.
read_series() { # DIR DEPTH
	local after own=("$1"/[0-9]*.patch)
	[ -r "$1/series" ] || die "no series file in $1"
	[ -e "${own[0]}" ] || die "no 000N-*.patch in $1"
	[ "$2" -lt 8 ] || die "$1/series: 'after' goes round in circles"
	after=$(sed -n 's/^after: *//p' "$1/series")
	[ -z "$after" ] || read_series "$(series_folder "$after" "$1")" $(($2 + 1))
	base=$(sed -n 's/^base: *//p' "$1/series")
	patches+=("${own[@]}")
}

if [ -n "$series" ]; then
	series_dir=$(series_folder "$series" "$PWD")
	read_series "$series_dir" 0
	series_dir=$(cd "$series_dir" && pwd)
fi

if [ -n "$print_linux" ]; then
	echo "$base"
	exit 0
fi

fragments=("$AB_TOP/scripts/kernel/ab.config")
if [ -n "$config" ]; then
	fragments+=("$AB_TOP/scripts/kernel/$config.config")
	[ -r "${fragments[1]}" ] || { say "build-kernel.sh: there is no ${fragments[1]}"; exit 2; }
fi
if [ -n "${KSRC:-}" ]; then
	origin=$KSRC
else
	origin=$("$AB_TOP/scripts/get-linux.sh" "$base")
fi
compiler=$(gcc --version | head -n 1)
source_key=$(tree_key "$origin")
config_key=$( { sed '/^# [a-z]/d' "${fragments[@]}"; echo "$compiler"; } | sha256sum | cut -c1-8)
key=$source_key-$config_key
if [ -n "$series" ]; then
	# Only what is applied counts: a better commit message builds nothing.
	key+=-$(basename "$series_dir")-$(cat "${patches[@]}" |
		awk '/^From [0-9a-f]+ / { on = 0 } /^diff / { on = !/ b\/tools\/testing\// }
			on && !/^index /' |
		sha256sum | cut -c1-8)
fi
kernel=$AB_CACHE/kernels/$key
if [ -n "$print_key" ]; then
	echo "$key"
	exit 0
fi
if [ -e "$kernel/info" ]; then
	echo "$kernel"
	exit 0
fi

for cmd in make gcc bc flex bison pahole patch; do
	need_cmd $cmd "scripts/setup.sh installs it"
done
mkdir -p "$AB_CACHE/kernels" "$AB_CACHE/obj"
lock "$AB_CACHE/obj.lock"
[ ! -e "$kernel/info" ] || { echo "$kernel"; exit 0; }

# ---- the source tree, ours to patch ----------------------------------------

mirror_ksrc() {
	need_cmd rsync "scripts/setup.sh installs it"
	step "mirror of $1"
	rsync -a --delete --exclude=.git --exclude='*.o' --exclude='*.a' --exclude='*.cmd' \
		--exclude='/.config*' --exclude=/include/config --exclude=/include/generated \
		--exclude='/arch/*/include/generated' --exclude='/vmlinux*' \
		--exclude=.bpf-ab-saved --exclude=.bpf-ab-patched "$1/" "$2/"
	# It has given back their old times to files that were patched once, and
	# make would believe that the patched objects are still good.
	[ ! -e "$2/.bpf-ab-patched" ] ||
		(cd "$2" && xargs -d '\n' touch -c < .bpf-ab-patched)
}

if [ -n "${KSRC:-}" ]; then
	src=$AB_CACHE/linux/ksrc-$(echo "$origin" | sha256sum | cut -c1-8)
	mkdir -p "$src"
else
	src=$origin
fi
obj=$AB_CACHE/obj/$(basename "$src")-$config_key
saved=$src/.bpf-ab-saved

# Files get a new time when they come back, or make would believe that the
# patched object is still good.
take_out() {
	[ -d "$saved" ] || return 0
	local f
	while read -r f; do
		if [ -e "$saved/files/$f" ]; then
			cp "$saved/files/$f" "$src/$f"
		else
			rm -f "$src/$f"
		fi
	done < "$saved/list"
	rm -rf "$saved"
}

put_in() {
	local f p
	rm -rf "$saved.tmp"
	mkdir -p "$saved.tmp/files"
	sed -n 's,^+++ b/\([^[:space:]]*\).*,\1,p; s,^--- a/\([^[:space:]]*\).*,\1,p' "$@" |
		sort -u > "$saved.tmp/list"
	while read -r f; do
		[ ! -e "$src/$f" ] || (cd "$src" && cp --parents -p "$f" "$saved.tmp/files/")
	done < "$saved.tmp/list"
	sort -u "$saved.tmp/list" "$src/.bpf-ab-patched" 2>/dev/null > "$src/.bpf-ab-patched.tmp" || true
	mv "$src/.bpf-ab-patched.tmp" "$src/.bpf-ab-patched"
	mv "$saved.tmp" "$saved"
	for p; do
		run_logged "patch-$(basename "$p" .patch)" \
			patch -d "$src" -p1 --forward --fuzz=0 --no-backup-if-mismatch -i "$p"
	done
}

# A patched file whose text the last build of this object folder has seen gets the
# time back that it had then: series on top of one another differ in a file or
# two, and only what includes those is compiled.
recall_times() {
	local f sum time list=$obj/.bpf-ab-times
	# Another run may have built here since, which knew nothing of this.
	[ -e "$list" ] && [ "$(head -n 1 "$list")" = "$(stat -c %y "$obj/vmlinux")" ] || return 0
	while read -r sum time f; do
		if grep -qxF -- "$f" "$saved/list" && [ -e "$src/$f" ] &&
			[ "$sum" = "$(sha256sum < "$src/$f" | cut -c1-64)" ]; then
			touch -d "@$time" "$src/$f"
		fi
	done < <(tail -n +2 "$list")
	rm "$list" # until this build has come to its end
}

save_times() {
	local f
	{
		stat -c %y "$obj/vmlinux"
		while read -r f; do
			[ ! -e "$src/$f" ] || echo "$(sha256sum < "$src/$f" | cut -c1-64)" \
				"$(stat -c %.Y "$src/$f") $f"
		done < "$saved/list"
	} > "$obj/.bpf-ab-times"
}

leave() {
	trap - EXIT INT TERM HUP
	end_counted
	take_out
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

take_out # of a run that was killed outright
[ -z "${KSRC:-}" ] || mirror_ksrc "$origin" "$src"

# ---- configure and build ----------------------------------------------------

kmake() {
	make -C "$src" O="$obj" KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
		KBUILD_BUILD_VERSION=1 KBUILD_BUILD_USER=bpf-ab KBUILD_BUILD_HOST=bpf-ab "$@"
}

configure() {
	local sym lost=''
	mkdir -p "$obj"
	run_logged kernel-tinyconfig kmake tinyconfig
	(cd "$src" && run_logged kernel-merge scripts/kconfig/merge_config.sh -m -O "$obj" \
		"$obj/.config" "${fragments[@]}")
	run_logged kernel-olddefconfig kmake olddefconfig
	while read -r sym; do
		grep -qxF -- "$sym" "$obj/.config" || lost+=" ${sym%%=*}"
	done < <(grep -h '^CONFIG_.*=' "${fragments[@]}")
	[ -z "$lost" ] || say "notice: this kernel has no:$lost"
	for sym in BPF_SYSCALL BPF_JIT DEBUG_INFO_BTF 9P_FS VIRTIO_PCI MEMCG MAGIC_SYSRQ; do
		grep -qx "CONFIG_$sym=y" "$obj/.config" || die "the config lost CONFIG_$sym"
	done
	cp "$obj/.config" "$obj/.bpf-ab-config"
	touch "$obj/.bpf-ab-configured"
}

compiled='^  (CC|AS|LD|AR|OBJCOPY|HOSTCC) ' # make's own lines

has_modules() { grep -qx CONFIG_MODULES=y "$obj/.config"; }

build() {
	local log=$AB_LOG/kernel-$key.log total=0 start=$SECONDS n targets=(bzImage)
	total=$(cat "$obj/.bpf-ab-objects.${series:+series}" 2>/dev/null || true)
	[ -n "$total" ] || { [ -n "$series$config" ] && total=0 || total=2250; }
	! has_modules || targets+=(modules)
	if ! run_counted "kernel $label" "$compiled" "$total" "$log" \
		kmake -j"$(nproc)" "${targets[@]}"; then
		grep -m 5 -E 'error:|Error ' "$log" >&2 || tail -n 15 "$log" >&2
		die "the kernel does not build: $log"
	fi
	# An estimate for the next run; a rebuild of a few files is no measure.
	n=$(count_lines "$compiled" "$log")
	if [ -n "$series" ] || [ "$n" -gt 1000 ]; then
		echo "$n" > "$obj/.bpf-ab-objects.${series:+series}"
	fi
	step "kernel $label: built in $(mmss $((SECONDS - start)))"
}

# The selftests' modules, against the kernel that was just built: its types are
# theirs. From a copy, since make writes beside the sources.
build_test_modules() {
	local from=$src/tools/testing/selftests/bpf/test_kmods to=$obj/bpf-ab-test-modules

	[ -d "$from" ] || die "$from: this tree has no test modules"
	rm -rf "$to"
	cp -r "$from" "$to"
	run_logged "kernel-$key-modules" kmake -j"$(nproc)" M="$to" modules
	mkdir -p "$1"
	cp "$to"/*.ko "$1/"
}

keep() {
	local tmp=$kernel.tmp
	rm -rf "$tmp"
	mkdir -p "$tmp"
	cp "$obj/arch/x86/boot/bzImage" "$tmp/bzImage"
	cp "$obj/.config" "$tmp/config"
	objcopy --dump-section .BTF="$tmp/vmlinux.btf" "$obj/vmlinux" /dev/null 2>/dev/null ||
		objcopy -O binary --only-section=.BTF "$obj/vmlinux" "$tmp/vmlinux.btf"
	[ -s "$tmp/vmlinux.btf" ] || die "vmlinux has no .BTF section"
	! has_modules || build_test_modules "$tmp/modules"
	{
		echo "version=$(kmake -s kernelrelease 2>/dev/null | tail -n 1)"
		echo "series=${series:+$(basename "$series_dir")}"
		echo "fragment=$config"
		echo "source=$(cat "$src/.bpf-ab-complete" 2>/dev/null || echo "$origin")"
		echo "source_key=$source_key"
		echo "compiler=$compiler"
		echo "config=$(sed '/^#/d' "$obj/.config" | sha256sum | cut -c1-12)"
	} > "$tmp/info"
	rm -rf "$kernel"
	mv "$tmp" "$kernel"
}

label="$base${config:+ ($config)}${series:+ + $(basename "$series_dir")}"
[ -e "$obj/.bpf-ab-configured" ] && cmp -s "$obj/.config" "$obj/.bpf-ab-config" || configure
if [ -n "$series" ]; then
	put_in "${patches[@]}"
	recall_times
fi
build
[ -z "$series" ] || save_times
keep
echo "$kernel"
