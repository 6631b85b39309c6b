# SPDX-License-Identifier: GPL-2.0-only
# What is measured: the objects, and the key of all that a recording depends on.
# shellcheck shell=bash # part of scripts/ab, with its variables

pick_objects() {
	local all f pat patterns
	IFS=, read -r -a patterns <<< "$objects"
	all=("$AB_OUT"/selftests/*.bpf.o "$AB_OUT"/progs/corpus_*.bpf.o)
	for f in "${all[@]}"; do
		[ -e "$f" ] || continue
		[ -n "$pyperf600" ] || [ "${f##*/}" != pyperf600.bpf.o ] || continue
		if [ -z "$objects" ]; then
			echo "$f"
			continue
		fi
		for pat in "${patterns[@]}"; do
			# shellcheck disable=SC2053 # a pattern on purpose
			if [[ ${f##*/} == $pat || ${f##*/} == $pat.bpf.o ]]; then
				echo "$f"
				break
			fi
		done
	done
}

prepare() {
	local kernel
	find_kernel "$base" "$patched"
	side_kernel[a]=$kernel
	find_kernel "$patched" "$base"
	side_kernel[b]=$kernel
	object_files=()
	if [[ " $only " == *" veristat "* ]]; then
		# shellcheck disable=SC2086
		"$AB_TOP/scripts/selftests.sh" --btf "${side_kernel[a]}/vmlinux.btf" $pyperf600 > /dev/null
		mapfile -t object_files < <(pick_objects)
		[ ${#object_files[@]} -gt 0 ] ||
			{ say "ab: no object matches --objects $objects"; exit 2; }
	fi
	# What a boot's recording depends on beside its kernel.
	tool_key=$(cat "$AB_TOP"/{test_progs,veristat,bench} "$AB_OUT"/progs/*.bpf.o \
		"${object_files[@]}" "$AB_TOP"/scripts/{ab-guest,guest-init,run_bench_local_storage_create,vm}.sh |
		sha256sum | cut -c1-12)
	tool_key+="-$clock-$repeat-${only// /,}-$variants"
}
