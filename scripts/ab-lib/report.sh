# SPDX-License-Identifier: GPL-2.0-only
# What the boots of both sides say.
# shellcheck shell=bash # part of scripts/ab, with its variables

# Beside the text it leaves report.md, report.json and report.html.
print_report() {
	local rc=0
	"$AB_TOP/ab-report" ${allow:+--allow "$allow"} "$out" || rc=$?
	echo
	echo "report: $out/report.html (and .txt, .md, .json)"
	exit $rc
}
