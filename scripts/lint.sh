#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Formatting, include columns and shell scripts. Prints one line per finding;
# exit 1 if there is any.
set -u
. "$(dirname "$0")/common.sh"
cd "$AB_TOP" || exit 3
bad=0
complain() {
	echo "$*"
	bad=1
}

# ---- the data's path: a file includes its own column and those to its left --

column_of() {
	case $1 in
	util|cleanup|err|vec|log|opts|csv|json|janitor|lines|newfile|selector|folder) echo 0 ;;
	btf_params|objset|manifest|loader|load_cause|load_fixup|load_lack|preset|preset_var|kbtf|kfeat|cgroup|raw_btf|storage_map) echo 1 ;;
	verif_log|timing|memcg|kmem|phases|prog_info|disasm|annot|match|jited|listing|native|kmsg|ksym|prog_mask|src_lines|vmalloc|kmem_sites|kmem_tally) echo 2 ;;
	kmem_kinds|kmem_places|memcheck|pidns|turn)                     echo 2 ;;
	patch|patch_access|patch_drop|patch_env|patch_kfunc|patch_kind|patch_model|patch_work) echo 2 ;;
	interp|interp_alu|interp_call|interp_frame|randworld|randprog|randunit|randpatch|randemit|randrun|randbtf|randinfo|randmaps|randfile|reduce) echo 2 ;;
	metric|record|recfile|recset|recwrite|results|env|envdiff)      echo 3 ;;
	ktap)                                                           echo 3 ;;
	placelist)                                                      echo 3 ;;
	load_try|load_words)                                            echo 1 ;;
	sidecar)                                                        echo 3 ;;
	stats|change|compare|footing|group|judge|judge_noisy|sample|klog|reasons) echo 4 ;;
	table|terminal|report|report_csv|report_explain|report_json|report_lists|report_table|report_view|report_wide|order|expr) echo 5 ;;
	*)                                        echo none ;;
	esac
}

for file in lib/*.c lib/*.h; do
	noun=$(basename "${file%.*}")
	mine=$(column_of "$noun")
	if [ "$mine" = none ]; then
		complain "$file: no column is known for '$noun' (docs/design.md, scripts/lint.sh)"
		continue
	fi
	while read -r inc; do
		theirs=$(column_of "$inc")
		[ "$theirs" != none ] || continue
		if [ "$theirs" -gt "$mine" ]; then
			complain "$file: includes $inc.h of a column to its right"
		elif [ "$mine" = 5 ] && { [ "$theirs" = 1 ] || [ "$theirs" = 2 ]; }; then
			complain "$file: the report includes $inc.h of load or measure"
		fi
	done < <(sed -n 's/^#include "\([a-z_]*\)\.h"/\1/p' "$file")
	# A library prints nothing and does not exit; log.c is the messages' own place.
	if [ "$noun" != log ] && grep -nE '(^|[^a-z_])(printf|puts|perror|exit|err|warn)x?\(' "$file" |
		grep -v 'attribute'; then
		complain "$file: lib/ prints or exits"
	fi
done

# ---- formatting --------------------------------------------------------------

if command -v clang-format >/dev/null; then
	for file in {lib,runner,veristat_ext,benchs,report,prog_tests,unit,fuzz}/*.[ch]; do
		[ -e "$file" ] || continue
		clang-format --dry-run -Werror "$file" >/dev/null 2>&1 || complain "$file: clang-format"
	done
else
	echo "notice: no clang-format: formatting is not checked"
fi

if command -v shellcheck >/dev/null; then
	# scripts/ab-lib is checked as what it is: parts of scripts/ab.
	# Not asked: SC2015 "a && b || c", where b is an assignment or a word that cannot
	# fail. SC2317 functions that a trap or a test calls by name. SC1010 "done" as a
	# class of guests. SC2054 commas in options of QEMU. SC2016 text for another shell.
	# SC2153 names in capitals that common.sh and setup.mk set.
	shellcheck -x -P SCRIPTDIR -e SC2015,SC2317,SC1010,SC2054,SC2016,SC2153 \
		scripts/*.sh scripts/ab scripts/test/*.sh scripts/package/*.sh \
		scripts/completion/*.bash unit/*.sh .ci/run || bad=1
else
	echo "notice: no shellcheck: scripts are not checked"
fi

for file in $(git ls-files '*.c' '*.h' '*.sh' scripts/ab); do
	head -n 2 "$file" | grep -qE 'SPDX-License-Identifier|^#!' || complain "$file: no SPDX line"
done
[ $bad = 1 ] || echo "lint: clean"
exit $bad
