#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What "make install" puts into a system works there: the programs find their
# objects, man pages are whole and name the options that --help names, completion
# offers these and no others. Neither root nor BPF. Prints TAP.
set -u
. "$(dirname "$0")/../common.sh"
. "$(dirname "$0")/tap.sh"
cd "$AB_TOP" || exit 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root/opt/x

make install DESTDIR="$work/root" PREFIX=/opt/x > "$work/log" 2>&1
check "make install" [ $? = 0 ]
check "nothing is installed elsewhere" [ "$(ls -A "$work/root" "$root/..")" = "$(printf '%s:\nopt\n\n%s:\nx' "$work/root" "$root/..")" ]
scripts/install.sh "" relative > "$work/log" 2>&1
check "a relative PREFIX is refused" [ $? = 2 ]
# Programs that stand elsewhere than they were built must not fall back on it.
here=$(./test_progs -l | sort)
check "test_progs finds its objects" [ "$("$root/bin/test_progs" -l | sort)" = "$here" ]
"$root/bin/veristat" -C no such > "$work/log" 2>&1
check "veristat runs" [ $? = 3 ]
check "bench runs" [ -n "$("$root/bin/bench" -l)" ]
for name in run-all compare; do
	check "bpf-ab-$name has a --help" grep -q '^usage:' <("$root/bin/bpf-ab-$name" --help)
	"$root/bin/bpf-ab-$name" --nonsense > "$work/log" 2>&1
	check "bpf-ab-$name: a wrong option exits 2" [ $? = 2 ]
done

# ---- man pages ---------------------------------------------------------------

# Options that a text begins a line with; not those that its sentences name.
options_of() { grep -oE '^ +-[^ ].*' | sed -E 's/^ +//; s/  .*//' | grep -oE -- '(^|, )--?[A-Za-z][a-z0-9-]*' | sed 's/^, //' | sort -u; }
for page in test_progs veristat bench ab-report bpf-ab; do
	man1=$root/share/man/man1/$page.1
	command=./$page
	[ $page != bpf-ab ] || command=scripts/ab
	help=$("$command" --help | options_of)
	if command -v man > /dev/null; then
		LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings -E UTF-8 -l "$man1" > "$work/text" 2> "$work/log"
		check "$page.1: man has nothing to say against it" [ ! -s "$work/log" ]
		grep '^       -' "$work/text" | options_of > "$work/man"
		check "$page.1 has the options of --help" diff "$work/man" <(echo "$help")
	else
		skip "$page.1: options" "no man"
	fi
	if command -v mandoc > /dev/null; then
		mandoc -T lint -W warning "$man1" > "$work/log" 2>&1
		check "$page.1: mandoc neither" [ ! -s "$work/log" ]
	else
		skip "$page.1: mandoc" "no mandoc"
	fi
	check "$page.1 is whole" [ "$(grep -c '^@' "$man1")" = 0 ]
	grep -oE '^\.B.*|\\fB[^\\]*' "docs/man/$page.1.in" | grep -oE -- '\\-\\-[a-z\\-]+' |
		sed 's/\\//g' | sort -u > "$work/named"
	check "$page.1: its sentences name options that there are" \
		[ -z "$(grep -vxF -f <("$command" --help | grep -oE -- '--[a-z0-9-]+'; echo --help) "$work/named")" ]
done

# ---- completion ---------------------------------------------------------------

# complete WORD...: what is offered for the last of them, one a line
offered() {
	# shellcheck disable=SC2016 # for the other shell
	bash --norc -c '
		compopt() { echo "(files)"; }
		. "$0"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_bpf_ab "$1"
		printf "%s\n" "${COMPREPLY[@]}"' \
		"$root/share/bash-completion/completions/$(basename "$1")" "$@" | grep .
}
for program in test_progs veristat bench ab-report; do
	offered ./$program - | sort -u > "$work/offered"
	check "$program: its options are offered" diff "$work/offered" <(./$program --help | options_of)
done
is() { # is WORDS CMD...
	local want=$1
	shift
	"$@" > "$work/log"
	[ "$(tr '\n' ' ' < "$work/log")" = "$want " ]
}
check "formats" is "table csv json markdown" offered ./veristat -o ""
check "formats of test_progs" is "table csv" offered ./test_progs --output-format ""
check "kinds of owners" is "socket task cgroup inode" offered ./bench --storage-type ""
check "columns, behind a comma" is "verdict,insns,states" offered ./veristat -e verdict,insns,stat
check "columns, behind =" is "insns" offered ./veristat --wide = ins
check "metrics" is "ops_per_sec" offered ./bench -e ops
check "names of tests" is "verifier_jited" offered ./test_progs -t verifier_ji
check "benchmarks" is "local-storage-create" offered ./bench lo
check "files where files are wanted" is "(files)" offered ./veristat --record ""
check "objects" is "(files)" offered ./veristat corp
check "nothing behind a number's option" [ -z "$(offered ./veristat --repeat "")" ]
echo "1..$n"
