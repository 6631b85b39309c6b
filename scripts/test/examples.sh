#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# docs/examples/: they parse, and what they run and name is there. Needs neither
# root nor a network. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flow=docs/examples/github-workflow.yml
job=docs/examples/lava-job.yaml
if python3 -c 'import yaml' 2> /dev/null; then
	for file in $flow $job; do
		check "${file##*/} is YAML" python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$file"
	done
	# The step that turns KTAP into calls of LAVA's, with a stand-in for LAVA.
	python3 -c 'import sys, yaml
for a in yaml.safe_load(open(sys.argv[1]))["actions"]:
    if "test" in a:
        steps = a["test"]["definitions"][0]["repository"]["run"]["steps"]
        print(next(s for s in steps if s.startswith("sed")))' $job > "$work/step"
	printf 'KTAP version 1\n1..3\n  KTAP version 1\n  1..2\n  ok 1 a b\n  ok 2 c # SKIP no d\nok 1 t\nnot ok 2 u\nok 3 v/w\n' \
		> "$work/results.ktap"
	(cd "$work" && { echo 'lava-test-case() { echo "$*"; }'; cat step; } | bash) > "$work/log" 2>&1
	check "each outcome becomes one of LAVA's" diff "$work/log" - <<-END
		a_b --result pass
		c --result skip
		t --result pass
		u --result fail
		v_w --result pass
	END
else
	skip "YAML" "no python3-yaml"
fi
while read -r script; do
	check "$flow: $script is there" [ -e "$script" ]
done < <(grep -ohE 'scripts/[a-z.-]+' $flow | sort -u)
while read -r option; do
	check "$flow: ab has $option" grep -qe "^  $option" <(scripts/ab --help)
done < <(sed -n 's,.*run: scripts/ab ,,p' $flow | grep -oE -- '--[a-z]+')
while read -r name; do
	check "$job: ${name#./} is in the package" grep -qF "${name#./}" <(ls scripts/package; grep -o 'test_progs' scripts/install-tree.sh)
done < <(grep -oE '\./[a-z_-]+(\.sh)?' $job | sort -u)
check "$job: test_progs has --ktap" grep -q -- --ktap <(./test_progs --help)
echo "1..$n"
