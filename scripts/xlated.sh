#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Do two kernels make the same code of every program there is? Loads all objects
# of the kernel's selftests and our own on both, and compares for each program
# verdict and cause, what the verifier counted, the rewritten instructions with
# addresses and ids masked, func info, line info and the size of the machine
# code. What differs is loaded again, and both dumps are shown side by side.
#
# usage: [KSRC=TREE] ab --xlated [options], or xlated.sh [options]
#
#   --patched SPEC   as for ab: a series, a mbox, a tree, a revision, a bzImage, "base"
#   --base SPEC      what it is compared with (base)
#   --passes LIST    what is done, with commas between (plain), or "all":
#                      plain          all objects
#                      rnd-hi32       with BPF_F_TEST_RND_HI32
#                      blinded        with net.core.bpf_jit_harden=2
#                      tests          test_progs -t verifier, ours and the kernel's
#                      tests-blinded  the same with net.core.bpf_jit_harden=2
#   --objects LIST   only these (globs on file names, commas between), without those
#                    of globs behind a "!"
#   --only-ours      without the kernel's selftests, which take 7 minutes to build
#   --out DIR        where the report goes (.output/xlated/BASE-vs-PATCHED); what
#                    was loaded is kept for each kernel in .output/xlated/boots
#   --fresh          load again what was loaded before
#
# Exit status: 0 the same, 1 something differs, 2 usage, 3 something could not be
# built, booted or loaded. 5 to 10 minutes a pass.
set -euo pipefail
. "$(dirname "$0")/common.sh"
usage() { say "xlated.sh: $*"; exit 2; }
# shellcheck source=ab-lib/spec.sh
. "$AB_TOP/scripts/ab-lib/spec.sh"

base=base base_said=1 config='' patched='' passes=plain objects='' only_ours='' out='' fresh=''
every_pass='plain rnd-hi32 blinded tests tests-blinded'
while [ $# -gt 0 ]; do
	case $1 in
	--patched)   patched=$2; shift 2 ;;
	--base)      base=$2; shift 2 ;;
	--passes)    passes=$2; shift 2 ;;
	--objects)   objects=$2; shift 2 ;;
	--only-ours) only_ours=1; shift ;;
	--out)       out=$2; shift 2 ;;
	--fresh)     fresh=1; shift ;;
	-h|--help)   sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
	*) say "xlated.sh: unknown argument $1 (see --help)"; exit 2 ;;
	esac
done
[ -n "$patched" ] || { say "xlated.sh: needs --patched SPEC (see --help)"; exit 2; }
[ "$passes" != all ] || passes=$every_pass
passes=${passes//,/ }
for pass in $passes; do
	case " $every_pass " in
	*" $pass "*) ;;
	*) say "xlated.sh: there is no pass '$pass'; there are: $every_pass"; exit 2 ;;
	esac
done

spec_read_sides "$base" "$patched"
[ "${side_kind[a]}-${side_kind[b]}" = guest-guest ] || usage "host and ssh are not compared in this way"
label_a=${side_label[a]} label_b=${side_label[b]}
out=${out:-$AB_OUT/xlated/$label_a-vs-$label_b}
mkdir -p "$out"
out=$(cd "$out" && pwd)

guests=()
leave() {
	trap - EXIT INT TERM HUP
	[ ${#guests[@]} -eq 0 ] || kill -TERM "${guests[@]}" 2>/dev/null || true
	[ ${#guests[@]} -eq 0 ] || wait "${guests[@]}" 2>/dev/null || true
	rm -f "$out"/kernel-?.$$ "$out/part"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# ---- what is loaded, and where -----------------------------------------------

declare -A kernel boots
find_kernel() { # find_kernel SIDE
	spec_find_kernel "$1"
	kernel[$1]=${side_kernel[$1]}
	boots[$1]=$AB_OUT/xlated/boots/$(basename "${kernel[$1]}")
	[ "$1" = a ] || [ "${boots[a]}" != "${boots[b]}" ] || boots[b]+=-again
	mkdir -p "${boots[$1]}"
}

objdirs=("$AB_OUT/progs")
# Is FILE matched by one of the globs?
matches() { # matches FILE GLOB...
	local name=${1##*/} glob
	for glob in "${@:2}"; do
		# shellcheck disable=SC2053 # a pattern on purpose
		if [[ $name == $glob || $name == $glob.bpf.o ]]; then
			return 0
		fi
	done
	return 1
}

find_objects() {
	local dir file glob globs wanted=() unwanted=()
	IFS=, read -r -a globs <<< "$objects"
	for glob in "${globs[@]}"; do
		case $glob in
		!*) unwanted+=("${glob#!}") ;;
		*)  wanted+=("$glob") ;;
		esac
	done
	[ ${#wanted[@]} -gt 0 ] || wanted=('*')
	if [ -z "$only_ours" ]; then
		dir=$("$AB_TOP/scripts/upstream.sh") || exit 3
		objdirs+=("$dir")
	fi
	for dir in "${objdirs[@]}"; do
		for file in "$dir"/*.bpf.o; do
			[ -e "$file" ] || die "$dir holds no BPF object"
			if matches "$file" "${wanted[@]}" && ! matches "$file" "${unwanted[@]}"; then
				echo "$file"
			fi
		done
	done > "$out/objects"
	[ -s "$out/objects" ] || { say "xlated.sh: no object matches --objects $objects"; exit 2; }
}

# ---- boots -------------------------------------------------------------------

start_guest() { # start_guest SIDE PASS LIST
	local share=${boots[$1]}/$2.guest
	rm -rf "$share"
	mkdir -p "$share"
	cp "$out/objects" "$share/objects"
	cp "$3" "$share/list"
	setpriv --pdeathsig TERM "$AB_TOP/scripts/vm.sh" --quiet --kernel "${kernel[$1]}/bzImage" \
		--clock tcg-wall --share "$share" --timeout 3600 \
		-- "$AB_TOP/scripts/xlated-guest.sh" "$share" "$2" "$share/list" "${objdirs[@]}" \
		2> "$share/vm.log" &
	guests+=($!)
}

guest_progress() {
	tail -n 1 "${boots[$1]}/$2.guest/stderr" 2>/dev/null | tr -d '\r' | cut -c1-50
}

# The sides beside each other.
boot() { # boot PASS LIST SIDE...
	local pass=$1 list=$2 start=$SECONDS side status failed='' folder
	shift 2
	guests=()
	for side; do
		start_guest "$side" "$pass" "$list"
	done
	while kill -0 "${guests[@]}" 2>/dev/null; do
		progress_text "$pass, $(mmss $((SECONDS - start)))$(for side; do
			echo -n "; ${side^^}: $(guest_progress "$side" "$pass")"
		done)"
		sleep 1
	done
	progress_end
	for side; do
		status=0
		wait "${guests[0]}" || status=$?
		guests=("${guests[@]:1}")
		[ $status = 0 ] && continue
		failed=1
		folder=${boots[$side]}/$pass.guest
		step "$pass on ${side^^}: $(cat "$folder/class" 2>/dev/null || echo died), status $status (folder: $folder)"
		tail -n 3 "$folder/stderr" >&2 || true
	done
	[ -z "$failed" ] || exit 3
	step "$pass: done in $(mmss $((SECONDS - start)))"
}

# What a boot depends on beside its kernel.
pass_key() {
	{
		cat "$AB_TOP"/{test_progs,veristat} "$AB_TOP/scripts/xlated-guest.sh"
		xargs cat < "$out/objects"
		echo "$1"
	} | sha256sum | cut -c1-12
}

measure() { # measure PASS LIST
	local key side needed=()
	key=$(pass_key "$1")
	for side in a b; do
		if [ -z "$fresh" ] && [ "$(cat "${boots[$side]}/$1.key" 2>/dev/null)" = "$key" ]; then
			step "$1 on ${side^^}: as loaded $(date -r "${boots[$side]}/$1.key" '+%F %H:%M') (--fresh loads again)"
		else
			rm -f "${boots[$side]}/$1.key"
			needed+=("$side")
		fi
	done
	[ ${#needed[@]} -gt 0 ] || return 0
	boot "$1" "$2" "${needed[@]}"
	for side in "${needed[@]}"; do
		echo "$key" > "${boots[$side]}/$1.key"
	done
}

# ---- comparison ----------------------------------------------------------------

# Both dumps of a program around their first difference; whole ones are kept.
show_dumps() {
	local again=$1 name=$2 a b
	a=${boots[a]}/$again.guest/code/$name.txt b=${boots[b]}/$again.guest/code/$name.txt
	[ -e "$a" ] && [ -e "$b" ] && ! cmp -s "$a" "$b" || return 0
	echo "$name: A at the left, B at the right ($a, $b)"
	diff -y -t -W 130 "$a" "$b" | awk '
		substr($0, 65, 1) ~ /[|<>]/ && !first { first = NR }
		{ line[NR] = $0 }
		END { for (i = first - 8; i < first + 16; i++) if (i in line) print "  " line[i] }'
}

compare_objects() { # compare_objects PASS
	local pass=$1 jited=() name rc=0
	local a=${boots[a]}/$pass.guest/$pass.csv b=${boots[b]}/$pass.guest/$pass.csv
	local again=again-$pass
	# The kernel draws constants at random, and their encodings differ in length.
	[ "$pass" = plain ] || jited=(--no-jited)
	"$AB_TOP/scripts/same-code.pl" "${jited[@]}" --list "$a" "$b" > "$out/$pass.differs" || rc=$?
	[ $rc -le 1 ] || return 3
	if [ $rc = 0 ]; then
		"$AB_TOP/scripts/same-code.pl" "${jited[@]}" "$a" "$b"
		return
	fi
	step "$pass: $(wc -l < "$out/$pass.differs") programs differ at first sight: again"
	boot "$again" "$out/$pass.differs" a b
	rc=0
	"$AB_TOP/scripts/same-code.pl" "${jited[@]}" "$a" "$b" \
		"${boots[a]}/$again.guest/$again.csv" "${boots[b]}/$again.guest/$again.csv" || rc=$?
	while read -r name; do
		show_dumps "$again" "${name/\//.}"
	done < "$out/$pass.differs"
	return $rc
}

compare_outcomes() { # compare_outcomes PASS
	local n file rc status=0
	for ((n = 1; n <= ${#objdirs[@]}; n++)); do
		file=$1.guest/$1-$n.csv rc=0
		[ -e "${boots[a]}/$file" ] || continue # nothing of these, again
		echo "tests of ${objdirs[n - 1]##*/}:"
		"$AB_TOP/test_progs" -C "${boots[a]}/$file" "${boots[b]}/$file" || rc=$?
		[ $rc -le $status ] || status=$rc
	done
	return $status
}

# Names of tests with an outcome that is not the same on both.
differing_tests() { # differing_tests PASS
	local n file
	for ((n = 1; n <= ${#objdirs[@]}; n++)); do
		file=$1.guest/$1-$n.csv
		"$AB_TOP/test_progs" -C -o csv "${boots[a]}/$file" "${boots[b]}/$file" 2> /dev/null |
			grep -E ',outcome,' | grep -vE ',equal,[^,]*$' | cut -d, -f1
	done | sort -u
}

# A program that loops until a quarter of a second is over, as may_goto lets it,
# does not always get there: what differs is run again, and that counts.
compare_tests() { # compare_tests PASS
	local rc=0
	compare_outcomes "$1" || rc=$?
	[ $rc -le 1 ] || return $rc
	# One that got better differs, too.
	differing_tests "$1" > "$out/$1.differs" || true
	[ -s "$out/$1.differs" ] || return 0
	step "$1: $(wc -l < "$out/$1.differs") tests differ at first sight: again"
	boot "again-$1" "$out/$1.differs" a b
	echo "again: $(paste -sd ' ' "$out/$1.differs")"
	rc=0
	compare_outcomes "again-$1" || rc=$?
	[ $rc -le 1 ] || return $rc
	[ -z "$(differing_tests "again-$1")" ]
}

find_kernel a
find_kernel b
find_objects
step "$(wc -l < "$out/objects") objects: $label_a (A) against $label_b (B)"
status=0
: > "$out/report.txt"
for pass in $passes; do
	measure "$pass" "$out/objects"
	rc=0
	case $pass in
	tests*) compare_tests "$pass" > "$out/part" || rc=$? ;;
	*)      compare_objects "$pass" > "$out/part" || rc=$? ;;
	esac
	{ echo "==== $pass"; cat "$out/part"; } | tee -a "$out/report.txt"
	[ $rc -le $status ] || status=$rc
done
case $status in
0) echo "verdict: the same" ;;
1) echo "verdict: something differs" ;;
*) echo "verdict: could not be compared" ;;
esac | tee -a "$out/report.txt"
echo "recordings: ${boots[a]} ${boots[b]}"
exit $status
