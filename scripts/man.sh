#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A man page from its text in docs/man/ and what the program itself says: the
# lines @OPTIONS@ and @LIST:TITLE@ become the options and the list below
# "TITLE:" of --help, @STATUS@ the exit statuses, so that they cannot differ.
#
# usage: man.sh PAGE.in COMMAND
set -euo pipefail

[ $# = 2 ] || { echo "man.sh: wants a page and a command" >&2; exit 2; }
help=$("$2" --help)
awk -v page="$1" '
function roff(s) {
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	gsub(/\047/, "\\(aq", s)
	if (s ~ /^\./)
		s = "\\&" s
	return s
}
# "-t, --name NAMES": names bold, placeholders slanted
function term(s,   out, n, part, i, arg) {
	n = split(s, part, ", ")
	for (i = 1; i <= n; i++) {
		arg = ""
		if (match(part[i], /(\[=| ).*$/)) {
			arg = substr(part[i], RSTART)
			part[i] = substr(part[i], 1, RSTART - 1)
		}
		out = out (i > 1 ? ", " : "") "\\fB" roff(part[i]) "\\fR"
		if (arg != "")
			out = out (arg ~ /^ / ? " " : "") "\\fI" roff(substr(arg, arg ~ /^ / ? 2 : 1)) "\\fR"
	}
	return out
}
# A help text, as read in order into help[1..n_help].
{ help[++n_help] = $0 }
function print_options(   i, line, left, in_option) {
	for (i = 1; i <= n_help; i++) {
		line = help[i]
		if (match(line, /^ +(-[A-Za-z])?(, )?(--[a-z0-9-]+)?(\[=[^ ]*\]| [A-Z][^ ]*)? +/) &&
		    line ~ /^ +-/ && RLENGTH > 3) {
			left = substr(line, 1, RLENGTH)
			line = substr(line, RLENGTH + 1)
			gsub(/^ +| +$/, "", left)
			printf ".TP\n%s\n%s\n", term(left), roff(line)
			in_option = 1
		} else if (in_option && line ~ /^        /) {
			sub(/^ +/, "", line)
			print roff(line)
		} else {
			in_option = 0
		}
	}
}
function print_list(title,   i, on, id) {
	for (i = 1; i <= n_help; i++) {
		if (help[i] == title ":")
			on = 1
		else if (on && help[i] !~ /^  /)
			break
		else if (on) {
			id = help[i]
			sub(/^ +/, "", id)
			sub(/ .*/, "", id)
			printf ".TP\n\\fB%s\\fR\n%s\n", roff(id),
				roff(substr(help[i], index(help[i], id) + length(id)))
		}
	}
}
function print_status(   i, on, line) {
	for (i = 1; i <= n_help; i++) {
		line = help[i]
		on = on || sub(/^Exit status: /, "", line)
		if (on && line == "")
			break
		if (on)
			print roff(line)
	}
}
END {
	while ((getline line < page) > 0) {
		if (line == "@OPTIONS@")
			print_options()
		else if (line == "@STATUS@")
			print_status()
		else if (line ~ /^@LIST:.*@$/)
			print_list(substr(line, 7, length(line) - 7))
		else
			print line
	}
}' <<< "$help" | sed 's/^  *//'
