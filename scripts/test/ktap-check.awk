# SPDX-License-Identifier: GPL-2.0-only
# KTAP version 1, by the letter: version lines, plans, numbers, nesting, names,
# and a parent that fails with its subtests. Stricter than the format where it
# lets a reader guess: a plan and a name are required, lines that are none of
# KTAP's are errors, and a skip gives its reason.
#
# usage: awk -f ktap-check.awk [-v outcomes=1] FILE
#
#   outcomes   also prints "TEST<tab>SUBTEST<tab>pass|skip|fail" for each
#              result; SUBTEST is empty for a test
#
# Prints "FILE:LINE: what is wrong"; exit status 1 if anything is.

function wrong(text) {
	print FILENAME ":" FNR ": " text
	bad = 1
}

# A block ends: what its plan promised must have come.
function close_block() {
	if (plan[depth] == "")
		wrong("a block without a plan")
	else if (count[depth] != plan[depth])
		wrong("plan 1.." plan[depth] ", but " count[depth] " results")
	depth--
}

function open_block() {
	depth++
	plan[depth] = ""
	count[depth] = failures[depth] = 0
}

# The part of a result line behind its number, into name and outcome.
function read_result(rest, failed,    at, tail) {
	at = index(rest, " # ")
	name = at ? substr(rest, 1, at - 1) : rest
	tail = at ? substr(rest, at + 3) : ""
	outcome = failed ? "fail" : "pass"
	if (name == "" || name ~ /^ | $/)
		wrong("expected one space and a name behind the number")
	if (name ~ /#/)
		wrong("'#' in a name")
	if (at && tail !~ /^(SKIP|TODO|XFAIL|TIMEOUT|ERROR)( |$)/)
		wrong("unknown directive '" tail "'")
	if (tail ~ /^SKIP/) {
		outcome = "skip"
		if (tail !~ /^SKIP [^ ]/)
			wrong("a skip without a reason")
	}
	if (tail ~ /^(TIMEOUT|ERROR)/ && !failed)
		wrong("ok with " tail)
}

function result(text,    failed, number, rest, nested) {
	if (level == depth - 2) {
		nested = failures[depth]
		close_block()
	} else if (level != depth - 1) {
		wrong("a result at the indentation of no open block")
		return
	}
	if (plan[depth] == "")
		wrong("a result before the plan")
	failed = sub(/^not /, "", text)
	sub(/^ok /, "", text)
	number = text
	sub(/ .*/, "", number)
	rest = substr(text, length(number) + 2)
	if (number "" != ++count[depth] "")
		wrong("number " number ", expected " count[depth])
	read_result(rest, failed)
	failures[depth] += outcome == "fail"
	if (nested && outcome != "fail")
		wrong("'" name "' is " outcome ", but " nested " of its subtests failed")
	if (depth == 2)
		subtests[++n_subtests] = name "\t" outcome
	if (depth == 1)
		list_outcomes()
}

function list_outcomes(    i) {
	for (i = 1; outcomes && i <= n_subtests; i++)
		print name "\t" subtests[i]
	if (outcomes)
		print name "\t\t" outcome
	n_subtests = 0
}

{
	text = $0
	sub(/^ +/, "", text)
	indent = length($0) - length(text)
	level = indent / 2
}

text ~ /^KTAP version/ {
	if (text != "KTAP version 1")
		wrong("expected KTAP version 1")
	if (level != depth)
		wrong("a version line at indentation " indent ", expected " 2 * depth)
	if (depth && plan[depth] == "")
		wrong("a nested block before the plan")
	if (depth && count[depth] == plan[depth])
		wrong("a nested block behind the last result")
	open_block()
	next
}

depth == 0 {
	wrong("expected KTAP version 1 first")
	exit
}

text ~ /^1\.\.[0-9]+$/ {
	if (level != depth - 1)
		wrong("a plan at indentation " indent ", expected " 2 * (depth - 1))
	else if (plan[depth] != "" || count[depth])
		wrong("a second plan, or one behind results")
	else if (text !~ /^1\.\.[1-9][0-9]*$/)
		wrong("a plan of nothing")
	plan[depth] = substr(text, 4) + 0
	next
}

text ~ /^(not )?ok [0-9]+( |$)/ {
	result(text)
	next
}

text ~ /^#( |$)/ {
	if (level != int(level) || level > depth - 1)
		wrong("a diagnostic line at the indentation of no open block")
	next
}

{
	wrong("not a line of KTAP: '" $0 "'")
}

END {
	if (depth > 1)
		wrong("a nested block without its parent's result")
	while (depth > 0)
		close_block()
	if (!FNR)
		wrong("no KTAP at all")
	exit bad
}
