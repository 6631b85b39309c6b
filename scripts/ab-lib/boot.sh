# SPDX-License-Identifier: GPL-2.0-only
# The boots of both sides: their order, their start and end, their folders.
# shellcheck shell=bash # part of scripts/ab, with its variables
#
# A boot is measured in boot-N.part, which becomes boot-N with its mark `complete`
# when all is measured, else boot-N.failed with its class. What was in .part when
# ab was killed is never looked at again.

declare -A side_dir=([a]=base [b]=patched)
declare -A runner=()  # "SIDE N" -> the process that runs that boot
declare -A started=() # "SIDE N" -> when, in seconds of this run
run_failure=''         # how the last boot ended that was not measured
declare -A retried=() # "SIDE N" -> how often it did not even reach its userspace

boot_dir() { echo "$out/${side_dir[$1]}/boot-$2"; }
boot_name() { echo "${side_label[$1]}, boot $2"; }

# Sides alternate, and so does who is first: ABBA.
boot_schedule() {
	local n
	for ((n = 1; n <= boots; n++)); do
		if [ $((n % 2)) = 1 ]; then
			printf '%s\n' "a $n" "b $n"
		else
			printf '%s\n' "b $n" "a $n"
		fi
	done
}

boot_key() { echo "${side_key[$1]} $tool_key"; }
boot_is_measured() { # SIDE N
	local dir
	dir=$(boot_dir "$1" "$2")
	[ -z "$fresh" ] && [ -e "$dir/complete" ] &&
		[ "$(cat "$dir/complete")" = "$(boot_key "$1")" ]
}

# What runs a command on this side, with all but the command.
boot_runner() { # SIDE DIR
	local side=$1 kernel=${side_kernel[$1]:-}
	case ${side_kind[$side]} in
	guest)
		# AB_VM: tests put faults in by a vm.sh of their own.
		printf '%s\n' "${AB_VM:-$AB_TOP/scripts/vm.sh}" --quiet --kernel "$kernel/bzImage" \
			--clock "$clock" --env "BPF_AB_COMPILER=$(sed -n 's/^compiler=//p' "$kernel/info")"
		[ -z "$debug" ] || printf '%s\n' --append "watchdog_thresh=60 acpi=off noapic" ;;
	host) printf '%s\n' "$AB_TOP/scripts/run-host.sh" ;;
	ssh)  printf '%s\n' "$AB_TOP/scripts/run-ssh.sh" --host "${side_host[$side]}" ;;
	esac
	printf '%s\n' --share "$2" --timeout "$timeout" --env "BPF_AB_SERIES=${side_label[$side]}"
}

boot_start() { # SIDE N
	local side=$1 n=$2 dir run=()
	dir=$(boot_dir "$side" "$n")
	rm -rf "$dir" "$dir.part"
	mkdir -p "$dir.part"
	mapfile -t run < <(boot_runner "$side" "$dir.part")
	setpriv --pdeathsig TERM "${run[@]}" -- "$AB_TOP/scripts/ab-guest.sh" "$dir.part" \
		--repeat "$repeat" --only "$only" --variants "$variants" --count "$count" -- "${object_files[@]}" \
		2> "$dir.part/vm.log" < /dev/null 9>&- &
	runner[$side $n]=$!
	started[$side $n]=$(uptime_seconds)
}

# The last thing that a boot said of its progress.
boot_progress() { # SIDE N
	local text
	text=$(tail -n 1 "$(boot_dir "$1" "$2").part/stderr" 2>/dev/null | tr -d '\r' | cut -c1-60)
	echo "$(boot_name "$1" "$2"), $(mmss $(($(uptime_seconds) - ${started[$1 $2]}))): ${text:-booting}"
}

# The mark is the last that is written, and on the disk before the folder has its name.
boot_keep() { # SIDE N DIR
	rm -rf "$3.failed"
	echo $(($(uptime_seconds) - ${started[$1 $2]})) > "$3.part/seconds" &&
		boot_key "$1" > "$3.part/complete" && sync -f "$3.part" && mv "$3.part" "$3"
}

# boot_end SIDE N: 0 measured; 1 to be tried again; 3 not measured.
boot_end() {
	local side=$1 n=$2 status=0 dir class why=''
	dir=$(boot_dir "$side" "$n")
	wait "${runner[$side $n]}" || status=$?
	unset "runner[$side $n]"
	class=$(cat "$dir.part/class" 2>/dev/null) || true
	class=${class:-died}
	why=$(inputs_are_same) || true
	if [ $status = 0 ] && [ "$class" = done ] && [ -e "$dir.part/measured" ] && [ -z "$why" ] &&
		boot_keep "$side" "$n" "$dir"; then
		return 0
	fi
	rm -rf "$dir.failed"
	mv "$dir.part" "$dir.failed"
	# On a full disk it is only said.
	{ echo "$class" > "$dir.failed/class"; } 2>/dev/null || true
	progress_end
	if [ -n "$why" ]; then
		step "$(boot_name "$side" "$n"): not measured: $why"
	elif [ "$class" = done ]; then
		step "$(boot_name "$side" "$n"): not measured, status $status"
		grep -E 'ended with status' "$dir.failed/stderr" >&2 || tail -n 5 "$dir.failed"/{stderr,vm.log} >&2
	else
		step "$(boot_name "$side" "$n"): $class (console: $dir.failed/console)"
		grep -m 3 -E 'Kernel panic|Out of memory|soft lockup|BUG:' "$dir.failed/console" >&2 || true
		boot_may_retry "$side" "$n" "$dir.failed" && return 1
	fi
	run_failure=$class
	return 3
}

# Only what never came to its userspace has measured nothing.
boot_may_retry() { # SIDE N DIR
	local times=${retried[$1 $2]:-0}
	[ ! -e "$3/booted" ] && [ "$times" -lt "$retries" ] || return 1
	retried[$1 $2]=$((times + 1))
	step "$(boot_name "$1" "$2"): it never reached its userspace: once more"
	echo "$(date -u '+%F %T') ${side_dir[$1]}/boot-$2 $(cat "$3/class")" >> "$out/retries"
}

boots_stop() {
	local pid
	for pid in "${runner[@]}"; do
		kill -TERM "$pid" 2>/dev/null || true
	done
	for pid in "${runner[@]}"; do
		wait "$pid" 2>/dev/null || true
	done
	# A job of many does not know whose the others are.
	[ -n "$in_task" ] || rm -rf "$out"/{base,patched}/boot-*.part
}

# One boot by itself, to its end: 0 measured, 3 not.
boots_run_one() { # SIDE N
	local rc=1
	while [ $rc = 1 ]; do
		boot_start "$1" "$2"
		while kill -0 "${runner[$1 $2]}" 2>/dev/null; do
			progress_text "$(boot_progress "$1" "$2")"
			sleep 0.5
		done
		progress_end
		rc=0
		boot_end "$1" "$2" || rc=$?
	done
	return $rc
}

# All boots that are not measured yet, up to $jobs side by side: counted
# instructions do not mind company. 0, or 3 as soon as one could not be measured,
# after those beside it.
boots_run() {
	local queue=() boot failed=0 text rc
	while read -r boot; do
		# shellcheck disable=SC2086 # two words
		if boot_is_measured $boot; then
			step "$(boot_name $boot): as measured $(date -r "$(boot_dir $boot)/complete" '+%F %H:%M') (--fresh measures again)"
		else
			queue+=("$boot")
		fi
	done < <(boot_schedule)
	while [ ${#runner[@]} -gt 0 ] || { [ ${#queue[@]} -gt 0 ] && [ $failed = 0 ]; }; do
		while [ ${#runner[@]} -lt "$jobs" ] && [ ${#queue[@]} -gt 0 ] && [ $failed = 0 ]; do
			# shellcheck disable=SC2086
			boot_start ${queue[0]}
			queue=("${queue[@]:1}")
		done
		text=''
		for boot in "${!runner[@]}"; do
			if kill -0 "${runner[$boot]}" 2>/dev/null; then
				# shellcheck disable=SC2086
				text+="; $(boot_progress $boot)"
				continue
			fi
			rc=0
			# shellcheck disable=SC2086
			boot_end $boot || rc=$?
			case $rc in
			1) queue=("$boot" "${queue[@]}") ;;
			3) failed=3 ;;
			esac
		done
		[ -z "$text" ] || progress_text "${text#; }"
		sleep 0.5
	done
	progress_end
	return $failed
}

boots_all_measured() {
	local boot
	while read -r boot; do
		# shellcheck disable=SC2086 # two words
		boot_is_measured $boot || return 1
	done < <(boot_schedule)
}

# One run at a time in a folder of results. What a run that was killed has left
# behind is gone in a moment; guests and builds do not hold the lock (9>&-).
lock_out() {
	exec 9> "$out/lock"
	flock -w 10 9 || die "another run of ab works in $out"
}

# Boots of an earlier run with more of them are not part of this one.
boots_drop_surplus() {
	local dir n
	for dir in "$out"/{base,patched}/boot-*; do
		n=${dir##*/boot-}
		[[ ! $n =~ ^[0-9]+$ ]] || [ "$n" -le "$boots" ] || rm -rf "$dir"
	done
}
