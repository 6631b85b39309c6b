# SPDX-License-Identifier: GPL-2.0-only
# What is measured: the objects, and the key of all that a recording depends on.
# shellcheck shell=bash # part of scripts/ab, with its variables

declare -A side_key=() # what a recording says of the kernel that it is of
object_files=()
tool_key=''

inputs_all() {
	local f
	if [ -n "$objdir" ]; then
		printf '%s\n' "$objdir"/*.bpf.o
		return
	fi
	for f in "$AB_OUT"/selftests/*.bpf.o "$AB_OUT"/progs/corpus_*.bpf.o; do
		[ -e "$f" ] || continue
		[ -n "$pyperf600" ] || [ "${f##*/}" != pyperf600.bpf.o ] || continue
		echo "$f"
	done
}

# Those that there will be once the kernels are.
inputs_names() {
	# shellcheck disable=SC2086
	[ -n "$objdir" ] || "$AB_TOP/scripts/selftests.sh" --names $pyperf600
	inputs_all
}

# Every pattern of --objects has to match: one that doesn't is a typing error.
inputs_pick() { # FILE-OR-NAME... : prints those that are picked
	local f pattern patterns matched picked=()
	IFS=, read -r -a patterns <<< "${objects:-*}"
	for pattern in "${patterns[@]}"; do
		matched=''
		for f; do
			# shellcheck disable=SC2053 # a pattern on purpose
			if [[ ${f##*/} == $pattern || ${f##*/} == $pattern.bpf.o ]]; then
				picked+=("$f")
				matched=1
			fi
		done
		[ -n "$matched" ] || { say "ab: no object matches --objects $pattern"; return 2; }
	done
	printf '%s\n' "$@" | grep -xFf <(printf '%s\n' "${picked[@]}")
}

inputs_want() { [[ " $only " == *" $1 "* ]]; }

# The machine that a side runs on as it is.
inputs_machine_key() { # SIDE
	local notes
	case ${side_kind[$1]} in
	host) notes=$(sha256sum < /sys/kernel/notes) ;;
	ssh)  notes=$(ssh -o BatchMode=yes -- "${side_host[$1]}" 'cat /sys/kernel/notes' | sha256sum) ;;
	esac
	echo "${side_label[$1]}-${notes:0:12}"
}

# Objects that need a kernel's types are built against the base's.
inputs_build() {
	local btf=/sys/kernel/btf/vmlinux
	[ -z "$objdir" ] || return 0
	[ -z "${side_kernel[a]:-}" ] || btf=${side_kernel[a]}/vmlinux.btf
	# shellcheck disable=SC2086
	"$AB_TOP/scripts/selftests.sh" --btf "$btf" $pyperf600 > /dev/null || exit 3
}

inputs_list() {
	printf '%s\n' "$AB_TOP"/{test_progs,veristat,bench} "$AB_OUT"/progs/*.bpf.o "${object_files[@]}" \
		"$AB_TOP"/scripts/{ab-guest,guest-init,run_bench_local_storage_create,vm,run-host,run-ssh}.sh
}

# Before there is a kernel to build them for.
inputs_check_names() {
	local all
	inputs_want veristat || return 0
	mapfile -t all < <(inputs_names)
	inputs_pick "${all[@]}" > /dev/null || exit 2
}

# Sets object_files, side_key and tool_key, and notes what all of it was.
inputs_prepare() {
	local side list all
	if inputs_want veristat; then
		[ -n "$dry_run" ] || inputs_build
		mapfile -t all < <(inputs_all)
		list=$(inputs_pick "${all[@]}") || exit 2
		mapfile -t object_files <<< "$list"
	fi
	for side in a b; do
		if [ "${side_kind[$side]}" = guest ]; then
			side_key[$side]=$(basename "${side_kernel[$side]}")
		else
			side_key[$side]=$(inputs_machine_key "$side")
		fi
	done
	inputs_list | xargs -d '\n' sha256sum > "$out/inputs.$$"
	mv "$out/inputs.$$" "$out/inputs"
	tool_key=$(cut -c1-64 "$out/inputs" | sha256sum | cut -c1-12)
	tool_key+="-$clock-$repeat-${only// /,}-$variants-$count"
}

# Nothing is compared that was changed, or has gone, while it was measured. Says
# what, and is false, if so.
inputs_are_same() {
	local changed
	changed=$(sha256sum --quiet -c "$out/inputs" 2>/dev/null | head -n 1 || true)
	[ -n "$changed" ] || return 0
	echo "${changed%%: *} has been changed or deleted since this run began"
	return 1
}
