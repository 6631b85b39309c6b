#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own BPF selftests as the reference: test_progs, veristat, bench and
# all BPF objects, from the tree that set-up found into the cache. The tree is
# not written to. Prints the folder, which is also a working folder to run them in.
#
# usage: upstream.sh [--btf FILE] [--print]
#   --btf FILE   types for vmlinux.h (default: those of the base guest kernel)
#   --print      only print the folder; exit 3 if it is not built yet
#
# 7 minutes on 2 cores, when nothing else runs. Objects that this compiler or these
# types are not enough for are left out with what needs them; `info` counts them.
set -euo pipefail
. "$(dirname "$0")/common.sh"

btf='' print=''
while [ $# -gt 0 ]; do
	case $1 in
	--btf)
		[ $# -gt 1 ] || { say "upstream.sh: --btf wants a file"; exit 2; }
		btf=$2
		shift 2 ;;
	--print) print=1; shift ;;
	-h|--help)
		sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"
		exit 0 ;;
	*)
		say "upstream.sh: unknown argument $1 (see --help)"
		exit 2 ;;
	esac
done

[ -e "$AB_OUT/setup.mk" ] || die "not set up yet: run make first"
ksrc=$(setup_value KSRC_FOUND)
clang=$(setup_value CLANG)
[ -d "$ksrc/tools/testing/selftests/bpf" ] || die "$ksrc: this tree has no selftests"

if [ -z "$btf" ]; then
	build=(env "KSRC=$(setup_value KSRC_WANTED)" "$AB_TOP/scripts/build-kernel.sh")
	if [ -n "$print" ]; then
		btf=$AB_CACHE/kernels/$("${build[@]}" --print-key)/vmlinux.btf
		[ -e "$btf" ] || die "the kernel is not built yet: run upstream.sh without --print"
	else
		btf=$("${build[@]}")/vmlinux.btf
	fi
fi
[ -r "$btf" ] || die "$btf: no such BTF"

key=$(tree_key "$ksrc")-$({ "$clang" --version; gcc --version; cat "$btf"; } | sha256sum | cut -c1-8)
out=$AB_CACHE/upstream/$key
if [ -e "$out/info" ]; then
	echo "$out"
	exit 0
fi
[ -z "$print" ] || die "upstream's selftests are not built yet: run upstream.sh"

for cmd in make gcc g++ "$clang" ld.lld openssl rsync; do
	need_cmd "$cmd" "upstream wants it: apt-get install g++ lld openssl rsync llvm-dev libssl-dev"
done
mkdir -p "$AB_CACHE/upstream"
lock "$AB_CACHE/upstream.lock"
[ ! -e "$out/info" ] || { echo "$out"; exit 0; }

work=$AB_CACHE/upstream/work
bpf=$work/tools/testing/selftests/bpf
leave() {
	trap - EXIT INT TERM HUP
	end_counted
	rm -rf "$work"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Make writes headers beside the sources, so it gets a copy of what it needs.
step "upstream's selftests: a copy of $ksrc"
rm -rf "$work"
mkdir -p "$work"
(cd "$ksrc" && rsync -aR --exclude='*.o' --exclude='*.d' --exclude=/tools/perf tools scripts include \
	kernel/bpf/disasm.c kernel/bpf/disasm.h arch/x86/include/uapi "$work/")

# It ends without a word where a kernel has no asymmetric keys, which its tests of
# signatures want and no other; the kernel that is measured has none.
sed -i '/err = register_session_key/,/return err;/s/if (err < 0)/if (0)/' "$bpf/test_progs.c"

llvm_config=$(command -v "llvm-config${clang#clang}" || true)
[ -n "$llvm_config" ] && [ -d "$("$llvm_config" --includedir)/llvm-c" ] || llvm_config=llvm-config
log=$AB_LOG/upstream.log start=$SECONDS

# One benchmark needs types that the kernel that is measured does not have.
if ! grep -q bpf_crypto_ctx "$btf"; then
	sed -i '/bench_crypto_/d' "$bpf/bench.c"
	sed -i '/bench_bpf_crypto\.o \\$/d' "$bpf/Makefile"
fi
# With optimization, as the kernel's makefile has it for releases: what is compared
# with it is built so too. Warnings that gcc then has are no errors. No KDIR: the
# modules are the kernel's.
upstream_make() {
	make -C "$bpf" -j"$(nproc)" BPF_STRICT_BUILD=0 RELEASE=1 SAN_CFLAGS=-Wno-error \
		CLANG="$clang" LLVM_CONFIG="$llvm_config" VMLINUX_BTF="$(realpath "$btf")" \
		KDIR=/nonexistent "$@"
}
if ! run_counted "upstream's selftests" '^  (CLNG-BPF|GEN-SKEL|TEST-OBJ) ' 2390 "$log" \
	upstream_make test_progs veristat bench; then
	grep -m 5 -E 'error:|Error ' "$log" >&2 || tail -n 15 "$log" >&2
	die "upstream's selftests do not build: $log"
fi

step "upstream's selftests: built in $(mmss $((SECONDS - start)))"
rm -rf "$out.tmp"
mkdir -p "$out.tmp"
for program in test_progs veristat bench; do
	[ -x "$bpf/$program" ] || die "$program was not built: $log"
	strip --strip-debug -o "$out.tmp/$program" "$bpf/$program"
done
cp "$bpf"/*.bpf.o "$out.tmp/"
for extra in urandom_read liburandom_read.so uprobe_multi xdp_synproxy sign-file; do
	[ ! -e "$bpf/$extra" ] || cp "$bpf/$extra" "$out.tmp/"
done
cp "$bpf"/{verify_sig_setup.sh,ima_setup.sh} "$out.tmp/" 2>/dev/null || true
sources=("$bpf"/progs/*.c) objects=("$out.tmp"/*.bpf.o)
{
	echo "source=$ksrc"
	echo "clang=$("$clang" --version | head -n 1)"
	echo "btf=$btf"
	echo "objects=${#objects[@]} of ${#sources[@]}"
	echo "seconds=$((SECONDS - start))"
} > "$out.tmp/info"
rm -rf "$out"
mv "$out.tmp" "$out"
step "upstream's selftests: ${#objects[@]} of ${#sources[@]} objects"
echo "$out"
