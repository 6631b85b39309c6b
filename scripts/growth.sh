#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# How the cost of rewriting a program grows with the number of places that are
# rewritten: progs/growth.c at several sizes on both kernels, counted in guest
# instructions by the phases of the verifier, with the memory that it takes.
#
# usage: [KSRC=TREE] growth.sh [options]
#
#   --series SPEC     what is under test, as for ab --patched; without it only
#                     the base is measured
#   --base SPEC       what it is compared with (base)
#   --sizes LIST      numbers of places (256,512,1024,2048,4096,8192)
#   --programs LIST   only these programs of growth.c (commas between)
#   --out DIR         where the recordings go (.output/growth/BASE-vs-SERIES)
#   --fresh           measure again what was measured before
#   --report          only the table and the picture of what --out holds
#
# Prints for each program the exponent of its rewriting phases, of the whole load
# and of the peak of its memory; DIR has the recordings, growth.txt and growth.svg.
# The program "constants" is loaded with net.core.bpf_jit_harden=2.
#
# Exit status: 0 measured, 2 usage, 3 something could not be built or measured.
# A quadratic kernel takes about 25 minutes for all sizes, 7 up to 4096.
set -euo pipefail
. "$(dirname "$0")/common.sh"

base=base series='' sizes=256,512,1024,2048,4096,8192 programs='' out='' fresh='' report=''
while [ $# -gt 0 ]; do
	case $1 in
	--series)   series=$2; shift 2 ;;
	--base)     base=$2; shift 2 ;;
	--sizes)    sizes=$2; shift 2 ;;
	--programs) programs=$2; shift 2 ;;
	--out)      out=$2; shift 2 ;;
	--fresh)    fresh=1; shift ;;
	--report)   report=1; shift ;;
	-h|--help)  sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
	*) say "growth.sh: unknown argument $1 (see --help)"; exit 2 ;;
	esac
done
[[ $sizes =~ ^[1-9][0-9]*(,[1-9][0-9]*)+$ ]] ||
	{ say "growth.sh: --sizes wants two numbers or more with commas between, not $sizes"; exit 2; }
sides=("$base" ${series:+"$series"})
out=${out:-$AB_OUT/growth/$(basename "$base")-vs-$(basename "${series:-nothing}")}
mkdir -p "$out"
out=$(cd "$out" && pwd)

guests=()
leave() {
	trap - EXIT INT TERM HUP
	[ ${#guests[@]} -eq 0 ] || kill -TERM "${guests[@]}" 2>/dev/null || true
	[ ${#guests[@]} -eq 0 ] || wait "${guests[@]}" 2>/dev/null || true
	rm -f "$out/kernel"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The phases in which a program is rewritten: what its exponent is asked of. The
# first one is drawn.
phases_of() {
	case $1 in
	ctx_loads)  echo phase.ctx ;;
	extensions) echo phase.zext ;;
	dead_code)  echo phase.dead_code phase.nops ;;
	loops)      echo phase.loops ;;
	constants)  echo phase.blinding ;;
	*)          echo phase.fixups ;;
	esac
}
all_programs=$(sed -n 's/^__naked int \([a-z_]*\)(void)$/\1/p' "$AB_TOP/progs/growth.c")
for program in ${programs//,/ }; do
	grep -qx "$program" <<< "$all_programs" ||
		{ say "growth.sh: there is no program '$program' in progs/growth.c"; exit 2; }
done
programs=${programs:-$all_programs}

objects=()
for size in ${sizes//,/ }; do
	objects+=(".output/growth/growth-$size.bpf.o")
done
[ -n "$report" ] || run_logged growth-objects make -C "$AB_TOP" "${objects[@]}"

start_guest() { # start_guest SPEC FOLDER
	local kernel args=()
	[ "$1" = base ] || args=(--series "$1")
	setpriv --pdeathsig TERM "$AB_TOP/scripts/build-kernel.sh" "${args[@]}" > "$out/kernel" || exit 3
	kernel=$(cat "$out/kernel")
	rm -rf "$2"
	mkdir -p "$2"
	basename "$kernel" > "$2/kernel"
	setpriv --pdeathsig TERM "$AB_TOP/scripts/vm.sh" --quiet --kernel "$kernel/bzImage" \
		--clock icount --share "$2" --timeout 5400 -- \
		"$AB_TOP/scripts/growth-guest.sh" "$2" "$programs" "${objects[@]/#/$AB_TOP/}" \
		2> "$2/vm.log" &
	guests+=($!)
}

measure() {
	local i spec folder key failed='' start=$SECONDS
	key=$(cat "$AB_TOP"/{veristat,scripts/growth-guest.sh} "${objects[@]/#/$AB_TOP/}" | sha256sum | cut -c1-12)
	for spec in "${sides[@]}"; do
		folder=$out/$(basename "$spec")
		[ -z "$fresh" ] && [ "$(cat "$folder/key" 2>/dev/null)" = "$key $programs" ] ||
			start_guest "$spec" "$folder"
	done
	while [ ${#guests[@]} -gt 0 ] && kill -0 "${guests[@]}" 2>/dev/null; do
		progress_text "growth, $(mmss $((SECONDS - start)))$(for spec in "${sides[@]}"; do
			echo "; $(basename "$spec"): $(tail -n 1 "$out/$(basename "$spec")/stderr" 2>/dev/null | cut -c1-50)"
		done | tr -d '\n\r')"
		sleep 1
	done
	progress_end
	for i in "${guests[@]}"; do
		wait "$i" || failed=1
	done
	guests=()
	for spec in "${sides[@]}"; do
		folder=$out/$(basename "$spec")
		[ -e "$folder/measured" ] && [ -z "$failed" ] ||
			die "$(basename "$spec"): not measured (class $(cat "$folder/class" 2>/dev/null)): $folder"
		echo "$key $programs" > "$folder/key"
	done
}

# "EXPONENT NUMBER..." of a program's column on a side, sizes ascending.
numbers() {
	local file=growth
	[ "$2" != constants ] || file=blinded
	"$AB_TOP/veristat" -q -R "$out/$(basename "$1")/$file.csv" --growth -o csv -e "$3" |
		awk -F, -v program="$2" '$1 == program { $1 = $2 = ""; print }'
}

print_table() {
	local program column spec text
	printf '%-14s %-15s %-16s %8s  %s\n' program number kernel exponent "at ${sizes//,/, }"
	for program in ${programs//,/ }; do
		# shellcheck disable=SC2046 # words
		for column in $(phases_of "$program") duration live_peak vmalloc_peak vmalloc_bytes; do
			for spec in "${sides[@]}"; do
				read -r -a text <<< "$(numbers "$spec" "$program" "$column")"
				printf '%-14s %-15s %-16s %8s  %s\n' "$program" "$column" \
					"$(basename "$spec")" "${text[0]:--}" "${text[*]:1}"
			done
		done
	done
	echo "phases and durations: thousands of guest instructions; memory: bytes"
}

# Logarithms on both axes, a line for each program and side.
draw() {
	local program spec
	for program in ${programs//,/ }; do
		for spec in "${sides[@]}"; do
			echo "$program $(basename "$spec")" \
				"$(numbers "$spec" "$program" "$(phases_of "$program" | cut -d' ' -f1)")"
		done
	done | awk -v sizes="$sizes" -f "$AB_TOP/scripts/growth-svg.awk"
}

[ -n "$report" ] || measure
print_table > "$out/growth.txt"
draw > "$out/growth.svg"
cat "$out/growth.txt"
echo "picture: $out/growth.svg"
