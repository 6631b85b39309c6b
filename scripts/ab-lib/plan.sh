# SPDX-License-Identifier: GPL-2.0-only
# The plan of a run: kept with its results so that it can be resumed, and shown
# with estimates before anything long is done.
# shellcheck shell=bash # part of scripts/ab, with its variables

# A spec that names files, wherever we are when it is read again.
plan_spec() {
	local on=${1%+*} top=${1##*+}
	if [ "${side_kind[$2]}" != guest ] || [ -r "$AB_TOP/patches/$1/series" ] || [ "$1" = base ]; then
		echo "$1"
	elif [ -e "$1" ]; then
		realpath "$1"
	elif [[ $1 == *+* ]] && [ -e "$top" ]; then
		[ ! -e "$on" ] || on=$(realpath "$on")
		echo "$on+$(realpath "$top")"
	else
		echo "$1"
	fi
}

# The arguments that make this run again, a line each.
plan_args() {
	printf '%s\n' --base "$(plan_spec "$base" a)" --patched "$(plan_spec "$patched" b)" --boots "$boots"
	[ -n "$debug" ] && echo --debug || printf '%s\n' --clock "$clock" --only "${only// /,}"
	[ "$repeat" = 2 ] || printf '%s\n' --repeat "$repeat"
	[ "$variants" = socket:1:32,task:1:32 ] || printf '%s\n' --variants "$variants"
	[ -z "$count" ] || printf '%s\n' --count "$count"
	[ -z "$objects" ] || printf '%s\n' --objects "$objects"
	[ -z "$objdir" ] || printf '%s\n' --objdir "$objdir"
	[ -z "$pyperf600" ] || echo --pyperf600
	[ "$executor" = local ] || printf '%s\n' --executor "$executor"
	[ -z "$allow" ] || printf '%s\n' --allow "$(realpath "$allow")"
}

# A word as a shell reads it, plain where it can be.
plan_quote() {
	local word
	for word; do
		[[ $word =~ ^[A-Za-z0-9_./:,+=@^~-]+$ ]] && printf ' %s' "$word" || printf ' %q' "$word"
	done
}

# plan: key=value lines. They are data: plan_read takes what it knows and no more.
plan_write() {
	local args
	mapfile -t args < <(plan_args)
	# For the report.
	echo "${KSRC:+KSRC=$(printf %q "$(realpath "$KSRC")") }scripts/ab$(plan_quote "${args[@]}")" \
		> "$out/command"
	{
		[ -z "${KSRC:-}" ] || echo "ksrc=$(realpath "$KSRC")"
		printf 'arg=%s\n' "${args[@]}"
	} > "$out/plan.tmp"
	mv "$out/plan.tmp" "$out/plan"
}

# plan_read DIR: sets plan_words to the arguments of the run that left DIR.
plan_read() {
	[ -r "$1/plan" ] || { say "ab: $1 holds no plan: no run of ab was there"; exit 2; }
	mapfile -t plan_words < <(sed -n 's/^arg=//p' "$1/plan")
	KSRC=$(sed -n 's/^ksrc=//p' "$1/plan")
	[ -n "$KSRC" ] && export KSRC || unset KSRC
}

# ---- estimates --------------------------------------------------------------

# Seconds of a boot: what the last one took that measured the same, else a guess
# from what takes long here: programs of a hundred thousand instructions.
plan_boot_seconds() {
	local mark known f s=20
	for mark in "$AB_OUT"/ab/*/*/boot-*/complete "$out"/*/boot-*/complete; do
		[ -e "$mark" ] && [ -e "${mark%complete}seconds" ] || continue
		[ "$(cut -d' ' -f2 "$mark")" != "$tool_key" ] || known=$(cat "${mark%complete}seconds")
	done
	if [ -n "${known:-}" ]; then
		echo "$known"
		return
	fi
	! inputs_want test_progs || s=$((s + 60))
	! inputs_want bench || s=$((s + 60))
	for f in "${object_files[@]}"; do
		case ${f##*/} in
		pyperf600*) s=$((s + 150 * (repeat + 1))) ;;
		pyperf180*|strobemeta*|test_verif_scale*) s=$((s + 25 * (repeat + 1))) ;;
		*) s=$((s + 3 * (repeat + 1))) ;;
		esac
	done
	echo "$s"
}

# Where the kernel of a side will be, without building it.
plan_find_kernel() { # SIDE
	local args key
	[ "${side_kind[$1]}" = guest ] || return 0
	if [ -n "${side_image[$1]:-}" ]; then
		key=ready-$(sha256sum < "${side_image[$1]}" | cut -c1-12)
	else
		mapfile -t args < <(spec_build_args "$1")
		key=$("$AB_TOP/scripts/build-kernel.sh" "${args[@]}" --print-key) || exit $?
	fi
	side_kernel[$1]=$AB_CACHE/kernels/$key
}

# Seconds until it is there, and why so many.
plan_kernel() { # SIDE
	local kernel=${side_kernel[$1]:-}
	if [ -z "$kernel" ]; then
		echo "0 the one that runs there"
	elif [ -e "$kernel/info" ]; then
		echo "0 built already: ${kernel##*/}"
	elif [ -n "${side_image[$1]:-}" ]; then
		echo "2 as it is: ${side_image[$1]}"
	elif [ -n "$(find "$AB_CACHE/obj" -maxdepth 2 -name .bpf-ab-configured 2>/dev/null | head -n 1)" ]; then
		echo "120 to be built: 2 minutes where only patches differ, 17 from nothing: ${kernel##*/}"
	else
		echo "1000 to be built from nothing: ${kernel##*/}"
	fi
}

plan_show() {
	local side line total=0 each n=0 boot
	plan_find_kernel a
	plan_find_kernel b
	inputs_prepare
	echo "plan: ${side_label[a]} against ${side_label[b]}, clock $clock, ${only// /, }"
	for side in a b; do
		line=$(plan_kernel "$side")
		total=$((total + ${line%% *}))
		echo "  kernel of ${side_label[$side]}, about $(mmss "${line%% *}"): ${line#* }"
	done
	! inputs_want veristat || echo "  objects: ${#object_files[@]}"
	each=$(plan_boot_seconds)
	while read -r boot; do
		# shellcheck disable=SC2086 # two words
		if boot_is_measured $boot; then
			echo "  boot $(boot_name $boot): measured already"
		else
			n=$((n + 1))
			echo "  boot $(boot_name $boot): about $(mmss "$each")"
		fi
	done < <(boot_schedule)
	total=$((total + (n + jobs - 1) / jobs * each))
	echo "  in all about $(mmss $total), $jobs at a time"
}
