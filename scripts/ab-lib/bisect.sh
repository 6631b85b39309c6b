# SPDX-License-Identifier: GPL-2.0-only
# ab bisect: the first commit on which a number is what it should not be. git
# decides what is tried next, in a repository of our own that borrows the objects
# of the user's; each step is one kernel and one boot, kept in steps/COMMIT.
# shellcheck shell=bash # part of scripts/ab, with its variables

bisect_git() { git --git-dir="$bisect_out/git" "$@"; }

bisect_usage() {
	cat <<'END'
Find the first commit from which on a number is bad.

usage: KSRC=TREE ab bisect --good REV --bad REV --when FILTER[,FILTER...] [options]

  --good REV       a revision in TREE that is as it should be
  --bad REV        one that is not
  --when FILTERS   a kernel is bad if a program passes all of them, as in -f of
                   veristat: pyperf180/on_event,insns>80000. With --only test_progs,
                   a pattern: bad if such a TEST or TEST/SUBTEST fails
  --only PROGRAM   veristat (the default) or test_progs
  --out DIR        where it is kept (.output/bisect/GOOD-BAD); the same command
                   goes on with what is there
  --objects, --objdir, --pyperf600, --repeat, --variants, --count, --clock, --timeout: as for ab

A commit that does not build or boot is passed over. Exit status: 0 found, 2 usage,
3 it cannot be told.
END
}

bisect_options() {
	local rest=()
	good='' bad='' when=''
	while [ $# -gt 0 ]; do
		case $1 in
		--good|--bad|--when)
			[ $# -gt 1 ] || usage "bisect: $1 wants a value (see ab bisect --help)"
			printf -v "${1#--}" %s "$2"
			shift 2 ;;
		-h|--help) bisect_usage; exit 0 ;;
		*) rest+=("$1"); shift ;;
		esac
	done
	read_options "${rest[@]}"
	[ -n "$good" ] && [ -n "$bad" ] && [ -n "$when" ] ||
		usage "bisect: wants --good, --bad and --when (see ab bisect --help)"
	[ -n "${KSRC:-}" ] || usage "bisect: KSRC= names the repository"
	only=${only:-veristat} boots=1 jobs=1
	[[ $only =~ ^(veristat|test_progs)$ ]] || usage "bisect: --only takes veristat or test_progs, not $only"
	base=$good patched=$bad
}

# bisect_measure COMMIT: 0 measured; 1 it does not build or boot.
bisect_measure() {
	local commit=$1
	out=$bisect_out/steps/${commit:0:12}
	mkdir -p "$out"
	side_label[a]=${commit:0:12}
	side_build[a]=$(printf '%s\n' --tree "$(realpath "$KSRC")" --rev "$commit")
	[ ! -e "$out/skipped" ] || return 1
	if ! (spec_find_kernel a && echo "${side_kernel[a]}" > "$out/kernel-is"); then
		echo "does not build" > "$out/skipped"
		return 1
	fi
	side_kernel[a]=$(cat "$out/kernel-is") side_kernel[b]=${side_kernel[a]}
	[ -n "$tool_key" ] || bisect_inputs
	side_key[a]=$(basename "${side_kernel[a]}")
	! boot_is_measured a 1 || return 0
	step "$(boot_name a 1)"
	boots_run_one a 1 && return 0
	# Only what the kernel did excuses it.
	case $run_failure in
	panic|hang|oom) echo "$run_failure" > "$out/skipped"; return 1 ;;
	*) die "this commit cannot be measured: $out" ;;
	esac
}

# The objects of all steps are those of the first.
bisect_inputs() {
	inputs_prepare
	cp "$out/inputs" "$bisect_out/inputs"
}

# Whether the kernel that was measured last is bad.
bisect_is_bad() {
	local filter filters=() rows csv
	csv=$(boot_dir a 1)/$only.csv
	if [ "$only" = test_progs ]; then
		python3 - "$csv" "$when" <<-'END'
		import csv, fnmatch, sys
		rows = [(r["test_name"] + ("/" + r["subtest_name"]) * bool(r["subtest_name"]), r["outcome"])
		        for r in csv.DictReader(open(sys.argv[1]))]
		rows = [r for r in rows if fnmatch.fnmatchcase(r[0], sys.argv[2])]
		if not rows:
		    sys.exit(f"no test is called {sys.argv[2]}")
		sys.exit(not any(outcome == "fail" for _, outcome in rows))
		END
		return
	fi
	while IFS= read -r filter; do
		filters+=(-f "$filter")
	done < <(tr , '\n' <<< "$when")
	rows=$("$AB_TOP/veristat" -q -R "${filters[@]}" -o csv "$csv") || die "--when cannot be told of $out"
	[ "$(wc -l <<< "$rows")" -gt 1 ]
}

# bisect_judge COMMIT: good, bad or skip.
bisect_judge() {
	verdict=skip
	bisect_measure "$1" || return 0
	verdict=good
	! bisect_is_bad || verdict=bad
}

bisect_start() { # GOOD-COMMIT BAD-COMMIT
	local of
	of=$(cd "$KSRC" && cd "$(tree_git . rev-parse --git-common-dir)" && pwd -P)
	[ -e "$bisect_out/git/HEAD" ] || git init -q --bare "$bisect_out/git"
	echo "$of/objects" > "$bisect_out/git/objects/info/alternates"
	[ ! -e "$of/shallow" ] || cp "$of/shallow" "$bisect_out/git/shallow"
	bisect_git update-ref --no-deref HEAD "$2"
	echo "$1 $2 $when $only" > "$bisect_out/question.new"
	if ! cmp -s "$bisect_out/question.new" "$bisect_out/question"; then
		rm -rf "$bisect_out/question"
		bisect_git bisect reset > /dev/null 2>&1 || true
		run_logged bisect-start bisect_git bisect start --no-checkout "$2" "$1"
		mv "$bisect_out/question.new" "$bisect_out/question"
	else
		step "going on with $(grep -c '^git bisect' "$bisect_out/git/BISECT_LOG") steps of an earlier run"
	fi
}

bisect_show() { tree_git "$KSRC" show -s --format='%h %an %as %s' "$1"; }

bisect() {
	local good_commit bad_commit commit verdict said
	bisect_options "$@"
	good_commit=$(tree_commit "$KSRC" "$good") || exit 2
	bad_commit=$(tree_commit "$KSRC" "$bad") || exit 2
	side_kind=([a]=guest [b]=guest)
	check_options
	out=${out:-$AB_OUT/bisect/$(spec_word "$good")-$(spec_word "$bad")}
	mkdir -p "$out"
	out=$(cd "$out" && pwd)
	bisect_out=$out
	lock_out
	inputs_check_names
	bisect_start "$good_commit" "$bad_commit"
	for commit in "$good_commit good $good" "$bad_commit bad $bad"; do
		bisect_judge "${commit%% *}"
		said=${commit#* }
		[ "$verdict" = "${said%% *}" ] || die "${said#* } is not ${said%% *} but $verdict: $when"
	done
	while ! grep -q '^# first bad commit' "$bisect_out/git/BISECT_LOG"; do
		commit=$(bisect_git rev-parse -q --verify BISECT_HEAD) || die "git knows no more commits to try"
		bisect_judge "$commit"
		step "$verdict: $(bisect_show "$commit")"
		bisect_git bisect "$verdict" "$commit" > "$bisect_out/said" 2>&1 || {
			cat "$bisect_out/said" >&2
			die "it cannot be told further"
		}
	done
	commit=$(bisect_git rev-parse refs/bisect/bad)
	echo "first bad commit: $(bisect_show "$commit")"
	echo "  $when; its recording: $bisect_out/steps/${commit:0:12}/base/boot-1"
}
