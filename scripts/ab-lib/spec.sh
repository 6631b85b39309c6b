# SPDX-License-Identifier: GPL-2.0-only
# What the sides of a comparison are: from the words of the user to kernels.
# shellcheck shell=bash # part of scripts/ab, with its variables

# Of each side: what it is (guest, host, ssh), what it is called, the arguments that
# build-kernel.sh gets, a line each, or the image or machine that is there already.
declare -A side_kind=() side_label=() side_build=() side_image=() side_host=()
declare -A side_kernel=() # folder of the kernel of a guest

spec_is_image() {
	[ -f "$1" ] &&
		[ "$(dd if="$1" bs=1 skip=514 count=4 status=none | tr -d '\0')" = HdrS ]
}
spec_is_tree() { [ -e "$1/Kconfig" ] && [ -d "$1/kernel/bpf" ]; }
spec_word() { basename "$1" | sed -E 's/\.(mbox|mbx|patch|diff|eml)$//; s/[^A-Za-z0-9._+-]/-/g'; }

# spec_source SPEC: the arguments for build-kernel.sh, a line each; 1: it is no source.
spec_source() {
	local spec=$1 on
	if [ -r "$AB_TOP/patches/$spec/series" ]; then
		printf '%s\n' --series "$spec"
	elif [ -r "$spec/series" ]; then
		printf '%s\n' --series "$(realpath "$spec")"
	elif spec_is_tree "$spec"; then
		printf '%s\n' --tree "$(realpath "$spec")"
	elif [ -f "$spec" ] || [ -d "$spec" ]; then
		printf '%s\n' --patches "$(realpath "$spec")"
	elif [ -n "${KSRC:-}" ] && tree_git "$KSRC" rev-parse -q --verify --end-of-options \
		"$spec^{commit}" > /dev/null 2>&1; then
		printf '%s\n' --tree "$(realpath "$KSRC")" --rev "$spec"
	elif [[ $spec == *+* ]] && [ -e "${spec##*+}" ]; then
		on=${spec%+*}
		[ "$on" = base ] || spec_source "$on" || return 1
		printf '%s\n' --patches "$(realpath "${spec##*+}")"
	else
		return 1
	fi
}

# What a source is without what is put on top of it; 1: nothing is.
spec_below() { # BUILD
	local args=() below=() linux i
	[ -n "$1" ] || return 0
	mapfile -t args <<< "$1"
	for ((i = 0; i < ${#args[@]}; i += 2)); do
		[ "${args[i]}" = --patches ] || below+=("${args[@]:i:2}")
	done
	if [ "${#below[@]}" -lt "${#args[@]}" ]; then
		[ ${#below[@]} = 0 ] || printf '%s\n' "${below[@]}"
	elif [ "${args[0]}" = --series ]; then
		linux=$("$AB_TOP/scripts/build-kernel.sh" --print-linux "${args[@]}") || exit 3
		printf '%s\n' --linux "$linux"
	else
		return 1
	fi
}

# spec_read SIDE SPEC: all but "base", which depends on the other side.
spec_read() {
	local side=$1 spec=$2
	side_kind[$side]=guest
	side_label[$side]=$(spec_word "$spec")
	case $spec in
	base)   side_kind[$side]=base ;;
	host)   side_kind[$side]=host ;;
	ssh:?*)
		side_kind[$side]=ssh
		side_host[$side]=${spec#ssh:}
		# No machine is called so, and ssh would take it for an option.
		[[ ${side_host[$side]} != -* ]] || usage "$spec is no machine"
		side_label[$side]=$(spec_word "ssh-${spec#ssh:}") ;;
	*)
		if spec_is_image "$spec"; then
			side_image[$side]=$(realpath "$spec")
			side_label[$side]=$(spec_word "$(basename "$(dirname "${side_image[$side]}")")-$(basename "$spec")")
		elif ! side_build[$side]=$(spec_source "$spec"); then
			usage "'$spec' is no series of patches/, no folder with a series file, no kernel" \
				"tree, no mbox or folder of patches, no bzImage, and no git revision in KSRC" \
				"(${KSRC:-not given})"
		elif [[ $spec == *+* ]]; then
			side_label[$side]=$(spec_word "${spec%+*}")+$(spec_word "${spec##*+}")
		fi ;;
	esac
}

# spec_read_base SIDE OTHER: "base" is what OTHER is without its patches.
spec_read_base() {
	local side=$1 other=$2
	[ "${side_kind[$side]}" = base ] || return 0
	side_kind[$side]=guest
	case ${side_kind[$other]} in
	base) side_build[$side]='' ;;
	guest)
		[ -z "${side_image[$other]:-}" ] &&
			side_build[$side]=$(spec_below "${side_build[$other]}") && return
		# Whoever says so wants the Linux that KSRC or Debian has.
		[ -n "$base_said" ] || usage "${side_label[$other]} is on top of nothing:" \
			"say --base, what it is compared with"
		side_build[$side]='' ;;
	*) usage "${side_label[$other]} is a machine as it is: say --base, what it is compared with" ;;
	esac
}

# spec_read_sides BASE PATCHED
spec_read_sides() {
	spec_read a "$1"
	spec_read b "$2"
	spec_read_base b a
	spec_read_base a b
	if [ "$1" = "$2" ]; then
		side_label[b]+=-again
	elif [ "${side_label[a]}" = "${side_label[b]}" ]; then
		side_label[b]+=-patched
	fi
}

# The kernel of a guest, built if need be. The build dies with us, even if we are
# killed outright.
spec_find_kernel() { # SIDE
	local side=$1 args=() file=$out/kernel-$1.$$
	[ "${side_kind[$side]}" = guest ] || return 0
	if [ -n "${side_image[$side]:-}" ]; then
		"$AB_TOP/scripts/bzimage.sh" "${side_image[$side]}" > "$file" || exit 3
	else
		mapfile -t args < <(spec_build_args "$side")
		# AB_BUILD: tests of the driver need no kernel.
		setpriv --pdeathsig TERM "${AB_BUILD:-$AB_TOP/scripts/build-kernel.sh}" "${args[@]}" > "$file" 9>&- ||
			exit $?
	fi
	side_kernel[$side]=$(cat "$file")
	rm "$file"
}

spec_build_args() { # SIDE
	[ -z "${side_build[$1]}" ] || echo "${side_build[$1]}"
	[ -z "$config" ] || printf '%s\n' --config "$config"
}
