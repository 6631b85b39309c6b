# SPDX-License-Identifier: GPL-2.0-only
# Completion for test_progs, veristat, bench and ab-report. What there is to complete comes
# from the program that is being called: from its --help and its lists.
# shellcheck shell=bash

# Options of a help text, one a line.
_bpf_ab_options() {
	sed -nE 's/^ +((-[A-Za-z])?(, )?(--[a-z0-9-]+)?).*/\1/p' <<< "$1" | tr -d , | tr ' ' '\n' |
		grep '^-'
}

# What an option takes: "PLACEHOLDER text"; nothing if it takes nothing.
_bpf_ab_argument() { # HELP OPTION
	local line
	line=$(grep -E -m 1 -- "^ +(-[A-Za-z], )?$2([ ,[]|$)" <<< "$1") || return 0
	sed -nE 's/^ +(-[A-Za-z])?(, )?(--[a-z0-9-]+)?(\[=| )([A-Z][^] ]*)\]? *(.*)/\5 \6/p' <<< "$line"
}

# The words of "socket (default), task, cgroup or inode", behind the last colon.
_bpf_ab_choices() {
	local text=${1##*:}
	sed -E 's/\([^)]*\)//g; s/,? or |, /\n/g' <<< "$text" | sed -E 's/ +$//; s/.* //' |
		grep -E '^[a-z0-9_]+$'
}

# The names of the list below "Columns:" or "Metrics:", and in parentheses the others.
_bpf_ab_names() {
	sed -nE '/^(Columns|Metrics):$/,/^$/{
		s/^  ([^ ]+) .* \(([a-z_, ]+)\)$/\1 \2/p; t
		s/^  ([^ ]+) .*/\1/p
	}' <<< "$1" | tr -d , | tr ' ' '\n'
}

_bpf_ab_words() { # PROGRAM HELP OPTION: what may follow it; 1: names of files
	local argument
	argument=$(_bpf_ab_argument "$2" "$3")
	case ${argument%% *} in
	FORMAT|TYPE|HOOK|FAMILY|CODE) _bpf_ab_choices "${argument#* }" ;;
	COLUMN*|METRIC*|ORDER*)       _bpf_ab_names "$2" ;;
	NAMES)                        "$1" -l 2>/dev/null ;;
	N|NUMS|SECONDS|BYTES|CPUS)    ;;
	*)                            return 1 ;;
	esac
}

_bpf_ab() {
	local program=$1 cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local help words head='' joined=''

	COMPREPLY=()
	help=$("$program" --help 2>/dev/null) || return 0
	# bash takes "--wide=insns" for three words.
	if [ "$cur" = = ]; then
		cur='' joined=1
	elif [ "$prev" = = ] && [ "$COMP_CWORD" -gt 2 ]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]} joined=1
	fi
	# What may be left out is there only behind a "=".
	if [[ $prev == -* ]] && { [ -n "$joined" ] || ! grep -q -e "$prev\[=" <<< "$help"; } &&
		[ -n "$(_bpf_ab_argument "$help" "$prev")" ]; then
		words=$(_bpf_ab_words "$program" "$help" "$prev") || { compopt -o default; return 0; }
		# Lists: what is behind the last comma.
		[[ $cur != *,* ]] || head=${cur%,*},
		mapfile -t COMPREPLY < <(compgen -P "$head" -W "$words" -- "${cur##*,}")
	elif [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_bpf_ab_options "$help")" -- "$cur")
	elif [ "${program##*/}" = bench ]; then
		words=$("$program" -l 2>/dev/null | sed 's/ .*//')
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		[ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default
	else
		compopt -o default
	fi
}

complete -F _bpf_ab test_progs veristat bench ab-report
