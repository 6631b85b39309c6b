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
#   --patched SPEC   as for ab: a series, a folder with a series file, or "base"
#   --base SPEC      what it is compared with (base)
#   --passes LIST    what is done, with commas between (plain), or "all":
#                      plain          all objects
#                      rnd-hi32       with BPF_F_TEST_RND_HI32
#                      blinded        with net.core.bpf_jit_harden=2
#                      tests          test_progs -t verifier, ours and the kernel's
#                      tests-blinded  the same with net.core.bpf_jit_harden=2
#   --objects LIST   only these (globs on file names, commas between)
#   --only-ours      without the kernel's selftests, which take 7 minutes to build
#   --out DIR        where the recordings go (.output/xlated/BASE-vs-PATCHED)
#   --fresh          load again what was loaded before
#
# Exit status: 0 the same, 1 something differs, 2 usage, 3 something could not be
# built, booted or loaded. 5 to 10 minutes a pass.
set -euo pipefail
. "$(dirname "$0")/common.sh"

base=base patched='' passes=plain objects='' only_ours='' out='' fresh=''
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

label_a=$(basename "$base")
label_b=$(basename "$patched")
[ "$base" != "$patched" ] || label_b+=-again
out=${out:-$AB_OUT/xlated/$label_a-vs-$label_b}
mkdir -p "$out"/{a,b}
out=$(cd "$out" && pwd)

guests=()
leave() {
	trap - EXIT INT TERM HUP
	[ ${#guests[@]} -eq 0 ] || kill -TERM "${guests[@]}" 2>/dev/null || true
	[ ${#guests[@]} -eq 0 ] || wait "${guests[@]}" 2>/dev/null || true
	rm -f "$out"/{kernel,part}
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# ---- what is loaded, and where -----------------------------------------------

declare -A kernel
find_kernel() { # find_kernel SIDE SPEC
	local series=()
	[ "$2" = base ] || series=(--series "$2")
	setpriv --pdeathsig TERM "$AB_TOP/scripts/build-kernel.sh" "${series[@]}" > "$out/kernel" ||
		exit 3
	kernel[$1]=$(cat "$out/kernel")
}

objdirs=("$AB_OUT/progs")
find_objects() {
	local dir file pattern
	if [ -z "$only_ours" ]; then
		dir=$("$AB_TOP/scripts/upstream.sh") || exit 3
		objdirs+=("$dir")
	fi
	for dir in "${objdirs[@]}"; do
		for file in "$dir"/*.bpf.o; do
			[ -e "$file" ] || die "$dir holds no BPF object"
			for pattern in ${objects:+${objects//,/ }} ${objects:-'*'}; do
				# shellcheck disable=SC2053 # a pattern on purpose
				if [[ ${file##*/} == $pattern || ${file##*/} == $pattern.bpf.o ]]; then
					echo "$file"
					break
				fi
			done
		done
	done > "$out/objects"
	[ -s "$out/objects" ] || { say "xlated.sh: no object matches --objects $objects"; exit 2; }
}

# ---- boots -------------------------------------------------------------------

start_guest() { # start_guest SIDE PASS LIST
	local share=$out/$1/$2.guest
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
	tail -n 1 "$out/$1/$2.guest/stderr" 2>/dev/null | tr -d '\r' | cut -c1-50
}

# Both sides beside each other. The recordings are then below DIR/a and DIR/b.
boot() { # boot PASS LIST
	local pass=$1 start=$SECONDS side pid status failed=''
	guests=()
	for side in a b; do
		start_guest $side "$pass" "$2"
	done
	while kill -0 "${guests[@]}" 2>/dev/null; do
		progress_text "$pass, $(mmss $((SECONDS - start))); A: $(guest_progress a "$pass"); B: $(guest_progress b "$pass")"
		sleep 1
	done
	progress_end
	for side in a b; do
		pid=${guests[0]} status=0
		wait "$pid" || status=$?
		guests=("${guests[@]:1}")
		[ $status = 0 ] && continue
		failed=1
		step "$pass on ${side^^}: $(cat "$out/$side/$pass.guest/class" 2>/dev/null || echo died), status $status (folder: $out/$side/$pass.guest)"
		tail -n 3 "$out/$side/$pass.guest/stderr" >&2 || true
	done
	[ -z "$failed" ] || exit 3
	step "$pass: done in $(mmss $((SECONDS - start)))"
}

# What a pass depends on: programs, objects and both kernels.
pass_key() {
	{
		cat "$AB_TOP"/{test_progs,veristat} "$AB_TOP/scripts/xlated-guest.sh"
		xargs cat < "$out/objects"
		echo "$1 ${kernel[a]} ${kernel[b]}"
	} | sha256sum | cut -c1-12
}

measure() { # measure PASS LIST
	local key
	key=$(pass_key "$1")
	if [ -z "$fresh" ] && [ "$(cat "$out/$1.key" 2>/dev/null)" = "$key" ]; then
		step "$1: as loaded $(date -r "$out/$1.key" '+%F %H:%M') (--fresh loads again)"
		return
	fi
	rm -f "$out/$1.key"
	boot "$1" "$2"
	echo "$key" > "$out/$1.key"
}

# ---- comparison ----------------------------------------------------------------

# Both dumps of a program around their first difference; whole ones are kept.
show_dumps() {
	local again=$1 name=$2 a b
	a=$out/a/$again.guest/code/$name.txt b=$out/b/$again.guest/code/$name.txt
	[ -e "$a" ] && [ -e "$b" ] && ! cmp -s "$a" "$b" || return 0
	echo "$name: A at the left, B at the right ($a, $b)"
	diff -y -t -W 130 "$a" "$b" | awk '
		/^.{63}[|<>]/ && !first { first = NR }
		{ line[NR] = $0 }
		END { for (i = first - 8; i < first + 16; i++) if (i in line) print "  " line[i] }'
}

compare_objects() { # compare_objects PASS
	local pass=$1 jited=() name rc=0
	local a=$out/a/$pass.guest/$pass.csv b=$out/b/$pass.guest/$pass.csv
	local again=again-$pass
	# Blinding draws constants at random, and their encodings differ in length.
	[ "$pass" != blinded ] || jited=(--no-jited)
	"$AB_TOP/scripts/same-code.pl" "${jited[@]}" --list "$a" "$b" > "$out/$pass.differs" || rc=$?
	[ $rc -le 1 ] || return 3
	if [ $rc = 0 ]; then
		"$AB_TOP/scripts/same-code.pl" "${jited[@]}" "$a" "$b"
		return
	fi
	step "$pass: $(wc -l < "$out/$pass.differs") programs differ at first sight: again"
	boot "$again" "$out/$pass.differs"
	rc=0
	"$AB_TOP/scripts/same-code.pl" "${jited[@]}" "$a" "$b" \
		"$out/a/$again.guest/$again.csv" "$out/b/$again.guest/$again.csv" || rc=$?
	while read -r name; do
		show_dumps "$again" "${name/\//.}"
	done < "$out/$pass.differs"
	return $rc
}

compare_tests() {
	local n file rc status=0
	for ((n = 1; n <= ${#objdirs[@]}; n++)); do
		echo "tests of ${objdirs[n - 1]##*/}:"
		file=$1.guest/$1-$n.csv rc=0
		"$AB_TOP/test_progs" -C "$out/a/$file" "$out/b/$file" || rc=$?
		[ $rc -le $status ] || status=$rc
	done
	return $status
}

find_kernel a "$base"
find_kernel b "$patched"
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
echo "recordings: $out"
exit $status
