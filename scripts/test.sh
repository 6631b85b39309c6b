#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Everything that CI runs, in order; ends with "N passed, N failed, N skipped".
# Each part prints TAP; a skip names its reason.
#
# The part that loads BPF runs on this kernel if that may load BPF, else in a
# guest; TEST_IN_VM=1 asks for the guest.
set -uo pipefail
. "$(dirname "$0")/common.sh"
cd "$AB_TOP" || exit 3

passed=0 failed=0 skipped=0
failures=()
running=''
trap '[ -z "$running" ] || kill -TERM $running 2>/dev/null' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# part NAME CMD...: runs it, shows its failures and skips, counts its TAP lines.
part() {
	local name=$1 log=$AB_LOG/test-${1//[ \/]/-}.log start=$SECONDS status=0 p f s
	shift
	# A shell's background jobs ignore Ctrl-C, and so would the programs tested.
	env --default-signal=INT "$@" > "$log" 2>&1 < /dev/null &
	running=$!
	while kill -0 $running 2>/dev/null; do
		[ $((SECONDS - start)) -lt 2 ] ||
			progress_text "$name: $(grep -cE '^(not )?ok ' "$log") tests, $(mmss $((SECONDS - start)))"
		sleep 0.1
	done
	progress_end
	wait $running || status=$?
	running=''
	# cmocka says "not ok N # SKIP" for a skip
	s=$(grep -ciE '^(not )?ok .*# *skip' "$log")
	p=$(grep -E '^ok ' "$log" | grep -civE '# *skip')
	f=$(grep -E '^not ok ' "$log" | grep -civE '# *skip')
	# A part that dies without a word of its own is a failure, as is one that
	# says nothing at all.
	if [ $status -ne 0 ] && [ "$f" = 0 ]; then
		f=1
		echo "not ok - $name ended with status $status" >> "$log"
	elif [ $((p + f + s)) = 0 ]; then
		f=1
		echo "not ok - $name ran no test" >> "$log"
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	printf '%-34s %4d passed %3d failed %3d skipped  %s\n' "$name" "$p" "$f" "$s" \
		"$(mmss $((SECONDS - start)))"
	grep -iE '^(not )?ok .*# *skip' "$log" | sed -E 's/^(not )?ok [0-9]* *-* */  skipped: /'
	if [ "$f" != 0 ]; then
		failures+=("$name: $log")
		grep -viE '# *skip' "$log" | grep -B 12 -E '^not ok ' | head -n 60 | sed 's/^/  | /'
	fi
}

unit_tests() {
	local bin
	for bin in .output/unit/test_*; do
		[ -x "$bin" ] && [ ! -d "$bin" ] || continue
		case $bin in *.o|*.d) continue ;; esac
		part "unit ${bin##*/test_}" env CMOCKA_MESSAGE_OUTPUT=TAP "$bin"
	done
}

can_load_bpf() {
	[ "$(id -u)" = 0 ] && ./bench --probe >/dev/null 2>&1
}

# Guests need a kernel: built here, where its progress is seen.
in_vm=''
if [ -n "${TEST_IN_VM:-}" ]; then
	in_vm="TEST_IN_VM asks for it"
elif ! can_load_bpf; then
	in_vm="this kernel or user may not load BPF"
fi
if [ -n "$in_vm${TEST_MORE:-}" ]; then
	scripts/build-kernel.sh > /dev/null || exit 3
fi

unit_tests
part "golden" unit/run-golden.sh
part "table of mutants" scripts/test/mutants.sh
part "same code" scripts/test/same-code.sh
part "plans of ab" scripts/test/ab-plan.sh
part "series" scripts/test/series.sh
part "page of a report" scripts/test/page.sh
if [ -z "$in_vm" ]; then
	part "programs on this kernel" scripts/test/programs.sh
	part "the benchmark's counts against the trace" scripts/test/bench-counts.sh socket task socket:4
	part "random programs on this kernel" scripts/test/random.sh
else
	echo "the programs run in a guest: $in_vm"
	part "programs in a guest" scripts/test/guest.sh
fi
for t in ${TEST_MORE:-}; do
	part "$t" "scripts/test/$t.sh"
done

for f in "${failures[@]}"; do
	echo "failed: $f"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
