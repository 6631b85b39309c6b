#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What measuring costs, in instructions of a guest that counts them: that a plain load
# is as dear as the kernel's veristat makes it, and where --phases says that the time
# goes. Prints TAP. Not part of `make test`: 5 minutes, once scripts/upstream.sh and
# the kernel are built.
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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

load_upstream() { "$upstream/veristat" -q -o csv -e file,prog,verdict,duration,insns "$1"; }
load_plain()    { "$AB_TOP/veristat" -q -o csv -e verdict,duration,insns "$1"; }
for program in $programs; do
	for how in upstream plain; do
		"load_$how" "$upstream/$program.bpf.o" > "$work/$how.$program"
	done
done
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
done

# As a profile of this load by the processor's counters has it: 43 % and 35 %.
"$AB_TOP/veristat" -q -o csv --phases -e verdict "$upstream/pyperf180.bpf.o" > "$work/phases"
check_sum=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
	NR == 2 { for (i in name) if (name[i] ~ /^phase\./ && name[i] != "phase.jit") sum += $i
		printf "%.3f\n", sum }' "$work/phases")
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
	NR == 2 { for (i = 1; i <= NF; i++) if (name[i] ~ /^phase\./) print "# " name[i] ": " $i }' "$work/phases"
ratio "pyperf180: bpf_do_misc_fixups takes about 43 % of bpf_check" \
	"$(column phase.fixups "$work/phases")" "$check_sum" 0.40 0.46
ratio "pyperf180: following arguments takes about 35 % of it" \
	"$(column phase.args "$work/phases")" "$check_sum" 0.32 0.38
echo "1..$n"
exit $failed
