#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Take a kernel image that somebody else built into the cache, as build-kernel.sh
# leaves one: its folder, which is printed, holds a copy of the bzImage, its config,
# vmlinux.btf and info.
#
# usage: bzimage.sh BZIMAGE
#
# The image has to have its types (CONFIG_DEBUG_INFO_BTF) and its configuration
# (CONFIG_IKCONFIG) in it. Where things are: Documentation/arch/x86/boot.rst.
set -euo pipefail
. "$(dirname "$0")/common.sh"

image=${1:?usage: bzimage.sh BZIMAGE}
[ -r "$image" ] || die "$image cannot be read"

number() { # number OFFSET BYTES
	od -An -v -t "u$2" -j "$1" -N "$2" "$image" | tr -d ' '
}
bytes() { # bytes OFFSET COUNT
	dd if="$image" bs=64k iflag=skip_bytes,count_bytes skip="$1" count="$2" status=none
}
[ "$(bytes 514 4 | tr -d '\0')" = HdrS ] || die "$image is no bzImage"

kernel=$AB_CACHE/kernels/ready-$(sha256sum < "$image" | cut -c1-12)
if [ -e "$kernel/info" ]; then
	echo "$kernel"
	exit 0
fi
mkdir -p "$AB_CACHE/kernels"
tmp=$(mktemp -d "$AB_CACHE/kernels/tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cp "$image" "$tmp/bzImage"

sectors=$(number $((0x1f1)) 1)
[ "$sectors" != 0 ] || sectors=4
payload=$(((sectors + 1) * 512 + $(number $((0x248)) 4)))
bytes $payload "$(number $((0x24c)) 4)" > "$tmp/payload"

# What it is packed by, told by its first bytes.
case $(od -An -t x1 -N 4 "$tmp/payload" | tr -d ' ') in
1f8b*)    unpack=gzip ;;
28b52ffd) unpack=zstd ;;
fd377a58) unpack=xz ;;
425a68*)  unpack=bzip2 ;;
5d0000*)  unpack="xz --format=lzma" ;;
02214c18) unpack=lz4 ;;
*) die "$image: packed in a way that is not known here" ;;
esac
need_cmd "${unpack%% *}" "install it: $image is packed by it"
# A trailing length makes some of them complain after all is out.
$unpack -dc < "$tmp/payload" > "$tmp/vmlinux" 2> /dev/null || true
objcopy --dump-section .BTF="$tmp/vmlinux.btf" "$tmp/vmlinux" /dev/null 2> /dev/null || true
[ -s "$tmp/vmlinux.btf" ] || die "$image has no types in it (CONFIG_DEBUG_INFO_BTF)"
config=$(LC_ALL=C grep -abo -m 1 IKCFG_ST "$tmp/vmlinux" | head -n 1 | cut -d: -f1 || true)
[ -n "$config" ] || die "$image has no configuration in it (CONFIG_IKCONFIG)"
tail -c +$((config + 9)) "$tmp/vmlinux" | gzip -dc > "$tmp/config" 2> /dev/null || true
grep -q '^CONFIG_' "$tmp/config" || die "$image: its configuration cannot be read"

version=$(bytes $(($(number $((0x20e)) 2) + 0x200)) 256 | tr '\0' '\n' | sed -n 1p)
{
	echo "version=${version%% *}"
	echo "series="
	echo "source=$(realpath "$image")"
	echo "compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\(.*\)"/\1/p' "$tmp/config")"
	echo "config=$(sed '/^#/d' "$tmp/config" | sha256sum | cut -c1-12)"
} > "$tmp/info"
rm "$tmp"/{payload,vmlinux}
chmod 755 "$tmp"
mv -T "$tmp" "$kernel" 2> /dev/null || [ -e "$kernel/info" ]
echo "$kernel"
