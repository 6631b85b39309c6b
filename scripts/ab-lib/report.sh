# SPDX-License-Identifier: GPL-2.0-only
# What the boots of both sides say.
# shellcheck shell=bash # part of scripts/ab, with its variables

splats() {
	grep -hE 'WARNING:|BUG:|KASAN|UBSAN|lockdep|rcu: INFO|Oops|general protection' "$@" 2>/dev/null |
		sed 's/^\[[^]]*\] *//; s/0x[0-9a-f]*//g; s/CPU: [0-9]*//; s/PID: [0-9]*//; s/pid [0-9]*//' |
		sort -u
}

report_kernel_log() {
	local dir new
	for dir in "$out"/base/boot-? "$out"/patched/boot-?; do
		if [ ! -s "$dir/dmesg" ]; then
			echo "kernel log: cannot be read for $dir: not clean until shown"
			return 3
		fi
	done
	new=$(comm -13 <(splats "$out"/base/boot-?/dmesg) <(splats "$out"/patched/boot-?/dmesg))
	if [ -n "$new" ]; then
		echo "kernel log: worse, only in ${side_label[b]}:"
		echo "  ${new//$'\n'/$'\n'  }"
		return 1
	fi
	echo "kernel log: equal, nothing of ${side_label[b]} that ${side_label[a]} has not"
}

report() {
	local status=0 rc program
	# The environments are the same for all three: said once, at the top.
	local -A how=(
		[veristat]="--no-env --wide=verdict,insns,states,duration,mem_peak_kib,kmallocs,slab_allocs,allocs"
		[bench]="--no-env --wide"
	)
	echo "A = ${side_label[a]}, B = ${side_label[b]}"
	echo
	for program in $only; do
		rc=0
		echo "==== $program"
		# shellcheck disable=SC2086
		"$AB_TOP/$program" ${how[$program]:-} -C "$out/base" "$out/patched" || rc=$?
		[ $rc -le $status ] || status=$rc
		echo
	done
	rc=0
	report_kernel_log || rc=$?
	[ $rc -le $status ] || status=$rc
	echo
	case $status in
	0) echo "verdict: nothing is worse" ;;
	1) echo "verdict: worse" ;;
	*) echo "verdict: could not be compared" ;;
	esac
	echo "recordings: $out"
	return $status
}

print_report() {
	local rc=0
	report > "$out/report.txt.part" 2>&1 || rc=$?
	mv "$out/report.txt.part" "$out/report.txt"
	cat "$out/report.txt"
	exit $rc
}
