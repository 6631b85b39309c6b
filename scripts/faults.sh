#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Does a series misbehave where nobody looks? Boots a kernel that watches its
# memory and its locks (build-kernel.sh --config debug: KASAN, KMEMLEAK, DEBUG_VM,
# PROVE_LOCKING, FAULT_INJECTION), runs the tests on it, and fails every single
# allocation of a heavily rewritten program in turn (prog_tests/fail_nth.c).
#
# usage: [KSRC=TREE] faults.sh [options]
#
#   --series SPEC   what is under test, as for ab --patched (base)
#   --tests NAMES   of test_progs (verifier,fail_nth,kill_load)
#   --objdir DIR    tests of another folder too, such as the kernel's own
#                   (scripts/upstream.sh prints it)
#   --out DIR       where results go (.output/faults/SERIES)
#
# Clean is: no test failed, fail_nth was not skipped, no splat is in the kernel
# log, and kmemleak found nothing after all.
#
# Exit status: 0 clean, 1 not, 2 usage, 3 the kernel could not be built or booted,
# or cannot fail allocations. 15 minutes, and 20 to 30 to build the kernel once.
set -euo pipefail
. "$(dirname "$0")/common.sh"

series=base tests=verifier,fail_nth,kill_load objdir='' out='' inside=''
while [ $# -gt 0 ]; do
	case $1 in
	--series) series=$2; shift 2 ;;
	--tests)  tests=$2; shift 2 ;;
	--objdir) objdir=$2; shift 2 ;;
	--out)    out=$2; shift 2 ;;
	--inside) inside=$2; shift 2 ;; # the part that runs in the guest
	-h|--help) sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
	*) say "faults.sh: unknown argument $1 (see --help)"; exit 2 ;;
	esac
done

run_tests() { # run_tests NAME ARG...
	local name=$1 status=0
	shift
	echo "$name" >&2
	"$AB_TOP/test_progs" -w 900 -v "$@" --record "$inside/$name.csv" > "$inside/$name.out" 2>&1 ||
		status=$?
	[ $status -le 1 ] || exit 3
}

if [ -n "$inside" ]; then
	run_tests ours -t "$tests"
	[ -z "$objdir" ] || run_tests theirs -t verifier --objdir "$objdir"
	sleep 6
	echo scan > /sys/kernel/debug/kmemleak
	cat /sys/kernel/debug/kmemleak > "$inside/kmemleak"
	exit 0
fi

label=$(basename "$series")
out=${out:-$AB_OUT/faults/$label}
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
args=(--config debug)
[ "$series" = base ] || args+=(--series "$series")
kernel=$(setpriv --pdeathsig TERM "$AB_TOP/scripts/build-kernel.sh" "${args[@]}") || exit 3

# Without ACPI: under emulation this kernel's interpreter runs into its own time
# limit, and PCI devices are then left without an interrupt.
step "$label: tests on the debug kernel"
status=0
setpriv --pdeathsig TERM "$AB_TOP/scripts/vm.sh" --kernel "$kernel/bzImage" --clock tcg-wall \
	--append "watchdog_thresh=60 acpi=off noapic" --share "$out" --timeout 5400 -- \
	"$AB_TOP/scripts/faults.sh" --inside "$out" --tests "$tests" ${objdir:+--objdir "$objdir"} ||
	status=$?
class=$(cat "$out/class" 2>/dev/null || echo died)
[ "$class" = done ] && [ $status = 0 ] || die "$label: $class, status $status (folder: $out)"

bad=0
for name in ours theirs; do
	[ -e "$out/$name.csv" ] || continue
	printf '%s: ' "$name"
	tail -n 1 "$out/$name.out"
	if tail -n +2 "$out/$name.csv" | grep -E ',fail(,|$)' | sed 's/^/  failed: /'; then
		bad=1
	fi
done
grep -hE '^[a-z_]+: [0-9]+ allocations failed' "$out"/*.out || true
if [[ ,$tests, == *,fail_nth[,/]* ]] && grep -qE '^fail_nth,.*,skip,' "$out/ours.csv"; then
	die "fail_nth was skipped: $(grep -m 1 fail_nth "$out/ours.out")"
fi
if grep -nE 'WARNING:|BUG:|KASAN:|Oops|possible circular|suspicious RCU|rcu: INFO|general protection' \
	"$out/dmesg" | sed 's/^/  splat: /' | grep .; then
	bad=1
fi
if [ -s "$out/kmemleak" ]; then
	sed 's/^/  leak: /' "$out/kmemleak"
	bad=1
fi
[ $bad = 0 ] && echo "$label: clean" || echo "$label: not clean (folder: $out)"
exit $bad
