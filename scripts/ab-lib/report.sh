# SPDX-License-Identifier: GPL-2.0-only
# What the boots of both sides say.
# shellcheck shell=bash # part of scripts/ab, with its variables

# What became of the run, in a word for programs: equal, worse, splat (nothing else
# is worse), not measured; or how the boot ended that could not be measured.
report_class() { # STATUS
	case $1 in
	0) echo equal ;;
	1)
		python3 - "$out/report.json" <<-'END'
		import json, sys
		report = json.load(open(sys.argv[1]))
		worse = "worse" in report["verdicts"].values()
		print("splat" if not worse and report["kernel_log"]["verdict"] == "worse" else "worse")
		END
		;;
	*) echo "not measured" ;;
	esac
}

# Beside the text it leaves report.md, report.json and report.html.
print_report() {
	local rc=0
	"$AB_TOP/ab-report" ${allow:+--allow "$allow"} "$out" || rc=$?
	report_class $rc > "$out/class"
	echo
	echo "class: $(cat "$out/class")"
	echo "report: $out/report.html (and .txt, .md, .json)"
	exit $rc
}

# report_failure CLASS: no comparison is made.
report_failure() {
	local dir class=$1
	[ "$class" != done ] || class="not measured"
	{ echo "$class" > "$out/class"; } 2>/dev/null || say "ab: $out/class cannot be written"
	for dir in "$out"/{base,patched}/boot-[0-9]; do
		[ ! -e "$dir/complete" ] || say "kept: $dir"
	done
	# What became of the boots, beside what was measured.
	"$AB_TOP/ab-report" ${allow:+--allow "$allow"} "$out" > /dev/null 2>&1 || true
	[ ! "$out/report.html" -nt "$out/command" ] || say "what there is: $out/report.html"
	say "ab: $class: no comparison is made (scripts/ab --resume $out)"
	exit 3
}
