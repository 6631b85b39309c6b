#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Objects that were damaged, each section at many places, through the whole of
# ./veristat: cut off there, one byte wrong, or a section shorter than it says.
# What can still be opened is loaded, so all of this happens in a guest. Prints
# TAP; some minutes.
#
# usage: damaged.sh [OBJECT...]   default: two that have a bit of everything
#   PLACES=N   of each section (64)
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

if [ "${1:-}" != --inside ]; then
	[ $# -gt 0 ] || set -- .output/progs/loader_{struct_ops,kfunc_missing}.bpf.o
	for object; do
		[ -r "$object" ] || { say "damaged.sh: there is no $object"; exit 2; }
	done
	exec scripts/vm.sh --kernel "$(scripts/build-kernel.sh)/bzImage" --clock tcg-wall --timeout 1500 \
		--env "PLACES=${PLACES:-64}" \
		-- "$AB_TOP/scripts/test/damaged.sh" --inside "$@"
fi
shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# damage OBJECT: makes the damaged copies and lists them.
damage() {
	# shellcheck disable=SC2016 # that is Perl's
	perl -e '
	use strict; use warnings;
	my ($path, $to) = @ARGV;
	my $places = $ENV{PLACES} || 64;
	open my $in, "<:raw", $path or die "$path: $!";
	my $bytes = do { local $/; <$in> };
	my ($shoff, $shnum) = (unpack("Q", substr($bytes, 40, 8)), unpack("S", substr($bytes, 60, 2)));
	my $n = 0;
	sub put {
		my $name = sprintf("%s/%05d.bpf.o", $to, $n++);
		open my $out, ">:raw", $name or die "$name: $!";
		print $out $_[0];
		print "$name\n";
	}
	for my $section (0 .. $shnum - 1) {
		my $head = $shoff + 64 * $section;
		my ($type) = unpack("L", substr($bytes, $head + 4, 4));
		my ($offset, $size) = unpack("QQ", substr($bytes, $head + 24, 16));
		next if $type == 8 || !$size;
		for my $place (0 .. $places - 1) {
			my ($at, $spoiled, $short) = ($offset + int($size * $place / $places), $bytes, $bytes);
			put(substr($bytes, 0, $at));
			substr($spoiled, $at, 1) ^= "\xff";
			put($spoiled);
			substr($short, $head + 32, 8) = pack("Q", int($size * $place / $places));
			put($short);
		}
	}' "$1" "$2"
}

for object; do
	name=$(basename "$object" .bpf.o)
	mkdir "$work/$name"
	damage "$object" "$work/$name" > "$work/list"
	total=$(wc -l < "$work/list")
	status=0
	./veristat -q -o csv -e verdict,cause,errno,insns,prog_size_jited,xlated_hash "@$work/list" \
		> "$work/rows" 2> "$work/words" || status=$?
	check "$name: damaged in $total ways, the exit status is 3" [ "$status" = 3 ]
	check "$name: some still load, some do not" eval \
		'grep -q ",loaded," "$work/rows" && grep -q "not a BPF object that" "$work/words"'
	echo "# $name: $(grep -c ',loaded,' "$work/rows") programs loaded," \
		"$(grep -c ',rejected,' "$work/rows") rejected, $(wc -l < "$work/words") words of refusal"
	rm -r "${work:?}/$name"
	dmesg > "$work/log"
	check "$name: nothing that the kernel complains of" eval \
		'! grep -E "WARNING: |BUG: |Oops" "$work/log"'
done
echo "1..$n"
