#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What measuring costs, in instructions of a guest that counts them: that a plain load
# is as dear as the kernel's veristat makes it, what the load that is traced for the
# allocators' counters takes on top, and where --phases says that the time goes.
# Prints TAP. Not part of `make test`: 10 minutes, once scripts/upstream.sh and the
# kernel are built.
#
# usage: veristat-cost.sh
set -euo pipefail
. "$(dirname "$0")/../common.sh"

if [ $# = 0 ]; then
	upstream=$("$AB_TOP/scripts/upstream.sh")
	kernel=$("$AB_TOP/scripts/build-kernel.sh")
	exec "$AB_TOP/scripts/vm.sh" --kernel "$kernel/bzImage" --timeout 2400 -- "$0" "$upstream"
fi
upstream=$1
programs='pyperf180 strobemeta'
tiny=$AB_OUT/progs/corpus_tiny.bpf.o
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# How each loads an object once. Counters and phases have loads of their own, and with
# no other column there is no other.
load_upstream() { "$upstream/veristat" -q -o csv -e file,prog,verdict,duration,insns "$1"; }
load_plain()    { "$AB_TOP/veristat" -q -o csv -e verdict,duration,insns "$1"; }
load_counting() { "$AB_TOP/veristat" -q -o csv -e kmallocs,kmalloc_bytes,slab_allocs,live_peak "$1"; }

# Guest time is instructions: thousands of them to a microsecond. All that is not the
# load itself the tiny program has too.
run() { # run HOW NAME OBJECT
	local start=${EPOCHREALTIME/./}
	"load_$1" "$3" > "$work/$1.$2"
	echo $((${EPOCHREALTIME/./} - start)) > "$work/$1.$2.us"
}
for how in upstream plain counting; do
	run $how tiny "$tiny" # what is read from disk now is there for those that count
	run $how tiny "$tiny"
	for program in $programs; do
		cat "$upstream/$program.bpf.o" > "$work/object"
		run $how "$program" "$upstream/$program.bpf.o"
	done
done
load_us() { echo $(($(cat "$work/$1.$2.us") - $(cat "$work/$1.tiny.us"))); }
column() { # column NAME FILE: of its only program
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR == 2 { print $at }' "$2"
}

n=0 failed=0
# ratio NAME VALUE OF LEAST MOST: the ratio of the two has to be within.
ratio() {
	n=$((n + 1))
	if awk -v name="$1" -v a="$2" -v b="$3" -v least="$4" -v most="$5" 'BEGIN {
		if (a !~ /^[0-9.]+$/ || b !~ /^[0-9.]+$/ || b == 0)
			exit 1
		printf "# %s: %s of %s, %.4f\n", name, a, b, a / b
		exit a / b < least || a / b > most
	}'; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1: $2 of $3, expected $4 to $5"
		failed=1
	fi
}
echo "# kernel $(uname -r), thousands of instructions"
for program in $programs; do
	ratio "$program: the verifier's own time of a plain load, as under upstream" \
		"$(column duration "$work/plain.$program")" \
		"$(column duration "$work/upstream.$program")" 0.999 1.001
	ratio "$program: all that a plain load adds, no more than under upstream" \
		"$(load_us plain "$program")" "$(load_us upstream "$program")" 0.9 1.001
	ratio "$program: a load that is counted, at most 1.5 times the plain one" \
		"$(load_us counting "$program")" "$(load_us plain "$program")" 1 1.5
done

# As a profile of this load by the processor's counters has it: 43 % and 35 %.
"$AB_TOP/veristat" -q -o csv --phases -e verdict "$upstream/pyperf180.bpf.o" > "$work/phases"
check_sum=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
	NR == 2 { for (i in name) if (name[i] ~ /^phase\./ && name[i] != "phase.jit") sum += $i
		print sum }' "$work/phases")
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
	NR == 2 { for (i = 1; i <= NF; i++) if (name[i] ~ /^phase\./) print "# " name[i] ": " $i }' "$work/phases"
ratio "pyperf180: bpf_do_misc_fixups takes about 43 % of bpf_check" \
	"$(column phase.fixups "$work/phases")" "$check_sum" 0.40 0.46
ratio "pyperf180: following arguments takes about 35 % of it" \
	"$(column phase.args "$work/phases")" "$check_sum" 0.32 0.38
echo "1..$n"
exit $failed
