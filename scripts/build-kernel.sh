#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Build a guest kernel, or find it in the cache. Prints its folder, which holds
# bzImage, config, vmlinux.btf and info (key=value lines).
#
# usage: [KSRC=TREE] build-kernel.sh [--series NAME|DIR [--upto N] | --linux VERSION]
#                                    [--tree TREE] [--rev REV] [--patches PATH]...
#                                    [--config NAME] [--print-key | --print-linux]
#
# --linux VERSION is for a kernel without a series: 7.3 (default) or 6.12. A
# series names the one that it is for; --print-linux says which. --upto N is the
# series as it is after its Nth patch.
#
# --tree TREE is what KSRC=TREE is: a kernel tree in place of Debian's Linux. Of a
# git repository (any of its worktrees) --rev takes a revision; without it, what
# lies there is built, with what is not committed. --patches puts patches on top:
# a mbox, a mail, a diff, or a folder of these, and may be given several times.
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
. "$(dirname "$0")/kernel-source.sh"

series='' config='' linux='' upto='' print_key='' print_linux='' tree=${KSRC:-} rev='' extra=()
while [ $# -gt 0 ]; do
	case $1 in
	--series)    series=$2; shift 2 ;;
	--config)    config=$2; shift 2 ;;
	--linux)     linux=$2; shift 2 ;;
	--upto)      upto=$2; shift 2 ;;
	--tree)      tree=$2; shift 2 ;;
	--rev)       rev=$2; shift 2 ;;
	--patches)   extra+=("$2"); shift 2 ;;
	--print-key) print_key=1; shift ;;
	--print-linux) print_linux=1; shift ;;
	*) say "build-kernel.sh: unknown argument $1"; exit 2 ;;
	esac
done

series_dir='' base=${linux:-7.3} patches=()
[ -z "$series" ] || [ -z "$linux" ] ||
	{ say "build-kernel.sh: a series names its Linux: no --linux with it"; exit 2; }
[ -z "$upto" ] || { [ -n "$series" ] && [[ $upto =~ ^[1-9][0-9]?$ ]]; } ||
	{ say "build-kernel.sh: --upto wants a number from 1, of a --series, not $upto"; exit 2; }

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
	if [ "$2" = 0 ] && [ -n "$upto" ]; then
		[ "$upto" -le ${#own[@]} ] || {
			say "build-kernel.sh: $1 has ${#own[@]} patches, not $upto"; exit 2; }
		own=("${own[@]:0:upto}")
	fi
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
commit=''
if [ -n "$tree" ]; then
	[ -e "$tree/Kconfig" ] || is_git_tree "$tree" || die "$tree is no kernel tree"
	origin=$(cd "$tree" && pwd)
	[ -z "$rev" ] || commit=$(tree_commit "$origin" "$rev") || exit 2
	source_key=$(tree_key "$origin" "$commit")
else
	[ -z "$rev" ] || { say "build-kernel.sh: --rev wants a tree: --tree or KSRC="; exit 2; }
	origin=$("$AB_TOP/scripts/get-linux.sh" "$base")
	source_key=$(tree_key "$origin")
fi
compiler=$(gcc --version | head -n 1)
config_key=$( { sed '/^# [a-z]/d' "${fragments[@]}"; echo "$compiler"; } | sha256sum | cut -c1-8)
key=$source_key-$config_key
[ -z "$series" ] || key+=-$(basename "$series_dir")-$(patches_key "${patches[@]}")
on_top=${series:+ + $(basename "$series_dir")${upto:+ up to $upto}}
for path in "${extra[@]}"; do
	unpacked=$(unpack_patches "$path") || exit 2
	mapfile -t more <<< "$unpacked"
	name=$(basename "$path" | sed -E 's/\.(mbox|mbx|patch|diff|eml)$//; s/[^A-Za-z0-9._-]/-/g' | cut -c1-40)
	key+=-$name-$(patches_key "${more[@]}")
	on_top+=" + $name"
	patches+=("${more[@]}")
done
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
src=$origin lock=$AB_CACHE/obj.lock
if [ -n "$tree" ]; then
	src=$(mirror_path "$origin")
	lock=$src.lock
	mkdir -p "$AB_CACHE/linux"
fi
lock "$lock"
[ ! -e "$kernel/info" ] || { echo "$kernel"; exit 0; }
obj=$AB_CACHE/obj/$(basename "$src")-$config_key
saved=$src/.bpf-ab-saved

leave() {
	trap - EXIT INT TERM HUP
	end_counted
	take_out
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

take_out # of a run that was killed outright
[ -z "$tree" ] || mirror "$origin" "$commit"

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
	echo "${tree:+$source_key}" > "$obj/.bpf-ab-configured"
}

compiled='^  (CC|AS|LD|AR|OBJCOPY|HOSTCC) ' # make's own lines

has_modules() { grep -qx CONFIG_MODULES=y "$obj/.config"; }

build() {
	local log=$AB_LOG/kernel-$key.log total=0 start=$SECONDS n targets=(bzImage)
	total=$(cat "$obj/.bpf-ab-objects.${on_top:+series}" 2>/dev/null || true)
	[ -n "$total" ] || { [ -n "$on_top$config" ] && total=0 || total=2250; }
	! has_modules || targets+=(modules)
	if ! run_counted "kernel $label" "$compiled" "$total" "$log" \
		kmake -j"$(nproc)" "${targets[@]}"; then
		grep -m 5 -E 'error:|Error ' "$log" >&2 || tail -n 15 "$log" >&2
		die "the kernel does not build: $log"
	fi
	# An estimate for the next run; a rebuild of a few files is no measure.
	n=$(count_lines "$compiled" "$log")
	if [ -n "$on_top" ] || [ "$n" -gt 1000 ]; then
		echo "$n" > "$obj/.bpf-ab-objects.${on_top:+series}"
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
		echo "series=${on_top# + }"
		echo "rev=$rev"
		echo "fragment=$config"
		echo "source=$(cat "$origin/.bpf-ab-complete" 2>/dev/null || echo "$origin${commit:+ $commit}")"
		echo "source_key=$source_key"
		echo "compiler=$compiler"
		echo "config=$(sed '/^#/d' "$obj/.config" | sha256sum | cut -c1-12)"
	} > "$tmp/info"
	rm -rf "$kernel"
	mv "$tmp" "$kernel"
}

label="${tree:+$(basename "$origin")}${rev:+ $rev}"
label="${label:-$base}${config:+ ($config)}$on_top"
# Another revision may have other options.
is_configured() {
	cmp -s "$obj/.config" "$obj/.bpf-ab-config" &&
		[ "$(cat "$obj/.bpf-ab-configured" 2>/dev/null || echo no)" = "${tree:+$source_key}" ]
}
is_configured || configure
if [ ${#patches[@]} -gt 0 ]; then
	put_in "${patches[@]}"
	recall_times
	! grep -q '/Kconfig' "$saved/list" || run_logged kernel-options kmake olddefconfig
fi
build
[ ${#patches[@]} = 0 ] || save_times
keep
echo "$kernel"
