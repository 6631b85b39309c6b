# SPDX-License-Identifier: GPL-2.0-only
# One boot of one side, from its start to its folder; and a round of both.
# shellcheck shell=bash # part of scripts/ab, with its variables

boot_dir() { echo "$out/${side_dir[$1]}/boot-$2"; }
declare -A side_dir=([a]=base [b]=patched)

boot_is_measured() {
	local dir
	dir=$(boot_dir "$1" "$2")
	[ -z "$fresh" ] && [ -e "$dir/complete" ] &&
		[ "$(cat "$dir/complete")" = "$(basename "${side_kernel[$1]}") $tool_key" ]
}

start_boot() {
	local side=$1 n=$2 kernel=${side_kernel[$1]} dir
	dir=$(boot_dir "$side" "$n")
	rm -rf "$dir" "$dir.part"
	mkdir -p "$dir.part"
	setpriv --pdeathsig TERM "$AB_TOP/scripts/vm.sh" --quiet --kernel "$kernel/bzImage" \
		--clock "$clock" --share "$dir.part" --timeout 1800 \
		--env "BPF_AB_SERIES=${side_label[$side]}" \
		--env "BPF_AB_COMPILER=$(sed -n 's/^compiler=//p' "$kernel/info")" \
		-- "$AB_TOP/scripts/ab-guest.sh" "$dir.part" --repeat "$repeat" \
		--only "$only" --variants "$variants" -- \
		"${object_files[@]}" 2> "$dir.part/vm.log" &
	guest[$side]=$!
}

# The last thing that a guest said of its progress.
boot_progress() {
	local text
	text=$(tail -n 1 "$1.part/stderr" 2>/dev/null | tr -d '\r' | cut -c1-60)
	echo "${text:-booting}"
}

# 0 measured, 3 not: then the class is said and the folder kept as .failed.
end_boot() {
	local side=$1 n=$2 status=0 dir class
	dir=$(boot_dir "$side" "$n")
	wait "${guest[$side]}" || status=$?
	unset "guest[$side]"
	class=$(cat "$dir.part/class" 2>/dev/null || echo died)
	if [ $status = 0 ] && [ "$class" = done ] && [ -e "$dir.part/measured" ]; then
		rm -rf "$dir.failed"
		echo "$(basename "${side_kernel[$side]}") $tool_key" > "$dir.part/complete"
		mv "$dir.part" "$dir"
		return 0
	fi
	rm -rf "$dir.failed"
	mv "$dir.part" "$dir.failed"
	progress_end
	if [ "$class" = done ]; then
		step "${side_label[$side]}, boot $n: not measured, status $status"
		grep -E 'ended with status' "$dir.failed/stderr" >&2 || tail -n 5 "$dir.failed/stderr" >&2
	else
		step "${side_label[$side]}, boot $n: $class (console: $dir.failed/console)"
		grep -m 3 -E 'Kernel panic|Out of memory|soft lockup|BUG:' "$dir.failed/console" >&2 || true
	fi
	echo "$class" > "$dir.failed/class"
	return 3
}

# Both sides side by side, if the clock allows it: counted instructions do not
# mind company. The order within a round alternates.
run_round() {
	local n=$1 start=$SECONDS side sides=(a b) failed=0 text
	[ $((n % 2)) = 1 ] || sides=(b a)
	for side in "${sides[@]}"; do
		if boot_is_measured "$side" "$n"; then
			step "${side_label[$side]}, boot $n: as measured $(date -r "$(boot_dir "$side" "$n")/complete" '+%F %H:%M') (--fresh measures again)"
		else
			start_boot "$side" "$n"
		fi
	done
	while [ ${#guest[@]} -gt 0 ]; do
		text=''
		for side in "${!guest[@]}"; do
			if kill -0 "${guest[$side]}" 2>/dev/null; then
				text+="; ${side_label[$side]}: $(boot_progress "$(boot_dir "$side" "$n")")"
			else
				end_boot "$side" "$n" || failed=3
			fi
		done
		[ -z "$text" ] || progress_text "boot $n of $boots, $(mmss $((SECONDS - start)))$text"
		sleep 1
	done
	progress_end
	return $failed
}
