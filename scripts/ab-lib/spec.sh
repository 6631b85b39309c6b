# SPDX-License-Identifier: GPL-2.0-only
# What the sides of a comparison are: from the words of the user to kernels.
# shellcheck shell=bash # part of scripts/ab, with its variables

# Which Linux a side is built from; base is that of the other one.
linux_of() {
	local series=()
	[ "$1" = base ] || series=(--series "$1")
	"$AB_TOP/scripts/build-kernel.sh" --print-linux "${series[@]}" || exit 3
}

# find_kernel SPEC OTHER-SPEC: sets kernel. The build dies with us, even if we
# are killed outright.
find_kernel() {
	local what
	if [ "$1" = base ]; then
		what=(--linux "$(linux_of "$2")")
	else
		what=(--series "$1")
	fi
	setpriv --pdeathsig TERM "$AB_TOP/scripts/build-kernel.sh" "${what[@]}" > "$out/kernel" ||
		exit 3
	kernel=$(cat "$out/kernel")
	rm "$out/kernel"
}
